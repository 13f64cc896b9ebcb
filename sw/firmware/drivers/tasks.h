// SPDX-License-Identifier: Apache-2.0
// Marks of what the program is at, for the timeline and the report of pwsvp soc. They cost an access to a device each.
#ifndef TASKS_H
#define TASKS_H

#include "board.h"
#include "registers.h"

// `name` has to stay. Tasks may begin within others.
static inline void task_begin(const char* name) {
  write64(TASKS_BASE, (uintptr_t)name);
}
// The one that has begun last ends.
static inline void task_end(void) {
  write64(TASKS_BASE, 0);
}
// When the one that has begun last has to have ended, and how long it can take at most, in ns from its beginning. The
// report counts those that were longer.
static inline void task_deadline(uint64_t ns) {
  write64(TASKS_BASE + 8, ns);
}
static inline void task_bound(uint64_t ns) {
  write64(TASKS_BASE + 16, ns);
}

#endif
