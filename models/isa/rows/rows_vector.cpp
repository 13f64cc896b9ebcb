// All rows of the vector ALU.
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

const std::vector<opcode_row>& vector_rows() {
  static const std::vector<opcode_row> rows = [] {
    std::vector<opcode_row> all;
    for (const auto& group : {vop1_rows(), vop2_rows(), vop3_rows(), vopc_rows(), lane_access_rows()})
      all.insert(all.end(), group.begin(), group.end());
    return with_meaning(std::move(all));
  }();
  return rows;
}

}  // namespace pws::isa
