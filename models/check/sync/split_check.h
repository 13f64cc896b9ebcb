// Wavefronts that are split: paths that never come to their merge, and instructions of one path that reach registers of
// another one.
#pragma once

#include <optional>

#include "models/check/finding.h"

namespace pws::check {

class split_check {
 public:
  explicit split_check(finding_sink& sink) : sink_(sink) {}

  // A path executes s_endpgm while `splits` of its splits wait for their merge; `is_child`: and it was itself split off
  // and has not merged.
  void ends(const site& here, unsigned splits, bool is_child);
  // The instruction at `here` reaches vector registers of the lanes `outside` of its path. `owner`: the path that the
  // first of them belongs to, where it stands now, if it has a context.
  void reaches(const site& here, uint64_t outside, const std::optional<site>& owner);

 private:
  finding_sink& sink_;
};

}  // namespace pws::check
