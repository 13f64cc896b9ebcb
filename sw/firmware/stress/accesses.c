// SPDX-License-Identifier: Apache-2.0
// Random accesses of every size to the GPU's registers. Each one has to be answered as docs/registers.md says, and the
// GPU has to count those that it refused.
#include <stdio.h>

#include "bench.h"
#include "gpu_registers.h"
#include "random.h"
#include "registers.h"
#include "stress.h"

// The exceptions that they are answered with (mcause).
enum { load_misaligned = 4, load_fault = 5, store_misaligned = 6, store_fault = 7 };
enum { contexts_window = 0x100000, window = 0x2000000 };  // of wavefronts' registers; all of it on the bus
enum { memory_named = 0x20000 };                          // bytes of device memory that values point to
enum { accesses_between_checks = 500 };

typedef enum { reserved = 0, readable = 1, writable = 2, choosy = 4 } right;  // choosy: some values are refused

// What may be done with the register of 64 bits at an offset.
static int rights_at(uint64_t offset) {
  offset &= ~7UL;
  if (offset >= PWSGPU_QUEUE_BASE(0)) {
    const uint64_t queue = (offset - PWSGPU_QUEUE_BASE(0)) / 0x100, at = offset - 0x100 * queue;
    if (queue >= PWSGPU_QUEUE_COUNT) return reserved;
    if (at == PWSGPU_QUEUE_BASE(0) || at == PWSGPU_QUEUE_PACKETS(0)) return readable | writable | choosy;
    if (at == PWSGPU_QUEUE_OBJECT(0) || at == PWSGPU_QUEUE_PRIORITY(0)) return readable | writable;
    if (at == PWSGPU_QUEUE_DOORBELL(0)) return writable | choosy;
    if (at == PWSGPU_QUEUE_READ_INDEX(0) || at == PWSGPU_QUEUE_STATE(0)) return readable;
    return at >= PWSGPU_QUEUE_CU_MASK(0, 0) && at <= PWSGPU_QUEUE_CU_MASK(0, 3) ? readable | writable : reserved;
  }
  switch (offset) {
    case PWSGPU_CONTROL:
    case PWSGPU_INTERRUPT_STATUS:
    case PWSGPU_INTERRUPT_MASK:
      return readable | writable;
    case PWSGPU_CLOCK_RATIO:
      return readable | writable | choosy;
    default:
      break;
  }
  const int is_read_only = offset <= PWSGPU_BAD_ACCESSES ||
                           (offset >= PWSGPU_CYCLES_BUSY && offset <= PWSGPU_DRAM_READS) ||
                           (offset >= PWSGPU_FAULT_TEXT(0) && offset <= PWSGPU_FAULT_TEXT(127));
  const int is_gap = offset == PWSGPU_FAULT_WORKGROUP(2) + 8 || offset == PWSGPU_FAULT_WORKGROUP(2) + 16;
  return is_read_only && !is_gap ? readable : reserved;
}

// ---- one access

enum { op_load, op_store, op_atomic };

static uint64_t load(uintptr_t at, unsigned bytes) {
  switch (bytes) {
    case 1:
      return read8(at);
    case 2:
      return *(volatile uint16_t *)at;
    case 4:
      return read32(at);
    default:
      return read64(at);
  }
}

static void store(uintptr_t at, unsigned bytes, uint64_t value) {
  switch (bytes) {
    case 1:
      return write8(at, (uint8_t)value);
    case 2:
      *(volatile uint16_t *)at = (uint16_t)value;
      return;
    case 4:
      return write32(at, (uint32_t)value);
    default:
      return write64(at, value);
  }
}

static void atomic(uintptr_t at, unsigned bytes, uint64_t value) {
  if (bytes == 4)
    __asm__ volatile("amoadd.w zero, %1, (%0)" ::"r"(at), "r"(value) : "memory");
  else
    __asm__ volatile("amoswap.d zero, %1, (%0)" ::"r"(at), "r"(value) : "memory");
}

static uint64_t some_offset(random_source *r) {
  switch (random_below(r, 8)) {
    case 0:
    case 1:
      return random_below(r, 0x200);
    case 2:
      return random_below(r, PWSGPU_QUEUE_BASE(0));
    case 3:
    case 4:
      return PWSGPU_QUEUE_BASE(random_below(r, 4)) + random_below(r, 0x80);
    case 5:
      return PWSGPU_QUEUE_BASE(0) + random_below(r, 0x100 * PWSGPU_QUEUE_COUNT + 0x1000);
    case 6:
      return contexts_window + random_below(r, 0x4000);
    default:
      return random_below(r, window);
  }
}

