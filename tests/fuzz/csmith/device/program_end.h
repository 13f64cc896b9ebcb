// SPDX-License-Identifier: Apache-2.0
// Last line of every generated program: a kernel that runs `program` once per work-item, or main(), which runs it once
// per lane and prints what the GPU should compute.
//   FUZZ_LANES      work-items of the grid
//   FUZZ_KERNEL     (GPU) the kernel's name
//   FUZZ_GROUP      work-items of a workgroup
//   FUZZ_MAX_GROUP  (GPU) workgroup size that registers are allocated for
//   FUZZ_STATE      (GPU) where the program's globals live: 0 scratch, 1 global memory, 2 LDS
//   FUZZ_UNIFORM    1: the lanes of a workgroup have the same input, so that scalar instructions do much of the work
//   FUZZ_SEED, FUZZ_STEPS  (host) seed of the lanes' inputs; control-flow edges after which the run is given up
//   FUZZ_BREAK_LANE (GPU, optional) makes this lane's result wrong: the harness's own test
#pragma once

namespace fuzz {

// Storage is cleared first: the generator takes padding and the unused bytes of unions as zero, as C's static storage
// is.
inline uint64_t run(void* storage, uint64_t input) {
  __builtin_memset(storage, 0, sizeof(program));
  program* p = new (storage, static_cast<program_base*>(nullptr)) program;
  p->run(input);
  return p->checksum;
}

}  // namespace fuzz

#ifdef __HIP__
#pragma clang force_cuda_host_device end

extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, FUZZ_MAX_GROUP))) void FUZZ_KERNEL(
    const uint64_t* inputs, uint64_t* checksums, char* memory) {
  const uint32_t local = __builtin_amdgcn_workitem_id_x();
  const uint32_t first = __builtin_amdgcn_workgroup_id_x() * FUZZ_GROUP;
  const uint32_t lane = first + local;
  const uint64_t input = inputs[FUZZ_UNIFORM ? first : lane];
#if FUZZ_STATE == 0
  alignas(16) char storage[sizeof(program)];
  uint64_t sum = fuzz::run(storage, input);
#elif FUZZ_STATE == 1
  constexpr uint64_t stride = (sizeof(program) + 15) / 16 * 16;
  uint64_t sum = fuzz::run(memory + lane * stride, input);
#else
  constexpr uint32_t stride = (sizeof(program) + 15) / 16 * 16;
  alignas(16) static __attribute__((shared)) char storage[FUZZ_GROUP * stride];
  uint64_t sum = fuzz::run(storage + local * stride, input);
#endif
#ifdef FUZZ_BREAK_LANE
  if (lane == FUZZ_BREAK_LANE) sum ^= 1;
#endif
  checksums[lane] = sum;
}

#else

// The compiler calls these at every edge of the control flow: a step count that does not depend on the host's speed.
namespace fuzz {
uint64_t steps = 0;
}
extern "C" void __sanitizer_cov_trace_pc_guard_init(uint32_t* begin, uint32_t* end) {
  while (begin != end) *begin++ = 1;
}
extern "C" void __sanitizer_cov_trace_pc_guard(uint32_t*) {
  if (++fuzz::steps > FUZZ_STEPS) {
    std::fputs("step limit\n", stderr);
    std::_Exit(3);
  }
}

int main() {
  std::printf("bytes %zu\n", sizeof(program));
  for (uint32_t lane = 0; lane < FUZZ_LANES; ++lane) {
    void* storage = std::malloc(sizeof(program));
    const uint64_t input = fuzz::lane_input(FUZZ_SEED, FUZZ_UNIFORM ? lane - lane % FUZZ_GROUP : lane);
    const uint64_t sum = fuzz::run(storage, input);
    std::printf("%016lx %016lx\n", input, sum);
    std::free(storage);
  }
  std::printf("steps %lu\n", fuzz::steps);
}

#endif
