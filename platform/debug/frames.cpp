// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/frames.h"

#include "models/isa/predicates.h"
#include "platform/debug/variables.h"

namespace pws::platform::debug {

std::vector<call_frame> frames_at(const debugger& d, uint64_t pc) {
  std::vector<call_frame> all;
  const auto& lines = d.code().lines(pc);
  for (size_t k = 0; k + 1 < lines.size(); ++k) all.push_back({pc, true, lines[k], "", {}});
  all.push_back({pc, false, lines.empty() ? loader::source_line{} : lines.back(), "", {}});
  // Lines and functions are from different tables. Both end with the function that is called.
  const auto& functions = d.machine().variables().functions_at(pc);
  for (size_t k = 0; k < all.size() && all.size() - k <= functions.size(); ++k) {
    const size_t function = functions.size() - (all.size() - k);
    if (all[k].inlined) all[k].inlined_name = functions[function].name;
    if (k != 0) all[k].names.function = function;
  }
  return all;
}

std::vector<call_frame> frames_of(const debugger& d, const path& p, uint64_t pc) {
  const places& code = d.code();
  std::vector<call_frame> all = frames_at(d, pc);
  // AMDGPU backend user guide, "Non-Kernel Functions".
  constexpr unsigned return_address = 30;
  constexpr uint64_t call_bytes = 4;
  const isa::wave_state& s = p.context->state;
  if (code.function_at(pc).begin == d.launch_of(p).launch.kernel.entry() || s.n_sgprs <= return_address + 1) return all;
  const uint64_t call_pc = s.scalar64(return_address) - call_bytes;
  const isa::inst* const call = d.machine().runtime.instruction_at(call_pc);
  if (call != nullptr && isa::operation_of(*call) == isa::operation::call) {
    std::vector<call_frame> caller = frames_at(d, call_pc);
    for (call_frame& f : caller) {
      f.names.is_caller = true;
      f.names.pc = call_pc;
    }
    all.insert(all.end(), caller.begin(), caller.end());
  }
  return all;
}

}  // namespace pws::platform::debug
