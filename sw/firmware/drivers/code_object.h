// SPDX-License-Identifier: Apache-2.0
// GPU programs as the compiler leaves them (.hsaco): ELF shared objects for gfx803.
#ifndef CODE_OBJECT_H
#define CODE_OBJECT_H

#include <stddef.h>
#include <stdint.h>

// Bytes of memory that it takes; 0: it is no code object for this GPU, or it needs relocations, which nothing here
// does.
size_t code_object_size(const void* file, size_t bytes);
// Copies it to device memory, which both processor and GPU have at `base`, a multiple of 4096 with room for its size.
void code_object_load(const void* file, size_t bytes, uint64_t base);
// Address of a kernel's descriptor, given where it was loaded; 0: it has no such kernel.
uint64_t code_object_kernel(const void* file, size_t bytes, uint64_t base, const char* name);

#endif
