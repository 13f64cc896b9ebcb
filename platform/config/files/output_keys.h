// SPDX-License-Identifier: Apache-2.0
// Keys of the files that a run writes: below `outputs` in a run file, below `exec` in an exec file. Paths are from the
// file's folder.
#pragma once

#include <string>

#include "platform/config/outputs.h"
#include "platform/config/schema.h"

namespace pws::platform {

// `place`: from a T to its outputs.
template <class T, class P>
void add_output_keys(schema<T>& s, P place) {
  for (const output_kind& k : output_kinds()) {
    const auto file = [ place, name = k.name ](auto& to) -> auto& {
      return place(to).of(name);
    };
    s.text(k.name, file, std::string("file for ") + k.help)
        .by_default("none")
        .written()
        .then([file](const value_at& v, T& to) { file(to) = resolved_path(v.node.where, file(to)); });
  }
  s.integer(
       "stats_every", [place](auto& to) -> auto& { return place(to).stats_every; }, "cycles",
       {1, outputs::most_cycles_of_row}, "what a row of `stats` is of")
      .by_default("none");
}

}  // namespace pws::platform
