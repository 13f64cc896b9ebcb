// SPDX-License-Identifier: Apache-2.0
// Wavefronts that are split: paths that never come to their merge, and instructions of one path that reach registers of
// another one.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"

namespace pws::check {

class split_check {
 public:
  // What tells the contexts of paths apart, while they are in use.
  using path_key = const void*;

  explicit split_check(finding_sink& sink) : sink_(sink) {}

  // A wavefront begins in a context, or a part of one.
  void begins(path_key p) { paths_[p] = {}; }
  // A path splits while `open` of its splits wait for their merge.
  void splits(path_key p, unsigned open);
  // `child` was split off by the split of `parent` that lies on `below` others; it executes s_endpgm and has not
  // merged. `parent_ended`: so has the parent.
  void child_ends(const site& here, path_key parent, unsigned below, bool parent_ended);
  // A path executes s_endpgm while `open` of its splits wait for their merge.
  void ends(const site& here, path_key p, unsigned open);
  // The instruction at `here` reaches vector registers of the lanes `outside` of its path. `owner`: the path that the
  // first of them belongs to, where it stands now, if it has a context.
  void reaches(const site& here, uint64_t outside, const std::optional<site>& owner);

 private:
  struct path {
    std::vector<std::optional<site>> child_ended;  // by the split's place among the open ones, the outermost first
    std::optional<site> ended;
  };
  void both_ended(const site& here, const site& other);

  finding_sink& sink_;
  std::unordered_map<path_key, path> paths_;
};

}  // namespace pws::check
