// Preloaded into a HIP program: counts the calls that give device memory its first contents (hipMemset and copies to the
// device, and their asynchronous forms), and leaves out the one that DROPPED_CALL numbers, from 0. Their number is
// written to CALLS_FILE when the program ends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { to_device = 1, anything = 4 };  // hipMemcpyKind

static int calls;

static int dropped(void) {
  const char* which = getenv("DROPPED_CALL");
  return calls++ == (which != NULL ? atoi(which) : -1);
}

__attribute__((destructor)) static void write_count(void) {
  const char* name = getenv("CALLS_FILE");
  FILE* f = name == NULL || calls == 0 ? NULL : fopen(name, "w");
  if (f == NULL) return;
  fprintf(f, "%d\n", calls);
  fclose(f);
}

#define NEXT(name, ...) ((int (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

int hipMemset(void* to, int value, size_t bytes) {
  return dropped() ? 0 : NEXT(hipMemset, void*, int, size_t)(to, value, bytes);
}
int hipMemsetAsync(void* to, int value, size_t bytes, void* stream) {
  return dropped() ? 0 : NEXT(hipMemsetAsync, void*, int, size_t, void*)(to, value, bytes, stream);
}
int hipMemcpy(void* to, const void* from, size_t bytes, int kind) {
  if ((kind == to_device || kind == anything) && dropped()) return 0;
  return NEXT(hipMemcpy, void*, const void*, size_t, int)(to, from, bytes, kind);
}
int hipMemcpyAsync(void* to, const void* from, size_t bytes, int kind, void* stream) {
  if ((kind == to_device || kind == anything) && dropped()) return 0;
  return NEXT(hipMemcpyAsync, void*, const void*, size_t, int, void*)(to, from, bytes, kind, stream);
}
// SPDX-License-Identifier: Apache-2.0
