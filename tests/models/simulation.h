// SPDX-License-Identifier: Apache-2.0
// Tests that simulate.
#pragma once

#include <gtest/gtest.h>

namespace pws::test {

// Runs `body` with a SystemC kernel of its own: in a child, because there is one per process. Fails if something in
// `body` does, if it ends the process, or if SystemC warns.
void simulate(void (*body)());

}  // namespace pws::test

// TEST whose body is simulated. It builds all it needs before it first calls sc_start().
#define SIMULATION(suite, name)          \
  void simulate_##suite##_##name();      \
  TEST(suite, name) {                    \
    simulate(simulate_##suite##_##name); \
  }                                      \
  void simulate_##suite##_##name()
