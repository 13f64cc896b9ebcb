// SPDX-License-Identifier: Apache-2.0
// Driver of a GPU: its memory, programs and queues, completion by looking or by interrupt, faults and reset.
// Registers: gpu_registers.h, which `pwsvp reference registers --c-header` makes.
//
// Device memory has the same addresses for the processor and for the GPU, so pointers to it are pointers for both.
#ifndef GPU_H
#define GPU_H

#include <stddef.h>
#include <stdint.h>

#define GPU_QUEUES 4

// What a function has come to.
typedef enum {
  GPU_OK,
  GPU_NO_DEVICE,   // the registers are not those of a GPU, or of another version
  GPU_NO_MEMORY,   // device memory is used up
  GPU_BAD_OBJECT,  // no code object for this GPU
  GPU_BAD_QUEUE,   // no such queue, or it is not open
  GPU_FULL,        // the queue has no room
  GPU_FAULT,       // the GPU is halted; gpu_fault() says why
} gpu_result;

// How to wait for a packet: by looking at its signal again and again, or asleep until the GPU's interrupt.
typedef enum { GPU_POLLING, GPU_INTERRUPT } gpu_wait_mode;

typedef struct {
  void* ring;     // 64-byte packets
  void* object;   // amd_queue_t
  void* signals;  // amd_signal_t, one for each packet
  uint64_t packets, written;
  uint64_t scratch_bytes;
} gpu_queue_state;

typedef struct {
  uintptr_t registers;
  uint32_t source;             // at the PLIC; 0: none
  uint64_t memory, free, end;  // device memory: begin, first byte that is free, end
  gpu_queue_state queues[GPU_QUEUES];
  volatile uint64_t interrupts, completions;
} gpu_device;

// A launch of one dimension.
typedef struct {
  uint64_t kernel;        // gpu_kernel()
  uint32_t work_items;    // of the grid
  uint32_t workgroup;     // work-items, at most 1024
  const void* arguments;  // as the kernel wants them, in device memory, at a multiple of 16
} gpu_launch;

typedef struct {
  uint64_t cause, queue, packet, kernel, pc, lane, address;
  char text[256];
} gpu_fault_record;

// The GPU with these registers and this device memory. With interrupts, if it has a source (not 0) at the PLIC; then
// `gpu` stays where it is.
gpu_result gpu_open(gpu_device* gpu, uintptr_t registers, uint64_t memory, uint64_t bytes, uint32_t source);
// Device memory, zeros, at a multiple of 256; NULL: there is not so much.
void* gpu_allocate(gpu_device* gpu, size_t bytes);
// A program, given as its file.
gpu_result gpu_load(gpu_device* gpu, const void* file, size_t bytes, uint64_t* base);
// A queue for so many packets, a power of two, and so many bytes of scratch memory for its kernels.
gpu_result gpu_open_queue(gpu_device* gpu, uint32_t queue, uint32_t packets, uint64_t scratch_bytes);
// Puts a launch into the queue and rings its doorbell. Its index is for gpu_wait().
gpu_result gpu_submit(gpu_device* gpu, uint32_t queue, const gpu_launch* launch, uint64_t* index);
// Until it is complete, or the GPU has a fault.
gpu_result gpu_wait(gpu_device* gpu, uint32_t queue, uint64_t index, gpu_wait_mode mode);
// Cycles of the GPU from when the packet was taken to when it was complete.
uint64_t gpu_cycles(const gpu_device* gpu, uint32_t queue, uint64_t index);

// Why the GPU is halted.
void gpu_fault(const gpu_device* gpu, gpu_fault_record* record);
// Lets it go on after a fault: packets that are not complete are lost, open queues are open again and empty. Memory
// stays.
gpu_result gpu_reset(gpu_device* gpu);

#endif
