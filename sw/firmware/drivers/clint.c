// SPDX-License-Identifier: Apache-2.0
#include "clint.h"

#include <stddef.h>

#include "board.h"
#include "registers.h"
#include "traps.h"

#define MTIMECMP (CLINT_BASE + 0x4000UL)
#define MTIME (CLINT_BASE + 0xbff8UL)

static const uint64_t never = UINT64_MAX;
static void (*due)(void);

uint64_t clint_now(void) { return read64(MTIME); }

void clint_call_at(uint64_t time, void (*handler)(void)) {
  due = handler;
  write64(MTIMECMP, time);
  set_csr(mie, 1UL << INTERRUPT_TIMER);
}

void clint_dispatch(void) {
  void (*handler)(void) = due;
  due = NULL;
  write64(MTIMECMP, never);
  if (handler != NULL) handler();
}

static void wake(void) {}

void clint_sleep_until(uint64_t time) {
  clint_call_at(time, wake);
  // Between the look at the time and wfi no interrupt may be served, or wfi waits for the next one. It ends when one is
  // pending, also if interrupts are disabled.
  for (;;) {
    disable_interrupts();
    const int is_early = clint_now() < time;
    if (is_early) __asm__ volatile("wfi");
    enable_interrupts();
    if (!is_early) return;
  }
}
