// SPDX-License-Identifier: Apache-2.0
// Splits and merges in what is known of a wavefront's registers.
#include <algorithm>

#include "sw/wcet/lanes/lane_state.h"

namespace pws::wcet {

void lane_state::begin_whole() {
  open_splits_.push_back(split_mask_);
}

void lane_state::end_whole() {
  open_splits_.pop_back();
}

// There are lanes again that masks have not been looked at for.
void lane_state::end_piece() {
  exec_is_here_ = is_own(exec_own_) ? exec_is_here_ : exec_is_;
  if (parts_ != every_part && parts_ != 0) --parts_;
  exec_own_ = std::min(exec_own_, parts_);
  for (auto& m : masks_) {
    if (!m || (m->is == m->is_in_part && m->own_parts <= parts_)) continue;
    lane_mask changed = *m;
    changed.is_in_part = changed.is;
    changed.own_parts = std::min(changed.own_parts, parts_);
    m = std::make_shared<const lane_mask>(changed);
  }
}

// EXEC is what all parts have come with, each its own lanes.
std::optional<uint64_t> lane_state::number_of(const mask_set& names) const {
  if (!split_mask_) return std::nullopt;
  for (const auto& [number, s] : saved_)
    if (names[number] && s.number) return *s.number & *split_mask_;
  return std::nullopt;
}

// Masks of before may have lanes of other parts.
void lane_state::begin_piece() {
  begin_whole();
  exec_has_changed(true);
  exec_is_.reset();
  if (parts_ != every_part) ++parts_;
}

void lane_state::begin_part(uint64_t split_mask) {
  begin_piece();
  split_mask_ = split_mask;
  exec_number_ = *exec_number_ & split_mask;
  exec_.lanes &= *exec_number_;
}

void lane_state::begin_any() {
  begin_piece();
  split_mask_ = exec_number_ = std::nullopt;
}

void lane_state::end_any(const std::vector<bool>& written, const mask_set& before) {
  for_each_scope([&](scope& s) {
    for (unsigned row = 0; row < s.rows.size(); ++row)
      if (written[row]) {
        s.rows[row].v = mixed(s.rows[row].v, s.rows[row].v);
        s.forget_beside(row);
      }
  });
  for (unsigned number = 0; number < max_masks; ++number)
    if (!before[number] && saved_.count(number) != 0) forget_mask(number);
  exec_.within &= before;
  // The other part's lanes are not in this one's masks.
  exec_has_changed(false);
  const bool own = is_own(exec_own_);
  end_piece();
  split_mask_ = exec_number_ = std::nullopt;
  if (open_splits_.empty()) {  // a merge without its split
    exec_written_ = std::nullopt;
    set_exec(unknown_mask());
    return;
  }
  split_mask_ = open_splits_.back();
  open_splits_.pop_back();
  if (!exec_written_) exec_written_ = number_of(exec_is_here_);
  if (exec_written_) return know_exec(exec_written_);  // by all pieces, and each had its own lanes of it
  if (own || exec_is_.any()) return;                   // ... or the same mask of before
  // A part may have written lanes of the other one, which that one had not in EXEC.
  set_exec(unknown_mask());
}

void lane_state::merge_scopes(scope& a, const scope& b, uint64_t lanes, const std::vector<bool>& written) {
  a.within &= b.within;
  a.apart &= b.apart;
  a.same &= b.same;
  if (a.sides != b.sides) a.sides = std::nullopt;
  a.lanes |= b.lanes;
  if (a.number != b.number) a.number = std::nullopt;
  for (unsigned row = 0; row < a.rows.size(); ++row)
    if (written[row]) {
      // What both parts know in the same words may be different numbers all the same.
      const uint64_t other = b.known(row) & ~lanes;
      a.set(row, a.rows[row].v, a.known(row) & lanes);
      a.add(row, b.rows[row].v, other);
      a.forget_beside(row);
    }
}

// The first part is the context that goes on: its scalar registers stay, what they say of lanes of the second aside.
lane_state lane_state::merged(const lane_state& first, const lane_state& second, const std::vector<bool>& written,
                              const mask_set& before) {
  lane_state s = first;
  s.open_splits_.pop_back();
  s.split_mask_ = first.open_splits_.back();
  for (unsigned& v : s.versions_) ++v;
  for (unsigned row = 0; row < s.vgprs(); ++row)
    s.versions_[row] = std::max(s.versions_[row], second.versions_[row] + 1);
  for (unsigned number = 1; number < max_masks; ++number)
    if (s.saved_.count(number) != 0 && (!before[number] || second.saved_.count(number) == 0)) s.forget_mask(number);
  for (auto& [number, old] : s.saved_) merge_scopes(old, second.saved_.at(number), *first.split_mask_, written);
  s.exec_has_changed(false);
  s.end_piece();

  std::optional<uint64_t> exec;
  if (first.exec_written_ && second.exec_written_) exec = *first.exec_written_ | *second.exec_written_;
  lane_mask m = s.unknown_mask();
  mask_set saved;
  for (const auto& [number, old] : s.saved_) saved.set(number);
  m.is = first.exec_is_ & second.exec_is_ & saved;
  // What each part knows of its EXEC as it reads it is all that there is if it has no other's lanes.
  if (first.is_own(first.exec_own_) && second.is_own(second.exec_own_)) {
    m.within |= first.exec_.within & second.exec_.within & before;
    m.is_in_part = first.exec_is_here_ & second.exec_is_here_ & saved;
  }
  if (!exec) exec = s.number_of(m.is_in_part);
  m.number = exec;
  m.lanes = exec.value_or(~uint64_t{0});
  m.own_parts = std::min({first.exec_own_, second.exec_own_, s.parts_});
  s.set_exec(m);
  const bool nobody_else = first.exec_number_ && second.exec_number_ && s.exec_number_ &&
                           *s.exec_number_ == (*first.exec_number_ | *second.exec_number_);
  if (!nobody_else) return s;  // lanes may be in EXEC that neither had in it
  for (unsigned row = 0; row < s.vgprs(); ++row)
    if (written[row]) {
      s.exec_.rows[row].v = replaced(second.vector(row), first.vector(row), *first.exec_number_, *s.exec_number_);
      s.exec_.forget_beside(row);
    }
  return s;
}

}  // namespace pws::wcet
