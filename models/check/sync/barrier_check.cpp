// SPDX-License-Identifier: Apache-2.0
#include "models/check/sync/barrier_check.h"

#include <fmt/format.h>

#include "models/check/lanes_text.h"

namespace pws::check {

void barrier_check::workgroup_begins(workgroup_key g, size_t contexts) {
  workgroup& w = workgroups_[g];
  w.waiting.clear();
  w.waiting.reserve(contexts);
  w.ended.reset();
}

void barrier_check::arrives(workgroup_key g, const site& here, uint64_t missing) {
  workgroup& w = workgroups_[g];
  if (missing != 0 && sink_.is_new("divergent_barrier", here.pc, 0)) {
    finding f;
    f.check = family::sync;
    f.rule = "divergent_barrier";
    f.what = fmt::format(
        "{} of the wavefront's work-items (lanes {}) do not take part in this barrier: they have returned before it, "
        "or "
        "are on another side of a branch. They have not ended for the machine, but are switched off",
        __builtin_popcountll(missing), lanes_text(missing));
    f.mend = "let every work-item reach the barrier: put the code in front of it under the condition, not the barrier";
    f.here = here;
    sink_.add(std::move(f));
  }
  if (w.ended) not_reached(here, *w.ended);
  if (!w.waiting.empty()) {
    const site& first = w.waiting.front();
    if (first.pc != here.pc && !same_(first.pc, here.pc) && sink_.is_new("barriers_differ", here.pc, first.pc)) {
      finding f;
      f.check = family::sync;
      f.rule = "barriers_differ";
      f.what =
          "wavefronts of a workgroup wait at different barriers at the same time, and the machine takes them for one";
      f.mend = "one barrier that all wavefronts reach, in place of one on each side of a branch";
      f.here = here;
      f.other = first;
      f.other_is = "the other";
      sink_.add(std::move(f));
    }
  }
  w.waiting.push_back(here);
}

void barrier_check::ends(workgroup_key g, const site& here) {
  workgroup& w = workgroups_[g];
  if (!w.ended) w.ended = here;
  for (const site& s : w.waiting) not_reached(s, here);
}

void barrier_check::not_reached(const site& barrier, const site& end) {
  if (!sink_.is_new("barrier_not_reached_by_all", barrier.pc, end.pc)) return;
  finding f;
  f.check = family::sync;
  f.rule = "barrier_not_reached_by_all";
  f.what = fmt::format("{} of the workgroup has ended and never reaches this barrier, at which others wait",
                       barrier.wave == end.wave ? "a part of this wavefront" : fmt::format("wavefront {}", end.wave));
  f.mend = "no return in front of the barrier: put the code under the condition instead";
  f.here = barrier;
  f.other = end;
  f.other_is = "ended at";
  sink_.add(std::move(f));
}

void barrier_check::passes(workgroup_key g) {
  workgroups_[g].waiting.clear();
}

void barrier_check::workgroup_ends(workgroup_key g) {
  workgroups_.erase(g);
}

}  // namespace pws::check
