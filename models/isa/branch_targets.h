// Where branches go: what begins a block besides what follows a branch.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "models/isa/inst.h"

namespace pws::isa {

// Targets of all branches of the program, which is read from end to end. Data between functions is passed over.
std::unordered_set<uint64_t> branch_targets(program& code);

}  // namespace pws::isa
