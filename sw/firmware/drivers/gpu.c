// SPDX-License-Identifier: Apache-2.0
#include "gpu.h"

#include <string.h>

#include "code_object.h"
#include "gpu_registers.h"
#include "plic.h"
#include "registers.h"
#include "traps.h"

// Structures in memory that the GPU reads and writes (HSA Platform System Architecture 2.8, 2.9; LLVM's AMDGPU guide).
typedef struct {
  uint16_t header, setup, workgroup[3], reserved0;
  uint32_t grid[3], private_segment, group_segment;
  uint64_t kernel, arguments, reserved1, signal;
} dispatch_packet;
_Static_assert(sizeof(dispatch_packet) == 64, "an AQL packet");

typedef struct {
  int64_t kind;
  volatile int64_t value;  // 1; 0 when the packet is complete
  uint64_t reserved0[2];
  volatile uint64_t began, ended;  // cycles of the GPU
  uint64_t reserved1[2];
} signal;
_Static_assert(sizeof(signal) == 64, "an amd_signal_t");

enum { queue_object_bytes = 256 };
enum { object_group_aperture = 0x40, object_private_aperture = 0x44, object_scratch = 0xa0, object_scratch_bytes = 0xa8 };
enum { group_aperture = 0x10000, private_aperture = 0x20000 };  // upper halves of addresses of LDS and scratch

// A kernel dispatch that waits for those before it, with memory made visible to the whole system before and after.
static const uint16_t dispatch_header = 2 | 1 << 8 | 2 << 9 | 2 << 11;

static gpu_device *interrupting[PLIC_SOURCES];  // by source

static uint64_t get(const gpu_device *gpu, uintptr_t at) { return read64(gpu->registers + at); }
static void put(const gpu_device *gpu, uintptr_t at, uint64_t value) { write64(gpu->registers + at, value); }

static void on_interrupt(uint32_t source) {
  gpu_device *gpu = interrupting[source];
  const uint64_t status = get(gpu, PWSGPU_INTERRUPT_STATUS);
  put(gpu, PWSGPU_INTERRUPT_STATUS, status);
  gpu->interrupts = gpu->interrupts + 1;
  if (status & PWSGPU_INTERRUPT_STATUS_COMPLETION_MASK) gpu->completions = gpu->completions + 1;
}

static void enable_interrupt_line(const gpu_device *gpu) {
  if (gpu->source == 0) return;
  put(gpu, PWSGPU_INTERRUPT_MASK, PWSGPU_INTERRUPT_MASK_COMPLETION_MASK | PWSGPU_INTERRUPT_MASK_FAULT_MASK);
}

gpu_result gpu_open(gpu_device *gpu, uintptr_t registers, uint64_t memory, uint64_t bytes, uint32_t source) {
  memset(gpu, 0, sizeof *gpu);
  gpu->registers = registers;
  gpu->memory = gpu->free = memory;
  gpu->end = memory + bytes;
  const uint64_t major = (get(gpu, PWSGPU_VERSION) & PWSGPU_VERSION_MAJOR_MASK) >> PWSGPU_VERSION_MAJOR_SHIFT;
  const uint64_t known = (PWSGPU_VERSION_RESET & PWSGPU_VERSION_MAJOR_MASK) >> PWSGPU_VERSION_MAJOR_SHIFT;
  if (get(gpu, PWSGPU_ID) != PWSGPU_ID_RESET || major != known) return GPU_NO_DEVICE;
  if (source == 0) return GPU_OK;
  gpu->source = source;
  interrupting[source] = gpu;
  plic_enable(source, 1, on_interrupt);
  enable_interrupt_line(gpu);
  return GPU_OK;
}

static void *allocate_at(gpu_device *gpu, size_t bytes, uint64_t alignment) {
  const uint64_t begin = (gpu->free + alignment - 1) & ~(alignment - 1);
  if (begin < gpu->free || begin > gpu->end || bytes > gpu->end - begin) return NULL;
  gpu->free = begin + bytes;
  memset((void *)(uintptr_t)begin, 0, bytes);
  return (void *)(uintptr_t)begin;
}

void *gpu_allocate(gpu_device *gpu, size_t bytes) { return allocate_at(gpu, bytes, 256); }

gpu_result gpu_load(gpu_device *gpu, const void *file, size_t bytes, uint64_t *base) {
  const size_t size = code_object_size(file, bytes);
  if (size == 0) return GPU_BAD_OBJECT;
  const void *memory = allocate_at(gpu, size, 4096);
  if (memory == NULL) return GPU_NO_MEMORY;
  *base = (uintptr_t)memory;
  code_object_load(file, bytes, *base);
  return GPU_OK;
}

// Tells the GPU of a queue that is empty.
static void announce(const gpu_device *gpu, uint32_t queue) {
  const gpu_queue_state *q = &gpu->queues[queue];
  put(gpu, PWSGPU_QUEUE_BASE(queue), (uintptr_t)q->ring);
  put(gpu, PWSGPU_QUEUE_OBJECT(queue), (uintptr_t)q->object);
  put(gpu, PWSGPU_QUEUE_PACKETS(queue), q->packets);
}

