// Loads that wait for another wavefront: a loop loads the same place again until its value lets the loop end. In LDS
// that is how an atomic load that acquires looks, which is a plain load in machine code.
#pragma once

#include "platform/check/loads_that.h"

namespace pws::platform {

// There is a way from the load back to it on which
// - a branch depends on the loaded value, and the load's address stays the same (of FLAT its lower half),
// - nobody is told anything: no barrier, atomic, call or store, but for stores of the loaded value itself and of
//   registers to scratch, which compilers make without optimisation.
// Or its value says whether such a loop, which loads the same place, is entered: the loop's first test.
bool is_poll(isa::program& code, const isa::inst& load);

using polling_loads = loads_that<is_poll>;

}  // namespace pws::platform
