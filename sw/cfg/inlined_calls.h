// SPDX-License-Identifier: Apache-2.0
// Calls by copies: a kernel with a copy of the function at each place that it is called from, so that what analyses one
// function follows calls, and each in its context.
//
// Where a call goes is found by following constants: the address of an instruction (s_getpc_b64), sums of it and of
// literals, copies, and what is kept in a lane of a vector register over another call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::cfg {

struct inlined_code {
  // The kernel's instructions, each at its index and address; behind them the copies, at addresses of their own that
  // lie at the same place in a 256-byte block as the function's. A call and a return are branches: a call writes the
  // registers that it wrote before.
  function_code code;
  size_t own = 0;                 // instructions of the kernel
  std::vector<uint64_t> address;  // where each instruction really is
  struct copy {
    uint64_t function = 0;      // its address
    size_t call = 0;            // the instruction
    size_t first = 0, end = 0;  // instructions [first, end)
  };
  std::vector<copy> copies;
};

// `decode`: the instruction at a device address; throws where there is none. `place`: where it is in the source, for
// messages ("a.hip:7: "), or nothing. Code without calls is left as it is.
//
// A call of a function all of whose ways end at an s_trap, as of a failed assert, becomes an s_endpgm.
//
// Assumed of the compiler: that a function which returns by the register pair that it was called with returns to its
// caller, where that pair has been in memory in between. Where it has not, that is proven.
//
// Throws input_error with place: for recursion, a call whose target is not one constant (a function pointer), another
// jump through a register, and copies of more than 200,000 instructions together.
inlined_code inline_calls(const function_code& kernel, const std::function<isa::inst(uint64_t address)>& decode,
                          const std::function<std::string(uint64_t address)>& place);

}  // namespace pws::cfg
