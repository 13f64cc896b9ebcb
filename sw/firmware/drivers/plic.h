// SPDX-License-Identifier: Apache-2.0
// The interrupt controller: which function is called for which source.
#ifndef PLIC_H
#define PLIC_H

#include <stdint.h>

#define PLIC_SOURCES 32

typedef void (*plic_handler)(uint32_t source);

// Calls it for interrupts of that source (1 to 31) from now on, with a priority of 1 to 7.
void plic_enable(uint32_t source, uint32_t priority, plic_handler handler);
void plic_disable(uint32_t source);
// For the trap handler: everything that is pending.
void plic_dispatch(void);

#endif
