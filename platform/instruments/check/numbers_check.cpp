// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/numbers_check.h"

#include <algorithm>
#include <array>

#include "base/file_names.h"

namespace pws::platform {

check::function_names::origin library_functions::origin_of(const isa::inst& i) {
  // HIP's headers: AMD's, and clang's from version 12 on.
  static constexpr std::array<std::string_view, 6> headers = {"amd_math_functions.h", "__clang_hip_math.h",
                                                              "__clang_hip_cmath.h",  "math_functions.h",
                                                              "amd_hip_fp16.h",       "hip_fp16.h"};
  static constexpr std::string_view prefix = "__ocml_";
  const auto [at, is_new] = programs_.of(*code_).by_pc.try_emplace(i.pc);
  names::place& place = at->second;
  if (!is_new) return {place.known, place.function};
  if (const loader::symbol* s = runtime_.symbol_at(i.pc); s != nullptr && s->name.substr(0, prefix.size()) == prefix) {
    place = {true, s->name};
  } else {
    for (const loader::source_line& l : runtime_.source_at(i.pc)) {
      place.known = true;
      const std::string file = file_name(l.file);
      if (std::find(headers.begin(), headers.end(), file) == headers.end()) continue;
      place.function = "the function of " + loader::text(l);
      break;
    }
  }
  return {place.known, place.function};
}

void numbers_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  check::number_shadow& wave = waves_.of(cu, *c.tree.root);
  check::scalar_numbers& own = scalars_.of(cu, c);
  if (!c.is_swf()) {
    wave.begin(site_of(cu, c, 0, 0), c.state.n_vgprs);
    own = {};
    return;
  }
  // Whoever splits has issued last in this compute unit; what it knew of its scalars goes along.
  const issuer& from = latest_[cu];
  if (from.wave != &wave)
    own = {};
  else if (from.scalars != &own)
    own = *from.scalars;
}

void numbers_check::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  const check::numbers::path p = of(cu, c);
  latest_[cu] = {&p.wave, &p.scalars};
  numbers_.executes(p, c.state, i);
}

void numbers_check::accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                             models::cycle_t) {
  pieces_.set(c, i, a);
  uint64_t outside = 0;
  for (const access_piece& p : pieces_) outside |= p.scalar ? 0 : p.mask;
  const bool in_device = a.where == isa::memory_access::space::global;
  numbers_.accessed(of(cu, c), i, outside, in_device ? a.mask & ~outside : 0, a);
}

void numbers_check::issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  functions_.enter(*c.code);
  numbers_.executed(of(cu, c), c.state, i);
}

}  // namespace pws::platform
