// SPDX-License-Identifier: Apache-2.0
// Shows that the driver works: kernels by polling and by interrupt, several queues, full queues, faults of programs and
// of packets, and that the GPU goes on after a reset.
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "code_object.h"
#include "gpu.h"
#include "registers.h"
#include "traps.h"

extern const uint8_t kernels_begin[], kernels_end[];

#ifdef MEMORY_IN_RAM
// All that the GPU reads and writes lies in the processor's memory.
static uint8_t memory[4 << 20] __attribute__((aligned(4096)));
#define MEMORY_BASE (uintptr_t)memory
#define MEMORY_BYTES sizeof memory
#else
#define MEMORY_BASE GPU_MEMORY_BASE
#define MEMORY_BYTES GPU_MEMORY_BYTES
#endif

static gpu_device gpu;
static uint64_t program;
static int failures;

static void check(int is_right, const char *what) {
  printf("%-4s %s\n", is_right ? "ok" : "FAIL", what);
  failures += !is_right;
}

static uint64_t kernel(const char *name) {
  return code_object_kernel(kernels_begin, kernels_end - kernels_begin, program, name);
}

enum { elements = 1000 };
static int32_t *a, *b, *c;

static gpu_result run(uint32_t queue, const gpu_launch *launch, gpu_wait_mode mode) {
  uint64_t index = 0;
  const gpu_result submitted = gpu_submit(&gpu, queue, launch, &index);
  return submitted == GPU_OK ? gpu_wait(&gpu, queue, index, mode) : submitted;
}

static int add_works(uint32_t queue, gpu_wait_mode mode) {
  struct {
    const int32_t *a, *b;
    int32_t *c;
    uint32_t n;
  } *arguments = gpu_allocate(&gpu, sizeof *arguments);
  arguments->a = a;
  arguments->b = b;
  arguments->c = c;
  arguments->n = elements;
  memset(c, 0, (elements + 1) * sizeof *c);
  const gpu_launch launch = {kernel("add"), 1024, 256, arguments};
  if (run(queue, &launch, mode) != GPU_OK) return 0;
  for (int k = 0; k < elements; ++k)
    if (c[k] != a[k] + b[k]) return 0;
  return c[elements] == 0;
}

static gpu_result store_at(uint32_t queue, uint64_t address) {
  uint64_t *arguments = gpu_allocate(&gpu, sizeof *arguments);
  *arguments = address;
  const gpu_launch launch = {kernel("store"), 64, 64, arguments};
  return run(queue, &launch, GPU_INTERRUPT);
}

static void check_queues(void) {
  check(gpu_open_queue(&gpu, 0, 4, 0) == GPU_OK, "a queue is opened");
  check(gpu_open_queue(&gpu, 0, 4, 0) == GPU_BAD_QUEUE, "not twice");
  check(gpu_open_queue(&gpu, 1, 2, 0) == GPU_OK, "another one");
  check(gpu_open_queue(&gpu, 2, 1U << 30, 0) == GPU_NO_MEMORY, "none for which there is no memory");
  uint64_t index;
  const gpu_launch launch = {kernel("add"), 64, 64, a};
  check(gpu_submit(&gpu, 3, &launch, &index) == GPU_BAD_QUEUE, "a queue that is not open takes nothing");
}

static void check_kernels(void) {
  check(add_works(0, GPU_POLLING), "a kernel, waited for by polling");
  check(gpu.interrupts == 1, "its completion is an interrupt all the same");
  check(add_works(1, GPU_INTERRUPT), "a kernel, waited for asleep");
  check(gpu.completions == 2, "by one more interrupt");
  struct {
    const int32_t *in;
    int32_t *out;
  } *arguments = gpu_allocate(&gpu, sizeof *arguments);
  int32_t *sums = gpu_allocate(&gpu, 4 * sizeof *sums);
  arguments->in = a;
  arguments->out = sums;
  const gpu_launch launch = {kernel("sum"), 256, 64, arguments};
  check(run(0, &launch, GPU_INTERRUPT) == GPU_OK && sums[0] == 2016 && sums[3] == 14304, "a kernel with LDS and barriers");
  // More than the ring has room for, without waiting in between.
  uint64_t last = 0;
  int taken = 0;
  gpu_result result = GPU_OK;
  while (taken < 8 && (result = gpu_submit(&gpu, 1, &launch, &last)) == GPU_OK) ++taken;
  check(result == GPU_FULL && taken >= 2, "a full queue says so");
  check(gpu_wait(&gpu, 1, last, GPU_INTERRUPT) == GPU_OK, "and is served");
  check(add_works(1, GPU_INTERRUPT), "and takes packets again");
}

