// SPDX-License-Identifier: Apache-2.0
// Marks of what the program is at, for the timeline of pwsvp soc. They cost an access to a device each.
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

#endif
