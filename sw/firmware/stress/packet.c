// SPDX-License-Identifier: Apache-2.0
#include "packet.h"

#include <string.h>

#include "bench.h"
#include "board.h"

enum { ring_packets = 8, packet_bytes = 64 };
enum { type_barrier_and = 3, type_barrier_or = 5, barrier_bit = 1 << 8 };
static const uint64_t memory_end = GPU_MEMORY_BASE + GPU_MEMORY_BYTES;

static uint64_t outside(random_source *r) {
  switch (random_below(r, 4)) {
    case 0:
      return memory_end + (random_next(r) & 0xfff0);
    case 1:
      return 0x80000000UL + (random_next(r) & 0xfff0);  // the processor's memory, which this GPU does not reach
    case 2:
      return ~0UL - random_below(r, 128);
    default:
      return random_next(r) | 1UL << 63;
  }
}

static uint64_t in_sandbox(random_source *r) {
  return bench_sandbox + (random_below(r, bench_sandbox_bytes / 2) & ~63UL);
}

// Memory of the sandbox with random words, or with a copy of what is at `from`.
static uint64_t random_data(random_source *r, uint64_t bytes) {
  const uint64_t at = in_sandbox(r);
  for (uint64_t k = 0; k < bytes; k += 8) *(uint64_t *)(uintptr_t)(at + k) = random_next(r);
  return at;
}

static uint64_t flipped(uint64_t value, random_source *r) { return value ^ 1UL << random_below(r, 64); }

// ---- the packet

static void type(packet_case *c, random_source *r) {
  static const uint8_t others[] = {0, 4, 6, 255};
  c->packet.header = (uint16_t)((c->packet.header & 0xff00) | others[random_below(r, sizeof others)]);
}
// The GPU waits until somebody writes the packet and rings again.
static void type_invalid(packet_case *c, random_source *r) {
  c->packet.header = (uint16_t)((random_next(r) & 0xff00) | 1);
}
static void header(packet_case *c, random_source *r) { c->packet.header = (uint16_t)random_next(r); }
static void setup(packet_case *c, random_source *r) { c->packet.setup = (uint16_t)random_next(r); }
static void workgroup_zero(packet_case *c, random_source *r) { c->packet.workgroup[random_below(r, 3)] = 0; }
static void workgroup_huge(packet_case *c, random_source *r) {
  c->packet.workgroup[random_below(r, 3)] = (uint16_t)(0xffff - random_below(r, 0x8000));
  for (int k = 0; k < 3; ++k) c->packet.grid[k] = 0x10000;
}
static void workgroup_odd(packet_case *c, random_source *r) { c->packet.workgroup[0] = (uint16_t)(33 + random_below(r, 31)); }
static void grid_zero(packet_case *c, random_source *r) { c->packet.grid[random_below(r, 3)] = 0; }
static void grid_huge(packet_case *c, random_source *r) { c->packet.grid[random_below(r, 3)] = UINT32_MAX; }
static void grid_all_huge(packet_case *c, random_source *r) {
  for (int k = 0; k < 3; ++k) {
    c->packet.grid[k] = UINT32_MAX - (uint32_t)random_below(r, 2);
    c->packet.workgroup[k] = 1;
  }
}
static void cooperative(packet_case *c, random_source *r) { c->packet.cooperative = (uint16_t)(1 + random_below(r, 0xffff)); }
static void private_huge(packet_case *c, random_source *r) { c->packet.private_segment = UINT32_MAX - 3 * (uint32_t)random_below(r, 4); }
static void private_odd(packet_case *c, random_source *r) {
  c->packet.private_segment = 1 + 2 * (uint32_t)random_below(r, 8);
  c->object_words[0xa8 / 4] = UINT32_MAX;
}
static void group_huge(packet_case *c, random_source *r) { c->packet.group_segment = UINT32_MAX >> random_below(r, 8); }
static void group_none(packet_case *c, random_source *r) {
  (void)r;
  c->packet.group_segment = 0;
}
static void kernel_null(packet_case *c, random_source *r) {
  (void)r;
  c->packet.kernel = 0;
}
static void kernel_odd(packet_case *c, random_source *r) { c->packet.kernel += 1 + random_below(r, 63); }
static void kernel_outside(packet_case *c, random_source *r) { c->packet.kernel = outside(r); }
static void kernel_data(packet_case *c, random_source *r) { c->packet.kernel = random_data(r, 512); }
// A copy of the program in which a few bits are others: of the descriptor, or of the code.
static uint64_t copied_program(random_source *r) {
  const uint64_t at = bench_sandbox + (random_below(r, 4) << 12);
  memcpy((void *)(uintptr_t)at, (const void *)(uintptr_t)bench_program, bench_program_bytes);
  return at;
}
static void kernel_descriptor(packet_case *c, random_source *r) {
  const uint64_t at = copied_program(r) + (bench_good.kernel - bench_program);
  for (uint64_t flips = 1 + random_below(r, 3); flips != 0; --flips) {
    uint64_t *word = (uint64_t *)(uintptr_t)(at + 8 * random_below(r, 8));
    *word = flipped(*word, r);
  }
  c->packet.kernel = at;
}
static void kernel_code(packet_case *c, random_source *r) {
  const uint64_t program = copied_program(r), at = program + (bench_good.kernel - bench_program);
  const int64_t entry = *(const int64_t *)(uintptr_t)(at + 16);
  for (uint64_t flips = 1 + random_below(r, 3); flips != 0; --flips) {
    uint64_t *word = (uint64_t *)(uintptr_t)((at + entry + 8 * random_below(r, 16)) & ~7UL);
    *word = flipped(*word, r);
  }
  c->packet.kernel = at;
}
static void kernel_random(packet_case *c, random_source *r) {
  const uint64_t at = copied_program(r) + (bench_good.kernel - bench_program);
  const int64_t entry = *(const int64_t *)(uintptr_t)(at + 16);
  for (uint64_t k = 0; k < 256; k += 8) *(uint64_t *)(uintptr_t)((at + entry + k) & ~7UL) = random_next(r);
  c->packet.kernel = at;
}
// Code outside memory: the descriptor says so.
static void kernel_entry(packet_case *c, random_source *r) {
  const uint64_t at = copied_program(r) + (bench_good.kernel - bench_program);
  *(uint64_t *)(uintptr_t)(at + 16) = outside(r) - at;
  c->packet.kernel = at;
}
static void kernel_endless(packet_case *c, random_source *r) {
  c->packet.kernel = bench_endless;
  c->packet.group_segment = 0;
  const uint64_t at = random_data(r, 16);
  *(uint64_t *)(uintptr_t)at = at + 64;
  *(uint64_t *)(uintptr_t)(at + 64) = 0;
  c->packet.arguments = at;
}
static void arguments_null(packet_case *c, random_source *r) {
  (void)r;
  c->packet.arguments = 0;
}
static void arguments_outside(packet_case *c, random_source *r) { c->packet.arguments = outside(r); }
static void arguments_odd(packet_case *c, random_source *r) { c->packet.arguments += 1 + random_below(r, 15); }
static void arguments_random(packet_case *c, random_source *r) { c->packet.arguments = random_data(r, 64); }
static void launch_number(packet_case *c, random_source *r) { c->packet.launch_number = random_next(r); }
static void signal_null(packet_case *c, random_source *r) {
  (void)r;
  c->packet.signal = 0;
}
static void signal_odd(packet_case *c, random_source *r) { c->packet.signal = in_sandbox(r) + 1 + random_below(r, 63); }
static void signal_outside(packet_case *c, random_source *r) { c->packet.signal = outside(r); }
static void all_random(packet_case *c, random_source *r) {
  uint64_t words[8];
  for (int k = 0; k < 8; ++k) words[k] = random_next(r);
  const uint16_t kept = c->packet.header;
  memcpy(&c->packet, words, sizeof words);
  if (random_below(r, 2) != 0) c->packet.header = kept;
}

