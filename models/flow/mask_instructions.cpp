// SPDX-License-Identifier: Apache-2.0
#include "models/flow/mask_instructions.h"

#include "models/flow/flow_graph.h"
#include "models/isa/predicates.h"

namespace pws::cfg {

namespace {

// Writes EXEC by a mask, or makes the mask of one side's work-items of it.
bool keeps_exec(const isa::inst& i) {
  if (i.unit != isa::unit::salu) return false;
  if (isa::is_saveexec(i)) return true;
  if (isa::is_exec(i.dst)) return isa::data_type_of(i) == isa::data_type::b64;
  return isa::is_on_masks(i, isa::operation::bit_xor) && (isa::is_exec(i.src[0]) || isa::is_exec(i.src[1]));
}
// Turns from one side of a branch to the other.
bool turns(const isa::inst& i) {
  return isa::is_saveexec(i) && !isa::is_saveexec(i, isa::operation::bit_and);
}

bool leaves_block(isa::unit u) {
  return u == isa::unit::branch || u == isa::unit::split || u == isa::unit::merge || u == isa::unit::end;
}

class finder {
 public:
  explicit finder(isa::program& code)
      : region_(decode_region(code)), begin_(code.begin()), folded_((code.end() - code.begin()) / 4) {}

  std::vector<bool> run() {
    const auto& all = region_.instructions;
    for (size_t k = 0; k < all.size(); ++k) {
      if (all[k].unit == isa::unit::merge) fold_restore(k);
      if (all[k].unit != isa::unit::split) continue;
      for (size_t j = k; j-- > 0 && keeps_exec(all[j]);) fold(all[j]);
      if (k + 1 < all.size() && isa::branch_condition_of(all[k + 1]) == isa::branch_condition::exec_zero)
        fold_turn(region_.at(all[k + 1].target));
    }
    return std::move(folded_);
  }

 private:
  void fold(const isa::inst& i) { folded_[(i.pc - begin_) / 4] = true; }

  // What restores EXEC right before a merge, or before the vector instructions that save lane masks there.
  void fold_restore(size_t merge) {
    const auto& all = region_.instructions;
    size_t k = merge;
    while (k > 0 && isa::is_vector_alu(all[k - 1].unit)) --k;
    if (k > 0 && keeps_exec(all[k - 1])) fold(all[k - 1]);
  }

  // What turns to the other side in the block that begins at `k`, if anything does, with the skip that ends the block.
  void fold_turn(size_t k) {
    const auto& all = region_.instructions;
    std::vector<size_t> found;
    bool has_turned = false;
    for (; k < all.size() && !leaves_block(all[k].unit); ++k) {
      if (!keeps_exec(all[k])) continue;
      found.push_back(k);
      has_turned = has_turned || turns(all[k]);
    }
    if (!has_turned) return;
    for (const size_t f : found) fold(all[f]);
    if (k < all.size() && isa::branch_condition_of(all[k]) == isa::branch_condition::exec_zero) fold(all[k]);
  }

  function_code region_;
  uint64_t begin_;
  std::vector<bool> folded_;
};

}  // namespace

bool mask_instructions::contains(isa::program& code, uint64_t pc) {
  auto found = folded_.find(code.number());
  if (found == folded_.end()) found = folded_.emplace(code.number(), finder(code).run()).first;
  const uint64_t dword = (pc - code.begin()) / 4;
  return dword < found->second.size() && found->second[dword];
}

}  // namespace pws::cfg
