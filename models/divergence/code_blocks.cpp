#include "models/divergence/code_blocks.h"

#include <deque>
#include <set>

#include "base/error.h"
#include "models/isa/branch_targets.h"
#include "models/isa/predicates.h"

namespace pws::models {

code_blocks::code_blocks(isa::program& code) : code_(code), targets_(isa::branch_targets(code)) {}

uint32_t code_blocks::length_behind(uint64_t split) {
  const auto [it, fresh] = lengths_.try_emplace(split, 0);
  if (fresh) {
    const uint64_t merge = merge_of(split);
    it->second = merge == 0 ? 0 : length_at(merge + code_.at(merge).bytes());
  }
  return it->second;
}

// The nearest merge that closes the split, on whichever way; 0: none. Splits on the way have merges of their own.
uint64_t code_blocks::merge_of(uint64_t split) const {
  using place = std::pair<uint64_t, uint32_t>;  // address, splits that are open
  std::set<place> seen;
  std::deque<place> next{{split + code_.at(split).bytes(), 0}};
  while (!next.empty()) {
    const auto [at, open] = next.front();
    next.pop_front();
    if (!seen.insert({at, open}).second) continue;
    const isa::inst* there = instruction_at(at);
    if (there == nullptr) continue;
    const isa::inst& i = *there;
    const uint64_t behind = at + i.bytes();
    const bool falls_through = i.unit != isa::unit::branch || isa::is_conditional_branch(i) || isa::is_call(i);
    if (i.unit == isa::unit::merge) {
      if (open == 0) return at;
      next.push_back({behind, open - 1});
    } else if (i.unit == isa::unit::split) {
      next.push_back({behind, open + 1});
    } else if (i.unit != isa::unit::end) {
      if (i.unit == isa::unit::branch && i.target != 0) next.push_back({i.target, open});
      if (falls_through) next.push_back({behind, open});
    }
  }
  return 0;
}

uint32_t code_blocks::length_at(uint64_t address) const {
  uint32_t n = 0;
  for (uint64_t at = address; at == address || targets_.count(at) == 0;) {
    const isa::inst* i = instruction_at(at);
    if (i == nullptr || i->unit == isa::unit::split || i->unit == isa::unit::merge) break;
    ++n;
    if (i->unit == isa::unit::branch || i->unit == isa::unit::end) break;
    at += i->bytes();
  }
  return n;
}

// The ways that are looked at need not be those that the program takes.
const isa::inst* code_blocks::instruction_at(uint64_t address) const {
  if (address < code_.begin() || address >= code_.end()) return nullptr;
  try {
    return &code_.at(address);
  } catch (const program_error&) {
    return nullptr;
  }
}

}  // namespace pws::models
