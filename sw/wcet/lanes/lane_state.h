// SPDX-License-Identifier: Apache-2.0
// What is known of a wavefront's registers at one place of its code.
//
// Vector registers are known for the lanes of EXEC alone: an instruction writes no other. When EXEC is saved, what is
// known is kept for the lanes of that mask, and goes on: what is then written by fewer lanes makes a register hold
// either in each of them. When the mask comes back to EXEC, that is what is known. Masks are told apart by the place
// where they were saved; the analysis never needs to know which lanes they have.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/isa/operation.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/scalar_set.h"
#include "sw/wcet/lanes/lane_mask.h"
#include "sw/wcet/lanes/lane_pointer.h"
#include "sw/wcet/lanes/lane_value.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

// What is known of a scalar register: numbers and pointers. (Masks are pairs of them.)
struct scalar_word {
  word_set value;
  relative_word relative;
  buffer_set buffers = 0;
};
inline bool operator==(const scalar_word& a, const scalar_word& b) {
  return a.value == b.value && a.relative == b.relative && a.buffers == b.buffers;
}

scalar_word join(const scalar_word& a, const scalar_word& b);
scalar_word widen(const scalar_word& before, const scalar_word& now);

// What is known of a vector register in some lanes.
struct vector_word {
  lane_value v = lane_value::unknown();
  // The lanes that `v` is about; the others may hold anything. All where that is all of the lanes in question.
  uint64_t about = ~uint64_t{0};
  // What is known of the 64 bits in this register and the next one.
  std::shared_ptr<const wide_offsets> wide;      // null: see wide_in()
  std::shared_ptr<const lane_cover> wide_cover;  // beside what the halves say; null: nothing
  buffer_set buffers = 0;
};

class lane_state {
 public:
  // Nothing is known but which lanes there are: none but `launched`, all of `always`. EXEC is known if these are the
  // same.
  lane_state(unsigned vgprs, uint64_t launched, uint64_t always);

  // --- Scalar registers
  const scalar_word& scalar(unsigned index) const { return s_[index]; }
  void set_scalar(unsigned index, const scalar_word& w);
  void set_scalar(unsigned index, const word_set& w) { set_scalar(index, scalar_word{w, {}}); }
  // It is known to be one of those too; what else is known of it stays.
  void narrow_scalar(unsigned index, const word_set& in) { s_[index].value = meet(s_[index].value, in); }
  void forget_scalars();
  word_set scc = word_set::range(0, 1);
  relative_word scc_carries;  // SCC is the carry of the sum that gave such a lower half

  // --- Pointers
  // Into which buffers an address leads whose low half is in that register: in each lane of EXEC into one of these. 0:
  // not known to be such an address.
  buffer_set scalar_buffers(unsigned index) const { return s_[index].buffers; }
  buffer_set vector_buffers(unsigned row) const { return exec_.rows[row].buffers; }
  void set_scalar_buffers(unsigned index, buffer_set b) { s_[index].buffers = b; }
  void set_vector_buffers(unsigned row, buffer_set b) { exec_.rows[row].buffers = b; }

  // --- Masks
  lane_mask exec() const;
  lane_mask mask(unsigned pair) const;  // pair: index of the first register
  lane_mask unknown_mask() const;
  // EXEC bit by bit as instructions read it, where that is known: what was written, of the split mask.
  std::optional<uint64_t> exec_number() const { return exec_number_; }
  // `low`, `high`: what is known of the pair as a number. EXEC as set_exec does.
  void set_mask(unsigned pair, const lane_mask& m, const word_set& low = word_set::any(),
                const word_set& high = word_set::any());
  // For how many masks values are kept.
  size_t kept_masks() const { return 1 + saved_.size(); }
  // What is known of the lanes of EXEC is kept under that number from here on.
  void save_exec(unsigned number);
  // EXEC is kept as mask `taken`, and the lanes of mask `whole` that are not in EXEC as mask `rest`: what either writes
  // is not in the other, and both together are `whole`. EXEC is within `whole`.
  void save_sides(unsigned whole, unsigned taken, unsigned rest);
  void set_exec(const lane_mask& m);
  // What a logical instruction makes of `a` and `b`, of which `m` is known otherwise: with the masks that it is because
  // these two are sides of a branch, or one a side and one the whole; or because one of them has no lane of the other.
  lane_mask named(isa::operation op, const lane_mask& a, const lane_mask& b, lane_mask m) const;

  // --- Splits
  // The lanes that this piece of the wavefront has (SpM), where that is known.
  std::optional<uint64_t> split_mask() const { return split_mask_; }
  // Lanes that the wavefront may have been launched with.
  uint64_t launched() const { return saved_.at(0).lanes; }
  // A split that makes no parts, up to its merge.
  void begin_whole();
  void end_whole();
  // The part of a split that has those lanes. EXEC and SpM are known. Masks of before may have other lanes.
  void begin_part(uint64_t split_mask);
  // Whatever the split makes: the wavefront in one piece, or either part.
  void begin_any();
  // Its merge. `written`: vector registers that either part may have written since. Of the masks, only those in
  // `before` are older than the split.
  void end_any(const std::vector<bool>& written, const mask_set& before);
  // The merge of both parts; `written` and `before` as above.
  static lane_state merged(const lane_state& first, const lane_state& second, const std::vector<bool>& written,
                           const mask_set& before);

