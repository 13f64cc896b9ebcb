// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/trace_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

constexpr uint32_t lanes = 64;
using extent = std::array<uint32_t, 3>;

// Work-items of a workgroup, those at the grid's edge being smaller.
uint64_t size_of_group(const extent& grid, const extent& workgroup, const extent& id) {
  uint64_t n = 1;
  for (size_t k = 0; k < 3; ++k) n *= std::min<uint64_t>(workgroup[k], grid[k] - uint64_t{id[k]} * workgroup[k]);
  return n;
}

extent groups_of(const extent& grid, const extent& workgroup) {
  extent n{};
  for (size_t k = 0; k < 3; ++k) n[k] = static_cast<uint32_t>((uint64_t{grid[k]} + workgroup[k] - 1) / workgroup[k]);
  return n;
}

}  // namespace

void trace_recorder::launching(const extent& grid, const extent& workgroup) {
  first_of_group_.clear();
  end_ = 0;
  passes_ = {};
  waves_.clear();
  positions_.clear();
  too_long_.reset();
  splits_ = false;
  code_ = nullptr;
  ends_.clear();
  const extent groups = groups_of(grid, workgroup);
  extent id{};
  while (end_ < options_.work_items && id[2] < groups[2]) {
    first_of_group_.push_back(end_);
    end_ += size_of_group(grid, workgroup, id);
    for (size_t k = 0; k < 3 && ++id[k] == groups[k] && k < 2; ++k) id[k] = 0;
  }
  end_ = std::min(end_, options_.work_items);
}

void trace_recorder::wave_started(uint32_t, const models::wf_context& c, models::cycle_t) {
  const models::workgroup& g = c.group->launch;
  const std::array<uint32_t, 3>& groups = g.of->workgroups;
  const uint64_t group = g.id[0] + uint64_t{groups[0]} * (g.id[1] + uint64_t{groups[1]} * g.id[2]);
  if (group >= first_of_group_.size()) return;
  const uint64_t first = first_of_group_[group] + uint64_t{lanes} * c.wave_in_group;
  if (first >= end_) return;
  if (code_ == nullptr) look_at(c);
  const uint64_t there = std::min<uint64_t>(lanes, g.work_items() - uint64_t{lanes} * c.wave_in_group);
  const uint64_t n = std::min(there, end_ - first);
  position& p = positions_[&c];
  p = {};
  p.traces = &(waves_[first] = std::vector<reconvergence::trace>(n));
  p.first = first;
  p.recorded = n == lanes ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
}

// All wavefronts run the same program.
void trace_recorder::look_at(const models::wf_context& c) {
  code_ = &tables_.of(*c.code);
  entry_ = c.group->launch.of->setup.entry;
  for (const cfg::code_table::block& b : code_->blocks()) {
    const isa::inst& last = c.code->at(b.last);
    ends_.push_back(isa::is_conditional_branch(last)
                        ? fmt::format("{} +0x{:x}", last.row->mnemonic, last.target - entry_)
                        : isa::disassemble(last));
  }
}

trace_recorder::position* trace_recorder::position_of(const models::wf_context& c) {
  const auto found = positions_.find(&c);
  return found == positions_.end() ? nullptr : &found->second;
}

void trace_recorder::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  if (too_long_)
    throw program_error(fmt::format("work-item {} passes through more than {} blocks, the limit for one trace",
                                    *too_long_, options_.max_blocks));
  position* p = position_of(c);
  if (p == nullptr) return;
  splits_ = splits_ || i.unit == isa::unit::split;
  if (splits_) throw program_error("the program splits wavefronts");
  if (p->begins || code_->begins_block(i.pc)) {
    end_pass(*p);
    p->place = i.pc;
  }
  p->lanes |= c.state.active();
}

void trace_recorder::issued(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  position* p = position_of(c);
  if (p == nullptr) return;
  p->lanes |= c.state.active();
  ++p->instructions;
  const bool barrier = i.unit == isa::unit::barrier;
  p->begins = barrier || i.unit == isa::unit::branch;
  if (!barrier) return;
  end_pass(*p);
  for (reconvergence::trace& t : *p->traces) t.barriers.push_back(t.passes.size());
}

void trace_recorder::wave_ended(uint32_t, const models::wf_context& c, models::cycle_t) {
  position* p = position_of(c);
  if (p == nullptr) return;
  end_pass(*p);
  positions_.erase(&c);
}

void trace_recorder::end_pass(position& p) {
  const uint64_t own = p.lanes & p.recorded;
  if (own != 0) {
    const reconvergence::pass_id pass = passes_.add(p.place, p.instructions);
    for (size_t lane = 0; lane < p.traces->size(); ++lane) {
      if ((own >> lane & 1) == 0) continue;
      std::vector<reconvergence::pass_id>& passes = (*p.traces)[lane].passes;
      passes.push_back(pass);
      if (passes.size() > options_.max_blocks && !too_long_) too_long_ = p.first + lane;
    }
  }
  p.lanes = p.instructions = 0;
}

std::vector<reconvergence::warp> trace_recorder::warps() const {
  const size_t work_items = options_.warp_size;
  std::vector<reconvergence::warp> out;
  for (const auto& [first, traces] : waves_)
    for (size_t k = 0; k < traces.size(); k += work_items)
      out.emplace_back(traces.begin() + static_cast<ptrdiff_t>(k),
                       traces.begin() + static_cast<ptrdiff_t>(std::min<size_t>(traces.size(), k + work_items)));
  return out;
}

}  // namespace pws::platform
