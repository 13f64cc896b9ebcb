// SPDX-License-Identifier: Apache-2.0
// The two stress tests. Each prints how often it got which answer; what is not answered as it has to be is an error
// (bench_fail). The same count and seed give the same lines.
#ifndef STRESS_H
#define STRESS_H

#include <stdint.h>

// So many accesses to registers. 0: it could not go on.
int stress_accesses(uint64_t count, uint64_t seed);
// So many packets of which something is wrong, or whose queue is. 0: it could not go on.
int stress_packets(uint64_t count, uint64_t seed);

#endif
