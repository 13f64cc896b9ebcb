// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/random_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

namespace pws::test {

namespace {

class counter_writer {
 public:
  explicit counter_writer(uint64_t seed) : random_(seed) {}

  std::string text(const std::string& name) {
    std::string body;
    const unsigned loops = 1 + below(3);
    for (unsigned k = 0; k < loops; ++k) add_loop(body, 1);
    return fmt::format(
        "LOOP_KERNEL {}(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {{\n"
        "  uint32_t x = data[item()];\n  const uint32_t lane = threadIdx.x, most = table[0];\n{}"
        "  data[item()] = x;\n}}\n",
        name, body);
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <size_t N>
  const char* one_of(const char* const (&all)[N]) {
    return all[below(N)];
  }

  std::string type() {
    static constexpr const char* types[] = {"uint32_t", "uint32_t", "int32_t", "int32_t", "uint64_t",
                                            "int64_t",  "uint16_t", "int16_t", "uint8_t", "int8_t"};
    return one_of(types);
  }
  // A number: known, of the launch, of the lane, or of data within limits; outer counters too.
  std::string number(const std::string& of) {
    static constexpr const char* some[] = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "7",
                                           "12",
                                           "16",
                                           "31",
                                           "100",
                                           "-1",
                                           "-5",
                                           "-20",
                                           "127",
                                           "255",
                                           "0x7fffffff",
                                           "0xffffffffu",
                                           "0xfffffff0u",
                                           "n",
                                           "m",
                                           "n * 3",
                                           "n - m",
                                           "m - n",
                                           "-int(n)",
                                           "n << 3",
                                           "lane",
                                           "lane + n",
                                           "63 - lane",
                                           "lane & 7",
                                           "lane * m",
                                           "(x & 15)",
                                           "(x & 31) + m",
                                           "(x >> 28)",
                                           "(x % 20)",
                                           "(x < 9 ? x : 9)",
                                           "(lane < 32 ? n : m)",
                                           "blockIdx.x",
                                           "blockDim.x"};
    if (!around_.empty() && chance(30))
      return fmt::format("{}({})", of, around_[below(static_cast<uint32_t>(around_.size()))]);
    return fmt::format("{}({})", of, one_of(some));
  }
  std::string step(const std::string& i, const std::string& of) {
    static constexpr const char* changes[] = {"++{0}",
                                              "++{0}",
                                              "++{0}",
                                              "--{0}",
                                              "--{0}",
                                              "{0} += 2",
                                              "{0} += 3",
                                              "{0} -= 2",
                                              "{0} -= 5",
                                              "{0} += 8",
                                              "{0} += 64",
                                              "{0} += n",
                                              "{0} += m",
                                              "{0} -= m",
                                              "{0} *= 2",
                                              "{0} *= 3",
                                              "{0} >>= 1",
                                              "{0} /= 2",
                                              "{0} <<= 1",
                                              "{0} &= {0} - 1",
                                              "{0} += x % 2 == 0 ? 1 : 2",
                                              "{0} += lane & 1",
                                              "{0} += 1 + (lane & 3)",
                                              "{0} = {0} + 4 - 2",
                                              "{0} -= x & 1",
                                              "{0} = {0} * 2 + 1",
                                              "{0} ^= 1"};
    std::string s = one_of(changes);
    for (size_t at; (at = s.find("{0}")) != std::string::npos;) s.replace(at, 3, i);
    // What is counted in a short type is cut off there.
    const size_t is = s.find(" = ");
    return is == std::string::npos ? s : fmt::format("{} = {}({})", i, of, s.substr(is + 3));
  }
  std::string condition(const std::string& i, const std::string& of) {
    static constexpr const char* relations[] = {"<", "<", "<", "<=", "!=", "!=", ">", ">", ">=", "=="};
    const std::string test = fmt::format("{} {} {}", i, one_of(relations), number(of));
    if (chance(12)) return fmt::format("{} && x % 16 != {}", test, below(16));
    if (chance(6)) return fmt::format("{} || x % 8 == {}", test, below(8));
    if (chance(8)) return fmt::format("!({})", test);
    if (chance(8)) return fmt::format("{} && {} {} {}", test, i, one_of(relations), number(of));
    return test;
  }

