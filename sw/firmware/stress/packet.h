// SPDX-License-Identifier: Apache-2.0
// A packet with its queue, and what can be wrong with each of their fields.
#ifndef PACKET_H
#define PACKET_H

#include <stdint.h>

#include "random.h"

// (HSA Platform System Architecture 2.9; docs/registers.md)
typedef struct {
  uint16_t header, setup, workgroup[3], cooperative;
  uint32_t grid[3], private_segment, group_segment;
  uint64_t kernel, arguments, launch_number, signal;
} aql_packet;
_Static_assert(sizeof(aql_packet) == 64, "an AQL packet");

typedef struct {
  aql_packet packet;
  uint32_t queue;                                     // its number
  uint64_t base, packets, object, priority, cu_mask;  // its registers
  uint64_t slot;                                      // of the packet in the ring's memory
  uint64_t doorbell;                                  // what is written there
  uint32_t object_words[64];                          // the amd_queue_t
} packet_case;

// What the GPU may answer, as bits.
enum {
  answer_complete = 1,  // the packet is complete
  answer_refused = 2,   // the doorbell, or a register of the queue, is not taken: an exception of the processor
  answer_program = 4,   // faults, by their cause
  answer_memory = 8,
  answer_packet = 16,
  answer_limit = 32,
  answer_nothing = 64,   // the GPU is not busy: there was nothing for it to do
  answer_endless = 128,  // it is busy until it is reset
};
enum { n_answer_bits = 8 };

typedef struct {
  const char* name;
  void (*spoil)(packet_case* c, random_source* r);
  int allowed;  // answers, where nothing else is wrong
} spoiler;

extern const spoiler spoilers[];
extern const int n_spoilers;

#endif
