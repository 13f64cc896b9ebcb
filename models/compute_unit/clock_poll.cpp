// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/clock_poll.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/isa/predicates.h"

namespace pws::models {

namespace {
// Loops that count, and have a clock read in each round, are looked at after so many rounds, and after twice as many
// whenever it was in vain: they read the same value twice then.
constexpr uint64_t first_look = 32;

uint32_t scratch_bytes(const isa::wave_state& s) {
  return s.scratch_bytes_per_lane * isa::wave_size;
}
void read_scratch(const isa::wave_state& s, std::vector<uint8_t>& to) {
  to.resize(scratch_bytes(s));
  if (!to.empty()) s.memory->private_read(s.scratch_base, to.data(), scratch_bytes(s), program_error::no_lane);
}

// Compiled programs have only their scratch behind buffer resources; FLAT says where it is by the address.
bool is_in_scratch(const isa::wave_state& s, const isa::inst& i) {
  if (i.native == isa::format::mubuf || i.native == isa::format::mtbuf) return true;
  if (i.native != isa::format::flat) return false;
  const isa::vgpr_row& high = s.vgpr[i.src[0].index + 1];
  for (uint64_t lanes = s.active(); lanes != 0; lanes &= lanes - 1)
    if (high.lane[__builtin_ctzll(lanes)] != s.private_aperture >> 32) return false;
  return true;
}
}  // namespace

clock_poll::finding clock_poll::reads(const isa::wave_state& s, uint64_t pc) {
  if (pc != pc_) {
    pc_ = pc;
    began_ = value_ = s.time;
    reads_ = 0;
    next_look_ = first_look;
    phase_ = phase::measures;
    left_to_others = 0;
    return finding::nothing;
  }
  ++reads_;
  switch (phase_) {
    case phase::measures:
      value_ = s.time;
      if (reads_ >= next_look_) phase_ = phase::holds;
      return finding::nothing;
    case phase::holds:
      remember(s);
      phase_ = phase::compares;
      return finding::nothing;
    case phase::compares:
      break;
  }
  value_ = s.time;
  if (has_written_ || !is_remembered(s)) {
    next_look_ = 2 * reads_;
    phase_ = phase::measures;
    return finding::nothing;
  }
  phase_ = phase::holds;
  return has_loaded_ ? finding::waits_for_memory : finding::waits_for_clock;
}

void clock_poll::note_access(const isa::wave_state& s, const isa::inst& i) {
  using isa::operation;
  switch (isa::operation_of(i)) {
    case operation::load:
      has_loaded_ = has_loaded_ || !is_in_scratch(s, i);
      return;
    case operation::store:
      has_written_ = has_written_ || !is_in_scratch(s, i);
      return;
    case operation::atomic:
    case operation::exchange:
    case operation::compare_and_exchange:
      // One whose result counts is a way to look: it changes nothing, or gives another value the next time.
      (i.dst.kind == isa::operand_kind::none ? has_written_ : has_loaded_) = true;
      return;
    case operation::atomic_from_lds:
    case operation::count_active_lanes:
    case operation::global_data_share:
    case operation::grid_barrier:
      has_written_ = true;
      return;
    default:
      return;
  }
}

void clock_poll::remember(const isa::wave_state& s) {
  has_loaded_ = has_written_ = false;
  std::copy(std::begin(s.scalar), std::end(s.scalar), scalar_.begin());
  vector_.assign(s.vgpr, s.vgpr + s.n_vgprs);
  split_mask_ = s.split_mask;
  mode_ = s.mode;
  scc_ = s.scc;
  read_scratch(s, scratch_);
}

bool clock_poll::is_remembered(const isa::wave_state& s) {
  const bool registers = split_mask_ == s.split_mask && mode_ == s.mode && scc_ == s.scc &&
                         std::equal(scalar_.begin(), scalar_.end(), std::begin(s.scalar)) &&
                         std::memcmp(vector_.data(), s.vgpr, vector_.size() * sizeof(isa::vgpr_row)) == 0;
  if (!registers) return false;
  read_scratch(s, scratch_now_);
  return scratch_ == scratch_now_;
}

}  // namespace pws::models
