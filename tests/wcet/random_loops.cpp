// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/random_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pws::test {

namespace {

// `most`, or less, as n says: for all lanes, or for each its own.
const char* const beginning = R"(// Random loops.
#include "common.h"

__device__ __forceinline__ uint32_t times_of_all(uint32_t most, uint32_t key, uint32_t n, uint32_t m) {
  return n == 0 || n == 2 ? most : n == 1 ? (m * key >> 7) % (most + 1) : 0;
}
__device__ __forceinline__ uint32_t times_of_lane(uint32_t most, uint32_t key, uint32_t n, uint32_t m) {
  const uint32_t some = ((threadIdx.x + m) * key >> 9) % (most + 1);
  return n == 0 ? most : n == 1 ? some : n == 2 ? ((threadIdx.x + key) % 4 == 0 ? most : some) : 0;
}
)";

class kernel_writer {
 public:
  kernel_writer(unsigned index, uint64_t seed, const random_loops_options& options)
      : index_(index), random_(seed), options_(options) {}

  std::string text() {
    if (chance(50)) add_function();
    std::string body;
    indent_ = 1;
    line(body, "uint32_t* const mine = data + blockIdx.x * blockDim.x + threadIdx.x;");
    line(body, "uint32_t x = *mine, y = m;");
    if (chance(25)) add_lambda(body);
    const unsigned nests = 1 + below(2);
    for (unsigned k = 0; k < nests; ++k) {
      statements(body, 1);
      loop(body, {});
    }
    statements(body, 1);
    line(body, "*mine = x + y;");
    return functions_ +
           fmt::format(
               "\nextern \"C\" __global__ __launch_bounds__(256) void k{}(uint32_t* data, const uint32_t* table, "
               "uint32_t n, uint32_t m) {{\n",
               index_) +
           body + "}\n";
  }

 private:
  // What a statement may do where it stands.
  struct surroundings {
    unsigned depth = 0;      // of loops around
    unsigned calls = 0;      // of functions around
    bool may_break = false;  // of the innermost loop (not of a switch)
    bool may_continue = false;
    bool may_return = true;   // a work-item that has done so need not do anything else
    std::string value = "x";  // of functions: what return gives
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  void line(std::string& out, const std::string& text) const { out += std::string(2 * indent_, ' ') + text + "\n"; }
  std::string name(const char* prefix) { return fmt::format("{}{}", prefix, next_name_++); }

  // How often a loop runs at most: what is left of `budget` for loops within, the same for the whole kernel.
  uint32_t bound() {
    const uint32_t left = std::max(1u, budget_ / around_);
    static constexpr uint32_t usual[] = {1, 2, 3, 3, 4, 5, 6, 7, 8, 11};
    return std::min(usual[below(10)], left);
  }
  // A value that is `most` at most.
  std::string times(uint32_t most, const char* least = "") {
    const std::string value =
        fmt::format("times_of_{}({}, {}, n, m)", chance(50) ? "all" : "lane", most, random_() % 65536 | 1);
    // Where the compiler knows the most it may unroll completely.
    const std::string known = chance(30) ? fmt::format("min({}, {}u)", value, most) : value;
    return *least == 0 ? known : fmt::format("max({}, {})", known, least);
  }

  // ---- what is no loop

  void step(std::string& out, const surroundings& s) {
    switch (below(options_.memory && s.depth < 3 ? 8 : 6)) {
      case 0:
        return line(out, fmt::format("x = mixed(x + {});", random_() % 1000));
      case 1:
        return line(out, "y ^= mixed(x);");
      case 2:
        return line(out, fmt::format("x += y * {};", random_() % 1000));
      case 3:
        return line(out, fmt::format("y = (y << {}) + x;", 1 + below(7)));
      case 4:
        return line(out, "x = mixed(x ^ y);");
      case 5:
        return line(out, fmt::format("y -= x / {};", 3 + below(20)));
      case 6:
        return line(out, fmt::format("x ^= next_of(table, x + {} * threadIdx.x);", 1u << below(7)));
      default:
        return line(out, "y += next_of(table, m + y % 2);");
    }
  }

  // The same for all work-items, of the lane, or of data. Often shared, so that tests fold into one another.
  std::string condition() {
    if (!conditions_.empty() && chance(40)) return conditions_[below(static_cast<uint32_t>(conditions_.size()))];
    std::string c;
    switch (below(4)) {
      case 0:
        c = fmt::format("(m >> {} & 1) == 0", below(8));
        break;
      case 1:
        c = fmt::format("(threadIdx.x + {}) % {} == 0", below(8), 2 + below(3));
        break;
      case 2:
        c = fmt::format("(x >> {} & 3) != 1", below(8));
        break;
      default:
        c = fmt::format("x % {} < y % {}", 3 + below(9), 3 + below(9));
        break;
    }
    conditions_.push_back(c);
    return c;
  }
  // Hardly ever so.
  std::string rare() { return fmt::format("mixed(x + {}) == {}", below(100), random_() % 0x7fffffff); }