// ---- barriers: the dependent signals stand where a dispatch has its sizes

static void barrier(packet_case *c, random_source *r, uint64_t signal) {
  aql_packet *p = &c->packet;
  uint64_t signals[5] = {0};
  signals[random_below(r, 5)] = signal;
  memset(p, 0, sizeof *p);
  p->header = random_below(r, 2) != 0 ? type_barrier_and | barrier_bit : type_barrier_or;
  memcpy((uint8_t *)p + 8, signals, sizeof signals);
}
static uint64_t signal_with(random_source *r, int64_t value, uint64_t off) {
  const uint64_t at = in_sandbox(r) + off;
  memcpy((void *)(uintptr_t)(at + 8), &value, sizeof value);
  return at;
}
static void barrier_free(packet_case *c, random_source *r) { barrier(c, r, signal_with(r, 0, 0)); }
static void barrier_odd(packet_case *c, random_source *r) { barrier(c, r, signal_with(r, 0, 1 + random_below(r, 7))); }
static void barrier_never(packet_case *c, random_source *r) { barrier(c, r, signal_with(r, 1, 0)); }
static void barrier_outside(packet_case *c, random_source *r) { barrier(c, r, outside(r)); }

// ---- the queue

static void base_null(packet_case *c, random_source *r) {
  (void)r;
  c->base = 0;
}
static void base_odd(packet_case *c, random_source *r) { c->base += 1 + random_below(r, 63); }
static void base_outside(packet_case *c, random_source *r) { c->base = outside(r); }
// The ring's first packet is there, or a part of it.
static void base_at_end(packet_case *c, random_source *r) { c->base = memory_end - 1 - random_below(r, packet_bytes - 1); }
static void size_zero(packet_case *c, random_source *r) {
  (void)r;
  c->packets = 0;
}
static void size_odd(packet_case *c, random_source *r) { c->packets = 3 + 2 * random_below(r, 2); }
static void size_huge(packet_case *c, random_source *r) { c->packets = ~0UL >> random_below(r, 32); }
static void object_null(packet_case *c, random_source *r) {
  (void)r;
  c->object = 0;
}
static void object_odd(packet_case *c, random_source *r) { c->object += 1 + random_below(r, 63); }
static void object_outside(packet_case *c, random_source *r) { c->object = outside(r); }
static void object_random(packet_case *c, random_source *r) {
  for (int k = 0; k < 64; ++k) c->object_words[k] = (uint32_t)random_next(r);
}
static void scratch_outside(packet_case *c, random_source *r) {
  const uint64_t at = outside(r);
  memcpy(&c->object_words[0xa0 / 4], &at, sizeof at);
  c->object_words[0xa8 / 4] = 1 << 30;
  c->packet.private_segment = 64;
}
static void priority(packet_case *c, random_source *r) { c->priority = random_next(r); }
static void no_cu(packet_case *c, random_source *r) { c->cu_mask = random_next(r) & ~0xffffUL; }
static void number(packet_case *c, random_source *r) { c->queue = 1 + (uint32_t)random_below(r, 255); }
static void doorbell_behind(packet_case *c, random_source *r) { c->doorbell -= 1 + random_below(r, 3); }
static void doorbell_ahead(packet_case *c, random_source *r) { c->doorbell += 1 + random_below(r, ring_packets - 1); }
static void doorbell_far(packet_case *c, random_source *r) { c->doorbell += ring_packets + (random_next(r) >> (1 + random_below(r, 60))); }

