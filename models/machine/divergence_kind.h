// The divergence schemes that there are, and what is known of each without running it. Configuration, reports, waveform
// and analysis take it from here; what a scheme does is its class in models/divergence.
#pragma once

#include <array>
#include <cstddef>

namespace pws::models {

enum class divergence_kind { none, pws, pws_mode, dws };

// Where the SWFs of a scheme run.
enum class swf_contexts { nowhere, spsimd_units, wavefront_contexts };

// What bounds a wavefront's time.
enum class divergence_bound {
  serial,           // both sides of every branch, one after the other
  parallel_sides,   // the longer side of each branch that is guaranteed to split
  shared_contexts,  // splits compete for contexts (PWS paper, Eq. 7)
  unknown           // which branches split is not known before they are reached
};

struct scheme_traits {
  divergence_kind kind;
  const char* name;  // in files and reports
  const char* help;
  swf_contexts swfs;
  bool at_branches;  // splits at s_cbranch_execz and s_cbranch_execnz, and not at split and merge
  divergence_bound bound;

  constexpr bool splits() const { return swfs != swf_contexts::nowhere; }
};

constexpr std::array<scheme_traits, 4> divergence_schemes{{
    {divergence_kind::none, "none", "sides of a branch run serially", swf_contexts::nowhere, false,
     divergence_bound::serial},
    {divergence_kind::pws, "pws", "split and merge, SpSIMD units", swf_contexts::spsimd_units, false,
     divergence_bound::parallel_sides},
    {divergence_kind::pws_mode, "pws-mode", "split at s_cbranch_exec* by MODE bit 21", swf_contexts::spsimd_units, true,
     divergence_bound::unknown},
    {divergence_kind::dws, "dws", "split and merge in the SIMD unit's own contexts", swf_contexts::wavefront_contexts,
     false, divergence_bound::shared_contexts},
}};

constexpr const scheme_traits& traits_of(divergence_kind k) {
  return divergence_schemes[static_cast<size_t>(k)];
}

static_assert(
    [] {
      for (size_t k = 0; k < divergence_schemes.size(); ++k)
        if (divergence_schemes[k].kind != static_cast<divergence_kind>(k)) return false;
      return true;
    }(),
    "traits_of finds a scheme by its number");

}  // namespace pws::models
