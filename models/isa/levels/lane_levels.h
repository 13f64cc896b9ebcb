// SPDX-License-Identifier: Apache-2.0
// Vector and memory instructions, which work on 64 lanes, are compiled for several levels of x86-64; the highest that
// the processor has is the one that vector_rows() and memory_rows() are of. The environment variable PWSVP_PROCESSOR
// names another. In a build for one processor alone (PWS_MARCH: native) there is nothing to choose.
#pragma once

#include <string>
#include <vector>

#include "models/isa/opcode_row.h"

namespace pws::isa {

const std::vector<opcode_row>& vector_rows();  // VOP1, VOP2, VOP3, VOPC
const std::vector<opcode_row>& memory_rows();  // SMEM, DS, FLAT, MUBUF, MTBUF

// "x86-64", "x86-64-v3", ..., lowest first. Empty: nothing to choose.
std::vector<std::string> lane_levels();
// The one that runs. Throws input_error for a PWSVP_PROCESSOR that is none of them or that the processor has not.
std::string lane_level();

}  // namespace pws::isa
