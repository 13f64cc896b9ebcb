// SPDX-License-Identifier: Apache-2.0
// Which loads wait for another wavefront (models/check/polls), on a machine.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "models/check/polls/polls.h"
#include "models/context/wf_context.h"
#include "models/isa/inst.h"
#include "platform/instruments/check/per_program.h"

namespace pws::platform {

class polling_loads {
 public:
  // Whether `i`, which `c` executes with that access, is one. Found once for each load, and for each caller where that
  // decides.
  bool has(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a);

 private:
  enum : uint8_t { unknown, yes, no, by_registers };
  // A load of which the contents of registers decide.
  struct deciding {
    std::vector<check::register_place> asked;
    std::map<std::vector<uint32_t>, bool> known;  // by their contents
  };
  struct program {
    explicit program(const isa::program& of) : code(of), known((of.end() - of.begin()) / 4) {}
    isa::program code;  // a copy: what is decoded ahead is the machine's business
    std::vector<uint8_t> known;
    std::unordered_map<uint64_t, deciding> deciding_by_pc;
  };
  static bool look(program& p, deciding& d, const models::wf_context& c, const isa::inst& i);

  per_program<program> programs_;
};

}  // namespace pws::platform
