// SPDX-License-Identifier: Apache-2.0
#include "plic.h"

#include <stddef.h>

#include "board.h"
#include "registers.h"

#define PRIORITY(source) (PLIC_BASE + 4UL * (source))
#define ENABLE (PLIC_BASE + 0x2000UL)
#define THRESHOLD (PLIC_BASE + 0x200000UL)
#define CLAIM (PLIC_BASE + 0x200004UL)

static plic_handler handlers[PLIC_SOURCES];

void plic_enable(uint32_t source, uint32_t priority, plic_handler handler) {
  handlers[source] = handler;
  write32(PRIORITY(source), priority);
  write32(ENABLE, read32(ENABLE) | 1U << source);
  write32(THRESHOLD, 0);
  set_csr(mie, 1UL << INTERRUPT_EXTERNAL);
}

void plic_disable(uint32_t source) {
  write32(ENABLE, read32(ENABLE) & ~(1U << source));
  handlers[source] = NULL;
}

void plic_dispatch(void) {
  for (uint32_t source = read32(CLAIM); source != 0; source = read32(CLAIM)) {
    if (source < PLIC_SOURCES && handlers[source] != NULL) handlers[source](source);
    write32(CLAIM, source);
  }
}
