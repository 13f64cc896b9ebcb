// Loads whose value is a guess: it becomes what a compare-and-swap expects to find, and an old one costs another
// iteration. Compilers make such loops of atomics that the machine has none of (a sum of floating-point numbers), with
// a plain load in front of them.
#pragma once

#include <vector>

#include "models/context/wf_context.h"
#include "models/isa/inst.h"
#include "platform/check/per_program.h"

namespace pws::platform {

class guessing_loads {
 public:
  // Whether `i`, which `c` executes with that access, is such a load: by the code that follows it, up to the first
  // compare-and-swap that gets its value.
  bool has(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a) {
    if (a.is_store || a.is_atomic || a.where == isa::memory_access::space::none) return false;
    program& p = programs_.of(*c.code);
    uint8_t& known = p.known[(i.pc - p.code.begin()) >> 2];
    if (known == unknown) known = is_guess(p.code, i) ? guess : no_guess;
    return known == guess;
  }

 private:
  enum : uint8_t { unknown, guess, no_guess };
  struct program {
    explicit program(const isa::program& of) : code(of), known((of.end() - of.begin()) / 4) {}
    isa::program code;  // a copy: what is decoded ahead is the machine's business
    std::vector<uint8_t> known;
  };
  static bool is_guess(isa::program& code, const isa::inst& load);

  per_program<program> programs_;
};

}  // namespace pws::platform