gpu_result gpu_open_queue(gpu_device *gpu, uint32_t queue, uint32_t packets, uint64_t scratch_bytes) {
  if (queue >= GPU_QUEUES || packets == 0 || gpu->queues[queue].packets != 0) return GPU_BAD_QUEUE;
  gpu_queue_state q = {0};
  q.ring = gpu_allocate(gpu, packets * sizeof(dispatch_packet));
  q.object = gpu_allocate(gpu, queue_object_bytes);
  q.signals = gpu_allocate(gpu, packets * sizeof(signal));
  void *scratch = scratch_bytes == 0 ? NULL : allocate_at(gpu, scratch_bytes, 4096);
  if (q.ring == NULL || q.object == NULL || q.signals == NULL || (scratch_bytes != 0 && scratch == NULL))
    return GPU_NO_MEMORY;
  q.packets = packets;
  q.scratch_bytes = scratch_bytes;
  const uintptr_t object = (uintptr_t)q.object;
  write32(object + object_group_aperture, group_aperture);
  write32(object + object_private_aperture, private_aperture);
  write64(object + object_scratch, (uintptr_t)scratch);
  write64(object + object_scratch_bytes, scratch_bytes);
  gpu->queues[queue] = q;
  announce(gpu, queue);
  return GPU_OK;
}

static signal *signal_of(const gpu_device *gpu, uint32_t queue, uint64_t index) {
  const gpu_queue_state *q = &gpu->queues[queue];
  return (signal *)q->signals + index % q->packets;
}

gpu_result gpu_submit(gpu_device *gpu, uint32_t queue, const gpu_launch *launch, uint64_t *index) {
  if (queue >= GPU_QUEUES || gpu->queues[queue].packets == 0) return GPU_BAD_QUEUE;
  gpu_queue_state *q = &gpu->queues[queue];
  if (get(gpu, PWSGPU_STATUS) & PWSGPU_STATUS_HALTED_MASK) return GPU_FAULT;
  if (q->written - get(gpu, PWSGPU_QUEUE_READ_INDEX(queue)) == q->packets) return GPU_FULL;
  // The descriptor begins with the bytes of LDS and of scratch that the kernel needs.
  const uint32_t *descriptor = (const uint32_t *)(uintptr_t)launch->kernel;
  signal *done = signal_of(gpu, queue, q->written);
  *done = (signal){.kind = 1, .value = 1};
  const dispatch_packet packet = {
      .header = dispatch_header,
      .setup = 1,
      .workgroup = {(uint16_t)launch->workgroup, 1, 1},
      .grid = {launch->work_items, 1, 1},
      .group_segment = descriptor[0],
      .private_segment = descriptor[1],
      .kernel = launch->kernel,
      .arguments = (uintptr_t)launch->arguments,
      .signal = (uintptr_t)done,
  };
  ((dispatch_packet *)q->ring)[q->written % q->packets] = packet;
  memory_barrier();
  *index = q->written++;
  put(gpu, PWSGPU_QUEUE_DOORBELL(queue), *index);
  return GPU_OK;
}

static int is_halted(const gpu_device *gpu) {
  return (get(gpu, PWSGPU_STATUS) & PWSGPU_STATUS_HALTED_MASK) != 0;
}

gpu_result gpu_wait(gpu_device *gpu, uint32_t queue, uint64_t index, gpu_wait_mode mode) {
  if (queue >= GPU_QUEUES || gpu->queues[queue].packets == 0) return GPU_BAD_QUEUE;
  const signal *done = signal_of(gpu, queue, index);
  if (mode == GPU_POLLING) {
    for (;;) {
      const int halted = is_halted(gpu);
      if (done->value == 0) return GPU_OK;
      if (halted) return GPU_FAULT;
    }
  }
  for (;;) {
    disable_interrupts();
    const int complete = done->value == 0, halted = !complete && is_halted(gpu);
    // An interrupt between that and wfi is pending, and ends wfi.
    if (!complete && !halted) __asm__ volatile("wfi");
    enable_interrupts();
    if (complete) return GPU_OK;
    if (halted) return GPU_FAULT;
  }
}

uint64_t gpu_cycles(const gpu_device *gpu, uint32_t queue, uint64_t index) {
  const signal *done = signal_of(gpu, queue, index);
  return done->ended - done->began;
}

void gpu_fault(const gpu_device *gpu, gpu_fault_record *record) {
  record->cause = get(gpu, PWSGPU_FAULT_CAUSE);
  record->queue = get(gpu, PWSGPU_FAULT_QUEUE);
  record->packet = get(gpu, PWSGPU_FAULT_PACKET);
  record->kernel = get(gpu, PWSGPU_FAULT_KERNEL);
  record->pc = get(gpu, PWSGPU_FAULT_PC);
  record->lane = get(gpu, PWSGPU_FAULT_LANE);
  record->address = get(gpu, PWSGPU_FAULT_ADDRESS);
  for (size_t k = 0; k < sizeof record->text; k += sizeof(uint64_t)) {
    const uint64_t word = get(gpu, PWSGPU_FAULT_TEXT(k / sizeof(uint64_t)));
    memcpy(record->text + k, &word, sizeof word);
  }
  record->text[sizeof record->text - 1] = 0;
}

gpu_result gpu_reset(gpu_device *gpu) {
  put(gpu, PWSGPU_CONTROL, 1);
  while (get(gpu, PWSGPU_STATUS) & PWSGPU_STATUS_IN_RESET_MASK) {
  }
  enable_interrupt_line(gpu);
  for (uint32_t k = 0; k < GPU_QUEUES; ++k) {
    gpu_queue_state *q = &gpu->queues[k];
    if (q->packets == 0) continue;
    q->written = 0;
    announce(gpu, k);
  }
  return is_halted(gpu) ? GPU_FAULT : GPU_OK;
}