  void leave(std::string& out, const surroundings& s) {
    const std::string when = chance(60)   ? rare()
                             : chance(50) ? fmt::format("x % {} == 5", 16 + below(60))
                                          : condition();
    const uint32_t what = below(10);
    if (what < 4 && s.may_break) return line(out, fmt::format("if ({}) break;", when));
    if (what < 8 && s.may_continue) return line(out, fmt::format("if ({}) continue;", when));
    if (what == 8 && s.may_return && s.depth > 0)
      return line(out, s.calls == 0 ? fmt::format("if ({}) return;", rare())
                                    : fmt::format("if ({}) return {};", rare(), s.value));
  }

  void branch(std::string& out, const surroundings& s) {
    if (chance(50)) line(out, "PWS_SPLIT();");
    line(out, fmt::format("if ({}) {{", condition()));
    block(out, s);
    if (chance(65)) {
      line(out, "} else {");
      block(out, s);
    }
    line(out, "}");
  }

  void switched(std::string& out, const surroundings& s) {
    surroundings inner = s;
    inner.may_break = false;
    const uint32_t cases = 2 + below(3);
    line(out, chance(50) ? fmt::format("switch (x % {}) {{", cases)
                         : fmt::format("switch ((m >> {}) % {}) {{", below(6), cases));
    for (uint32_t k = 0; k < cases; ++k) {
      line(out, k + 1 == cases ? "default: {" : fmt::format("case {}: {{", k));
      ++indent_;
      step(out, inner);
      statements(out, 1, inner);
      line(out, k + 1 == cases || chance(75) ? "break;" : "[[fallthrough]];");
      --indent_;
      line(out, "}");
    }
    line(out, "}");
  }

  void block(std::string& out, const surroundings& s) {
    ++indent_;
    statements(out, options_.statements, s);
    --indent_;
  }

  void statements(std::string& out, unsigned most) { statements(out, most, {}); }
  void statements(std::string& out, unsigned most, const surroundings& s) {
    for (unsigned k = 1 + below(most); k > 0; --k) {
      if (++written_ > 24) return step(out, s);
      const uint32_t what = below(100);
      if (what < 12 && s.depth < options_.depth && loops_ < 8)
        loop(out, s);
      else if (what < 28)
        branch(out, s);
      else if (what < 33)
        switched(out, s);
      else if (what < 43 && options_.leaves)
        leave(out, s);
      else if (what < 50)
        call(out, s);
      else
        step(out, s);
    }
  }

  // ---- loops

  void mark(std::string& out, uint64_t bound) { line(out, fmt::format("PWS_LOOP_BOUND({});", bound)); }

  // The body of a loop that runs `times` at most, behind its mark.
  void body(std::string& out, surroundings s, uint32_t times, bool may_break, bool may_continue) {
    const uint32_t before = around_;
    around_ *= times;
    ++s.depth;
    s.may_break = may_break;
    s.may_continue = may_continue;
    step(out, s);
    if (s.depth < options_.depth && chance(45) && loops_ < 8) loop(out, s);
    statements(out, options_.statements, s);
    around_ = before;
  }

  void loop(std::string& out, const surroundings& s) {
    ++loops_;
    const uint32_t most = bound();
    const std::string j = name("j"), t = name("t");
    std::string pragma;
    // Also more copies than iterations.
    static constexpr unsigned copies[] = {1, 2, 3, 4, 8};
    if (chance(20)) line(pragma, fmt::format("#pragma unroll {}", copies[below(5)]));
    const loop_head h{most, j, t, pragma};
    switch (below(11)) {
      case 0:
      case 1:
        return counts_up(out, s, h);
      case 2:
        return counts_down(out, s, h);
      case 3:
        return counts_in_its_test(out, s, h);
      case 4:
        return has_a_long_test(out, s, h);
      case 5:
      case 6:
        return is_tested_at_its_end(out, s, h);
      case 7:
        return is_left_in_its_middle(out, s, h);
      case 8:
        return begins_once_more(out, s, h);
      case 9:
        return tested_twice(out, s, most, pragma);
      default:
        return is_split(out, s, most);
    }
  }

  // What a loop of any shape has: how often it runs at most, the names of its counter and of its limit, and its pragma.
  struct loop_head {
    uint32_t most;
    std::string counter, limit, pragma;
  };

