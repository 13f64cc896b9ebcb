// SPDX-License-Identifier: Apache-2.0
// Flow problems that several tests of the longest path are about.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

inline std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

// entry 0 -> head 1 <-> body 2, 1 -> end 3. No limit yet; edge 1 is head -> body, edge 2 the back edge.
inline flow_problem one_loop() {
  flow_problem p;
  p.cycles = {7, 2, 10, 1};
  p.edges = {{0, 1}, {1, 2}, {2, 1}, {1, 3}};
  p.exits = {3};
  return p;
}

inline flow_problem::limit limit_of(std::vector<size_t> edges, uint64_t bound, std::vector<size_t> per_edges,
                                    const std::string& name) {
  flow_problem::limit l;
  l.edges = std::move(edges);
  l.bound = bound;
  l.per_edges = std::move(per_edges);
  l.name = name;
  return l;
}

}  // namespace pws::wcet
