// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/step.h"

#include <algorithm>

#include "models/isa/predicates.h"

namespace pws::platform::debug {

using how = resumption::how;

debugger::step_under_way::step_under_way(const resumption& r, const stop& s, const machine_view& machine,
                                         const places& code)
    : wanted_(r), root_(r.from ? r.from.context->tree.root : nullptr), left_(std::max<uint64_t>(r.count, 1)) {
  if (!r.from) return;
  const uint64_t pc = machine.pc_of(r.from);
  lines_[r.from.context] = line_of(pc, code);
  if (r.what == how::out) calls_around_ = calls_around(pc, code);
  // The instruction at which it stands begins without being told of again.
  if (machine.current == s.at && r.from == s.at)
    if (const isa::inst* const i = machine.runtime.instruction_at(pc)) note_call(*i);
}

loader::source_line debugger::step_under_way::line_of(uint64_t pc, const places& code) const {
  return code.line_of(pc, wanted_.what == how::next_line ? places::lines_of::function : places::lines_of::instruction);
}

std::vector<loader::source_line> debugger::step_under_way::calls_around(uint64_t pc, const places& code) {
  const std::vector<loader::source_line>& lines = code.lines(pc);
  return lines.empty() ? lines : std::vector<loader::source_line>(lines.begin() + 1, lines.end());
}

void debugger::step_under_way::note_call(const isa::inst& i) {
  if ((wanted_.what != how::next_line && wanted_.what != how::out) || i.unit != isa::unit::branch) return;
  if (isa::operation_of(i) == isa::operation::call) ++calls_;
  if (isa::operation_of(i) == isa::operation::set_pc && calls_-- == 0) {
    calls_ = 0;
    returned_ = true;
  }
}

// Whether an instruction at `pc`, in the function where the step began, is behind the call that was inlined there.
bool debugger::step_under_way::is_out(uint64_t pc, const places& code) const {
  if (calls_around_.empty() || code.lines(pc).empty()) return false;
  const std::vector<loader::source_line> now = calls_around(pc, code);
  // A call deeper within the same one is still in it.
  return now.size() < calls_around_.size() || !std::equal(calls_around_.rbegin(), calls_around_.rend(), now.rbegin());
}

bool debugger::step_under_way::is_done(uint32_t cu, const models::wf_context& c, const isa::inst& i,
                                       const places& code) {
  const bool of_path = &c == wanted_.from.context, of_wavefront = c.tree.root == root_;
  if (wanted_.scope != step_scope::all && cu != wanted_.from.cu) return false;
  if (wanted_.scope == step_scope::path && !of_path) return false;
  if (wanted_.scope == step_scope::wavefront && !of_wavefront) return false;
  if (wanted_.what == how::until) return std::binary_search(wanted_.places.begin(), wanted_.places.end(), i.pc);
  if (wanted_.what == how::instruction) return --left_ == 0;
  const bool in_call = calls_ > 0;
  if (wanted_.what == how::out && !in_call && (returned_ || is_out(i.pc, code))) return true;
  note_call(i);
  if (in_call || wanted_.what == how::out) return false;
  const loader::source_line now = line_of(i.pc, code);
  if (now.line == 0) return false;
  const auto [was, is_new] = lines_.emplace(&c, now);
  if (is_new || was->second == now) return false;
  was->second = now;
  return --left_ == 0;
}

void debugger::step_under_way::ends(uint32_t cu, const models::wf_context& c) {
  if (cu != wanted_.from.cu || wanted_.scope == step_scope::all) return;
  lines_.erase(&c);
  if (&c != root_ && (wanted_.scope != step_scope::path || &c != wanted_.from.context)) return;
  wanted_.scope = &c == root_ ? step_scope::all : step_scope::wavefront;
  wanted_.what = how::instruction;
  left_ = 1;
}

}  // namespace pws::platform::debug
