// SPDX-License-Identifier: Apache-2.0
// The end of a program: exit(), abort() and a return from main() come here.
#include <stdint.h>

#include "board.h"
#include "registers.h"

void _exit(int code) {
  const uint32_t pass = 0x5555, fail = 0x3333;
  write32(FINISHER_BASE, code == 0 ? pass : fail | (uint32_t)code << 16);
  for (;;) __asm__ volatile("wfi");
}
