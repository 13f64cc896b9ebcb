// SPDX-License-Identifier: Apache-2.0
// The hand-over of scalar registers between units: rows that one RTL gives are those that the other one receives, in
// the next cycle. Where one of the two units is the model's, its registers are what the RTL receives, or is compared
// with.
#include <fmt/format.h>

#include <algorithm>

#include "platform/machine/rtl_executor.h"
#include "platform/machine/rtl_inputs.h"

namespace pws::platform::cosim {

using models::cycle_t;
using models::wf_context;
using rtl::spsimd_rtl;

// `from`, of this unit, gives its registers to `to`, from this cycle on.
void rtl_executor::hands_over(const wf_context& from, const wf_context& to, const split_event& why) {
  departure& d = departures_[from.slot.value];
  d.began = cycle_;
  d.to = by_unit_[to.unit.value];
  std::copy_n(from.state.scalar, isa::scalar_count, d.registers.begin());
  d.why = why;
  departing_ |= 1u << from.slot.value;
  if (d.to != nullptr) d.to->givers_[to.slot.value] = this;
}

void rtl_executor::moves(const wf_context& child, const wf_context& parent, cycle_t now) {
  advance(now);
  rtl_->give(child.slot.value);
  hands_over(child, parent, {&child, "going on in place of its parent, which has ended", child.front.next, cycle_});
}

// SCC, MODE and TRAPSTS of the SWF that begins or goes on in `c`: those of the RTL that gives it its registers.
spsimd_rtl::status_registers rtl_executor::given_status(const wf_context& c) const {
  const rtl_executor* const from = givers_[c.slot.value];
  return from == nullptr ? status_of(c.state) : from->rtl_->status(c.slot.value);
}

// `c`, of this unit, has its registers from the hand-over that has begun.
void rtl_executor::expects_registers(const wf_context& c) {
  const unsigned slot = c.slot.value;
  arrival& a = arrivals_[slot];
  a.began = cycle_;
  a.from = givers_[slot];
  a.rows = 0;
  givers_[slot] = nullptr;
  arriving_ |= 1u << slot;
  if (a.from != nullptr) return;
  std::copy_n(c.state.scalar, isa::scalar_count, a.registers.begin());
  a.rows = spsimd_rtl::handover_rows();
}

// Takes this cycle's rows: row r of a hand-over that began in cycle t is on its bus in cycle t + r + 1.
void rtl_executor::receive_rows() {
  for (unsigned m = arriving_; m != 0; m &= m - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctz(m));
    const arrival& a = arrivals_[slot];
    if (cycle_ == a.began) continue;
    const auto row = static_cast<unsigned>(cycle_ - a.began - 1);
    if (a.from != nullptr) a.from->advance(cycle_);
    if (row < a.rows) rtl_->receive(slot, &a.registers[row * spsimd_rtl::handover_registers()]);
  }
}

// At the end of a cycle: which rows go out, and whose registers are all there.
void rtl_executor::check_handovers() {
  unsigned expected = 0;
  for (unsigned m = departing_; m != 0; m &= m - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctz(m));
    departure& d = departures_[slot];
    const auto row = static_cast<unsigned>(cycle_ - d.began - 1);
    if (row >= spsimd_rtl::handover_rows()) {
      departing_ &= ~(1u << slot);
      continue;
    }
    expected |= 1u << slot;
  }
  const unsigned gives = rtl_->gives();
  if (gives != expected)
    wrong(nullptr, fmt::format("the RTL hands over registers of the contexts {:#x} (by bit), and not of {:#x}", gives,
                               expected));
  for (unsigned m = gives; m != 0; m &= m - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctz(m));
    const departure& d = departures_[slot];
    const unsigned width = spsimd_rtl::handover_registers();
    const auto first = static_cast<unsigned>(cycle_ - d.began - 1) * width;
    const uint32_t* const row = rtl_->given_row(slot);
    if (checker_ != nullptr)
      for (unsigned k = 0; k < width; ++k)
        checker_->handed_over(d.why, "hands over", first + k, d.registers[first + k], row[k]);
    if (d.to == nullptr) continue;
    arrival& a = d.to->arrivals_[slot];
    std::copy_n(row, width, &a.registers[first]);
    ++a.rows;
  }

  for (unsigned m = arriving_; m != 0; m &= m - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctz(m));
    if (cycle_ < arrivals_[slot].began + spsimd_rtl::handover_cycles()) continue;
    arriving_ &= ~(1u << slot);
    context_state& s = contexts_[slot];
    if (checker_ == nullptr) {
      s.issued = true;  // its registers are the RTL's
      continue;
    }
    const uint32_t* const scalar = rtl_->scalar(slot);
    for (unsigned k = 0; k < isa::scalar_count; ++k)
      checker_->handed_over(s.event, "has received", k, s.model->state.scalar[k], scalar[k]);
    const spsimd_rtl::status_registers model = status_of(s.model->state), rtl = rtl_->status(slot);
    checker_->begins_with(s.event, "scc", model.scc ? 1 : 0, rtl.scc ? 1 : 0);
    checker_->begins_with(s.event, "mode", model.mode, rtl.mode);
    checker_->begins_with(s.event, "trapsts", model.trapsts, rtl.trapsts);
    ++statistics_.compared;
  }
  constexpr unsigned all = (1u << spsimd_rtl::contexts) - 1;
  if (const unsigned ready = rtl_->ready(); ready != (all & ~arriving_))
    wrong(nullptr, fmt::format("the registers of the RTL's contexts {:#x} (by bit) are there, and not of {:#x}", ready,
                               all & ~arriving_));
}

}  // namespace pws::platform::cosim
