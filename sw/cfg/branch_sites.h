// SPDX-License-Identifier: Apache-2.0
// Where work-items of a wavefront may part, instruction by instruction: what the machine counts and what the analysis
// of uniformity judges. (docs/uniformity.md)
//
// GCN3 has three kinds of branches. A scalar one has one condition for the whole path. One on VCC has a bit for each
// work-item, but is taken or not by all. A divergent one is no branch at all: an instruction takes work-items out of
// EXEC, and a branch on EXEC behind it, which the compiler may leave out, skips the side that nobody takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "models/flow/flow_graph.h"

namespace pws::cfg {

enum class branch_kind : uint8_t {
  scalar,    // s_cbranch_scc0, s_cbranch_scc1
  mask,      // s_cbranch_vccz, s_cbranch_vccnz
  narrowing  // s_and_saveexec_b64; s_and_b64, s_andn2_b64 of EXEC to EXEC; v_cmpx; s_mov_b64 of such a result to EXEC
};

constexpr auto enumerators(branch_kind) {
  using e = branch_kind;
  return std::array{named{e::scalar, "scalar"}, named{e::mask, "mask"}, named{e::narrowing, "narrowing"}};
}

struct branch_site {
  static constexpr size_t no_skip = static_cast<size_t>(-1);

  branch_kind kind = branch_kind::scalar;
  size_t instruction = 0;  // the branch; narrowing: the instruction that writes EXEC
  size_t skip = no_skip;   // narrowing: the branch on EXEC that ends its block, if nothing else writes EXEC before
};

// All of them, in the order of the code. Not among them: what turns EXEC to a branch's other side
// (s_andn2_saveexec_b64, s_or_saveexec_b64 with s_xor_b64), which is the same branch once more; what restores EXEC; and
// branches on EXEC without a narrowing in their block.
std::vector<branch_site> find_branch_sites(const flow_graph& graph);

}  // namespace pws::cfg
