// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/hybrid_bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::wcet {

namespace {

void check(const hybrid_inputs& in) {
  if (in.slots.empty()) throw input_error("L: no wavefront slot has a time");
  if (in.slots.size() > in.w)
    throw input_error(fmt::format("times of {} wavefront slots, and W = {}", in.slots.size(), in.w));
  for (size_t i = 0; i < in.slots.size(); ++i)
    if (in.slots[i].empty()) throw input_error(fmt::format("L_w: wavefront slot {} has no time", i));
}

}  // namespace

uint64_t batches(const hybrid_inputs& in) {
  if (in.t_wg == 0) throw input_error("B: a workgroup of no work-items (T_WG = 0)");
  const uint64_t parallel = checked_product(in.w, in.t_wf, "W * T_WF") / in.t_wg;
  if (parallel == 0)
    throw input_error(
        fmt::format("B: a workgroup of {} work-items does not fit in W * T_WF = {}", in.t_wg, in.w * in.t_wf));
  return d_s(in.g, parallel);
}

uint64_t l_plus_d(const hybrid_inputs& in) {
  check(in);
  uint64_t longest = 0;
  for (const auto& slot : in.slots)
    for (const hybrid_inputs::split_time& t : slot) longest = std::max(longest, checked_sum(t.delta, t.l_w, "L + D"));
  return longest;
}

uint64_t l_kernel(const hybrid_inputs& in) {
  return checked_product(batches(in), l_plus_d(in), "L_kernel");
}

uint64_t l_kernel_serialised(const hybrid_inputs& in) {
  check(in);
  uint64_t longest = 0;
  for (const auto& slot : in.slots) {
    uint64_t sum = 0, delta = 0;
    for (const hybrid_inputs::split_time& t : slot) {
      sum = checked_sum(sum, t.l_w, "L_w");
      delta = std::max(delta, t.delta);
    }
    longest = std::max(longest, checked_sum(delta, sum, "L + D"));
  }
  return checked_product(batches(in), longest, "L_kernel");
}

}  // namespace pws::wcet
