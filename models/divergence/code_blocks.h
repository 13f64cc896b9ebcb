// SPDX-License-Identifier: Apache-2.0
// What a machine knows of a program's splits when it has been loaded: how long the block behind a split's merge is, by
// which dynamic warp subdivision decides.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/flow/code_table.h"
#include "models/isa/inst.h"

namespace pws::models {

class code_blocks {
 public:
  explicit code_blocks(isa::program& code);

  // Instructions of the block behind the merge at which the sides of the split at `split` meet; split and merge are not
  // counted. 0 if they do not meet before the end. What cannot be decoded ends a way, as s_endpgm does.
  uint32_t length_behind(uint64_t split);

 private:
  uint64_t merge_of(uint64_t split) const;
  uint32_t length_at(uint64_t address) const;

  isa::program& code_;
  const cfg::code_table table_;
  uint32_t splits_ = 0;                             // in the program
  std::unordered_map<uint64_t, uint32_t> lengths_;  // by split
};

}  // namespace pws::models