  void add_loop(std::string& out, unsigned depth) {
    const std::string i = fmt::format("i{}", next_), g = fmt::format("g{}", next_), pad(2 * depth, ' ');
    ++next_;
    const std::string of = type();
    const std::string begin = fmt::format("{} {} = {}", of, i, number(of)), test = condition(i, of),
                      change = step(i, of);
    // Volatile, so that the compiler does not make one counter of both.
    out += fmt::format("{}uint32_t {} = 0;\n", pad, g);
    const std::string guard = fmt::format("{}  if (++{} > most) break;\n", pad, g);
    if (chance(25)) out += fmt::format("{}if (x % 4 != {})\n", pad, below(4));
    const unsigned form = below(6);
    const char* unroll = chance(20) ? "#pragma unroll 4\n" : chance(40) ? "#pragma unroll 1\n" : "";
    std::string body;
    around_.push_back(i);
    statements(body, depth + 1);
    around_.pop_back();
    if (form < 3)
      out += fmt::format("{0}{{\n{1}{0}for ({2}; {3}; {4}) {{\n{5}{6}{0}}}\n{0}}}\n", pad, unroll, begin, test, change,
                         guard, body);
    else if (form == 3)
      out += fmt::format("{0}{{\n{0}{1};\n{2}{0}while ({3}) {{\n{4}{5}{0}  {6};\n{0}}}\n{0}}}\n", pad, begin, unroll,
                         test, guard, without_continue(body), change);
    else if (form == 4)
      out += fmt::format("{0}{{\n{0}{1};\n{2}{0}do {{\n{4}{5}{0}  {6};\n{0}}} while ({3});\n{0}}}\n", pad, begin,
                         unroll, test, guard, without_continue(body), change);
    else
      out += fmt::format(
          "{0}{{\n{0}{1};\n{2}{0}for (;;) {{\n{4}{5}{0}  {6};\n{0}  if (!({3})) break;\n{7}{0}}}\n{0}}}\n", pad, begin,
          unroll, test, guard, without_continue(body), change, chance(50) ? pad + "  x = mixed(x);\n" : "");
  }
  static std::string without_continue(std::string body) {
    for (size_t at; (at = body.find("continue;")) != std::string::npos;) body.replace(at, 9, "x += 3;");
    return body;
  }
  void statements(std::string& out, unsigned depth) {
    const std::string pad(2 * depth, ' ');
    const unsigned count = 1 + below(2);
    for (unsigned k = 0; k < count; ++k) {
      const std::string& i = around_.back();
      switch (below(8)) {
        case 0:
          out += fmt::format("{}if (x % 8 == {}) {{\n{}  x = x * 3 + 1;\n{}  continue;\n{}}}\n", pad, below(8), pad,
                             pad, pad);
          break;
        case 1:
          out += fmt::format("{}if (x % 32 == {}) break;\n", pad, below(32));
          break;
        case 2:
          out += fmt::format("{}if (x % 2 == 0) x = mixed(x + uint32_t({})); else x = x * x + 7;\n", pad, i);
          break;
        case 3:
          // The counter changes in the middle, for some.
          if (chance(40)) out += fmt::format("{}if (x % 16 == {}) {} += 1;\n", pad, below(16), i);
          break;
        case 4:
        case 5:
          if (depth < 4 && chance(60)) add_loop(out, depth);
          break;
        default:
          out += fmt::format("{}x = mixed(x + uint32_t({}));\n", pad, i);
      }
    }
  }

  std::mt19937_64 random_;
  unsigned next_ = 0;
  std::vector<std::string> around_;  // counters of the loops around
};

}  // namespace

std::string random_counter_kernel(const std::string& name, uint64_t seed) {
  return counter_writer(seed).text(name);
}

}  // namespace pws::test
