#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""findings_test.py PWSVP ROOT: a run stops where a check finds something, goes on as without the debugger, and goes back to it."""
import os
import tempfile

from dap_client import Client
from prompts import FIDELITIES, ROOT, config, debug, fail, run, says, summary

os.chdir(tempfile.mkdtemp())
with open("neighbour.hip", "w", encoding="utf-8") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void neighbour(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int k = threadIdx.x;
  tile[k] = in[k];
  // A barrier is missing.
  out[k] = tile[(k + 64) % 128];
  if (k < n && out[k + 128] > 5) out[k] = 0;
}
""")
with open("run.yaml", "w", encoding="utf-8") as f:
    f.write(f"""machine: {{base: {ROOT}/configs/gpu/default.yaml, n_cu: 1, check: {{races: true, init: true}}}}
program: {{source: neighbour.hip}}
launches:
  - {{kernel: neighbour, launch: {{grid: [128], workgroup: [128]}}, arguments: [in, out, n]}}
  - {{kernel: neighbour, launch: {{grid: [128], workgroup: [128]}}, arguments: [in, out, n]}}
arguments:
  - {{name: in, type: i32, count: 128, init: {{random: {{seed: 1}}}}}}
  - {{name: out, type: i32, count: 256, init: none}}
  - {{name: n, type: u32, value: 5}}
""")


def shown(text):
    """The summary of a run that goes on behind a stop."""
    return summary(text[text.rindex("\n  machine ") + 1:])


for fidelity in FIDELITIES:
    sets = [fidelity]
    without = run("run.yaml", sets)
    kinds = [l.split()[0] for l in without if l.startswith(("  races  ", "  init  "))]
    if sorted(kinds) != ["init", "races", "races"]:
        fail(f"three places are wrong:\n{without}")
    places = len(kinds)

    # Each place once, in the order of the report, and nothing is changed by it.
    a = debug("run.yaml", ["catch finding", "run"] + ["c"] * (places + 1), sets, code=1)
    for k in range(places):
        says(a[2 + k], f"Catchpoint, finding 1\n{kinds[k]} ", "here ", "mend ", "launch 1, workgroup (0,0,0)", "neighbour.hip:", "=> 0x")
    says(a[2 + places], "Launch 2 has ended, the last one.")
    if shown(a[-1]) != without:
        fail("\n".join(shown(a[-1])) + "\nand without the debugger\n" + "\n".join(without))

    # The path and the lane that are meant are selected.
    a = debug("run.yaml", ["catch finding if lane == 3"] + ["run"] + ["c"] * kinds.index("init") + ["info paths", "print lane"], sets)
    says(a[-3], "init ", "lanes 0-4", "neighbour.hip:8")
    says(a[-2], "* 0  cu0.simd0.wf0")
    says(a[-1], "lane = 3")
    says(debug("run.yaml", ["catch finding if lane == 3", "catch finding if lane > 63", "run", "ignore 1 5", "c", "info b"], sets)[-1],
         "met 3 times\n      if lane == 3\n2   finding                 y   finding                 \n")

    # Back from the third. A race has been found behind its instruction, which is gone back to; `init` is told in front of it, so it is
    # the second's that is gone back to. It is found again. From there the run begins anew, and is given up.
    a = debug("run.yaml", ["catch finding", "run", "c", "c", "reverse-continue", "c", "disable", "run", "enable", "run", "c", "quit"], sets)
    says(a[5], "Back at instruction ")
    before = a[3] if kinds[2] == "init" else a[4]
    if a[6] != before:
        fail(f"found again:\n{a[6]}\nand before\n{before}")
    says(a[8], "Launch 2 has ended")
    for answer in a[10:12]:
        says(answer, "Catchpoint, finding 1\n")

    # Where a finding is a fault, it stops as one, also without a catchpoint.
    for commands in (["run"], ["catch finding", "run"]):
        a = debug("run.yaml", commands + ["info paths", "c"], sets + ["machine.check.stop=first"], code=1)
        says(a[len(commands)], f"The program has gone wrong: check.{kinds[0]}: ", "=> 0x")
        says(a[-1], f"check.{kinds[0]}: ", "FAIL")

# An editor has them as exceptions.
c = Client("run.yaml", configure=False)
if "finding" not in [f["filter"] for f in c.capabilities["exceptionBreakpointFilters"]]:
    fail(f"{c.capabilities}")
if not c.ask("setExceptionBreakpoints", filters=["finding"])["breakpoints"][0]["verified"]:
    fail("the filter is not taken")
c.ask("configurationDone")
stopped = c.stop("exception")
says(stopped["text"], "races ", "s_barrier (__syncthreads) between the two")
if c.frame(stopped["threadId"])["line"] != 5:
    fail(f"{c.frame(stopped['threadId'])}")
says(c.ask("exceptionInfo", threadId=stopped["threadId"])["exceptionId"], "finding")
c.ask("setExceptionBreakpoints", filters=[])
c.finish(code=1)
c = Client(config("two_branches"), configure=False)
says(c.ask("setExceptionBreakpoints", filters=["finding"])["breakpoints"][0]["message"], "no check is on")
c.close()

# What cannot come is refused.
a = debug(config("two_branches"), ["catch finding", "info b"], code=2)
says(a[1], "no check is on that could find something")
says(a[2], "No breakpoints")
print("runs stop at findings")
