// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/reference/signals.h"

#include <initializer_list>

#include "models/compute_unit/statistics.h"
#include "models/context/wf_status.h"

namespace pws::platform {

namespace {

// "0 idle, 1 running"
template <class E>
std::string enumerated(size_t n) {
  std::string text;
  for (size_t k = 0; k < n; ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(k) + " " + models::name_of(static_cast<E>(k));
  return text;
}

// Adds the signals of one scope: a wavefront context, or a context of the RTL.
void add(std::vector<signal_text>& all, const std::string& scope, std::initializer_list<signal_text> signals) {
  for (const signal_text& s : signals) all.push_back({scope + "." + s.name, s.meaning});
}

void add_context(std::vector<signal_text>& all, const std::string& scope) {
  add(all, scope,
      {{"pc", "device address of the next instruction"},
       {"em", "execute mask, a bit per work-item; 0 while the context is empty"},
       {"status", enumerated<models::wf_status>(models::n_wf_statuses)},
       {"unit", "of the instruction issued last: " + enumerated<isa::unit>(models::n_units)},
       {"vmcnt", "vector memory operations under way"},
       {"lgkmcnt", "scalar memory and LDS operations under way"},
       {"kernel", "number of the kernel, from 1 in the order of first launches; 0: the context is empty"},
       {"launch", "number of the launch, from 1; 0: the context is empty"},
       {"workgroup", "number of the workgroup in its launch, from 0, x first"},
       {"wavefront", "number of the wavefront in its workgroup, from 0"},
       {"spm", "split mask; schemes that split"}});
}

void add_registers(std::vector<signal_text>& all, const std::string& scope) {
  add(all, scope,
      {{"parent", "parent register, 0: not set; pws, dws"},
       {"children.depth", "child stack: entries"},
       {"children.entry*", "SpSIMDID, 0: empty; from the oldest"}});
}

void add_stacks(std::vector<signal_text>& all, const std::string& scope) {
  add(all, scope,
      {{"stack.path", "which side issues; stack, dpe, dws-table"},
       {"stack.depth", "entries"},
       {"stack.entry*.left_pc", "of the left side"},
       {"stack.entry*.left_mask", "its work-items"},
       {"stack.entry*.right_pc", "of the right side"},
       {"stack.entry*.right_mask", "its work-items"},
       {"stack.entry*.rpc", "where they meet"},
       {"table.splits", "warp-splits; dws-table"},
       {"table.split*.pc", "of the warp-split"},
       {"table.split*.mask", "its work-items"},
       {"turns.active", "number of the path that issues, from 1; 0: none does; subwarps, convergence"},
       {"turns.paths", "paths of the wavefront; 0: it has not split yet"},
       {"turns.path*.pc", "of the path, from the oldest"},
       {"turns.path*.mask", "its work-items"},
       {"turns.path*.place",
        "1 it has its turn, 2 it is ready for it, 3 it waits for memory, 4 at a merge, 5 at s_barrier"},
       {"turns.path*.barriers", "convergence barriers that it has open"},
       {"paths.count", "paths of the wavefront; pdom, naive, dwf, mimd"},
       {"paths.path*.pc", "of the path"},
       {"paths.path*.mask", "its work-items"}});
}

}  // namespace

std::vector<signal_text> signal_texts() {
  const std::string cu = "gpu.cu*", simd = cu + ".simd*", context = simd + ".wf*", swf = simd + ".spsimd*.swf*";
  std::vector<signal_text> all;
  add_context(all, context);
  add_registers(all, context);
  add_stacks(all, context);
  add_context(all, context + ".right");  // dpe: the second slot
  add_context(all, swf);
  add_registers(all, swf);
  add(all, swf.substr(0, swf.rfind('.')) + ".rtl.swf*",
      {{"pc", "machine.cosim.mode: the RTL's context"},
       {"em", "its execute mask"},
       {"spm", "its split mask"},
       {"status", "its status"},
       {"parent", "its parent register"},
       {"depth", "of its child stack"}});
  for (const std::string& unit : {simd, simd + ".spsimd*"})
    add(all, unit,
        {{"valu_busy", "the vector ALU works on an instruction"},
         {"salu_busy", "the scalar ALU does"},
         {"contexts", "in use"}});
  add(all, simd,
      {{"warp.pc", "of the warp that issues; pdom, naive, dwf, mimd"},
       {"warp.work_items", "of it, 0: none issues in this cycle"},
       {"warp.pool", "warps in the pool"}});
  add(all, cu,
      {{"memory_in_flight", "requests without a response yet"}, {"l1_misses", "lines on their way to the vector L1"}});
  add(all, "gpu",
      {{"l2.bank*.misses", "lines on their way to that bank"},
       {"dram.queued", "requests in the channels' queues"},
       {"dispatcher.kernel", "number of the kernel that runs, of several that was taken first; 0: none does"},
       {"dispatcher.launch", "number of its launch, from 1; 0: none runs"},
       {"dispatcher.in_service", "kernels that run; machine.hardware_queues above 1"},
       {"dispatcher.workgroups_done", "of the kernels that run"}});
  return all;
}

}  // namespace pws::platform
