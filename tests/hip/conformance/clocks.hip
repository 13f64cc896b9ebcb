// The clocks that device code reads: they go with the rates that the device has and with the times of events, do not
// run backwards, and let programs wait.
#include <algorithm>

#include "conformance.h"

namespace {

enum clock_kind { cycles, wall };

__device__ long long wall_time() {
#ifdef __HIP_DEVICE_COMPILE__  // the headers have it there alone
  return wall_clock64();
#else
  return 0;
#endif
}
template <clock_kind Kind>
__device__ long long now() {
  return Kind == cycles ? clock64() : wall_time();
}

template <clock_kind Kind>
__global__ void wait_for(long long ticks, long long* took) {
  const long long began = now<Kind>();
  long long end = began;
  while (end - began < ticks) end = now<Kind>();
  took[blockIdx.x * blockDim.x + threadIdx.x] = end - began;
}

long long ticks_of_a_second() {
  int khz = 0;
  OK(hipDeviceGetAttribute(&khz, hipDeviceAttributeClockRate, 0));
  return 1000LL * khz;
}

// Not before its time, and, by a part of what it waited, not long after it.
void waits_as_long_as_it_says(long long want, long long got, long long part, long long slack) {
  EXPECT(got >= want);
  EXPECT(got <= want + want / part + slack);
}

template <clock_kind Kind>
void waits(long long ticks, unsigned blocks, unsigned threads) {
  const device_block<long long> took(size_t{blocks} * threads);
  const own_event a, b;
  OK(hipEventRecord(a, nullptr));
  wait_for<Kind><<<blocks, threads>>>(ticks, took.get());
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  for (const long long t : took.read()) waits_as_long_as_it_says(ticks, t, 32, 2000);
  float ms = 0;
  OK(hipEventElapsedTime(&ms, a, b));
  const double by_events = ms / 1000.0 * static_cast<double>(ticks_of_a_second());
  EXPECT(by_events >= 0.999 * static_cast<double>(ticks));
  EXPECT(by_events <= 1.1 * static_cast<double>(ticks) + 20000);
}

CASE(rates_agree) {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  int khz = 0;
  OK(hipDeviceGetAttribute(&khz, hipDeviceAttributeClockInstructionRate, 0));
  SAME(khz, p.clockInstructionRate);
  SAME(khz, p.clockRate);
  EXPECT(khz > 0);
}
// A second at a tick per instruction would be a thousand million instructions.
CASE(a_second) {
  waits<cycles>(ticks_of_a_second(), 1, 64);
}
CASE(a_second_by_the_wall_clock) {
  waits<wall>(ticks_of_a_second(), 1, 64);
}
CASE(a_minute) {
  waits<cycles>(60 * ticks_of_a_second(), 1, 1);
}
CASE(a_millisecond) {
  waits<cycles>(ticks_of_a_second() / 1000, 1, 64);
}
CASE(a_thousand_ticks) {
  waits<cycles>(1000, 1, 64);
}
CASE(ten_ticks) {
  waits<cycles>(10, 1, 64);
}
CASE(no_time) {
  waits<cycles>(0, 1, 64);
}
CASE(many_wavefronts_wait) {
  waits<cycles>(ticks_of_a_second(), 16, 256);
}

// Locals in scratch, as without optimisation.
__attribute__((optnone)) __global__ void wait_unoptimised(long long ticks, long long* took) {
  const long long began = clock64();
  long long end = began;
  while (end - began < ticks) end = clock64();
  took[threadIdx.x] = end - began;
}
CASE(a_second_without_optimising) {
  const device_block<long long> took(64);
  wait_unoptimised<<<1, 64>>>(ticks_of_a_second(), took.get());
  for (const long long t : took.read()) waits_as_long_as_it_says(ticks_of_a_second(), t, 32, 2000);
}
// The same, but each round counts, in scratch.
__attribute__((optnone)) __global__ void count_unoptimised(int rounds, long long* took) {
  const long long began = clock64();
  long long last = began;
  for (int k = 0; k < rounds; ++k) last = clock64();
  took[threadIdx.x] = last - began;
}
CASE(a_number_of_reads_without_optimising) {
  constexpr int rounds = 20000;
  const device_block<long long> took(64);
  count_unoptimised<<<1, 64>>>(rounds, took.get());
  for (const long long t : took.read()) EXPECT(t > rounds && t < 500LL * rounds);
}

// Workgroups that find no room wait for those before them: as long again for each round.
CASE(waits_one_after_the_other) {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  int blocks = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(&wait_for<cycles>), 1024, 0));
  const unsigned fit = static_cast<unsigned>(blocks * p.multiProcessorCount);
  const long long ticks = ticks_of_a_second() / 10;
  const device_block<long long> took(size_t{2} * fit * 1024);
  const own_event a, b;
  OK(hipEventRecord(a, nullptr));
  wait_for<cycles><<<2 * fit, 1024>>>(ticks, took.get());
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  float ms = 0;
  OK(hipEventElapsedTime(&ms, a, b));
  EXPECT(ms >= 199.9f && ms <= 230);
}

