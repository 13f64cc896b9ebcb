// SPDX-License-Identifier: Apache-2.0
// How long a kernel's basic blocks take: from the machine's constants, or as a run has shown it.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sw/wcet/instructions/instruction_time.h"
#include "sw/wcet/instructions/paid_waits.h"
#include "sw/wcet/kernel/kernel_code.h"

namespace pws::wcet {

// Bounds: each is a sum over the block's instructions.
struct static_times {
  std::vector<instruction_time> of;  // per instruction; pws: with the slots of all parts that may execute it
  shared_waits waits;                // of them: that are not paid in every execution
  std::vector<uint64_t> blocks;      // e_bb, every wait paid
};

// An estimate: the longest seen of each block, with all that it waited for. 0: never executed.
struct measured_times {
  std::vector<uint64_t> blocks;
};

using block_times = std::variant<static_times, measured_times>;
inline const std::vector<uint64_t>& cycles_of_blocks(const block_times& t) {
  return std::visit([](const auto& x) -> const std::vector<uint64_t>& { return x.blocks; }, t);
}

static_times find_static_times(const analysed_kernel& code, const machine_timing& machine, scheme s);

}  // namespace pws::wcet
