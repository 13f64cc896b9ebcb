// SPDX-License-Identifier: Apache-2.0
// Instructions as dwords, for programs of a few lines whose shape is all that matters.
#pragma once

#include <cstdint>

namespace pws::test {

constexpr uint32_t s_nop = 0xbf800000, s_endpgm = 0xbf810000;
constexpr uint32_t split = 0xbf140908, merge = 0xbf150000;
constexpr uint32_t s_swappc = 0xbe821e00, s_setpc = 0xbe801d00, s_cbranch_g_fork = 0x94800200,
                   s_cbranch_join = 0xbe802e00;
constexpr uint32_t s_mov_literal = 0xbe8000ff;  // the next dword is its literal
constexpr uint32_t undecodable = 0xd4000000;    // an encoding that compute code does not have

// Over so many dwords, counted from behind the branch.
constexpr uint32_t s_branch(int over) {
  return 0xbf820000u | (static_cast<uint32_t>(over) & 0xffff);
}
constexpr uint32_t s_cbranch(int over) {
  return 0xbf840000u | (static_cast<uint32_t>(over) & 0xffff);
}
constexpr uint32_t s_cbranch_i_fork(int over) {
  return 0xb8000000u | (static_cast<uint32_t>(over) & 0xffff);
}

}  // namespace pws::test