// Every work-item has an end of its own.
__global__ void wait_by_item(long long ticks, long long* took) {
  const long long began = clock64();
  const long long end = began + ticks * (1 + threadIdx.x % 8);
  while (clock64() < end) {
  }
  took[threadIdx.x] = clock64() - began;
}
CASE(every_work_item_its_own_time) {
  const long long ticks = ticks_of_a_second() / 8;
  const device_block<long long> took(64);
  wait_by_item<<<1, 64>>>(ticks, took.get());
  for (const long long t : took.read()) waits_as_long_as_it_says(8 * ticks, t, 32, 2000);
}

// ---- what is no wait

__global__ void two_reads(long long* took, int* data, int rounds) {
  for (int k = 0; k < rounds; ++k) {
    const long long began = clock64();
    data[threadIdx.x] += k;
    const long long ended = clock64();
    took[k] = ended - began;
  }
}
CASE(reads_around_work) {
  constexpr int rounds = 500;
  const device_block<long long> took(rounds);
  const device_block<int> data(std::vector<int>(64, 0));
  two_reads<<<1, 64>>>(took.get(), data.get(), rounds);
  for (const long long t : took.read()) EXPECT(t > 0 && t < 5000);
  for (const int x : data.read()) SAME(x, rounds * (rounds - 1) / 2);
}
// A loop with one read, and a sum kept in registers: it does not wait, whatever it looks like.
__global__ void one_read(long long* times, unsigned* sums, int rounds) {
  const long long began = clock64();
  long long last = began, most = 0;
  unsigned x = threadIdx.x;
#pragma nounroll
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    const long long t = clock64();
    most = max(most, t - last);
    last = t;
  }
  sums[threadIdx.x] = x;
  times[2 * threadIdx.x] = last - began;
  times[2 * threadIdx.x + 1] = most;
}
CASE(reads_in_a_loop_that_works) {
  constexpr int rounds = 20000;
  const device_block<long long> times(128);
  const device_block<unsigned> sums(64);
  one_read<<<1, 64>>>(times.get(), sums.get(), rounds);
  const std::vector<long long> t = times.read();
  const std::vector<unsigned> got = sums.read();
  for (unsigned i = 0; i < 64; ++i) {
    unsigned x = i;
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    SAME(got[i], x);
    EXPECT(t[2 * i] > rounds && t[2 * i] < 200 * rounds);  // no big steps
    EXPECT(t[2 * i + 1] < 5000);
  }
}
// The loop has a count, and no other end.
__global__ void count_reads(long long* took, int rounds) {
  const long long began = clock64();
  long long last = began;
#pragma nounroll
  for (int k = 0; k < rounds; ++k) last = clock64();
  took[threadIdx.x] = last - began;
}
CASE(a_number_of_reads) {
  constexpr int rounds = 50000;
  const device_block<long long> took(64);
  count_reads<<<1, 64>>>(took.get(), rounds);
  for (const long long t : took.read()) EXPECT(t > rounds && t < 200LL * rounds);
}
// Each round writes: work, which a wait is not.
__global__ void write_until(long long ticks, int* rounds) {
  const long long end = clock64() + ticks;
  while (clock64() < end) atomicAdd(rounds, 1);
}
CASE(work_until_a_time) {
  const device_block<int> rounds(std::vector<int>(1, 0));
  write_until<<<1, 1>>>(1000000, rounds.get());
  EXPECT(rounds.read()[0] > 1000);
}

__global__ void never_back(int* wrong, int rounds) {
  long long last = clock64(), last_wall = wall_time();
  for (int k = 0; k < rounds; ++k) {
    const long long t = clock64(), w = wall_time();
    if (t < last || w < last_wall) atomicAdd(wrong, 1);
    last = t;
    last_wall = w;
  }
}
CASE(never_backwards) {
  const device_block<int> wrong(std::vector<int>(1, 0));
  never_back<<<8, 256>>>(wrong.get(), 1000);
  SAME(wrong.read()[0], 0);
}
__global__ void read_once(long long* time) {
  *time = clock64();
}
CASE(on_from_launch_to_launch) {
  const device_block<long long> time(1), took(64);
  long long last = -1;
  for (int k = 0; k < 4; ++k) {
    read_once<<<1, 1>>>(time.get());
    const long long t = time.read()[0];
    EXPECT(t > last);
    last = t;
  }
  wait_for<cycles><<<1, 64>>>(1000000, took.get());
  read_once<<<1, 1>>>(time.get());
  EXPECT(time.read()[0] >= last + 1000000);
}
__global__ void one_after_the_other(long long* times) {
  __shared__ long long first;
  if (threadIdx.x == 0) {
    const long long end = clock64() + 300000;
    while (clock64() < end) {
    }
    first = clock64();
  }
  __syncthreads();
  const long long mine = clock64();
  if (threadIdx.x == 255) {
    times[0] = first;
    times[1] = mine;
  }
}
CASE(a_barrier_orders_clocks) {
  const device_block<long long> times(2);
  one_after_the_other<<<1, 256>>>(times.get());
  const std::vector<long long> t = times.read();
  EXPECT(t[1] >= t[0]);
  EXPECT(t[1] < t[0] + 200000);
}

