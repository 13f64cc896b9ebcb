// SPDX-License-Identifier: Apache-2.0
// Machines at the ends of what their keys may be, and of what their check accepts, two keys at a time: either the
// machine's check refuses them with a rule that names one of the keys, or a small kernel leaves the right memory within
// a limit of cycles. The keys are those of the schema. A few random pairs of each base machine; PWS_MACHINE_PAIRS=N for
// others, =all for all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/error.h"
#include "platform/config/machine_loader.h"
#include "platform/config/machine_schema.h"
#include "tests/integration/machines.h"

namespace pws::test::machine_pairs_test {
namespace {

constexpr size_t default_pairs = 200;
// With 256 compute units and a slot of 30,000 cycles the predictable memory's frame alone takes 150 million.
constexpr uint64_t cycle_limit = 1'000'000'000'000;
constexpr unsigned cpu_seconds = 120;

struct base_machine {
  std::string name, file;
  std::vector<std::string> overrides;
};
void PrintTo(const base_machine& b, std::ostream* out) {
  *out << b.name;
}

// A key at one end of its range; overrides as --set has them.
struct extreme {
  std::string key;
  std::vector<std::string> overrides;
};

// Whether the check accepts the base machine with this one change.
bool accepted(const base_machine& base, const std::string& override) {
  std::vector<std::string> overrides = base.overrides;
  overrides.push_back(override);
  try {
    platform::load_machine(base.file, overrides);
    return true;
  } catch (const input_error&) {
    return false;
  }
}

// Where the check refuses `end`: the accepted value next to it as bisection finds it, and the accepted power of two.
std::vector<int64_t> last_accepted(const base_machine& base, const std::string& key, int64_t usual, int64_t end) {
  const auto good = [&](int64_t value) { return accepted(base, fmt::format("{}={}", key, value)); };
  if (good(end) || !good(usual)) return {};
  int64_t in = usual, out = end;
  while (std::abs(out - in) > 1) {
    const int64_t middle = in + (out - in) / 2;
    (good(middle) ? in : out) = middle;
  }
  std::vector<int64_t> values = {in};
  for (int64_t power = end > usual ? int64_t{1} << 32 : 1; power != 0 && power <= int64_t{1} << 32;
       power = end > usual ? power / 2 : power * 2) {
    const bool between = std::min(usual, end) <= power && power <= std::max(usual, end);
    if (!between || !good(power)) continue;
    if (power != in) values.push_back(power);
    break;
  }
  return values;
}

void add_extremes(std::vector<extreme>& all, const platform::field& f, const base_machine& base) {
  using kind = platform::field_kind;
  std::vector<std::string> values = f.choices;
  const bool is_list = f.kind == kind::integer_list;
  if (f.kind == kind::boolean) values = {"false", "true"};
  if (values.empty() && (f.kind == kind::integer || is_list)) {
    for (const platform::int128 end : {f.min, f.max}) {
      values.push_back(fmt::format("{}", static_cast<int64_t>(end)));
      if (is_list || f.default_text.empty()) continue;
      for (const int64_t v : last_accepted(base, f.path, std::stoll(f.default_text), static_cast<int64_t>(end)))
        values.push_back(fmt::format("{}", v));
    }
  }
  ASSERT_FALSE(values.empty()) << f.path << ": a kind of key that this test does not know";
  for (const std::string& v : values)
    if (v != f.default_text) all.push_back({f.path, {f.path + "=" + (is_list ? "[" + v + "]" : v)}});
}

std::vector<extreme> extremes_of(const base_machine& base) {
  std::vector<extreme> all;
  for (const platform::field& f : platform::machine_fields())
    if (f.path.rfind("limits.", 0) != 0) add_extremes(all, f, base);  // those are this test's own
  // Refused where it is not the same in all caches: all of them at once.
  for (const char* bytes : {"16", "1024"}) {
    extreme lines{"line_bytes", {}};
    for (const char* cache : {"vector_l1", "scalar_cache", "instruction_cache", "l2.bank"})
      lines.overrides.push_back(fmt::format("memory.{}.line_bytes={}", cache, bytes));
    all.push_back(lines);
  }
  return all;
}

// A sentence that names one of the keys, or their last part.
bool names_a_key(const std::string& message, const extreme& a, const extreme& b) {
  const auto named = [&](const extreme& e) {
    return message.find(e.key.substr(e.key.rfind('.') + 1)) != std::string::npos;
  };
  return named(a) || named(b);
}

// What is wrong with it; "" if it is refused or right.
std::string problem_of(const base_machine& base, const extreme& a, const extreme& b, const reference::kernel_case& c) {
  std::vector<std::string> overrides = base.overrides;
  overrides.insert(overrides.end(), a.overrides.begin(), a.overrides.end());
  overrides.insert(overrides.end(), b.overrides.begin(), b.overrides.end());
  overrides.push_back(fmt::format("limits.max_cycles={}", cycle_limit));
  try {
    const models::machine_config machine = platform::load_machine(base.file, overrides);
    const child_report r = run_in_child(launch_of(c, machine), {}, cpu_seconds);
    if (r.completed) return memory_difference(c, r);
    const bool too_small = r.error.find("does not fit an empty compute unit") != std::string::npos;
    const auto checks = [&r](const extreme& e) {  // the program, and found something
      return e.key.rfind("check.", 0) == 0 && r.error.find(e.key) != std::string::npos;
    };
    return checks(a) || checks(b) || (too_small && names_a_key(r.error, a, b)) ? "" : r.error;
  } catch (const input_error& e) {
    return names_a_key(e.what(), a, b) ? "" : std::string("refused without a word of the keys: ") + e.what();
  } catch (const std::exception& e) {
    return e.what();
  }
}

// What the search is for: machines on which instructions can be too long for what is left of the buffer.
TEST(machine_limits, the_search_finds_the_smallest_instruction_buffer) {
  const base_machine plain{"plain", PWS_SOURCE_DIR "/configs/gpu/default.yaml", {}};
  EXPECT_EQ(last_accepted(plain, "ibuf_dwords", 16, 2), (std::vector<int64_t>{9, 16}));
  EXPECT_EQ(last_accepted(plain, "fetch_bytes", 32, 256), std::vector<int64_t>{32});
}

TEST(machine_limits, a_fetch_and_the_dword_before_it_fit_the_instruction_buffer) {
  const auto machine = [](uint32_t fetch, uint32_t ibuf) {
    return platform::load_machine(PWS_SOURCE_DIR "/configs/gpu/default.yaml",
                                  {fmt::format("fetch_bytes={}", fetch), fmt::format("ibuf_dwords={}", ibuf)});
  };
  const reference::kernel_case c = small_cases("reduction").at(3);
  for (const uint32_t fetch : {4, 8, 16, 32, 64}) {
    EXPECT_THROW(machine(fetch, fetch / 4), input_error) << fetch;
    models::machine_config smallest = machine(fetch, fetch / 4 + 1);
    smallest.limits.max_cycles = cycle_limit;
    const child_report r = run_in_child(launch_of(c, smallest));
    EXPECT_TRUE(r.completed) << fetch << ": " << r.error;
    EXPECT_EQ(memory_difference(c, r), "") << fetch;
  }
}

class machine_pairs : public testing::TestWithParam<base_machine> {};

TEST_P(machine_pairs, are_right_or_refused) {
  const std::vector<extreme> all = extremes_of(GetParam());
  std::vector<std::pair<const extreme*, const extreme*>> pairs;
  for (size_t a = 0; a < all.size(); ++a)
    for (size_t b = a + 1; b < all.size(); ++b)
      if (all[a].key != all[b].key) pairs.emplace_back(&all[a], &all[b]);
  const char* wanted = std::getenv("PWS_MACHINE_PAIRS");
  size_t count = default_pairs;
  if (wanted != nullptr) count = std::string(wanted) == "all" ? pairs.size() : std::strtoull(wanted, nullptr, 10);
  if (count < pairs.size()) {
    std::shuffle(pairs.begin(), pairs.end(), std::mt19937_64(20));
    pairs.resize(count);
  }
  const std::vector<reference::kernel_case> cases = {small_cases("reduction").at(3),
                                                     small_cases("divergent_break").at(3)};
  for (size_t k = 0; k < pairs.size(); ++k) {
    const auto& [a, b] = pairs[k];
    const std::string problem = problem_of(GetParam(), *a, *b, cases[k % cases.size()]);
    EXPECT_EQ(problem, "") << testing::PrintToString(a->overrides) << " with " << testing::PrintToString(b->overrides)
                           << ", " << cases[k % cases.size()].name;
  }
}

const std::string folder = PWS_SOURCE_DIR "/configs/gpu/";
const std::vector<std::string> small = {"n_cu=2", "n_simd=2"};
INSTANTIATE_TEST_SUITE_P(of, machine_pairs,
                         testing::Values(base_machine{"plain", folder + "default.yaml", small},
                                         base_machine{"pws",
                                                      folder + "default.yaml",
                                                      {"n_cu=1", "n_simd=2", "divergence=pws-mode", "spsimd_per_simd=2",
                                                       "force_mode_split=true"}},
                                         base_machine{
                                             "predictable", folder + "predictable.yaml", {"n_cu=1", "n_simd=2"}}),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace pws::test::machine_pairs_test