static uint64_t some_value(random_source *r) {
  switch (random_below(r, 6)) {
    case 0:
      return random_below(r, 2);
    case 1:
      return random_below(r, 64);
    case 2:
      return ~0UL - random_below(r, 2);
    case 3:
      return gpu.memory + (random_below(r, memory_named) & ~63UL);
    case 4:
      return 1UL << random_below(r, 64);
    default:
      return random_next(r);
  }
}

// The answers, in the order of their names.
enum { read_taken, write_taken, read_refused, write_refused, read_misaligned, write_misaligned, n_answers };
static const char *const answer_names[n_answers] = {"read",          "written",         "read refused", "write refused",
                                                    "read misaligned", "write misaligned"};

static int answer_of(uint64_t cause, int is_load) {
  switch (cause) {
    case 0:
      return is_load ? read_taken : write_taken;
    case load_fault:
      return read_refused;
    case store_fault:
      return write_refused;
    case load_misaligned:
      return read_misaligned;
    case store_misaligned:
      return write_misaligned;
    default:
      return -1;
  }
}

// Behind the last context's registers; from there on nobody answers on the bus, and nobody counts.
static uint64_t contexts_end(void) {
  enum { compute_units = 4, units = 8, contexts = 16, record_bytes = 0x400 };
  const uintptr_t at = gpu.registers + contexts_window;
  const uint64_t records = (uint64_t)read32(at + compute_units) * read32(at + units) * read32(at + contexts);
  return contexts_window + (records + 1) * record_bytes;
}

// What the map says; -1: it depends on the value, or on what the GPU does.
static int expected(int op, uint64_t offset, unsigned bytes, uint64_t end) {
  const int is_load = op == op_load;
  if (offset % bytes != 0) return is_load ? read_misaligned : write_misaligned;
  if (op == op_atomic) return write_refused;  // on devices there are none
  if (offset >= contexts_window) return is_load ? (offset < end ? read_taken : read_refused) : write_refused;
  const int rights = bytes < 4 ? reserved : rights_at(offset);
  if (is_load) return (rights & readable) != 0 ? read_taken : read_refused;
  if ((rights & choosy) != 0) return -1;
  return (rights & writable) != 0 ? write_taken : write_refused;
}

int stress_accesses(uint64_t count, uint64_t seed) {
  random_source r = {seed};
  uint64_t answers[n_answers] = {0}, refused = 0, resets = 0, good = 0;
  bench_works();
  const uint64_t end = contexts_end();
  bench_note_exceptions();
  for (uint64_t n = 0; n < count; ++n) {
    const uint64_t offset_at = some_offset(&r), shift = random_below(&r, 4);
    unsigned bytes = 1U << (shift < 2 ? 3 - shift : random_below(&r, 4));
    const int op = random_below(&r, 16) == 0 ? op_atomic : random_below(&r, 2) == 0 ? op_load : op_store;
    if (op == op_atomic && bytes < 4) bytes = 4;
    const uint64_t offset = random_below(&r, 8) == 0 ? offset_at : offset_at & ~(uint64_t)(bytes - 1);
    const uint64_t value = some_value(&r);
    const uintptr_t at = gpu.registers + offset;
    uint64_t trap_value;
    if (op == op_load)
      (void)load(at, bytes);
    else if (op == op_store)
      store(at, bytes, value);
    else
      atomic(at, bytes, value);
    const uint64_t cause = bench_exception(&trap_value);
    const int answer = answer_of(cause, op == op_load);
    if (answer < 0) return bench_fail("an answer that is none", n, cause), 0;
    ++answers[answer];
    if (cause != 0 && trap_value != at) bench_fail("mtval is not the address", n, trap_value);
    const int wanted = expected(op, offset, bytes, end);
    if (wanted >= 0 && wanted != answer) bench_fail("another answer than the map says", n, offset);
    // Misaligned accesses and atomic instructions stop in the processor.
    if (cause != 0 && op != op_atomic && offset % bytes == 0 && offset < end) ++refused;
    if (answer == write_taken && offset == PWSGPU_CONTROL && (value & 1) != 0) {
      refused = 0;
      ++resets;
    }
    if ((n + 1) % accesses_between_checks != 0 && n + 1 != count) continue;
    const uint64_t counted = read64(gpu.registers + PWSGPU_BAD_ACCESSES);
    if (counted != refused) bench_fail("bad_accesses is another number", n, counted);
    good += bench_works() != 0;
    refused = 0;
  }
  printf("accesses: %lu with seed %lu\n", count, seed);
  for (int k = 0; k < n_answers; ++k) printf("  %-18s %8lu\n", answer_names[k], answers[k]);
  printf("  %-18s %8lu\n  %-18s %8lu\n", "resets", resets, "good kernels", good);
  return 1;
}
