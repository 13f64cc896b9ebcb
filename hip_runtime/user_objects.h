// SPDX-License-Identifier: Apache-2.0
// Objects of the program that live as long as somebody has references to them: the program itself, and graphs, whose
// copies and instantiated graphs have as many as they.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "hip_runtime/failure.h"

namespace pws::hip {

// What a hipUserObject_t points at.
struct user_object {
  hipHostNodeParams destructor{};
  uint64_t of_program = 0, of_graphs = 0;  // references
};

class user_objects {
 public:
  // All throw failure: hipErrorInvalidValue for what is no object, and for more references than there are.
  user_object& create(const hipHostNodeParams& destructor, unsigned references);
  user_object& of(hipUserObject_t handle) const;
  void retain(user_object& o, uint64_t count) { o.of_program += count; }
  void release(user_object& o, uint64_t count);
  // For a graph; `moves`: the program's become the graph's.
  void retain_for_graph(user_object& o, uint64_t count, bool moves);
  void release_of_graph(user_object& o, uint64_t count);

  // Destructors of those that nobody has any more, which are to be called outside the lock.
  std::vector<hipHostNodeParams> take_ended() { return std::exchange(ended_, {}); }

 private:
  void end_if_unused(user_object& o);

  std::map<const user_object*, std::unique_ptr<user_object>> all_;
  std::vector<hipHostNodeParams> ended_;
};

}  // namespace pws::hip
