// SPDX-License-Identifier: Apache-2.0
// The loops of a kernel that have a bound, as the anchors in its assembly tell (anchor_text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/cfg/marked_loop.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"

namespace pws::pwscc {

// Sorted by the anchors' numbers. Throws input_error, with the place in the assembly or the source, for an anchor that
// is damaged, an `iterate` without its `enter`, and one whose block has no instruction (with_anchored_blocks).
std::vector<cfg::marked_loop> read_marked_loops(const assembly_file& file, const assembled_kernel& kernel);

// How often the loop of the machine code with that header block repeats each time it is reached: for choosing between
// split points, where near is good enough (sw/wcet/loops/loop_bounds.h has the bound). Of loops of the source that have
// become one, the product. Nothing: no mark says.
std::optional<uint64_t> iterations_at_most(const cfg::flow_graph& graph, const std::vector<cfg::marked_loop>& marked,
                                           size_t header);

// A block may have nothing in it but an anchor, and then is no block of the machine code: it is given an s_nop. (The
// compiler leaves such blocks only where a branch around them is not worth removing.)
std::string with_anchored_blocks(const std::string& assembly, const std::string& name);

}  // namespace pws::pwscc
