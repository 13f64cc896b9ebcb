// SPDX-License-Identifier: Apache-2.0
// All rows of the vector ALU.
#include "models/isa/vector/vector_executor.h"

// Another name where it is compiled for other levels of processors (models/isa/levels).
#ifndef PWS_VECTOR_ROWS
#define PWS_VECTOR_ROWS vector_rows_base
#endif

namespace pws::isa {

const std::vector<opcode_row>& PWS_VECTOR_ROWS();
const std::vector<opcode_row>& PWS_VECTOR_ROWS() {
  static const std::vector<opcode_row> rows = [] {
    std::vector<opcode_row> all;
    for (const auto& group : {vop1_rows(), vop2_rows(), vop3_rows(), vopc_rows(), lane_access_rows()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return rows;
}

}  // namespace pws::isa