// ---- s_sleep

__global__ void sleep_for(int rounds, long long* took) {
  const long long began = clock64();
  for (int k = 0; k < rounds; ++k) __builtin_amdgcn_s_sleep(100);
  took[threadIdx.x] = clock64() - began;
}
CASE(sleep_takes_its_time) {
  const device_block<long long> took(64);
  sleep_for<<<1, 64>>>(20, took.get());
  for (const long long t : took.read()) EXPECT(t >= 20 * 6400 && t < 20 * 6400 + 10000);
}
__global__ void sleep_until(long long ticks, long long* took) {
  const long long began = clock64();
  while (clock64() - began < ticks) __builtin_amdgcn_s_sleep(10);
  took[threadIdx.x] = clock64() - began;
}
CASE(sleep_until_a_second_is_over) {
  const device_block<long long> took(64);
  sleep_until<<<1, 64>>>(ticks_of_a_second(), took.get());
  for (const long long t : took.read()) waits_as_long_as_it_says(ticks_of_a_second(), t, 32, 10000);
}

// ---- waiting for others

// Block 0 waits for block 1, which works before it says so; neither gives up before its time.
__global__ void wait_for_flag(int* flag, int work, long long patience, int* data, long long* result) {
  if (blockIdx.x == 1) {
    unsigned x = 1;
    for (int k = 0; k < work; ++k) {
      x = x * 1664525u + 1013904223u;
      asm volatile("" : "+v"(x));
    }
    data[0] = static_cast<int>(x);
    __threadfence();
    if (patience > 0) atomicExch(flag, 1);
    return;
  }
  const long long began = clock64();
  const long long longest = patience < 0 ? -patience : patience;
  long long waited = 0;
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    waited = clock64() - began;
    if (waited > longest) break;
  }
  result[0] = waited;
  result[1] = *flag;
}
std::vector<long long> flag_wait(int work, long long patience) {
  const device_block<int> flag(std::vector<int>(1, 0)), data(1);
  const device_block<long long> result(2);
  wait_for_flag<<<2, 1>>>(flag.get(), work, patience, data.get(), result.get());
  return result.read();
}
CASE(flag_after_little_work) {
  SAME(flag_wait(1, 20000)[1], 1LL);
}
CASE(flag_after_much_work) {
  const std::vector<long long> r = flag_wait(2000000, ticks_of_a_second());
  SAME(r[1], 1LL);
  EXPECT(r[0] > 500000);  // as long as the work took, about
}
CASE(flag_that_never_comes) {
  const std::vector<long long> r = flag_wait(1, -ticks_of_a_second());
  SAME(r[1], 0LL);
  waits_as_long_as_it_says(ticks_of_a_second(), r[0], 32, 200000);
}
CASE(flag_that_never_comes_while_others_work) {
  const std::vector<long long> r = flag_wait(200000, -1000000);
  SAME(r[1], 0LL);
  EXPECT(r[0] > 1000000 && r[0] < 3000000);
}

// Within a workgroup, through LDS.
__global__ void wait_in_lds(long long patience, long long* result) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 64) {
    const long long end = clock64() + 500000;
    while (clock64() < end) {
    }
    atomicExch(&ready, 1);
  }
  if (threadIdx.x == 0) {
    const long long began = clock64();
    long long waited = 0;
    while (atomicAdd(&ready, 0) == 0 && waited < patience) waited = clock64() - began;
    result[0] = waited;
    result[1] = ready;
  }
}
CASE(flag_in_lds) {
  const device_block<long long> result(2);
  wait_in_lds<<<1, 128>>>(10000000, result.get());
  const std::vector<long long> r = result.read();
  SAME(r[1], 1LL);
  EXPECT(r[0] > 200000 && r[0] < 1500000);
}

// The same twice.
CASE(the_same_every_time) {
  const std::vector<long long> a = flag_wait(300000, 100000000), b = flag_wait(300000, 100000000);
  SAME(a[0], b[0]);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
