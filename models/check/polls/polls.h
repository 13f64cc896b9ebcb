// SPDX-License-Identifier: Apache-2.0
// Loads that wait for another wavefront: a loop loads the same place again until its value lets the loop end. In LDS
// that is how an atomic load that acquires looks, which is a plain load in machine code.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/isa/code/program.h"
#include "models/isa/inst.h"

namespace pws::check {

// A register whose contents say where the code goes on: a scalar one, or a lane of a vector register.
struct register_place {
  bool of_vector = false;
  uint16_t number = 0;
  uint8_t lane = 0;
  bool operator==(const register_place& o) const {
    return of_vector == o.of_vector && number == o.number && lane == o.lane;
  }
};
using register_reader = std::function<uint32_t(register_place)>;

// There is a way from the load back to it on which
// - a branch depends on the loaded value, and the load's address is the same once more (of FLAT its lower half),
// - nobody is told anything: no barrier, atomic or store, but for stores to scratch, to variables (code_state.h) and of
//   the loaded value itself, which compilers make without optimisation.
// Or its value says whether such a loop, which loads the same place, is entered: the loop's first test.
// The way goes through calls, and where the load is in a function, back to the caller. What registers hold when the
// load is executed, `read`, says who that is; the ones that were asked for are added to `asked`, and the answer is for
// these contents alone.
bool is_poll(isa::program& code, const isa::inst& load, const register_reader& read,
             std::vector<register_place>& asked);

}  // namespace pws::check
