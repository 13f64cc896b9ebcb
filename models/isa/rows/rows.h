// SPDX-License-Identifier: Apache-2.0
// Opcode rows by group; each is one table in one file (rows_*.cpp). Those of vector and memory instructions are here as
// compiled for every processor; models/isa/levels chooses among them and others.
#pragma once

#include <vector>

#include "models/isa/opcode_row.h"

namespace pws::isa {

const std::vector<opcode_row>& scalar_rows();       // SOP1, SOP2, SOPK, SOPC, SOPP
const std::vector<opcode_row>& vector_rows_base();  // VOP1, VOP2, VOP3, VOPC
const std::vector<opcode_row>& memory_rows_base();  // SMEM, DS, FLAT, MUBUF, MTBUF
const std::vector<opcode_row>& image_rows();        // MIMG

}  // namespace pws::isa
