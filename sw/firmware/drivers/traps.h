// SPDX-License-Identifier: Apache-2.0
// Traps: interrupts go to the drivers, exceptions to whoever expects them.
#ifndef TRAPS_H
#define TRAPS_H

#include <stdint.h>

// A trap that is no interrupt: mcause, mepc, mtval. Returns where to go on.
typedef uint64_t (*exception_handler)(uint64_t cause, uint64_t pc, uint64_t value);

// Who hears of exceptions from now on; NULL: each one ends the program with a message.
void on_exception(exception_handler handler);

static inline void enable_interrupts(void) {
  __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}
static inline void disable_interrupts(void) {
  __asm__ volatile("csrci mstatus, 8" ::: "memory");
}

#endif
