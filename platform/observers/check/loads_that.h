// SPDX-License-Identifier: Apache-2.0
// Loads of which the code around them says what they are for. What a load is, is found once and kept.
#pragma once

#include <vector>

#include "models/context/wf_context.h"
#include "models/isa/inst.h"
#include "platform/observers/check/per_program.h"

namespace pws::platform {

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

}  // namespace pws::platform