static void check_faults(void) {
  gpu_fault_record fault;
  check(store_at(0, 0x1000) == GPU_FAULT, "a store to nowhere is a fault");
  gpu_fault(&gpu, &fault);
  check(fault.cause == 2 && fault.lane == 5 && fault.address == 0x1000, "of memory, with lane and address");
  check(fault.kernel == kernel("store") && fault.pc > fault.kernel && fault.queue == 0, "with kernel, PC and queue");
  printf("     %.60s\n", fault.text);
  uint64_t index;
  const gpu_launch launch = {kernel("add"), 64, 64, a};
  check(gpu_submit(&gpu, 1, &launch, &index) == GPU_FAULT, "a halted GPU takes nothing");
  check(gpu_reset(&gpu) == GPU_OK, "reset");
  gpu_fault(&gpu, &fault);
  check(fault.cause == 0, "the fault is gone");
  check(add_works(0, GPU_POLLING) && add_works(1, GPU_INTERRUPT), "both queues work again");
  const gpu_launch large = {kernel("add"), 4096, 4096, a};
  check(run(0, &large, GPU_INTERRUPT) == GPU_FAULT, "a workgroup that fits no compute unit is a fault");
  gpu_fault(&gpu, &fault);
  check(fault.cause == 3 && fault.queue == 0, "of the packet");
  check(gpu_reset(&gpu) == GPU_OK && add_works(0, GPU_INTERRUPT), "and the GPU works again");
}

static volatile uint64_t trap_cause, trap_value;

static uint64_t note_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  trap_cause = cause;
  trap_value = value;
  return pc + ((*(const uint16_t *)(uintptr_t)pc & 3) == 3 ? 4 : 2);
}

// Accesses that the GPU refuses are traps of the processor.
static void check_registers(void) {
  on_exception(note_trap);
  write64(GPU_BASE, 1);
  check(trap_cause == 7 && trap_value == GPU_BASE, "a write to a register that can only be read is a trap");
  trap_cause = 0;
  (void)read64(GPU_BASE + 0x98);
  check(trap_cause == 5 && trap_value == GPU_BASE + 0x98, "and a read where no register is");
  on_exception(NULL);
}

int main(void) {
  enable_interrupts();
  static const uint64_t no_registers[2];
  check(gpu_open(&gpu, (uintptr_t)no_registers, 0, 0, 0) == GPU_NO_DEVICE, "what is no GPU is not taken for one");
  check(gpu_open(&gpu, GPU_BASE, MEMORY_BASE, MEMORY_BYTES, GPU_SOURCE) == GPU_OK, "there is a GPU");
  check(gpu_load(&gpu, kernels_begin, 100, &program) == GPU_BAD_OBJECT, "a program that is cut off is refused");
  check(gpu_load(&gpu, kernels_begin, kernels_end - kernels_begin, &program) == GPU_OK, "a program is loaded");
  check(kernel("add") != 0 && kernel("ad") == 0 && kernel("store") != 0, "its kernels have names");
  a = gpu_allocate(&gpu, elements * sizeof *a);
  b = gpu_allocate(&gpu, elements * sizeof *b);
  c = gpu_allocate(&gpu, (elements + 1) * sizeof *c);
  for (int k = 0; k < elements; ++k) {
    a[k] = k;
    b[k] = 7 * k - 1000;
  }
  check_queues();
  check_kernels();
  check_faults();
  check_registers();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
