// SPDX-License-Identifier: Apache-2.0
// mutate_waits [KERNEL...]: takes each s_waitcnt out of kernels of sw/kernels, or makes it weaker by one, one at a
// time, and runs the kernel's small cases with machine.check.waits. Each mutant must be found, or be without effect for
// a reason that a second model (wait_witness.h) sees in the unchanged program. No KERNEL: all of them. Exit code 1 if a
// mutant is neither, or if an unchanged kernel has findings.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/check/mutation/wait_mutants.h"
#include "tests/check/mutation/wait_witness.h"
#include "tests/integration/child_process.h"
#include "tests/integration/machines.h"

namespace pws::test {
namespace {

struct tally {
  unsigned mutants = 0, found = 0, without_effect = 0, missed = 0;
};

models::machine_config machine() {
  models::machine_config m;
  m.fidelity = models::fidelity::functional;
  m.check.waits = true;
  return m;
}

// Findings of check.waits when the case runs from this program.
uint64_t findings(const reference::kernel_case& c, const loader::program_image& program) {
  platform::kernel_run run = launch_of(c, machine());
  run.program = &program;
  return run_in_child(run).json().at("check").at("count").at("value").get<uint64_t>();
}

std::vector<wait_record> witness(const reference::kernel_case& c) {
  const child_result child = in_child(
      [&](const message_sink& sink) {
        wait_witness w;
        platform::kernel_run run = launch_of(c, machine());
        platform::session_options listening;
        listening.observer = &w;
        platform::execute(run, listening);
        const std::vector<wait_record> all = w.records();
        sink(all.data(), all.size() * sizeof all[0]);
        return 0;
      },
      600);
  if (child.status != 0) throw std::runtime_error(c.name + ": " + describe_status(child.status) + "\n" + child.log);
  std::vector<wait_record> all(child.message.size() / sizeof(wait_record));
  if (!all.empty()) std::memcpy(all.data(), child.message.data(), child.message.size());
  return all;
}

// Why a mutant has no effect in these cases; "" if that is not known.
std::string reason(const wait_mutant& m, const std::vector<wait_record>& records) {
  wait_record sum;
  for (const wait_record& r : records) {
    if (r.offset != m.offset) continue;
    sum.executed += r.executed;
    sum.with_operations += r.with_operations;
    sum.used_before_next += r.used_before_next;
  }
  if (sum.executed == 0) return "is never executed";
  if (sum.with_operations == 0) return "nothing is under way that fills a register or touches LDS";
  if (sum.used_before_next == 0) return "what is under way is not used before another wait";
  return "";
}

void mutate(const std::string& kernel, std::map<mutation, tally>& tallies) {
  const std::vector<reference::kernel_case> cases = small_cases(kernel);
  std::map<std::pair<std::string, std::string>, std::vector<const reference::kernel_case*>> by_code;
  for (const reference::kernel_case& c : cases) by_code[{c.source, c.kernel}].push_back(&c);
  for (const auto& [code, of_code] : by_code) {
    const loader::program_image& program = program_of(code.first);
    std::vector<wait_record> records;
    for (const reference::kernel_case* c : of_code) {
      if (findings(*c, program) != 0) throw std::runtime_error(c->name + " has findings as it is");
      for (const wait_record& r : witness(*c)) records.push_back(r);
    }
    const loader::code_object& object = program.code_objects().front();
    for (const wait_mutant& m : mutants_of(object, code.second)) {
      tally& t = tallies[m.kind];
      ++t.mutants;
      const loader::program_image changed = mutated(object, m);
      const bool found = std::any_of(of_code.begin(), of_code.end(),
                                     [&](const reference::kernel_case* c) { return findings(*c, changed) != 0; });
      if (found) {
        ++t.found;
        continue;
      }
      const std::string why = reason(m, records);
      ++(why.empty() ? t.missed : t.without_effect);
      fmt::print("  {} + {:#x}: {}, {}: {}\n", code.second, m.offset, m.wait, name_of(m.kind),
                 why.empty() ? "MISSED" : why);
    }
  }
}

int run(const std::vector<std::string>& kernels) {
  std::map<mutation, tally> tallies;
  for (const std::string& k : kernels) mutate(k, tallies);
  unsigned missed = 0;
  for (const auto& [kind, t] : tallies) {
    fmt::print("{:<12} {:>4} mutants, {:>4} found, {:>3} without effect, {} missed\n", name_of(kind), t.mutants,
               t.found, t.without_effect, t.missed);
    missed += t.missed;
  }
  return missed == 0 && !tallies.empty() ? 0 : 1;
}

}  // namespace
}  // namespace pws::test

int main(int argc, char** argv) {
  try {
    const std::vector<std::string>& all = pws::test::kernel_names();
    std::vector<std::string> kernels(argv + 1, argv + argc);
    for (const std::string& k : kernels)
      if (std::find(all.begin(), all.end(), k) == all.end()) {
        fmt::print(stderr, "mutate_waits: no kernel {}; there are: {}\n", k, fmt::join(all, ", "));
        return 2;
      }
    return pws::test::run(kernels.empty() ? all : kernels);
  } catch (const std::exception& e) {
    fmt::print(stderr, "mutate_waits: {}\n", e.what());
    return 2;
  }
}
