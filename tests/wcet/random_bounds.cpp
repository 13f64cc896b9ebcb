// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/random_bounds.h"

#include <fmt/format.h>

#include <cstring>

#include "models/flow/dominators.h"
#include "models/isa/code/decode.h"
#include "models/machine/machine_config.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::test {

namespace {

// From the kernel's entry to its s_endpgm; random programs have one.
cfg::function_code code_of(const loader::program_image& program, const loader::kernel& kernel) {
  const loader::image image = program.load(0x100000000).front();
  const uint64_t entry = image.base + kernel.entry_offset;
  std::vector<uint32_t> words((image.bytes.size() - kernel.entry_offset) / 4);
  std::memcpy(words.data(), image.bytes.data() + kernel.entry_offset, words.size() * 4);
  size_t n = 0;
  for (bool end = false; !end;) {
    const isa::inst i = isa::decode(&words[n], 2, entry + 4 * n);
    n += i.dwords;
    end = i.unit == isa::unit::end;
  }
  return cfg::decode_function(kernel.demangled, words.data(), n, entry);
}

// The launch's arguments. Where the buffer is does not matter: what it is aligned to does, and that no address in it is
// a multiple of 4 GiB.
std::vector<uint8_t> arguments_of(const batch_launch& l) {
  constexpr uint64_t out = 0x1'0020'0000;
  std::vector<uint8_t> bytes;
  const auto add = [&](auto value) {
    const auto* raw = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
  };
  add(out);
  for (const uint32_t word : {l.mode, l.value, l.mul, l.add, l.workgroup}) add(word);
  return bytes;
}

// A loop's end, from where it goes back, is executed as often as its body; one that tests first has a header that is
// executed once more.
std::vector<wcet::marked_loop> every_loop(const cfg::function_code& code, uint64_t bound) {
  const cfg::flow_graph graph(code, cfg::missing_skips(cfg::find_divergent_branches(code)));
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph, dominators);
  std::vector<wcet::marked_loop> out;
  for (const cfg::natural_loop& l : forest.loops())
    for (const size_t latch : graph[l.header].predecessors)
      if (l.contains(latch)) out.push_back(wcet::bound_around(code, graph[latch].last(), bound, "known"));
  return out;
}

wcet::scheme scheme_of(models::divergence_kind d) {
  return d == models::divergence_kind::none  ? wcet::scheme::none
         : d == models::divergence_kind::dws ? wcet::scheme::dws
                                             : wcet::scheme::pws;
}

}  // namespace

models::machine_config predictable(const machine_shape& shape) {
  models::machine_config m;
  m.n_cu = shape.n_cu;
  m.n_simd = shape.n_simd;
  m.n_wfc = shape.n_wfc;
  m.valu_lanes = shape.valu_lanes;
  m.divergence = shape.scheme;
  m.spsimd_per_simd = shape.s;
  m.vgprs_per_simd = 4096;  // registers are not what limits workgroups here
  m.sgprs_per_simd = 8192;
  m.schedule = models::schedule_policy::tdm;
  m.memory.arbitration = models::memory_arbitration::tdm;
  m.memory.dram.page = models::page_policy::closed;
  m.memory.dram.size_mib = 256;
  m.memory.instruction_cache.size_kib = 4096;
  return m;
}

std::vector<std::pair<std::string, models::machine_config>> soundness_machines() {
  std::vector<std::pair<std::string, models::machine_config>> all;
  const auto add = [&](const std::string& name, const machine_shape& shape) {
    all.emplace_back(name, predictable(shape));
  };
  add("none", {});
  for (const uint32_t s : {1u, 2u, 3u, 7u}) {
    add(fmt::format("pws S={}", s), {1, 2, 4, 16, models::divergence_kind::pws, s});
    add(fmt::format("dws S={}", s), {1, 2, 4, 16, models::divergence_kind::dws, s});
  }
  add("pws S=3, 64 lanes, one context", {2, 4, 1, 64, models::divergence_kind::pws, 3});
  add("none, 4 lanes", {1, 2, 3, 4, models::divergence_kind::none, 0});
  add("pws S=1, 1 lane", {1, 2, 2, 1, models::divergence_kind::pws, 1});
  auto slow = predictable({1, 2, 4, 16, models::divergence_kind::pws, 2});
  slow.latency = {45, 33, 70, 52, 61, 90, 19};
  slow.split_cycles = 50;
  slow.merge_cycles = 17;
  all.emplace_back("pws S=2, long latencies", slow);
  return all;
}

platform::scheme_bound bound_of(const loader::program_image& program, const std::string& name,
                                const models::machine_config& machine, const wcet::machine_timing& timing,
                                const batch_launch& launch, uint64_t loop_bound, size_t work) {
  const loader::kernel& kernel = *program.find_kernel(name).kernel;
  const cfg::function_code code = code_of(program, kernel);
  wcet::code_facts facts;
  facts.place = [](size_t) { return cfg::source_place{}; };
  facts.marked = every_loop(code, loop_bound);
  wcet::launch_facts known;
  known.descriptor = kernel.descriptor;
  known.workgroup = {launch.workgroup, 1, 1};
  known.grid = {launch.work_items, 1, 1};
  known.kernarg = arguments_of(launch);
  known.work = work;
  const models::machine_config provisioned = models::provisioned(machine);
  const wcet::analysed_kernel analysed(code, facts, known, {timing.line_bytes, timing.lds_banks},
                                       provisioned.spsimd_per_simd);
  platform::scheme_bound bound;
  bound.wavefront = wcet::bound_wavefront(analysed, scheme_of(machine.divergence), timing);
  platform::launch_extent shape;
  shape.workgroups = (launch.work_items - 1) / launch.workgroup + 1;
  shape.group.work_items = launch.workgroup;
  shape.group.vgprs = kernel.descriptor.n_vgprs;
  shape.group.sgprs = kernel.descriptor.n_sgprs;
  shape.group.lds_bytes = 4 * largest_workgroup;
  platform::bound_launch(provisioned, shape, platform::first_issue_at_most(timing), bound);
  return bound;
}

}  // namespace pws::test