enum {
  faults = answer_program | answer_memory | answer_packet,
  without_end = answer_endless | answer_limit,
  anything = faults | without_end | answer_complete | answer_nothing | answer_refused
};

const spoiler spoilers[] = {
    {"type", type, answer_packet},
    {"type invalid", type_invalid, answer_endless},
    {"header", header, answer_packet | answer_complete | without_end},
    {"setup", setup, answer_complete},
    {"workgroup zero", workgroup_zero, answer_packet},
    {"workgroup huge", workgroup_huge, answer_packet},
    {"workgroup odd", workgroup_odd, answer_complete},
    {"grid zero", grid_zero, answer_packet},
    {"grid huge", grid_huge, without_end},
    {"grid of 2^96", grid_all_huge, answer_packet},
    {"cooperative", cooperative, answer_complete},
    {"private segment huge", private_huge, answer_packet},
    {"private segment odd", private_odd, answer_packet},
    {"group segment huge", group_huge, answer_packet},
    {"group segment none", group_none, answer_complete | faults},
    {"kernel null", kernel_null, answer_packet},
    {"kernel misaligned", kernel_odd, faults | answer_complete | without_end},
    {"kernel outside", kernel_outside, answer_packet},
    {"kernel of data", kernel_data, faults},
    {"kernel's descriptor", kernel_descriptor, faults | answer_complete | without_end},
    {"kernel's code", kernel_code, faults | answer_complete | without_end},
    {"code of random bits", kernel_random, faults | answer_complete | without_end},
    {"code outside", kernel_entry, answer_program | answer_packet},
    {"kernel without end", kernel_endless, without_end},
    {"arguments null", arguments_null, answer_memory},
    {"arguments outside", arguments_outside, answer_memory},
    {"arguments misaligned", arguments_odd, answer_memory | answer_complete},
    {"arguments random", arguments_random, answer_memory | answer_complete},
    {"launch number", launch_number, answer_complete},
    {"signal null", signal_null, answer_complete},
    {"signal misaligned", signal_odd, answer_complete},
    {"signal outside", signal_outside, answer_packet},
    {"packet of random bits", all_random, anything},
    {"barrier", barrier_free, answer_complete},
    {"barrier misaligned", barrier_odd, answer_complete},
    {"barrier for ever", barrier_never, answer_endless},
    {"barrier outside", barrier_outside, answer_packet},
    {"ring null", base_null, answer_packet},
    {"ring misaligned", base_odd, anything},
    {"ring outside", base_outside, answer_packet},
    {"ring at the end", base_at_end, answer_packet},
    {"ring of 0", size_zero, answer_refused},
    {"ring of 3 or 5", size_odd, answer_complete},
    {"ring huge", size_huge, answer_complete},
    {"object null", object_null, answer_packet},
    {"object misaligned", object_odd, answer_complete},
    {"object outside", object_outside, answer_packet},
    {"object random", object_random, answer_complete},
    {"scratch outside", scratch_outside, answer_complete | faults},
    {"priority", priority, answer_complete},
    {"no compute unit", no_cu, without_end},
    {"queue number", number, answer_complete},
    {"doorbell behind", doorbell_behind, answer_refused | answer_nothing},
    {"doorbell ahead", doorbell_ahead, anything},
    {"doorbell far ahead", doorbell_far, answer_refused},
};
const int n_spoilers = sizeof spoilers / sizeof *spoilers;
