// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "board.h"
#include "clint.h"
#include "code_object.h"
#include "gpu_registers.h"
#include "registers.h"
#include "traps.h"

extern const uint8_t kernels_begin[], kernels_end[];

enum { elements = 100, work_items = 128 };
enum { good_us = 1000 };         // the known-good kernel takes a few microseconds
enum { most_failures_told = 20 };

gpu_device gpu;
gpu_launch bench_good;
uint64_t bench_endless, bench_program, bench_program_bytes;
uint64_t bench_sandbox, bench_sandbox_bytes;
int bench_failures;

static int32_t *a, *b, *c;
// Device memory as it was when all was well: kernels that have gone wild may have written anywhere.
static uint8_t saved[1 << 16] __attribute__((aligned(8)));
static uint64_t saved_bytes;

void bench_fail(const char *what, uint64_t number, uint64_t detail) {
  if (bench_failures++ < most_failures_told) printf("error: %s: number %lu, %#lx\n", what, number, detail);
}

// ---- exceptions

static volatile uint64_t cause_, value_;

static uint64_t note(uint64_t cause, uint64_t pc, uint64_t value) {
  cause_ = cause;
  value_ = value;
  return pc + ((*(const uint16_t *)(uintptr_t)pc & 3) == 3 ? 4 : 2);
}

void bench_note_exceptions(void) { on_exception(note); }

uint64_t bench_exception(uint64_t *value) {
  const uint64_t cause = cause_;
  *value = value_;
  cause_ = 0;
  return cause;
}

// ---- the kernel that is known to be good

static uint64_t kernel(const char *name) {
  return code_object_kernel(kernels_begin, kernels_end - kernels_begin, bench_program, name);
}

int bench_open(void) {
  const size_t bytes = kernels_end - kernels_begin;
  if (gpu_open(&gpu, GPU_BASE, GPU_MEMORY_BASE, GPU_MEMORY_BYTES, GPU_SOURCE) != GPU_OK) return 0;
  if (gpu_load(&gpu, kernels_begin, bytes, &bench_program) != GPU_OK) return 0;
  bench_program_bytes = code_object_size(kernels_begin, bytes);
  if (gpu_open_queue(&gpu, 0, 8, 0) != GPU_OK) return 0;
  struct {
    const int32_t *a, *b;
    int32_t *c;
    uint32_t n;
  } *arguments = gpu_allocate(&gpu, sizeof *arguments);
  a = gpu_allocate(&gpu, elements * sizeof *a);
  b = gpu_allocate(&gpu, elements * sizeof *b);
  c = gpu_allocate(&gpu, elements * sizeof *c);
  arguments->a = a;
  arguments->b = b;
  arguments->c = c;
  arguments->n = elements;
  for (int k = 0; k < elements; ++k) {
    a[k] = 1000 * k;
    b[k] = 77 - k;
  }
  bench_good = (gpu_launch){kernel("add"), work_items, 64, arguments};
  bench_endless = kernel("endless");
  bench_sandbox_bytes = 1 << 16;
  saved_bytes = gpu.free - gpu.memory;
  bench_sandbox = (uintptr_t)gpu_allocate(&gpu, bench_sandbox_bytes);
  if (saved_bytes > sizeof saved || bench_good.kernel == 0 || bench_endless == 0) return 0;
  memcpy(saved, (const void *)(uintptr_t)gpu.memory, saved_bytes);
  return 1;
}

// Whole words: the library's memcpy() copies bytes where it is built for size, and this is the most of a case's time.
static void copy(uint64_t to, const uint8_t *from, uint64_t bytes) {
  uint64_t *words = (uint64_t *)(uintptr_t)to;
  for (uint64_t k = 0; k < bytes / 8; ++k) words[k] = ((const uint64_t *)from)[k];
}

// All but the ring: what packets were there before may be found there.
void bench_restore(void) {
  const gpu_queue_state *q = &gpu.queues[0];
  const uint64_t begin = gpu.memory, ring = (uintptr_t)q->ring, behind = (uintptr_t)q->object;
  copy(begin, saved, ring - begin);
  copy(behind, saved + (behind - begin), saved_bytes - (behind - begin));
}

int bench_works(void) {
  static uint64_t runs;
  ++runs;
  uint64_t index, end;
  if (gpu_reset(&gpu) != GPU_OK) return bench_fail("reset leaves the GPU halted", runs, 0), 0;
  bench_restore();
  if (gpu_submit(&gpu, 0, &bench_good, &index) != GPU_OK)
    return bench_fail("the good kernel is not taken", runs, 0), 0;
  end = clint_now() + good_us * (CLINT_TIMEBASE_HZ / 1000000);
  while (read64(gpu.registers + PWSGPU_QUEUE_READ_INDEX(0)) == index) {
    if (clint_now() > end) return bench_fail("the good kernel does not end", runs, 0), 0;
    if ((read64(gpu.registers + PWSGPU_STATUS) & PWSGPU_STATUS_HALTED_MASK) != 0)
      return bench_fail("the good kernel has a fault", runs, read64(gpu.registers + PWSGPU_FAULT_CAUSE)), 0;
  }
  for (int k = 0; k < elements; ++k)
    if (c[k] != a[k] + b[k]) return bench_fail("the good kernel is wrong", runs, k), 0;
  return 1;
}
