// timing: yes
// queues: yes
// Streams whose launches go to some of the compute units alone: making them, what a mask says, and where blocks run.
#include <algorithm>
#include <set>

#include "conformance.h"

namespace {

constexpr unsigned word_bits = 32;
// What a mask is filled with to see which of its words are written.
constexpr uint32_t untouched = 0xdeadbeef;

// Where each block runs: CU_ID and above of HW_REG_HW_ID, register 4, bits 8 to 15.
__global__ void where(unsigned* cu_of_block, int rounds) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
  if (threadIdx.x == 0) cu_of_block[blockIdx.x] = __builtin_amdgcn_s_getreg(4 | 8 << 6 | 7 << 11);
  if (x == 1 && threadIdx.x == 2) cu_of_block[blockIdx.x] = 0;
}

int units() {
  int n = 0;
  OK(hipDeviceGetAttribute(&n, hipDeviceAttributeMultiprocessorCount, 0));
  return n;
}
uint32_t all_of(int n) {
  return n >= static_cast<int>(word_bits) ? ~0u : (1u << n) - 1;
}

struct masked_stream {
  hipStream_t s = nullptr;
  explicit masked_stream(const std::vector<uint32_t>& mask) {
    OK(hipExtStreamCreateWithCUMask(&s, static_cast<uint32_t>(mask.size()), mask.data()));
  }
  ~masked_stream() { static_cast<void>(hipStreamDestroy(s)); }
  masked_stream(const masked_stream&) = delete;
  masked_stream& operator=(const masked_stream&) = delete;
  operator hipStream_t() const { return s; }
};

std::set<unsigned> units_of(hipStream_t s, unsigned blocks = 16, unsigned threads = 64, int rounds = 20) {
  const device_block<unsigned> at(blocks);
  where<<<blocks, threads, 0, s>>>(at.get(), rounds);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(s));
  const std::vector<unsigned> seen = at.read();
  return {seen.begin(), seen.end()};
}

std::vector<uint32_t> mask_of(hipStream_t s, unsigned words = 2) {
  std::vector<uint32_t> mask(words, untouched);
  OK(hipExtStreamGetCUMask(s, words, mask.data()));
  return mask;
}

// ---- making them

CASE(create_nowhere) {
  const uint32_t mask = 1;
  GIVES(hipErrorInvalidHandle, hipExtStreamCreateWithCUMask(nullptr, 1, &mask));
}
CASE(create_with_no_words) {
  const uint32_t mask = 1;
  hipStream_t s = nullptr;
  GIVES(hipErrorInvalidValue, hipExtStreamCreateWithCUMask(&s, 0, &mask));
  EXPECT(s == nullptr);
}
CASE(create_without_a_mask) {
  hipStream_t s = nullptr;
  GIVES(hipErrorInvalidValue, hipExtStreamCreateWithCUMask(&s, 1, nullptr));
  EXPECT(s == nullptr);
}
CASE(is_a_blocking_stream_of_normal_priority) {
  const masked_stream s({1});
  unsigned flags = 1;
  int priority = 1;
  OK(hipStreamGetFlags(s, &flags));
  OK(hipStreamGetPriority(s, &priority));
  SAME(flags, unsigned{hipStreamDefault});
  SAME(priority, 0);
}
CASE(destroyed_is_no_stream) {
  hipStream_t s = nullptr;
  const uint32_t mask = 1;
  uint32_t got[2] = {};
  OK(hipExtStreamCreateWithCUMask(&s, 1, &mask));
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipExtStreamGetCUMask(s, 2, got));
  GIVES(hipErrorInvalidHandle, hipStreamDestroy(s));
}

// ---- asking for the mask

CASE(get_nowhere) {
  const masked_stream s({1});
  GIVES(hipErrorInvalidValue, hipExtStreamGetCUMask(s, 1, nullptr));
}
CASE(get_into_too_few_words) {
  const masked_stream s({1});
  uint32_t mask = untouched;
  GIVES(hipErrorInvalidValue, hipExtStreamGetCUMask(s, 0, &mask));
  EXPECT(mask == untouched);
}
CASE(get_of_the_default_stream) {
  EXPECT(mask_of(nullptr)[0] == all_of(units()));
}
CASE(get_of_the_threads_stream) {
  EXPECT(mask_of(hipStreamPerThread)[0] == all_of(units()));
}
CASE(get_of_a_stream_without_a_mask) {
  const own_stream s;
  EXPECT(mask_of(s)[0] == all_of(units()));
}
CASE(get_of_no_stream) {
  uint32_t mask[2] = {};
  GIVES(hipErrorInvalidHandle, hipExtStreamGetCUMask(reinterpret_cast<hipStream_t>(0x50), 2, mask));
}
CASE(get_is_what_was_set) {
  for (int cu = 0; cu < units(); ++cu) {
    const masked_stream s({1u << cu});
    EXPECT(mask_of(s)[0] == 1u << cu);
  }
}
CASE(get_without_units_that_are_not_there) {
  const masked_stream s({~0u, ~0u});
  EXPECT(mask_of(s)[0] == all_of(units()));
}
CASE(get_writes_the_words_that_the_machine_has) {
  const masked_stream s({1, 1, 1});
  const std::vector<uint32_t> mask = mask_of(s, 3);
  const size_t words = (static_cast<unsigned>(units()) + word_bits - 1) / word_bits;
  for (size_t k = words; k < mask.size(); ++k) EXPECT(mask[k] == untouched);
}
CASE(get_of_an_empty_mask) {  // as ROCm tells it
  const masked_stream s({0});
  EXPECT(mask_of(s)[0] == all_of(units()));
}

