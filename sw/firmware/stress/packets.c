// SPDX-License-Identifier: Apache-2.0
// Packets of which something is wrong, or whose queue is. Each one has to be answered: by its completion, a fault with a
// record that says whose it is, an exception of the processor, or a GPU that is busy until it is reset. After that a
// kernel that is known to be good has to give the right result.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "board.h"
#include "clint.h"
#include "gpu_registers.h"
#include "packet.h"
#include "registers.h"
#include "stress.h"
#include "traps.h"

enum { answer_us = 10 };  // the good kernel takes about two
enum { spoiled_between_checks = 20 };
enum { most_rows = 64 };

static const char *const answer_names[n_answer_bits] = {"complete", "refused", "program", "memory",
                                                        "packet",   "limit",   "nothing", "endless"};

static uint64_t get(uintptr_t at) { return read64(gpu.registers + at); }
static void put(uintptr_t at, uint64_t value) { write64(gpu.registers + at, value); }

// ---- a case

static void *signal_memory;

static packet_case good_case(void) {
  const gpu_queue_state *q = &gpu.queues[0];
  const uint32_t *descriptor = (const uint32_t *)(uintptr_t)bench_good.kernel;
  packet_case c;
  memset(&c, 0, sizeof c);
  c.packet.header = 2 | 1 << 8 | 2 << 9 | 2 << 11;
  c.packet.setup = 1;
  c.packet.workgroup[0] = (uint16_t)bench_good.workgroup;
  c.packet.grid[0] = bench_good.work_items;
  c.packet.workgroup[1] = c.packet.workgroup[2] = 1;
  c.packet.grid[1] = c.packet.grid[2] = 1;
  c.packet.group_segment = descriptor[0];
  c.packet.kernel = bench_good.kernel;
  c.packet.arguments = (uintptr_t)bench_good.arguments;
  c.packet.signal = (uintptr_t)signal_memory;
  c.base = (uintptr_t)q->ring;
  c.packets = q->packets;
  c.object = (uintptr_t)q->object;
  c.cu_mask = ~0UL;
  c.object_words[0x40 / 4] = 0x10000;  // upper halves of addresses of LDS and scratch
  c.object_words[0x44 / 4] = 0x20000;
  return c;
}

// 0: a register is not taken, which an exception says.
static int hand_over(const packet_case *c) {
  uint64_t value;
  put(PWSGPU_QUEUE_BASE(c->queue), c->base);
  put(PWSGPU_QUEUE_OBJECT(c->queue), c->object);
  put(PWSGPU_QUEUE_PRIORITY(c->queue), c->priority);
  put(PWSGPU_QUEUE_CU_MASK(c->queue, 0), c->cu_mask);
  put(PWSGPU_QUEUE_PACKETS(c->queue), c->packets);
  const uint64_t index = get(PWSGPU_QUEUE_READ_INDEX(c->queue));
  const gpu_queue_state *q = &gpu.queues[0];
  // Rings that are elsewhere have what is there.
  const uint64_t slots = c->packets == 0 || c->packets > q->packets ? q->packets : c->packets;
  const uint64_t slot = c->packets > q->packets ? index : index % slots;
  memcpy((uint8_t *)q->ring + (slot % q->packets) * sizeof c->packet, &c->packet, sizeof c->packet);
  memcpy(q->object, c->object_words, sizeof c->object_words);
  write64((uintptr_t)signal_memory + 8, 1);
  memory_barrier();
  put(PWSGPU_QUEUE_DOORBELL(c->queue), index + c->doorbell);
  return bench_exception(&value) == 0;
}

static volatile int is_over;
static void over(void) { is_over = 1; }

