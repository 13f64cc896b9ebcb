// SPDX-License-Identifier: Apache-2.0
// Two GPUs at once: the same kernel takes on both together hardly longer than on one, and gives the same results.
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "code_object.h"
#include "gpu.h"
#include "registers.h"
#include "traps.h"

enum { sensors = 64, gpus = 2 };

extern const uint8_t kernels_begin[], kernels_end[];

typedef struct {
  const int32_t *sample;
  int32_t *state;
  uint32_t n;
} filter_arguments;

static gpu_device devices[gpus];
static gpu_launch launches[gpus];
static int32_t *states[gpus];

static int open_gpu(int k, uintptr_t base, uint64_t memory, uint64_t bytes, uint32_t source) {
  gpu_device *gpu = &devices[k];
  uint64_t program = 0;
  if (gpu_open(gpu, base, memory, bytes, source) != GPU_OK) return 0;
  if (gpu_load(gpu, kernels_begin, kernels_end - kernels_begin, &program) != GPU_OK) return 0;
  if (gpu_open_queue(gpu, 0, 4, 0) != GPU_OK) return 0;
  int32_t *sample = gpu_allocate(gpu, sensors * sizeof *sample);
  states[k] = gpu_allocate(gpu, sensors * sizeof *states[k]);
  filter_arguments *arguments = gpu_allocate(gpu, sizeof *arguments);
  for (int i = 0; i < sensors; ++i) sample[i] = (i - 20) * 3000;
  *arguments = (filter_arguments){sample, states[k], sensors};
  launches[k] = (gpu_launch){code_object_kernel(kernels_begin, kernels_end - kernels_begin, program, "filter"), sensors, 64, arguments};
  return 1;
}

// Cycles until the kernel is complete on the first so many GPUs, each of which begins with a state of zeros.
static uint64_t cycles_on(int count) {
  uint64_t index[gpus];
  for (int k = 0; k < count; ++k) memset(states[k], 0, sensors * sizeof *states[k]);
  const uint64_t begin = read_csr(mcycle);
  for (int k = 0; k < count; ++k)
    if (gpu_submit(&devices[k], 0, &launches[k], &index[k]) != GPU_OK) return 0;
  for (int k = 0; k < count; ++k)
    if (gpu_wait(&devices[k], 0, index[k], GPU_INTERRUPT) != GPU_OK) return 0;
  return read_csr(mcycle) - begin;
}

int main(void) {
  enable_interrupts();
  if (!open_gpu(0, GPU_BASE, GPU_MEMORY_BASE, GPU_MEMORY_BYTES, GPU_SOURCE) ||
      !open_gpu(1, GPU1_BASE, GPU1_MEMORY_BASE, GPU1_MEMORY_BYTES, GPU1_SOURCE)) {
    printf("error: there are no two GPUs\n");
    return 2;
  }
  const uint64_t alone = cycles_on(1), together = cycles_on(2);
  const int same = memcmp(states[0], states[1], sensors * sizeof *states[0]) == 0;
  const int both = alone != 0 && together < alone + alone / 4;
  printf("one %lu cycles, two %lu: %s, with %s results, %lu and %lu interrupts\n", alone, together,
         both ? "both at once" : "one after the other", same ? "the same" : "different", devices[0].interrupts,
         devices[1].interrupts);
  return both && same && devices[0].interrupts == 2 && devices[1].interrupts == 1 ? 0 : 1;
}