// ---- where blocks run

CASE(one_unit_each) {
  for (int cu = 0; cu < units(); ++cu) {
    const masked_stream s({1u << cu});
    EXPECT(units_of(s) == std::set<unsigned>{static_cast<unsigned>(cu)});
  }
}
CASE(two_of_them) {
  const unsigned last = static_cast<unsigned>(units()) - 1;
  const masked_stream s({1u | 1u << last});
  EXPECT(units_of(s) == (std::set<unsigned>{0, last}));
}
CASE(without_a_mask_all_are_used) {
  const own_stream s;
  SAME(units_of(s).size(), static_cast<size_t>(units()));
  SAME(units_of(nullptr).size(), static_cast<size_t>(units()));
}
CASE(a_full_mask_is_none) {
  const masked_stream s({~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u});
  SAME(units_of(s).size(), static_cast<size_t>(units()));
}
CASE(bits_beyond_the_machine_say_nothing) {
  const unsigned last = static_cast<unsigned>(units()) - 1;
  const masked_stream s({1u << last | ~all_of(units()), ~0u});
  EXPECT(units_of(s) == std::set<unsigned>{last});
}
CASE(more_blocks_than_fit_wait) {
  const masked_stream s({2});
  EXPECT(units_of(s, 200, 256, 5) == std::set<unsigned>{1});
}
CASE(the_next_launch_elsewhere_goes_everywhere) {
  const masked_stream one({1});
  const own_stream all;
  EXPECT(units_of(one).size() == 1);
  SAME(units_of(all).size(), static_cast<size_t>(units()));
  EXPECT(units_of(one).size() == 1);
}
CASE(two_masked_streams_beside_each_other) {
  const masked_stream a({1}), b({2});
  const device_block<unsigned> at_a(32), at_b(32);
  where<<<32, 64, 0, a>>>(at_a.get(), 50);
  where<<<32, 64, 0, b>>>(at_b.get(), 50);
  OK(hipDeviceSynchronize());
  const std::vector<unsigned> of_a = at_a.read(), of_b = at_b.read();
  EXPECT(of_a == std::vector<unsigned>(32, 0));
  EXPECT(of_b == std::vector<unsigned>(32, 1));
}
CASE(launch_in_an_empty_mask) {
  const masked_stream s({0});
  const device_block<unsigned> at(4);
  where<<<4, 64, 0, s>>>(at.get(), 1);
  GIVES(hipErrorLaunchOutOfResources, hipPeekAtLastError());
  EXPECT(at.read() == std::vector<unsigned>(4, 0xa5a5a5a5));
  OK(hipStreamSynchronize(s));  // the machine goes on
  SAME(units_of(nullptr).size(), static_cast<size_t>(units()));
}
CASE(launch_in_a_mask_of_units_that_are_not_there) {
  const masked_stream s({~all_of(units())});
  const device_block<unsigned> at(4);
  where<<<4, 64, 0, s>>>(at.get(), 1);
  GIVES(hipErrorLaunchOutOfResources, hipPeekAtLastError());
}
CASE(in_a_captured_graph_the_launching_streams_mask_holds) {
  const own_stream captured;
  const masked_stream s({4});
  const device_block<unsigned> at(16);
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  OK(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal));
  where<<<16, 64, 0, captured>>>(at.get(), 1);
  OK(hipStreamEndCapture(captured, &graph));
  OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ready, s));
  OK(hipStreamSynchronize(s));
  EXPECT(at.read() == std::vector<unsigned>(16, 2));
  OK(hipGraphExecDestroy(ready));
  OK(hipGraphDestroy(graph));
}
CASE(other_work_of_such_a_stream) {
  const masked_stream s({1});
  const device_block<int> data(64);
  const own_event e;
  OK(hipMemsetAsync(data.get(), 0, 64 * sizeof(int), s));
  OK(hipEventRecord(e, s));
  OK(hipStreamWaitEvent(s, e, 0));
  OK(hipStreamSynchronize(s));
  EXPECT(data.read() == std::vector<int>(64, 0));
}

// ---- launches whose blocks must be there together

int blocks_that_fit() {
  int blocks = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, where, 256, 0));
  return blocks;
}
hipError_t together(hipStream_t s, int blocks, unsigned* at) {
  int rounds = 1;
  void* arguments[] = {&at, &rounds};
  return hipLaunchCooperativeKernel(reinterpret_cast<const void*>(where), dim3(static_cast<unsigned>(blocks)),
                                    dim3(256), arguments, 0, s);
}
CASE(a_cooperative_launch_fits_the_mask) {
  const masked_stream s({3});
  const int blocks = 2 * blocks_that_fit();
  const device_block<unsigned> at(static_cast<size_t>(blocks));
  OK(together(s, blocks, at.get()));
  OK(hipStreamSynchronize(s));
  for (const unsigned cu : at.read()) EXPECT(cu < 2);
}
CASE(a_cooperative_launch_that_would_need_all_units) {
  const masked_stream s({3});
  const int blocks = 2 * blocks_that_fit() + 1;
  const device_block<unsigned> at(static_cast<size_t>(blocks));
  GIVES(hipErrorCooperativeLaunchTooLarge, together(s, blocks, at.get()));
  const own_stream all;
  OK(together(all, blocks, at.get()));
  OK(hipStreamSynchronize(all));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