  // --- Vector registers
  unsigned vgprs() const { return static_cast<unsigned>(exec_.rows.size()); }
  uint64_t lanes() const { return exec_.lanes; }  // EXEC has no others
  const lane_value& vector(unsigned row) const { return exec_.rows[row].v; }
  void set_vector(unsigned row, const lane_value& v);  // by the lanes of EXEC
  // The 64-bit value in the register and the next one; null: not known to have that form.
  std::shared_ptr<const wide_offsets> wide(unsigned row) const { return wide_in(exec_, row); }
  void set_wide(unsigned row, const wide_offsets& offsets);
  // In how few places the 64-bit values in the register and the next one are.
  lane_cover wide_cover(unsigned row) const { return wide_cover_in(exec_, row); }
  void set_wide_cover(unsigned row, const lane_cover& c);
  // Counts writes, for those who look for the same value later in a block.
  unsigned version(unsigned row) const { return versions_[row]; }
  void set_initial(unsigned row, const lane_value& v);  // of all lanes, before the first instruction
  void forget_vector(unsigned row);                     // some lane, active or not, may hold anything
  void forget_vectors();

  // --- Paths
  // Forgets masks that nothing refers to: no scalar register that may still be read, and not in `kept`.
  void drop_masks(const cfg::scalar_set& live, const mask_set& kept);
  // At a block's beginning: what only straight-line code says is forgotten.
  void begin_block();
  // This or the other. True if it has changed.
  bool join_with(const lane_state& o, bool widening);

 private:
  struct scope {
    mask_set within;
    mask_set apart;                                      // has no lane of any of these masks
    mask_set same;                                       // is each of these in the lanes of the part that has saved it
    std::optional<std::pair<unsigned, unsigned>> sides;  // of a rest: the whole, and what was taken
    uint64_t lanes = 0;                                  // has no others
    std::optional<uint64_t> number;                      // of a mask: all 64 bits
    std::vector<vector_word> rows;
    // What is known beside the register's own value: of the pairs it is in, and of the address it is part of.
    void forget_beside(unsigned row);
    void forget(unsigned row);
    // Written by those lanes, or by none or any of these where they are not known.
    void write(unsigned row, const lane_value& now, const std::optional<uint64_t>& by);
    void set(unsigned row, const lane_value& value, uint64_t about_lanes);
    // `now` in those lanes, in the others what is there.
    void add(unsigned row, const lane_value& now, uint64_t by);
    // The lanes that anything is known of.
    uint64_t known(unsigned row) const;
  };
  static std::shared_ptr<const wide_offsets> wide_in(const scope& s, unsigned row);
  static lane_cover wide_cover_in(const scope& s, unsigned row);
  static bool join_wide_covers(scope& a, const scope& b, bool widening);
  static bool join_scopes(scope& a, const scope& b, bool widening);
  // `b` is what holds outside of those lanes of what is written.
  static void merge_scopes(scope& a, const scope& b, uint64_t lanes, const std::vector<bool>& written);
  // The innermost of the masks that EXEC is within; null: there is none. Sets `within` to all of them.
  const scope* innermost(const lane_mask& m, mask_set& within) const;
  bool join_splits(const lane_state& o);
  bool join_scalars(const lane_state& o, bool widening);
  template <class F>
  void for_each_scope(F f) {
    f(exec_);
    for (auto& [number, old] : saved_) f(old);
  }
  void forget_mask(unsigned number);
  // Masks that are surely the same, in the lanes of this part; whether two surely have no lane in common.
  mask_set all_names(const mask_set& some) const;
  bool are_apart(const lane_mask& a, const lane_mask& b) const;
  // By the names that both have: what `op` makes of them.
  mask_set names_of(isa::operation op, const mask_set& a, const mask_set& b) const;
  void exec_has_changed(bool narrowed);
  void begin_piece();
  void end_piece();
  std::optional<uint64_t> number_of(const mask_set& names) const;
  bool is_own(unsigned own) const { return own >= parts_; }
  std::optional<uint64_t> active_of(const std::optional<uint64_t>& written) const;
  void know_exec(const std::optional<uint64_t>& number);

  std::array<scalar_word, isa::scalar_count> s_;
  std::array<std::shared_ptr<const lane_mask>, isa::scalar_count> masks_;
  std::optional<uint64_t> exec_number_, exec_written_;  // as it is read; as it has been written
  unsigned exec_own_ = 0;                               // ... see lane_mask::own
  mask_set exec_is_;                                    // ... each of these masks itself
  mask_set exec_is_here_;                               // ... in the lanes of this part
  std::optional<uint64_t> split_mask_ = ~uint64_t{0};
  unsigned parts_ = 0;  // this is a part of a part ... of the wavefront; every_part: of splits that do not nest
  std::vector<std::optional<uint64_t>> open_splits_;  // the split mask before each, outermost first
  uint64_t always_launched_;
  std::vector<unsigned> versions_;
  scope exec_;
  std::map<unsigned, scope> saved_;  // by the mask's number
};

}  // namespace pws::wcet
