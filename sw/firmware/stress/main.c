// SPDX-License-Identifier: Apache-2.0
// Stress of the GPU from the processor's side. The serial port says what is to be done, a line each:
//
//   accesses COUNT SEED    random accesses to registers (accesses.c)
//   packets COUNT SEED     packets and queues of which something is wrong (packets.c)
//   end
//
// It ends with 1 if anything was not answered as it has to be.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "stress.h"
#include "traps.h"

int main(void) {
  enable_interrupts();
  if (!bench_open()) {
    printf("error: there is no GPU\n");
    return 2;
  }
  for (;;) {
    char line[80], what[16] = "";
    unsigned long count = 0, seed = 0;
    if (fgets(line, sizeof line, stdin) == NULL) return 2;
    const int fields = sscanf(line, "%15s %lu %lu", what, &count, &seed);
    if (fields == 1 && strcmp(what, "end") == 0) break;
    int went_on = 0;
    if (fields == 3 && strcmp(what, "accesses") == 0)
      went_on = stress_accesses(count, seed);
    else if (fields == 3 && strcmp(what, "packets") == 0)
      went_on = stress_packets(count, seed);
    else
      printf("error: what is \"%.60s\"?\n", line);
    if (!went_on) return 2;
  }
  printf("%d errors\n", bench_failures);
  return bench_failures == 0 ? 0 : 1;
}
