// SPDX-License-Identifier: Apache-2.0
// Barriers that not all work-items of a workgroup reach. The machine goes on without those that have ended and counts
// wavefronts, not work-items; HIP and CUDA want every work-item of the workgroup at the same barrier.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"

namespace pws::check {

class barrier_check {
 public:
  // What tells resident workgroups apart, for as long as they live.
  using workgroup_key = const void*;
  // Whether the barriers at two addresses are one in the source, of which the compiler has made copies.
  using same_barrier = std::function<bool(uint64_t pc, uint64_t other_pc)>;

  barrier_check(finding_sink& sink, same_barrier same) : sink_(sink), same_(std::move(same)) {}

  // `contexts`: wavefronts and parts of them that may wait at once, for which room is made; it may be exceeded.
  void workgroup_begins(workgroup_key g, size_t contexts);
  // A wavefront, or a part of one that has work-items of its own, executes s_barrier with the lanes of `here`; of its
  // work-items that have not ended, `missing` are switched off.
  void arrives(workgroup_key g, const site& here, uint64_t missing);
  // ... executes s_endpgm.
  void ends(workgroup_key g, const site& here);
  // All who have to come have, and go on.
  void passes(workgroup_key g);
  void workgroup_ends(workgroup_key g);

 private:
  struct workgroup {
    std::vector<site> waiting;
    std::optional<site> ended;  // the first one that has
  };
  void not_reached(const site& barrier, const site& end);

  finding_sink& sink_;
  same_barrier same_;
  std::unordered_map<workgroup_key, workgroup> workgroups_;
};

}  // namespace pws::check
