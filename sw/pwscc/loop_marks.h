// The loops of a kernel that have a bound, as the anchors in its assembly tell (anchor_text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/marked_loop.h"

namespace pws::pwscc {

// Sorted by the anchors' numbers. Throws input_error, with the place in the assembly or the source, for an anchor that
// is damaged, an `iterate` without its `enter`, and one whose block has no instruction (with_anchored_blocks).
std::vector<marked_loop> read_marked_loops(const assembly_file& file, const assembled_kernel& kernel);

// A block may have nothing in it but an anchor, and then is no block of the machine code: it is given an s_nop. (The
// compiler leaves such blocks only where a branch around them is not worth removing.)
std::string with_anchored_blocks(const std::string& assembly, const std::string& name);

}  // namespace pws::pwscc
