// SPDX-License-Identifier: Apache-2.0
#include "models/check/sync/split_check.h"

#include <fmt/format.h>

#include "models/check/lanes_text.h"

namespace pws::check {

// A path may end within its split: its work-items are done, and nobody waits for them at the merge. But two sides that
// end at one instruction have come together before without a merge.
void split_check::both_ended(const site& here, const site& other) {
  if (here.pc != other.pc || !sink_.is_new("missing_merge", here.pc, other.pc)) return;
  finding f;
  f.check = family::sync;
  f.rule = "missing_merge";
  f.what = "both sides of a split come to this end of the program, one after the other: there is no merge on their way";
  f.mend = "a merge that both sides of the split reach, where they come together";
  f.here = here;
  f.other = other;
  f.other_is = "the other side";
  sink_.add(std::move(f));
}

void split_check::splits(path_key p, unsigned open) {
  std::vector<std::optional<site>>& ended = paths_[p].child_ended;
  if (ended.size() > open) ended.resize(open);
}

void split_check::child_ends(const site& here, path_key parent, unsigned below, bool parent_ended) {
  path& p = paths_[parent];
  if (parent_ended) {
    if (p.ended) both_ended(here, *p.ended);
    return;
  }
  if (p.child_ended.size() <= below) p.child_ended.resize(below + 1);
  p.child_ended[below] = here;
}

void split_check::ends(const site& here, path_key key, unsigned open) {
  path& p = paths_[key];
  p.ended = here;
  for (unsigned k = 0; k < open && k < p.child_ended.size(); ++k)
    if (p.child_ended[k]) both_ended(here, *p.child_ended[k]);
}

void split_check::reaches(const site& here, uint64_t outside, const std::optional<site>& owner) {
  // Where the owner stands differs from time to time; it makes no other place.
  if (outside == 0 || !sink_.is_new("other_path_reached", here.pc, 0)) return;
  finding f;
  f.check = family::sync;
  f.rule = "other_path_reached";
  f.what = fmt::format(
      "it reaches the vector registers of work-items (lanes {}) that belong to another path of the wavefront: code "
      "that "
      "counts on the lanes of a wavefront going on together breaks where the wavefront is split",
      lanes_text(outside));
  f.mend = "take the instruction out of the split region, or leave the branch around it unsplit";
  f.here = here;
  if (owner) {
    f.other = owner;
    f.other_is = "its path";
  }
  sink_.add(std::move(f));
}

}  // namespace pws::check
