// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/machines.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace pws::test {

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names{"vector_add",        "saxpy",
                                              "matrix_multiply",   "matrix_multiply_tiled",
                                              "reduction",         "reduction_f32",
                                              "bfs_step",          "bfs_update",
                                              "needleman_wunsch",  "needleman_wunsch_batch",
                                              "histogram",         "divergent_break",
                                              "pointer_chase",     "pointer_chase_scalar",
                                              "pointer_chase_lds", "fully_divergent",
                                              "alu_chain",         "spiking_neuron",
                                              "synthetic",         "odd_even_loop"};
  return names;
}

// Names of cases begin with their kernel's, which is known before the case is made.
static std::string kernel_of(const std::string& case_name) {
  std::string longest;
  for (const std::string& k : kernel_names())
    if (case_name.compare(0, k.size() + 1, k + "_") == 0 && k.size() > longest.size()) longest = k;
  return longest;
}

std::vector<reference::kernel_case> small_cases(const std::string& kernel) {
  std::vector<reference::kernel_case> cases;
  for (const reference::case_entry& e : reference::all_cases()) {
    if (e.work_items > small_case_limit || kernel_of(e.name) != kernel) continue;
    cases.push_back(e.make());
    if (cases.back().kernel != kernel) throw std::logic_error(e.name + " is not a case of " + kernel);
  }
  return cases;
}

size_t kernel_number(const std::string& kernel) {
  const auto& names = kernel_names();
  return static_cast<size_t>(std::find(names.begin(), names.end(), kernel) - names.begin());
}

bool every_case_wanted() {
  return std::getenv("PWS_KERNELS_ALL") != nullptr;
}

std::vector<reference::kernel_case> some_small_cases(const std::string& kernel) {
  std::vector<reference::kernel_case> cases = small_cases(kernel);
  if (every_case_wanted()) return cases;
  std::vector<reference::kernel_case> some;
  for (size_t k = 0; k < cases.size(); ++k)
    if (k % 3 == 0 || k + 1 == cases.size()) some.push_back(std::move(cases[k]));
  return some;
}

std::vector<reference::case_entry> large_cases() {
  std::vector<reference::case_entry> cases;
  for (reference::case_entry& e : reference::all_cases())
    if (e.work_items > small_case_limit) cases.push_back(std::move(e));
  return cases;
}

models::machine_config with_tiny_caches(models::machine_config m) {
  const auto shrink = [](models::cache_config& c, uint32_t size_kib, uint32_t ways) {
    c.size_kib = size_kib;
    c.ways = ways;
    c.mshrs = 1;
  };
  shrink(m.memory.vector_l1, 1, 1);
  shrink(m.memory.scalar_cache, 1, 2);
  shrink(m.memory.instruction_cache, 1, 1);
  shrink(m.memory.l2.bank, 1, 2);
  m.memory.l2.banks = 2;
  m.memory.dram.channels = 1;
  m.memory.dram.banks = 2;
  m.memory.dram.queue = 1;
  return m;
}

std::vector<named_machine> machines_for(const reference::kernel_case& c) {
  const uint32_t work_items = c.workgroup[0] * c.workgroup[1] * c.workgroup[2];
  const uint32_t waves = (work_items + 63) / 64;
  std::vector<named_machine> machines;
  const auto add = [&](const std::string& name) -> models::machine_config& {
    machines.push_back({name, {}});
    return machines.back().config;
  };
  // One workgroup at a time, on one SIMD unit.
  auto& narrow = add("1 CU, 1 SIMD, just enough contexts");
  narrow.n_cu = narrow.n_simd = 1;
  narrow.n_wfc = waves;
  narrow.vgprs_per_simd = 256 * waves;  // whatever the kernel takes
  narrow.sgprs_per_simd = 112 * waves;
  auto& wide = add("64 VALU lanes, 1 SIMD, round robin");
  wide.valu_lanes = 64;
  wide.n_simd = 1;
  wide.n_wfc = 16;
  wide.vgprs_per_simd = 1024;
  wide.sgprs_per_simd = 1792;
  wide.schedule = models::schedule_policy::round_robin;
  auto& tiny = add("tiny caches, one miss register each");
  tiny = with_tiny_caches(tiny);
  auto& odd = add("odd latencies, closed page, fcfs");
  odd.n_cu = 3;
  odd.n_simd = 2;
  odd.schedule = models::schedule_policy::round_robin;
  odd.latency = {1, 7, 3, 1, 1, 1, 5};
  odd.lds.banks = 4;
  odd.dispatch_latency = 1;
  odd.memory.interconnect = {1, 4};
  odd.memory.vector_l1.hit_latency = 1;
  odd.memory.l2.banks = 1;
  odd.memory.dram.scheduling = models::dram_scheduling::fcfs;
  odd.memory.dram.page = models::page_policy::closed;
  odd.memory.dram.extra_latency = 0;
  odd.fetch_bytes = 4;
  odd.ibuf_dwords = 2;
  auto& slow = add("slow memory, long lines, tiny caches, round robin");
  slow = with_tiny_caches(slow);
  slow.schedule = models::schedule_policy::round_robin;
  for (models::cache_config* k :
       {&slow.memory.vector_l1, &slow.memory.scalar_cache, &slow.memory.instruction_cache, &slow.memory.l2.bank})
    k->line_bytes = 256;
  slow.memory.dram.extra_latency = 1000;
  slow.clock_mhz = 777;
  return machines;
}

}  // namespace pws::test
