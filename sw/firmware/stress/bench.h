// SPDX-License-Identifier: Apache-2.0
// What both stress tests need: a GPU with a known-good kernel, and the exceptions that wrong accesses are answered
// with.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "gpu.h"

extern gpu_device gpu;

// Opens the GPU with a queue, the program and buffers. 0: there is none.
int bench_open(void);
// Makes device memory as bench_open() left it, but for the queue's ring and the sandbox.
void bench_restore(void);
// Resets the GPU, restores memory, and runs the known-good kernel. 0: its result is wrong, or it is not complete in
// time; a line says so.
int bench_works(void);
// The launch of it, and the descriptors of kernels.
extern gpu_launch bench_good;
extern uint64_t bench_endless, bench_program, bench_program_bytes;
// Free device memory that nothing depends on.
extern uint64_t bench_sandbox, bench_sandbox_bytes;

// Exceptions of the processor are noted from now on, and the instruction is passed over.
void bench_note_exceptions(void);
// The cause of the last exception since the last call, and mtval; 0: there was none.
uint64_t bench_exception(uint64_t* value);

// An error: one line, and it is counted.
void bench_fail(const char* what, uint64_t number, uint64_t detail);
extern int bench_failures;

#endif