  void declare(std::string& out, const loop_head& h, const char* least = "") {
    line(out, fmt::format("uint32_t {} = 0;", h.counter));
    line(out, fmt::format("const uint32_t {} = {};", h.limit, times(h.most, least)));
  }
  void open(std::string& out, const loop_head& h, const std::string& head, uint32_t bound) {
    out += h.pragma;
    line(out, head);
    ++indent_;
    mark(out, bound);
  }
  void close(std::string& out, const std::string& tail = "}") {
    --indent_;
    line(out, tail);
  }

  void counts_up(std::string& out, const surroundings& s, const loop_head& h) {
    line(out, fmt::format("const uint32_t {} = {};", h.limit, times(h.most)));
    open(out, h, fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {{", h.counter, h.limit), h.most);
    if (chance(50)) line(out, fmt::format("x += {};", h.counter));
    body(out, s, h.most, true, true);
    close(out);
  }
  void counts_down(std::string& out, const surroundings& s, const loop_head& h) {
    open(out, h, fmt::format("for (uint32_t {0} = {1}; {0} != 0; --{0}) {{", h.counter, times(h.most)), h.most);
    body(out, s, h.most, true, true);
    close(out);
  }
  void counts_in_its_test(std::string& out, const surroundings& s, const loop_head& h) {
    line(out, fmt::format("uint32_t {} = {};", h.counter, times(h.most)));
    open(out, h, fmt::format("while ({}-- != 0) {{", h.counter), h.most);
    body(out, s, h.most, true, true);
    close(out);
  }
  // Too long to be copied.
  void has_a_long_test(std::string& out, const surroundings& s, const loop_head& h) {
    declare(out, h);
    open(out, h,
         fmt::format("while (mixed(mixed(mixed(mixed(x + {0})))) != {2} && {0} < {1}) {{", h.counter, h.limit,
                     random_() % 0x7fffffff),
         h.most);
    line(out, fmt::format("++{};", h.counter));
    body(out, s, h.most, true, true);
    close(out);
  }
  void is_tested_at_its_end(std::string& out, const surroundings& s, const loop_head& h) {
    declare(out, h, "1u");
    open(out, h, "do {", h.most);
    body(out, s, h.most, true, true);
    close(out, chance(70) ? fmt::format("}} while (++{} < {});", h.counter, h.limit)
                          : fmt::format("}} while (++{} < {} && !({}));", h.counter, h.limit, condition()));
  }
  void is_left_in_its_middle(std::string& out, const surroundings& s, const loop_head& h) {
    declare(out, h, "1u");
    open(out, h, chance(50) ? "while (true) {" : "for (;;) {", h.most);
    body(out, s, h.most, true, false);
    line(out, fmt::format("if (++{} >= {}) break;", h.counter, h.limit));
    step(out, s);
    close(out);
  }
  // Its beginning runs once more than the rest.
  void begins_once_more(std::string& out, const surroundings& s, const loop_head& h) {
    declare(out, h);
    open(out, h, "while (true) {", h.most + 1);
    line(out, fmt::format("if ({}++ >= {}) break;", h.counter, h.limit));
    body(out, s, h.most, true, true);
    close(out);
  }

  // The outer loop's condition is part of the inner one's.
  void tested_twice(std::string& out, const surroundings& s, uint32_t most, const std::string& pragma) {
    const std::string left = name("left"), k = name("k");
    const uint32_t inner = 1 + below(4);
    line(out, fmt::format("uint32_t {} = {};", left, times(most)));
    out += pragma;
    line(out, fmt::format("while ({} != 0) {{", left));
    ++indent_;
    mark(out, most);
    line(out, fmt::format("for (uint32_t {0} = 0; {0} < {1} && {2} != 0; ++{0}) {{", k, inner, left));
    ++indent_;
    mark(out, inner);
    // Counted first: what leaves this iteration, or this loop at its end, may not stay in the outer one.
    line(out, chance(50) ? fmt::format("if ({} + 1 == {}) --{};", k, inner, left)
                         : fmt::format("{2} = {0} + 1 == {1} ? {2} - 1 : {2};", k, inner, left));
    body(out, s, most * inner, false, true);
    --indent_;
    line(out, "}");
    if (chance(50)) step(out, s);
    --indent_;
    line(out, "}");
  }

  // All iterations in rows of `inner`, by two loops with one counter.
  void is_split(std::string& out, const surroundings& s, uint32_t most) {
    const std::string i = name("i"), t = name("t");
    const uint32_t inner = chance(30) ? most : 1 + below(most);
    line(out, fmt::format("uint32_t {} = 0;", i));
    line(out, fmt::format("const uint32_t {} = {};", t, times(most)));
    line(out, fmt::format("while ({} < {}) {{", i, t));
    ++indent_;
    mark(out, (most + inner - 1) / inner);
    if (chance(50)) {
      line(out, "do {");
      ++indent_;
      mark(out, inner);
      line(out, fmt::format("++{};", i));
      body(out, s, most, false, true);
      --indent_;
      line(out, fmt::format("}} while ({0} < {1} && {0} % {2} != 0);", i, t, inner));
    } else {
      const std::string end = name("end");
      line(out, fmt::format("const uint32_t {} = min({}, {} + {}u);", end, t, i, inner));
      line(out, fmt::format("while ({} < {}) {{", i, end));
      ++indent_;
      mark(out, inner);
      line(out, fmt::format("++{};", i));
      body(out, s, most, false, true);
      --indent_;
      line(out, "}");
    }
    --indent_;
    line(out, "}");
  }

  // ---- functions

  // A loop that is inlined where it is called; of a template with another bound each time.
  void add_function() {
    const bool instances = chance(50);
    const uint32_t most = 1 + below(6);
    const std::string f = fmt::format("f{}_{}", index_, callees_.size());
    std::string out;
    indent_ = 0;
    out += "\n";
    if (instances) line(out, "template <uint32_t most>");
    line(out, fmt::format(
                  "__device__ {} uint32_t {}(const uint32_t* table, uint32_t x, uint32_t y, uint32_t n, uint32_t m) {{",
                  chance(70) ? "__forceinline__" : "inline __attribute__((always_inline))", f));
    indent_ = 1;
    const std::string j = name("j"), t = name("t"), limit = instances ? "most" : std::to_string(most);
    line(out, fmt::format("const uint32_t {} = times_of_{}({}, {}, n, m);", t, chance(50) ? "all" : "lane", limit,
                          random_() % 65536 | 1));
    const uint32_t shape = below(3);
    if (shape == 0)
      line(out, fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {{", j, t));
    else
      line(out, fmt::format("uint32_t {} = 0;", j));
    if (shape == 1) line(out, fmt::format("while ({} < {}) {{", j, t));
    if (shape == 2) line(out, "do {");
    indent_ = 2;
    line(out, fmt::format("PWS_LOOP_BOUND({});", limit));
    if (shape == 1) line(out, fmt::format("++{};", j));
    surroundings s;
    s.calls = 1;
    conditions_.clear();
    body(out, s, most, true, true);
    indent_ = 1;
    line(out, shape == 2 ? fmt::format("}} while (++{} < {});", j, t) : "}");
    line(out, "return x + y;");
    indent_ = 0;
    line(out, "}");
    conditions_.clear();
    functions_ += out;
    callees_.push_back({f, instances, most});
  }

  void add_lambda(std::string& out) {
    const std::string f = name("lambda"), j = name("j");
    const uint32_t most = 1 + below(5);
    line(out, fmt::format("const auto {} = [=](uint32_t x) {{", f));
    ++indent_;
    line(out, fmt::format("for (uint32_t {0} = {1}; {0} > 0; --{0}) {{", j, times(most)));
    ++indent_;
    mark(out, most);
    line(out, fmt::format("x = mixed(x ^ {});", j));
    if (chance(50)) line(out, "if (x % 64 == 5) continue;");
    if (chance(50)) line(out, "x *= 5;");
    --indent_;
    line(out, "}");
    line(out, "return x;");
    --indent_;
    line(out, "};");
    lambdas_.push_back({f, false, most});
  }

  void call(std::string& out, const surroundings& s) {
    if (s.calls > 0 || s.depth >= options_.depth) return step(out, s);  // functions call none: they would grow too fast
    std::vector<callee> all = callees_;
    all.insert(all.end(), lambdas_.begin(), lambdas_.end());
    if (all.empty()) return step(out, s);
    const size_t k = below(static_cast<uint32_t>(all.size()));
    if (k >= callees_.size()) return line(out, fmt::format("x = {}(x + y);", all[k].name));
    if (around_ * all[k].most > 4 * budget_) return step(out, s);
    const std::string instance = all[k].instances ? fmt::format("<{}>", 1 + below(all[k].most)) : "";
    line(out, fmt::format("x ^= {}{}(table, x, y, n, m);", all[k].name, instance));
  }

  struct callee {
    std::string name;
    bool instances;
    uint32_t most;
  };

  unsigned index_;
  std::mt19937_64 random_;
  random_loops_options options_;
  std::string functions_;
  std::vector<callee> callees_, lambdas_;
  std::vector<std::string> conditions_;
  unsigned indent_ = 0, next_name_ = 0, written_ = 0, loops_ = 0;
  uint32_t around_ = 1;  // how often what is being written runs at most
  static constexpr uint32_t budget_ = 120;
};

}  // namespace

random_loops::random_loops() : text_(beginning) {}

void random_loops::add_kernel(uint64_t seed, const random_loops_options& options) {
  text_ += kernel_writer(kernels_++, seed, options).text();
}

}  // namespace pws::test
