// SPDX-License-Identifier: Apache-2.0
// What is known of a divergence scheme without running it. The list of them is divergence_schemes.def.
#pragma once

#include <array>
#include <cstddef>

namespace pws::models {

// Which scheme a machine has.
enum class divergence_kind {
#define PWS_DIVERGENCE_SCHEME(KIND, NAME, CONTEXTS, ACTS_AT, BOUND, HELP) KIND,
#include "models/machine/divergence_schemes.def"
#undef PWS_DIVERGENCE_SCHEME
};

// Which contexts the SWFs of a scheme run in, and with them which units a machine has.
enum class swf_contexts {
  nowhere,             // it has none
  spsimd_units,        // of SpSIMD units, which only this needs
  wavefront_contexts,  // of the SIMD unit itself, where they compete with wavefronts
  second_slots,        // a second one for every wavefront context of the SIMD unit
  further_contexts,    // as many more as a wavefront's paths need, taken from no other wavefront
  contexts_in_turn,    // as further_contexts, but one path of a wavefront issues at a time
  formed_warps         // as further_contexts; paths, of one wavefront or of several, issue together as a warp
};

// The instructions that a scheme acts on. (Every scheme that joins paths does so at `merge`, where the compiler has
// made the scalar registers of both sides agree; none needs an address to do so.)
enum class divergence_points { nothing, split_and_merge, exec_branches, launch };

// What bounds a wavefront's time.
enum class divergence_bound {
  serial,           // both sides of every branch, one after the other
  parallel_sides,   // the longer side of each branch that is guaranteed to split
  shared_contexts,  // splits compete for contexts (PWS paper, Eq. 7)
  unknown,          // which branches split is not known before they are reached
  not_analysed      // there is no analysis of it here
};

// A row of the list.
struct scheme_traits {
  divergence_kind kind;
  const char* name;  // in files and reports
  const char* help;
  swf_contexts contexts;
  divergence_points acts_at;
  divergence_bound bound;

  constexpr bool splits() const { return acts_at != divergence_points::nothing; }
  constexpr bool has_warp_split_table() const { return contexts == swf_contexts::further_contexts; }
  constexpr bool forms_warps() const { return contexts == swf_contexts::formed_warps; }
  constexpr bool takes_turns() const { return contexts == swf_contexts::contexts_in_turn; }
  // A wavefront can have as many contexts as work-items.
  constexpr bool has_further_contexts() const { return has_warp_split_table() || takes_turns() || forms_warps(); }
  // A wavefront issues from one slot or two of its own, which is where shadow bits of a conservative scoreboard can be.
  constexpr bool has_slots() const {
    return contexts == swf_contexts::nowhere || contexts == swf_contexts::second_slots;
  }
  // Its paths stand on a stack and take no context from another wavefront.
  constexpr bool has_stack() const { return splits() && (has_slots() || has_warp_split_table()); }
  // Its paths take neither context nor unit from another wavefront, and become one at `merge`.
  constexpr bool keeps_own_paths() const { return has_stack() || takes_turns(); }
};

constexpr std::array divergence_schemes{
#define PWS_DIVERGENCE_SCHEME(KIND, NAME, CONTEXTS, ACTS_AT, BOUND, HELP)                               \
  scheme_traits{divergence_kind::KIND,  NAME, HELP, swf_contexts::CONTEXTS, divergence_points::ACTS_AT, \
                divergence_bound::BOUND},
#include "models/machine/divergence_schemes.def"
#undef PWS_DIVERGENCE_SCHEME
};

// Their order in the list is the enumerators'.
constexpr const scheme_traits& traits_of(divergence_kind k) {
  return divergence_schemes[static_cast<size_t>(k)];
}

}  // namespace pws::models
