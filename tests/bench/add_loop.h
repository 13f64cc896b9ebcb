// SPDX-License-Identifier: Apache-2.0
// The yardstick of bench_speed: how fast this host adds two vector registers.
#pragma once

#include <cstdint>

namespace pws::bench {

// Full-mask additions of 64 f32 lanes per second: d = a + b over a file of 256 registers, the three register numbers
// read from a list as an interpreter would read them. Measured for about `seconds`.
double add_loop_rate(double seconds);

}  // namespace pws::bench
