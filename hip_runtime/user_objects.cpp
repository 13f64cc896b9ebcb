// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/user_objects.h"

#include <fmt/format.h>

namespace pws::hip {

user_object& user_objects::create(const hipHostNodeParams& destructor, unsigned references) {
  auto made = std::make_unique<user_object>();
  made->destructor = destructor;
  made->of_program = references;
  user_object& o = *made;
  all_.emplace(&o, std::move(made));
  return o;
}

user_object& user_objects::of(hipUserObject_t handle) const {
  const auto at = all_.find(reinterpret_cast<const user_object*>(handle));
  if (at == all_.end())
    throw failure(hipErrorInvalidValue, fmt::format("{} is no user object", static_cast<const void*>(handle)));
  return *at->second;
}

static void take(uint64_t& references, uint64_t count, const char* whose) {
  if (count > references)
    throw failure(hipErrorInvalidValue, fmt::format("{} references; {} has {}", count, whose, references));
  references -= count;
}

void user_objects::release(user_object& o, uint64_t count) {
  take(o.of_program, count, "the program");
  end_if_unused(o);
}

void user_objects::retain_for_graph(user_object& o, uint64_t count, bool moves) {
  if (moves) take(o.of_program, count, "the program");
  o.of_graphs += count;
}

void user_objects::release_of_graph(user_object& o, uint64_t count) {
  take(o.of_graphs, count, "the graphs");
  end_if_unused(o);
}

void user_objects::end_if_unused(user_object& o) {
  if (o.of_program != 0 || o.of_graphs != 0) return;
  ended_.push_back(o.destructor);
  all_.erase(&o);
}

}  // namespace pws::hip
