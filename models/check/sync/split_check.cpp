#include "models/check/sync/split_check.h"

#include <fmt/format.h>

#include "models/check/lanes_text.h"

namespace pws::check {

void split_check::ends(const site& here, unsigned splits, bool is_child) {
  if (splits == 0 && !is_child) return;
  if (!sink_.is_new("missing_merge", here.pc, 0)) return;
  finding f;
  f.check = family::sync;
  f.rule = "missing_merge";
  f.what = splits == 0 ? std::string("a path that was split off ends without its merge")
                       : fmt::format("the wavefront ends while {} of its splits {} without a merge", splits,
                                     splits == 1 ? "is" : "are");
  f.mend = "a merge that both sides of the split reach, in front of s_endpgm";
  f.here = here;
  sink_.add(std::move(f));
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
