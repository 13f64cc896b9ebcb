// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/block_time_recorder.h"

#include <algorithm>
#include <numeric>

namespace pws::platform {

block_time_recorder::block_time_recorder(const wcet::analysed_kernel& code)
    : code_(code), longest_(code.graph().size()) {
  const cfg::function_code& f = code.graph().code();
  block_that_begins_.assign((f.end() - f.begin()) / 4, none);
  for (size_t b = 0; b < code.graph().size(); ++b)
    block_that_begins_[(f.instructions[code.graph()[b].first].pc - f.begin()) / 4] = b;
}

std::vector<uint64_t> block_time_recorder::block_cycles() const {
  std::vector<uint64_t> cycles;
  for (const std::vector<uint64_t>& pieces : longest_)
    cycles.push_back(std::accumulate(pieces.begin(), pieces.end(), uint64_t{0}));
  return cycles;
}

void block_time_recorder::end_piece(const position& p, models::cycle_t at) {
  if (p.block == none) return;
  std::vector<uint64_t>& pieces = longest_[p.block];
  if (pieces.size() <= p.piece) pieces.resize(p.piece + 1, 0);
  pieces[p.piece] = std::max(pieces[p.piece], at - p.entered);
}

void block_time_recorder::enter(position& p, size_t block, models::cycle_t at) {
  end_piece(p, at);
  p.block = block;
  p.piece = 0;
  p.entered = at;
}

void block_time_recorder::stop_waiting(position& p, models::cycle_t others_arrived) {
  p.waits = position::waiting::no;
  if (others_arrived > p.arrived) p.entered += others_arrived - p.arrived;
}

void block_time_recorder::begin_run() {
  positions_.clear();
  last_at_barrier_.clear();
  beginnings_.clear();
  first_batch_ = true;
  any_started_ = false;
}

void block_time_recorder::wave_started(uint32_t, const models::wf_context& c, models::cycle_t at) {
  if (!any_started_) first_start_ = at;
  any_started_ = true;
  const uint64_t split_length = 4;
  if (first_batch_ && c.is_swf())
    beginnings_.push_back({c.tree.root, c.tdm_requester.part, at - first_start_, c.state.pc - split_length});
  if (!c.is_swf()) last_at_barrier_[c.group].clear();  // those of the workgroup that was there before
  position& p = positions_[&c];
  p = {};
  p.started = at;
  if (c.is_swf()) just_split_off_ = &c;
}

void block_time_recorder::issued(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  position& p = positions_[&c];
  if (!p.begun && !c.is_swf()) {
    first_issue_ = std::max(first_issue_, at - p.started);
    if (first_batch_) beginnings_.push_back({&c, 0, at - first_start_, 0});
  }
  p.begun = true;
  if (p.waits == position::waiting::barrier) stop_waiting(p, last_at_barrier_[c.group][p.barriers - 1]);
  p.waits = position::waiting::no;
  const cfg::function_code& f = code_.graph().code();
  const size_t block = block_that_begins_[(i.pc - f.begin()) / 4];
  if (block != none) enter(p, block, at);
  if (just_split_off_ != nullptr) {
    position& swf = positions_[just_split_off_];
    swf.block = p.block;
    swf.piece = p.piece;
    swf.entered = p.entered;
    swf.barriers = p.barriers;
    just_split_off_ = nullptr;
  }
  if (i.unit == isa::unit::barrier || i.unit == isa::unit::merge) {
    p.waits = i.unit == isa::unit::barrier ? position::waiting::barrier : position::waiting::merge;
    p.arrived = at;
    end_piece(p, at);
    ++p.piece;
    p.entered = at;
    if (i.unit == isa::unit::barrier) {
      std::vector<models::cycle_t>& last = last_at_barrier_[c.group];
      if (last.size() <= p.barriers) last.resize(p.barriers + 1, 0);
      last[p.barriers] = std::max(last[p.barriers], at);
      ++p.barriers;
    }
  }
}

void block_time_recorder::wave_ended(uint32_t, const models::wf_context& c, models::cycle_t at) {
  position& p = positions_[&c];
  // An SWF that waited at its merge leaves when its parent arrives; a parent that waits goes on when its SWF leaves.
  enter(p, none, p.waits == position::waiting::merge ? p.arrived : at);
  p = {};
  if (!c.is_swf()) {
    first_batch_ = false;
    return;
  }
  for (auto& [context, other] : positions_)
    if (context->tree.root == c.tree.root && context != &c && other.waits == position::waiting::merge)
      stop_waiting(other, at);
}

}  // namespace pws::platform
