// SPDX-License-Identifier: Apache-2.0
// Says hello, and how long two waits took: one by the timer's interrupt, one by looking at the time.
#include <stdio.h>

#include "board.h"
#include "clint.h"
#include "traps.h"

static const uint64_t wait_us = 250;

int main(void) {
  printf("hello\n");
  enable_interrupts();
  const uint64_t wait = wait_us * CLINT_TIMEBASE_HZ / 1000000;
  const uint64_t begin = clint_now();
  clint_sleep_until(begin + wait);
  const uint64_t middle = clint_now();
  while (clint_now() < middle + wait) {
  }
  const uint64_t end = clint_now();
  printf("slept %lu us, then waited %lu us\n", (middle - begin) / 10, (end - middle) / 10);
  return 0;
}
