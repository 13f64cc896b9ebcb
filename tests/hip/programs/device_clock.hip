// timing: yes
// clock64 on the device: time does not run backwards within a wavefront nor over the launches of a stream; a longer
// loop takes more of it.
#include "check.h"

__global__ void measure(long long* times, uint32_t* sink, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long begin = clock64();
  uint32_t x = i;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    asm volatile("" : "+v"(x));
  }
  sink[i] = x;
  const long long end = clock64();
  times[2 * i] = begin;
  times[2 * i + 1] = end;
}

static long long longest(const std::vector<long long>& times, long long* last) {
  long long most = 0;
  long long latest = *last;
  for (size_t i = 0; i < times.size(); i += 2) {
    CHECK(times[i] <= times[i + 1], "item %zu: from %lld to %lld", i / 2, times[i], times[i + 1]);
    CHECK(times[i] >= *last, "item %zu begins at %lld, a launch before ended at %lld", i / 2, times[i], *last);
    most = std::max(most, times[i + 1] - times[i]);
    latest = std::max(latest, times[i + 1]);
  }
  *last = latest;
  return most;
}

int main() {
  const int n = 150;
  check::device_array<long long> times(2 * n);
  check::device_array<uint32_t> sink(n);
  long long last = 0;
  measure<<<2, n / 2>>>(times.get(), sink.get(), 10);
  CHECK_LAUNCH();
  const long long few = longest(times.download(), &last);
  measure<<<2, n / 2>>>(times.get(), sink.get(), 3000);
  CHECK_LAUNCH();
  const long long many = longest(times.download(), &last);
  CHECK(many > few, "3000 rounds took %lld ticks, 10 rounds %lld", many, few);
  std::vector<uint32_t> want(n);
  for (int i = 0; i < n; ++i) {
    want[i] = i;
    for (int k = 0; k < 3000; ++k) want[i] = want[i] * 1664525u + 1013904223u;
  }
  CHECK_SAME("results", sink.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
