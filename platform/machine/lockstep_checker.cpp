// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/lockstep_checker.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "models/isa/vector/lane_mask.h"
#include "models/isa/vector/lane_reach.h"
#include "platform/machine/rtl_inputs.h"

namespace pws::platform::cosim {

namespace {

std::string both_ways(uint32_t v) {
  float f;
  std::memcpy(&f, &v, sizeof f);
  return fmt::format("{:#010x} ({:g})", v, static_cast<double>(f));
}

std::string binary(uint64_t v, unsigned bits) {
  return fmt::format("{:0{}b}", v, bits);
}
std::string binary(const isa::vgpr_row& row) {
  std::string s;
  for (unsigned l = isa::wave_size; l-- > 0;) s += binary(row.lane[l], 32);
  return s;
}

// What the waveform has of an instruction.
window_recorder::instruction signals_of(const isa::inst& inst, const issued_instruction& i, uint32_t mode) {
  window_recorder::instruction to;
  to.at = i.at;
  to.signals = {{"instr", binary(words_of(inst), 64)},
                {"instr_pc", binary(inst.pc, 64)},
                {"instr_active", binary(i.active, 64)},
                {"instr_mode", binary(mode, 32)}};
  const auto add = [&](const std::string& name, const std::string& bits) {
    for (const auto& [other, value] : to.signals)
      if (other == name) return;
    to.signals.emplace_back(name, bits);
  };
  for (unsigned k = 0; k < i.n_sources; ++k)
    add(fmt::format("operand_v{}", i.sources[k].row), binary(i.sources[k].value));
  for (unsigned k = 0; k < i.n_scalars; ++k)
    add("operand_" + scalar_name(i.scalars[k].first), binary(i.scalars[k].second, 32));
  return to;
}

std::string stack_text(const split_state& s) {
  std::string t = "{";
  for (unsigned k = 0; k < s.depth && k < s.children.size(); ++k)
    t += fmt::format("{}{}", k == 0 ? "" : " ", s.children[k]);
  return t + "}";
}

// What lane `l` has as an operand of this register. DPP gives source 0 of another lane; where the instruction names the
// register elsewhere too, the lane's own value is there as well.
std::string operand_text(const isa::inst& inst, uint64_t lanes, const row_value& r, unsigned l, bool name_the_lane) {
  const auto line = [&](const std::string& what) { return fmt::format("\n    v{:<4} {}", r.row, what); };
  const auto is = [&](const isa::operand& o) { return o.kind == isa::operand_kind::vgpr && o.index == r.row; };
  std::string text;
  const bool moved = inst.variant == isa::encoding_variant::dpp && is(inst.src[0]);
  if (moved) {
    const int from = isa::dpp_source(inst.dpp.ctrl, static_cast<int>(l));
    const bool active = from >= 0 && (lanes >> from & 1) != 0;
    if (from < 0)
      text += line("no lane's, by DPP: 0");
    else
      text += line(fmt::format("{} in lane {}, by DPP{}", both_ways(r.value.lane[from]), from,
                               active ? "" : ", which is off: 0"));
  }
  if (!moved || is(inst.src[1]) || is(inst.dst))
    text += line(both_ways(r.value.lane[l]) + (name_the_lane || moved ? fmt::format(" in lane {}", l) : ""));
  return text;
}

}  // namespace

std::string scalar_name(unsigned index) {
  switch (index) {
    case isa::vcc_lo:
      return "vcc_lo";
    case isa::vcc_lo + 1:
      return "vcc_hi";
    case isa::m0:
      return "m0";
    case isa::exec_lo:
      return "exec_lo";
    case isa::exec_hi:
      return "exec_hi";
    default:
      return fmt::format("s{}", index);
  }
}

void lockstep_checker::fail(const models::wf_context& c, const isa::inst* i, models::cycle_t at,
                            const std::string& what, const issued_instruction* operands, int lane,
                            const window_recorder::disagreement& shown) const {
  std::string text = fmt::format("RTL and model disagree: {}, cycle {}", cu_.messages().where(c), at);
  if (i != nullptr) text += ", " + cu_.messages().instruction_text(c, i->pc, i);
  if (lane >= 0) text += fmt::format(", lane {}", lane);
  text += "\n  " + what;
  if (operands != nullptr && i != nullptr) {
    const unsigned l = lane < 0 ? 0u : static_cast<unsigned>(lane);
    std::string list;
    for (unsigned k = 0; k < operands->n_sources; ++k)
      list += operand_text(*i, operands->active, operands->sources[k], l, lane < 0);
    for (unsigned k = 0; k < operands->n_scalars; ++k)
      list += fmt::format("\n    {:<5} {}", scalar_name(operands->scalars[k].first),
                          both_ways(operands->scalars[k].second));
    text += fmt::format("\n  lanes active {:#018x}, MODE {:#x}", operands->active, c.state.mode);
    if (!list.empty()) text += "\n  operands" + list;
  }
  if (!context_.command.empty()) text += "\n  run again: " + context_.command;
  if (!context_.waveform.empty() && window_ != nullptr) {
    if (window_->write(context_.waveform, c.slot.value, context_.period_ps, shown,
                       operands == nullptr || i == nullptr ? window_recorder::instruction{}
                                                           : signals_of(*i, *operands, c.state.mode)))
      text +=
          fmt::format("\n  waveform of both sides, the last {} cycles: {}", window_recorder::cycles, context_.waveform);
    else
      text += fmt::format("\n  (the waveform {} could not be written)", context_.waveform);
  }
  cu_.messages().mismatch(c, i, reported_error(text, lane < 0 ? program_error::no_lane : lane));
}

void lockstep_checker::retired(const issued_instruction& i, const retirement& model, const retirement& rtl,
                               const std::array<uint64_t, 2>& registers) {
  for (unsigned k = 0; k < model.n_results; ++k) {
    const isa::vgpr_row& m = model.results[k]->value;
    const isa::vgpr_row& r = rtl.results[k]->value;
    if (std::memcmp(&m, &r, sizeof m) == 0) continue;
    int first = -1, others = -1;
    for (unsigned l = 0; l < isa::wave_size; ++l)
      if (m.lane[l] != r.lane[l]) {
        if (first < 0) first = static_cast<int>(l);
        ++others;
      }
    const auto l = static_cast<unsigned>(first);
    const std::string name = fmt::format("v{}", model.results[k]->row);
    fail(*i.context, i.inst, i.at,
         fmt::format("{} is {} in the model, {} in the RTL{}", name, both_ways(m.lane[l]), both_ways(r.lane[l]),
                     others == 0 ? "" : fmt::format("; {} other lanes differ too", others)),
         &i, first, {name, binary(m), binary(r)});
  }
  const bool same = std::memcmp(model.scalar, rtl.scalar, isa::scalar_count * sizeof(uint32_t)) == 0;
  for (unsigned index = 0; !same && index < isa::scalar_count; ++index) {
    if ((registers[index / 64] >> (index % 64) & 1) == 0 || model.scalar[index] == rtl.scalar[index]) continue;
    fail(*i.context, i.inst, i.at,
         fmt::format("{} is {} in the model, {} in the RTL", scalar_name(index), both_ways(model.scalar[index]),
                     both_ways(rtl.scalar[index])),
         &i, -1, {scalar_name(index), binary(model.scalar[index], 32), binary(rtl.scalar[index], 32)});
  }
  const auto require = [&](const char* name, uint64_t m, uint64_t r, unsigned bits) {
    if (m == r) return;
    fail(*i.context, i.inst, i.at, fmt::format("{} is {:#x} in the model, {:#x} in the RTL", name, m, r), &i, -1,
         {name, binary(m, bits), binary(r, bits)});
  };
  require("scc", model.scc ? 1 : 0, rtl.scc ? 1 : 0, 1);
  require("mode", model.mode, rtl.mode, 32);
  require("trapsts", model.trapsts, rtl.trapsts, 32);
  require("spm", model.spm, rtl.spm, 64);
  if (model.latency != rtl.latency)
    fail(*i.context, i.inst, i.at,
         fmt::format("issue to retirement takes {} cycles in the model, {} in the RTL", model.latency, rtl.latency), &i,
         -1, {});
}

void lockstep_checker::next_pc(const issued_instruction& i, uint64_t model, uint64_t rtl) {
  if (model == rtl) return;
  fail(*i.context, i.inst, i.at, fmt::format("the next pc is {:#x} in the model, {:#x} in the RTL", model, rtl), &i, -1,
       {"next_pc", binary(model, 64), binary(rtl, 64)});
}

void lockstep_checker::split_registers(const split_event& e, const split_state& model, const split_state& rtl) {
  const auto require = [&](const char* name, uint64_t m, uint64_t r) {
    if (m == r) return;
    fail(*e.context, e.inst, e.at,
         fmt::format("after {}: {} is {:#x} in the model, {:#x} in the RTL", e.what, name, m, r), nullptr, -1,
         {"split", binary(m, 64), binary(r, 64)});
  };
  require("the state at its merge (0 idle, 1 running, 2 waits for its child, 3 for its parent)", model.state,
          rtl.state);
  require("spm", model.spm, rtl.spm);
  require("em", model.em, rtl.em);
  require("parent", model.parent, rtl.parent);
  require("the top of the child stack", model.top, rtl.top);
  if (model.depth != rtl.depth ||
      !std::equal(model.children.begin(), model.children.begin() + model.depth, rtl.children.begin()))
    fail(*e.context, e.inst, e.at,
         fmt::format("after {}: the child stack is {} in the model, {} in the RTL", e.what, stack_text(model),
                     stack_text(rtl)),
         nullptr, -1, {"depth", binary(model.depth, 8), binary(rtl.depth, 8)});
}

void lockstep_checker::created(const split_event& e, const split_answer& model, const split_answer& rtl) {
  if (model.child != rtl.child)
    fail(*e.context, e.inst, e.at,
         fmt::format("after {}: the new SWF is on SpSIMD unit {} in the model, {} in the RTL (0: there is none)",
                     e.what, model.child, rtl.child),
         nullptr, -1, {"child", binary(model.child, 8), binary(rtl.child, 8)});
  if (model.child_spm != rtl.child_spm)
    fail(*e.context, e.inst, e.at,
         fmt::format("after {}: the new SWF's spm is {:#x} in the model, {:#x} in the RTL", e.what, model.child_spm,
                     rtl.child_spm),
         nullptr, -1, {"child_spm", binary(model.child_spm, 64), binary(rtl.child_spm, 64)});
}

void lockstep_checker::handed_over(const split_event& e, const char* where, unsigned index, uint32_t model,
                                   uint32_t rtl) {
  if (model == rtl) return;
  fail(*e.context, e.inst, e.at,
       fmt::format("{}: the RTL {} {} as {}, in the model it is {}", e.what, where, scalar_name(index), both_ways(rtl),
                   both_ways(model)),
       nullptr, -1, {scalar_name(index), binary(model, 32), binary(rtl, 32)});
}

void lockstep_checker::begins_with(const split_event& e, const char* name, uint32_t model, uint32_t rtl) {
  if (model == rtl) return;
  fail(*e.context, e.inst, e.at,
       fmt::format("{}: {} is {:#x} in the model, {:#x} in the RTL", e.what, name, model, rtl), nullptr, -1,
       {name, binary(model, 32), binary(rtl, 32)});
}

void lockstep_checker::written_after_leaving(const split_event& e, unsigned index, uint32_t before, uint32_t now) {
  fail(*e.context, e.inst, e.at,
       fmt::format("after {}: a result was written in the RTL, although no SWF is in the context: {} was {}, is {}",
                   e.what, scalar_name(index), both_ways(before), both_ways(now)),
       nullptr, -1, {scalar_name(index), binary(before, 32), binary(now, 32)});
}

void lockstep_checker::protocol(const issued_instruction* i, models::cycle_t at, const std::string& what) {
  if (i != nullptr) fail(*i->context, i->inst, at, what, i, -1, {});
  throw reported_error(fmt::format("RTL and model disagree: cycle {}: {}", at, what));
}

}  // namespace pws::platform::cosim
