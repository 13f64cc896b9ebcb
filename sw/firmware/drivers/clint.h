// SPDX-License-Identifier: Apache-2.0
// The timer.
#ifndef CLINT_H
#define CLINT_H

#include <stdint.h>

// Ticks of CLINT_TIMEBASE_HZ since reset.
uint64_t clint_now(void);
// Calls it once, from the trap handler, when that time has come.
void clint_call_at(uint64_t time, void (*handler)(void));
// Sleeps until then; interrupts are served meanwhile, and enabled when it returns.
void clint_sleep_until(uint64_t time);
// For the trap handler.
void clint_dispatch(void);

#endif
