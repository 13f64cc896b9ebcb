#include "models/isa/branch_targets.h"

#include "base/error.h"

namespace pws::isa {

std::unordered_set<uint64_t> branch_targets(program& code) {
  std::unordered_set<uint64_t> targets;
  for (uint64_t at = code.begin(); at < code.end();) {
    try {
      const inst& i = code.at(at);
      if (i.unit == unit::branch && i.target != 0) targets.insert(i.target);
      at += i.bytes();
    } catch (const program_error&) {
      at += 4;
    }
  }
  return targets;
}

}  // namespace pws::isa
