// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/code_blocks.h"

#include <deque>
#include <set>
#include <utility>

namespace pws::models {

code_blocks::code_blocks(isa::program& code) : code_(code), table_(code) {
  for (const cfg::code_table::block& b : table_.blocks())
    for (uint64_t at = b.begin; at < b.end; at += code_.at(at).bytes())
      splits_ += code_.at(at).unit == isa::unit::split;
}

uint32_t code_blocks::length_behind(uint64_t split) {
  const auto [it, fresh] = lengths_.try_emplace(split, 0);
  if (fresh) {
    const uint64_t merge = merge_of(split);
    it->second = merge == 0 ? 0 : length_at(merge + code_.at(merge).bytes());
  }
  return it->second;
}

// The nearest merge that closes the split, on whichever way; 0: none. Splits on the way have merges of their own. A way
// with more of them open than there are goes round in a loop that opens what it never closes.
uint64_t code_blocks::merge_of(uint64_t split) const {
  using place = std::pair<uint64_t, uint32_t>;  // address, splits that are open
  std::set<place> seen;
  std::deque<place> next{{split + code_.at(split).bytes(), 0}};
  while (!next.empty()) {
    auto [at, open] = next.front();
    next.pop_front();
    const uint32_t b = table_.block_of(at);
    if (b == cfg::code_table::none || open > splits_ || !seen.insert({at, open}).second) continue;
    const isa::inst& i = code_.at(at);
    if (i.unit == isa::unit::merge) {
      if (open == 0) return at;
      --open;
    } else if (i.unit == isa::unit::split) {
      ++open;
    }
    const cfg::code_table::block& block = table_.blocks()[b];
    if (at + i.bytes() != block.end) {
      next.push_back({at + i.bytes(), open});
      continue;
    }
    // What a branch goes to before what lies behind it.
    for (auto s = block.successors.rbegin(); s != block.successors.rend(); ++s)
      next.push_back({table_.blocks()[*s].begin, open});
  }
  return 0;
}

// The table's block, ended by splits, merges and calls too.
uint32_t code_blocks::length_at(uint64_t address) const {
  const uint32_t b = table_.block_of(address);
  if (b == cfg::code_table::none) return 0;
  uint32_t n = 0;
  for (uint64_t at = address; at < table_.blocks()[b].end;) {
    const isa::inst& i = code_.at(at);
    if (i.unit == isa::unit::split || i.unit == isa::unit::merge) break;
    ++n;
    if (i.unit == isa::unit::branch) break;
    at += i.bytes();
  }
  return n;
}

}  // namespace pws::models
