// SPDX-License-Identifier: Apache-2.0
#include "traps.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "clint.h"
#include "plic.h"
#include "registers.h"

enum { exit_exception = 100 };  // plus the cause

static exception_handler expected;

void on_exception(exception_handler handler) { expected = handler; }

// Called by trap_entry (start.S). Returns where to go on.
uint64_t handle_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  const uint64_t interrupt = 1UL << 63;
  if (cause == (interrupt | INTERRUPT_EXTERNAL)) {
    plic_dispatch();
    return pc;
  }
  if (cause == (interrupt | INTERRUPT_TIMER)) {
    clint_dispatch();
    return pc;
  }
  if ((cause & interrupt) == 0 && expected != NULL) return expected(cause, pc, value);
  printf("unexpected trap: mcause %#lx, mepc %#lx, mtval %#lx\n", cause, pc, value);
  exit(exit_exception + (int)(cause & 15));
}
