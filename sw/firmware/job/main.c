// SPDX-License-Identifier: Apache-2.0
// One job in two forms: job_interrupt.elf sleeps until the GPU's interrupts, job_polling.elf has none and looks at
// signals and registers. Kernels on two queues, a full queue, faults and resets. What the two print is the same, but for
// the line that begins with "time".
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "code_object.h"
#include "gpu.h"
#include "gpu_registers.h"
#include "registers.h"
#include "traps.h"

#ifndef WAIT_MODE
#error WAIT_MODE is GPU_INTERRUPT or GPU_POLLING
#endif

enum { elements = 256, rounds = 6, queue_packets = 4 };

extern const uint8_t kernels_begin[], kernels_end[];

typedef struct {
  const int32_t *a, *b;
  int32_t *c;
  uint32_t n;
} add_arguments;

typedef struct {
  const int32_t *in;
  int32_t *out;
} sum_arguments;

static gpu_device gpu;
static uint64_t program;
static int32_t *a, *b, *c, *sums;
static add_arguments *for_add;
static sum_arguments *for_sum;
static uint64_t *for_store;
static int failures;

static uint64_t kernel(const char *name) {
  return code_object_kernel(kernels_begin, kernels_end - kernels_begin, program, name);
}

static void print_words(const char *name, const int32_t *words, int count) {
  printf("%s", name);
  for (int k = 0; k < count; ++k) printf("%s%08lx", k % 16 == 0 ? "\n  " : " ", (unsigned long)(uint32_t)words[k]);
  printf("\n");
}

// What the GPU has counted since its last reset. Cycles are no part of it: they are times.
static void print_counters(void) {
  static const struct {
    const char *name;
    uint16_t at;
  } rows[] = {{"packets", PWSGPU_PACKETS},
              {"kernels", PWSGPU_KERNELS},
              {"workgroups", PWSGPU_WORKGROUPS},
              {"wavefronts", PWSGPU_WAVEFRONTS},
              {"instructions", PWSGPU_INSTRUCTIONS},
              {"vector ALU", PWSGPU_VECTOR_ALU_INSTRUCTIONS},
              {"branches", PWSGPU_BRANCHES_TAKEN},
              {"vector memory", PWSGPU_VECTOR_MEMORY_INSTRUCTIONS},
              {"vector requests", PWSGPU_VECTOR_REQUESTS},
              {"scalar requests", PWSGPU_SCALAR_REQUESTS},
              {"loaded", PWSGPU_LOADED},
              {"stored", PWSGPU_STORED},
              {"L2 reads", PWSGPU_L2_READS},
              {"L2 hits", PWSGPU_L2_READ_HITS},
              {"DRAM reads", PWSGPU_DRAM_READS},
              {"bad accesses", PWSGPU_BAD_ACCESSES}};
  printf("counters");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    printf("%s%s %lu", k == 0 ? ": " : ", ", rows[k].name, read64(gpu.registers + rows[k].at));
  printf("\n");
}

static void must(int is_right, const char *what) {
  if (is_right) return;
  printf("error: %s\n", what);
  ++failures;
}

static void kernels_on_two_queues(int round) {
  const gpu_launch add = {kernel("add"), elements, 64, for_add}, sum = {kernel("sum"), elements, 64, for_sum};
  uint64_t first[queue_packets], second = 0;
  for (int k = 0; k < elements; ++k) a[k] = (k + 1) * (round + 3);
  for (int k = 0; k < queue_packets; ++k) must(gpu_submit(&gpu, 0, &add, &first[k]) == GPU_OK, "a packet is not taken");
  must(gpu_submit(&gpu, 1, &sum, &second) == GPU_OK, "a packet of the other queue is not taken");
  must(gpu_wait(&gpu, 1, second, WAIT_MODE) == GPU_OK, "the other queue");
  for (int k = 0; k < queue_packets; ++k) must(gpu_wait(&gpu, 0, first[k], WAIT_MODE) == GPU_OK, "a packet");
  print_words("c", c, elements);
  print_words("sums", sums, elements / 64);
}

static void fault_and_reset(void) {
  gpu_fault_record f;
  uint64_t index = 0;
  const gpu_launch store = {kernel("store"), 64, 64, for_store};
  *for_store = 0x1000;
  must(gpu_submit(&gpu, 1, &store, &index) == GPU_OK, "the wrong kernel is not taken");
  must(gpu_wait(&gpu, 1, index, WAIT_MODE) == GPU_FAULT, "no fault");
  gpu_fault(&gpu, &f);
  printf("fault: cause %lu, queue %lu, packet %lu, kernel %#lx, pc %#lx, lane %lu, address %#lx\n  %s\n", f.cause,
         f.queue, f.packet, f.kernel, f.pc, f.lane, f.address, f.text);
  print_counters();
  must(gpu_reset(&gpu) == GPU_OK, "reset");
}

int main(void) {
  enable_interrupts();
  const uint32_t source = WAIT_MODE == GPU_INTERRUPT ? GPU_SOURCE : 0;
  if (gpu_open(&gpu, GPU_BASE, GPU_MEMORY_BASE, GPU_MEMORY_BYTES, source) != GPU_OK ||
      gpu_load(&gpu, kernels_begin, kernels_end - kernels_begin, &program) != GPU_OK ||
      gpu_open_queue(&gpu, 0, queue_packets, 0) != GPU_OK || gpu_open_queue(&gpu, 1, 2, 0) != GPU_OK) {
    printf("error: there is no GPU\n");
    return 2;
  }
  a = gpu_allocate(&gpu, elements * sizeof *a);
  b = gpu_allocate(&gpu, elements * sizeof *b);
  c = gpu_allocate(&gpu, elements * sizeof *c);
  sums = gpu_allocate(&gpu, elements / 64 * sizeof *sums);
  for_add = gpu_allocate(&gpu, sizeof *for_add);
  for_sum = gpu_allocate(&gpu, sizeof *for_sum);
  for_store = gpu_allocate(&gpu, sizeof *for_store);
  *for_add = (add_arguments){a, b, c, elements};
  *for_sum = (sum_arguments){a, sums};
  for (int k = 0; k < elements; ++k) b[k] = 1 << (k % 20);
  for (int round = 0; round < rounds; ++round) {
    printf("round %d\n", round);
    kernels_on_two_queues(round);
    if (round % 3 == 1) fault_and_reset();
  }
  print_counters();
  printf("%d failures\n", failures);
  printf("time: %lu cycles, %lu interrupts\n", read_csr(mcycle), gpu.interrupts);
  return failures == 0 ? 0 : 1;
}
