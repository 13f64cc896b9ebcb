#include "sw/wcet/hybrid_bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/error.h"
#include "sw/wcet/kernel_bound.h"

namespace pws::wcet {

namespace {

uint64_t plus(uint64_t a, uint64_t b, const char* symbol) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw input_error(fmt::format("{} does not fit in 64 bits", symbol));
  return sum;
}

uint64_t times(uint64_t a, uint64_t b, const char* symbol) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw input_error(fmt::format("{} does not fit in 64 bits", symbol));
  return product;
}

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
  const uint64_t parallel = times(in.w, in.t_wf, "W * T_WF") / in.t_wg;
  if (parallel == 0)
    throw input_error(
        fmt::format("B: a workgroup of {} work-items does not fit in W * T_WF = {}", in.t_wg, in.w * in.t_wf));
  return d_s(in.g, parallel);
}

uint64_t l_plus_d(const hybrid_inputs& in) {
  check(in);
  uint64_t longest = 0;
  for (const auto& slot : in.slots)
    for (const hybrid_inputs::split_time& t : slot) longest = std::max(longest, plus(t.delta, t.l_w, "L + D"));
  return longest;
}

uint64_t l_kernel_general(const hybrid_inputs& in) {
  check(in);
  uint64_t l = 0, d = 0;
  for (const auto& slot : in.slots)
    for (const hybrid_inputs::split_time& t : slot) {
      l = std::max(l, t.l_w);
      d = std::max(d, t.delta);
    }
  return times(batches(in), plus(l, d, "L + D"), "L_kernel");
}

uint64_t l_kernel(const hybrid_inputs& in) {
  return times(batches(in), l_plus_d(in), "L_kernel");
}

uint64_t l_kernel_serialised(const hybrid_inputs& in) {
  check(in);
  uint64_t longest = 0;
  for (const auto& slot : in.slots) {
    uint64_t sum = 0, delta = 0;
    for (const hybrid_inputs::split_time& t : slot) {
      sum = plus(sum, t.l_w, "L_w");
      delta = std::max(delta, t.delta);
    }
    longest = std::max(longest, plus(delta, sum, "L + D"));
  }
  return times(batches(in), longest, "L_kernel");
}

}  // namespace pws::wcet
