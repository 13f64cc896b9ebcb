// Loads whose value is a guess: it becomes what a compare-and-swap expects to find, and an old one costs another
// iteration. Compilers make such loops of atomics that the machine has none of (a sum of floating-point numbers), with
// a plain load in front of them.
#pragma once

#include <memory>
#include <vector>

#include "models/context/wf_context.h"
#include "models/isa/inst.h"

namespace pws::platform {

class guessing_loads {
 public:
  // `i` is a load that `c` executes. By the code that follows it, up to the first compare-and-swap that gets its value.
  bool has(const models::wf_context& c, const isa::inst& i) {
    if (program_ == nullptr || program_->number != c.code->number()) find_program(*c.code);
    uint8_t& known = program_->known[(i.pc - program_->code.begin()) >> 2];
    if (known == unknown) known = is_guess(program_->code, i) ? guess : no_guess;
    return known == guess;
  }

 private:
  enum : uint8_t { unknown, guess, no_guess };
  struct program {
    explicit program(const isa::program& of) : number(of.number()), code(of), known((of.end() - of.begin()) / 4) {}
    uint64_t number;
    isa::program code;  // a copy: what is decoded ahead is the machine's business
    std::vector<uint8_t> known;
  };
  void find_program(const isa::program& code);
  static bool is_guess(isa::program& code, const isa::inst& load);

  std::vector<std::unique_ptr<program>> programs_;
  program* program_ = nullptr;  // the one used last
};

}  // namespace pws::platform
