// SPDX-License-Identifier: Apache-2.0
// Loads whose value is a guess: it becomes what a compare-and-swap expects to find, and an old one costs another
// iteration. Compilers make such loops of atomics that the machine has none of (a sum of floating-point numbers), with
// a plain load in front of them.
#pragma once

#include <vector>

#include "models/context/wf_context.h"
#include "models/isa/inst.h"
#include "platform/instruments/check/per_program.h"

namespace pws::platform {

// Loads of which the code around them says what they are for. What a load is, is found once and kept.
// is_so: whether the load is one, by the code; called once for each.
template <bool (*is_so)(isa::program& code, const isa::inst& load)>
class loads_that {
 public:
  // Whether `i`, which `c` executes with that access, is one.
  bool has(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a) {
    if (a.is_store || a.is_atomic || a.where == isa::memory_access::space::none) return false;
    program& p = programs_.of(*c.code);
    uint8_t& known = p.known[(i.pc - p.code.begin()) >> 2];
    if (known == unknown) known = is_so(p.code, i) ? yes : no;
    return known == yes;
  }

 private:
  enum : uint8_t { unknown, yes, no };
  struct program {
    explicit program(const isa::program& of) : code(of), known((of.end() - of.begin()) / 4) {}
    isa::program code;  // a copy: what is decoded ahead is the machine's business
    std::vector<uint8_t> known;
  };
  per_program<program> programs_;
};

// By the code that follows it, up to the first compare-and-swap that gets its value.
bool is_guess(isa::program& code, const isa::inst& load);

using guessing_loads = loads_that<is_guess>;

}  // namespace pws::platform