// The answer, as its bit.
static int answer_to(const packet_case *c) {
  const uint64_t last = get(PWSGPU_QUEUE_READ_INDEX(c->queue)) + c->doorbell;
  if (!hand_over(c)) return answer_refused;
  is_over = 0;
  clint_call_at(clint_now() + answer_us * (CLINT_TIMEBASE_HZ / 1000000), over);
  for (;;) {
    disable_interrupts();
    const int has_ended = is_over;
    const uint64_t status = get(PWSGPU_STATUS), read = get(PWSGPU_QUEUE_READ_INDEX(c->queue));
    const int is_halted = (status & PWSGPU_STATUS_HALTED_MASK) != 0, is_busy = (status & PWSGPU_STATUS_BUSY_MASK) != 0;
    const int is_complete = read == last + 1;
    // An interrupt between that and wfi is pending, and ends wfi.
    if (!has_ended && !is_halted && is_busy && !is_complete) __asm__ volatile("wfi");
    enable_interrupts();
    const uint64_t cause = is_halted ? get(PWSGPU_FAULT_CAUSE) : 0;
    if (is_halted) return cause >= 1 && cause <= 4 ? answer_program << (cause - 1) : 0;
    if (!is_busy) return is_complete && c->doorbell < c->packets ? answer_complete : answer_nothing;
    if (has_ended) return answer_endless;
  }
}

static void check_record(const packet_case *c, uint64_t n) {
  if (get(PWSGPU_FAULT_QUEUE) != c->queue) bench_fail("a fault of another queue", n, get(PWSGPU_FAULT_QUEUE));
  if (get(PWSGPU_FAULT_TEXT(0)) == 0) bench_fail("a fault without a message", n, 0);
}

int stress_packets(uint64_t count, uint64_t seed) {
  random_source r = {seed};
  static uint32_t rows[most_rows][n_answer_bits];
  uint64_t good = 0, spoiled = 0;
  memset(rows, 0, sizeof rows);
  if (n_spoilers > most_rows) return 0;
  if (signal_memory == NULL) signal_memory = gpu_allocate(&gpu, 64);
  if (signal_memory == NULL) return 0;
  bench_works();
  bench_note_exceptions();
  for (uint64_t n = 0; n < count; ++n) {
    bench_restore();
    packet_case c = good_case();
    const uint64_t which = random_below(&r, n_spoilers);
    int allowed = spoilers[which].allowed;
    spoilers[which].spoil(&c, &r);
    if (random_below(&r, 4) == 0) {
      spoilers[random_below(&r, n_spoilers)].spoil(&c, &r);
      allowed = ~0;
    }
    const int answer = answer_to(&c);
    int bit = 0;
    while (bit < n_answer_bits && answer != 1 << bit) ++bit;
    if (bit == n_answer_bits) return bench_fail("an answer that is none", n, answer), 0;
    ++rows[which][bit];
    if ((answer & allowed) == 0) {
      bench_fail(spoilers[which].name, n, answer);
      printf("       it was answered with: %s\n", answer_names[bit]);
    }
    const int is_fault = (answer & (answer_program | answer_memory | answer_packet | answer_limit)) != 0;
    if (is_fault) check_record(&c, n);
    if (answer != answer_complete && gpu_reset(&gpu) != GPU_OK) bench_fail("a reset that does not help", n, answer);
    if (++spoiled % spoiled_between_checks == 0 || n + 1 == count) good += bench_works() != 0;
  }
  printf("packets: %lu with seed %lu\n%-22s", count, seed, "");
  for (int k = 0; k < n_answer_bits; ++k) printf(" %8s", answer_names[k]);
  printf("\n");
  uint64_t sums[n_answer_bits] = {0};
  for (int s = 0; s < n_spoilers; ++s) {
    printf("  %-20s", spoilers[s].name);
    for (int k = 0; k < n_answer_bits; ++k) {
      printf(" %8u", rows[s][k]);
      sums[k] += rows[s][k];
    }
    printf("\n");
  }
  printf("  %-20s", "all");
  for (int k = 0; k < n_answer_bits; ++k) printf(" %8lu", sums[k]);
  printf("\n  %-20s %8lu\n", "good kernels", good);
  return 1;
}
