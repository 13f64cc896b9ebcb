#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth_test.py PWSVP ROOT: memory and allocations of sweep and report grow with the number of points and not faster. The
points' own command is one that writes a report and does nothing else. PWS_SWEEP_POINTS=100000 goes as far as sweeps do."""
import os
import shutil
import subprocess
import sys
import tempfile

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
os.mkdir("bin")
shutil.copy(PWSVP, "bin/sweeper")  # beside which the points' pwsvp is looked for

with open("point.c", "w") as f:
    f.write(r"""
#include <stdio.h>
#include <string.h>
int main(int n, char** v) {
  for (int k = 1; k + 1 < n; ++k)
    if (strcmp(v[k], "--report") == 0) {
      FILE* f = fopen(v[k + 1], "w");
      fputs("{\"bounds\": {\"pws\": {\"E_kernel\": {\"value\": 1, \"unit\": \"cycles\"}}}}\n", f);
      fclose(f);
    }
  return 0;
}
""")
# Counts allocations of the process that COUNT_OF names, which puts its own number there.
with open("count.c", "w") as f:
    f.write(r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
static unsigned long n;
extern void* __libc_malloc(size_t);
void* malloc(size_t bytes) {
  __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
  return __libc_malloc(bytes);
}
__attribute__((constructor)) static void begin(void) { unsetenv("LD_PRELOAD"); }
__attribute__((destructor)) static void end(void) {
  const char* name = getenv("COUNTED");
  struct rusage u;
  FILE* f = name == NULL ? NULL : fopen(name, "w");
  if (f == NULL) return;
  getrusage(RUSAGE_SELF, &u);
  fprintf(f, "%lu %ld\n", n, u.ru_maxrss);
  fclose(f);
}
""")
subprocess.run(["gcc", "-O1", "point.c", "-o", "bin/pwsvp"], check=True)
subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "count.c", "-o", "count.so"], check=True)


def counted(*command):
    """Allocations, and KiB of memory at most."""
    environment = dict(os.environ, LD_PRELOAD=os.path.abspath("count.so"), COUNTED=os.path.abspath("counted"))
    r = subprocess.run(["bin/sweeper", *command], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode != 0:
        sys.exit(f"FAILED: {command}: exit code {r.returncode}\n{r.stdout[-500:]}{r.stderr[-2000:]}")
    return [int(word) for word in open("counted").read().split()]


def memory(*command):
    """No allocations, and KiB of memory at most, of the programs that it starts too: Python makes the page."""
    environment = dict(os.environ, PWSVP_HOME=os.path.dirname(os.path.dirname(os.path.abspath(PWSVP))))
    process = subprocess.Popen(["bin/sweeper", *command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"FAILED: {command}: exit code {os.waitstatus_to_exitcode(status)}")
    return [0, usage.ru_maxrss]


def costs(n):
    """By command, of an experiment of so many points, half of them on one axis. The points have no value of the second
    measure, which only the short form allows."""
    with open(f"grid{n}.yaml", "w") as f:
        f.write(f"""title: Many points
command: graph
config: {ROOT}/configs/graphs/figure8.yaml
axes:
- {{name: d, key: d, values: {list(range(1, n // 2 + 1))}}}
- {{name: S, key: S, values: [1, 2]}}
measures: {{bound: bounds.pws.E_kernel, none: bounds.none.D_S}}
figures:
- {{title: All, x: d, series: S, plot: lines, unit: cycles, lines: [{{label: ratio, measure: bound, as: ratio, base_at: {{d: "{n // 2}"}}}}]}}
- {{title: Missing, x: d, series: S, plot: lines, unit: cycles, lines: [{{label: none, measure: none}}]}}
""")
    return {"sweep": counted("sweep", f"grid{n}.yaml", "--small", "--output", f"o{n}"),
            "sweep again": counted("sweep", f"grid{n}.yaml", "--small", "--output", f"o{n}"),
            "list": counted("sweep", f"grid{n}.yaml", "--small", "--output", f"o{n}", "--list"),
            "report": memory("report", f"o{n}")}


MOST = int(os.environ.get("PWS_SWEEP_POINTS", "4000"))
none, few, many = costs(10), costs(1000), costs(MOST)
worst = 0
for command in few:
    for what, k in (("allocations", 0), ("KiB", 1)):
        first, second = (few[command][k] - none[command][k]) / 990, (many[command][k] - few[command][k]) / (MOST - 1000)
        print(f"{command:<12} {what:<12} {first:8.2f} a point up to 1,000, {second:8.2f} up to {MOST:,}; then {many[command][k]}")
        # What is allocated in large pieces may come a little earlier or later.
        if second > 1.25 * first + (0 if what == "allocations" else 2):
            worst += 1
sys.exit(f"FAILED: {worst} grow faster than the points" if worst else print("PASS"))
