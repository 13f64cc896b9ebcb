// SPDX-License-Identifier: Apache-2.0
// Random programs on the warp formation machines, against a model of the paper at the level of threads: in every cycle
// the same threads issue the same instruction. PWS_FORMATION_PROGRAMS sets how many programs are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "base/enum_names.h"
#include "models/divergence/divergence_scheme.h"
#include "tests/formation/thread_machine.h"
#include "tests/splitting/batch_run.h"
#include "tests/splitting/issue_recorder.h"

namespace pws::test::issue_order_test {
namespace {

using models::divergence_kind;

// The second pass of a launch, as the model tells of it.
struct second_pass {
  std::vector<uint64_t> address;            // of the program's instructions
  std::vector<std::vector<uint32_t>> came;  // to the barrier before it, one warp after the other
  std::vector<thread_issue> issued;
  std::string wrong;  // with the launch itself
};

void append_threads(std::vector<uint32_t>& to, const observed_issue& o) {
  for (uint64_t m = o.work_items; m != 0; m &= m - 1)
    to.push_back(o.wavefront * isa::wave_size + static_cast<uint32_t>(__builtin_ctzll(m)));
}

second_pass second_pass_of(const thread_program& program, const std::vector<observed_issue>& all, uint32_t work_items) {
  second_pass pass;
  std::set<uint64_t> addresses;
  uint64_t barrier = ~uint64_t{0};
  for (const observed_issue& o : all) {
    addresses.insert(o.pc);
    if (o.unit == isa::unit::barrier) barrier = std::min(barrier, o.pc);
  }
  pass.address.assign(addresses.find(barrier), addresses.end());
  if (pass.address.size() != program.code().size() + 1) {  // s_endpgm too
    pass.wrong =
        fmt::format("{} instructions where the program has {}", pass.address.size(), program.code().size() + 1);
    return pass;
  }
  std::vector<unsigned> times(work_items, 0);  // at the barrier
  std::map<std::pair<uint64_t, uint64_t>, thread_issue> issued;
  uint64_t begin = 0;
  const auto instruction = [&](uint64_t pc) {
    return static_cast<size_t>(std::lower_bound(pass.address.begin(), pass.address.end(), pc) - pass.address.begin());
  };
  uint64_t came_in = 0;
  for (const observed_issue& o : all) {
    if (o.pc < barrier || instruction(o.pc) == program.code().size()) continue;
    std::vector<uint32_t> threads;
    append_threads(threads, o);
    const bool at_end = o.pc == barrier;
    const unsigned before = times.at(threads.front());
    if (at_end)
      for (const uint32_t t : threads) ++times[t];
    if (at_end && before == 1) {
      // With mimd there are no warps.
      if (pass.came.empty() || came_in != o.cycle) pass.came.emplace_back();
      came_in = begin = o.cycle;
      append_threads(pass.came.back(), o);
    }
    const bool second = at_end ? before == 2 : before == 2;
    if (!second) continue;
    thread_issue& i = issued[{o.cycle, o.pc}];
    i.cycle = o.cycle;
    i.instruction = instruction(o.pc);
    i.threads.insert(i.threads.end(), threads.begin(), threads.end());
    const bool is_vector = models::cu_statistics::is_valu(o.unit);
    if (is_vector && o.active == 0) pass.wrong = fmt::format("nobody is active at {:x} in cycle {}", o.pc, o.cycle);
  }
  for (auto& [key, i] : issued) {
    i.cycle -= begin;
    std::sort(i.threads.begin(), i.threads.end());
    pass.issued.push_back(i);
  }
  return pass;
}

std::string text_of(const thread_program& p, const thread_issue* i) {
  if (i == nullptr) return "nothing";
  return fmt::format("cycle {}: {} {} by {}", i->cycle, i->instruction, p.code()[i->instruction].text,
                     fmt::join(i->threads, " "));
}

// "" if both are the same.
std::string difference(const thread_program& p, const std::vector<thread_issue>& expected,
                       const std::vector<thread_issue>& got) {
  for (size_t k = 0; k < std::max(expected.size(), got.size()); ++k) {
    const thread_issue *e = k < expected.size() ? &expected[k] : nullptr, *g = k < got.size() ? &got[k] : nullptr;
    if (e != nullptr && g != nullptr && *e == *g) continue;
    return fmt::format("issue {} of {}\n  model:   {}\n  machine: {}", k, expected.size(), text_of(p, e),
                       text_of(p, g));
  }
  return "";
}

// Schemes, heuristics and register files come in turns, the rest at random.
models::machine_config machine_number(uint64_t number) {
  std::mt19937_64 random(number);
  const auto one_of = [&](std::initializer_list<uint32_t> values) {
    return *(values.begin() + static_cast<ptrdiff_t>(random() % values.size()));
  };
  models::machine_config m;
  m.n_cu = m.n_simd = 1;
  m.n_wfc = 4;
  m.ibuf_dwords = 1024;  // the whole program
  constexpr divergence_kind others[] = {divergence_kind::pdom, divergence_kind::naive, divergence_kind::mimd};
  constexpr uint64_t forming = 15;
  const uint64_t turn = number % (forming + 3);
  m.divergence = turn < forming ? divergence_kind::dwf : others[turn - forming];
  m.dwf.heuristic = static_cast<models::issue_heuristic>(turn % 5);
  m.dwf.register_file = static_cast<models::warp_register_file>(turn / 5 % 3);
  m.dwf.warp_size = one_of({2, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64});
  m.valu_lanes = one_of({2, 8, 16, 16, 16, 32, 64});
  m.dwf.swizzle = random() % 2 != 0;
  m.dwf.update_registers = one_of({1, 2, 2, 3, 8});
  m.dwf.lut_entries = one_of({2, 4, 32, 512});
  m.dwf.majority_entries = one_of({1, 2, 4, 32});
  if (random() % 4 == 0) m.dwf.pool = one_of({1, 2, 3, 8});
  m.latency.salu = 1;
  m.latency.valu = one_of({1, 1, 4, 7});
  m.latency.valu_trans = one_of({1, 5, 16});
  m.latency.branch = one_of({1, 1, 3, 8});
  m.latency.internal = one_of({1, 2});
  return m;
}

std::string text_of(const models::machine_config& m) {
  return fmt::format(
      "{}, warps of {} on {} lanes, {}, {}, swizzle {}, {} update registers, LUT of {}, pool of {}, majority table of "
      "{}, "
      "latencies: valu {}, valu_trans {}, branch {}, internal {}",
      models::traits_of(m.divergence).name, *m.dwf.warp_size, m.valu_lanes, name_of(m.dwf.heuristic),
      name_of(m.dwf.register_file), m.dwf.swizzle, m.dwf.update_registers, m.dwf.lut_entries, m.dwf.pool.value_or(0),
      m.dwf.majority_entries, m.latency.valu, m.latency.valu_trans, m.latency.branch, m.latency.internal);
}

TEST(issue_order, is_that_of_the_paper_in_every_cycle) {
  const char* wanted = std::getenv("PWS_FORMATION_PROGRAMS");
  const uint64_t programs = wanted == nullptr ? 10 : std::strtoull(wanted, nullptr, 10);
  constexpr uint64_t batch = 5, machines = 18;
  uint64_t compared = 0, joined = 0;
  for (uint64_t first = 0; first < programs; first += batch) {
    std::vector<thread_program> some;
    std::vector<uint32_t> work_items;
    for (uint64_t seed = first; seed < std::min(first + batch, programs); ++seed) {
      some.emplace_back(seed);
      std::mt19937_64 random(seed);
      work_items.push_back(seed % 2 == 0 ? 256 : 1 + static_cast<uint32_t>(random() % 256));
    }
    const loader::program_image image = assemble(assembly_of(some));
    for (uint64_t k = 0; k < machines; ++k) {
      const models::machine_config m = machine_number(first / batch * machines + k);
      const auto launches = record_issues(m, image, work_items);
      for (size_t p = 0; p < some.size(); ++p) {
        SCOPED_TRACE(fmt::format("program {} of {} work-items on {}", first + p, work_items[p], text_of(m)));
        const second_pass pass = second_pass_of(some[p], launches[p], work_items[p]);
        ASSERT_EQ(pass.wrong, "");
        const std::vector<thread_issue> expected = predict(some[p], m, pass.came, pass.address);
        ASSERT_EQ(difference(some[p], expected, pass.issued), "");
        compared += expected.size();
        if (m.divergence == divergence_kind::dwf)
          for (const thread_issue& i : expected)
            joined += i.threads.front() / *m.dwf.warp_size != i.threads.back() / *m.dwf.warp_size;
      }
    }
  }
  RecordProperty("issues", std::to_string(compared));
  EXPECT_GT(compared, programs * 1000);
  EXPECT_GT(joined, programs * 50) << "issues of threads of different static warps";
}

}  // namespace
}  // namespace pws::test::issue_order_test
