#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""back_time.py PWSVP ROOT [INSTRUCTIONS]: how long going back takes in a run of so many instructions of wavefronts (default 100 million), and what snapshots hold."""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

PWSVP, ROOT = sys.argv[1:3]
INSTRUCTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000_000
PER_LAP = 26  # of a wavefront, and there are four
os.chdir(tempfile.mkdtemp())
with open("loop.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void loop(unsigned* x, int n) {
  unsigned a = threadIdx.x + blockIdx.x * 64, b = x[a & 63];
  for (int i = 0; i < n; ++i) {
    if ((a >> (i & 7)) & 1) b = b * 1664525u + 1013904223u; else b ^= b << 13;
    a += b >> 7;
    if ((i & 4095) == 0) x[(a ^ b) & 1023] = b;
  }
  x[1024 + threadIdx.x] = b;
}
""")
with open("loop.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: loop.hip, kernel: loop}}\nlaunch: {{grid: 256, workgroup: 64}}\narguments:\n"
            f"  - {{name: x, type: u32, count: 2048, init: {{constant: 3}}}}\n  - {{name: n, type: i32, value: {INSTRUCTIONS // PER_LAP // 4}}}\n")


def processes(of):
    """The process and those below it."""
    of_parent = {}
    for line in subprocess.run(["ps", "-eo", "pid=,ppid="], stdout=subprocess.PIPE, text=True).stdout.splitlines():
        pid, parent = map(int, line.split())
        of_parent.setdefault(parent, []).append(pid)
    found = [of]
    for p in found:
        found += of_parent.get(p, [])
    return found


def held(of):
    total = 0
    for p in processes(of):
        try:
            total += int(re.search(r"^Pss: *(\d+) kB", open(f"/proc/{p}/smaps_rollup").read(), re.M).group(1))
        except (OSError, AttributeError):
            pass
    return total / 1024


for fidelity in ("functional", "timing"):
    p = subprocess.Popen([PWSVP, "debug", "loop.yaml", "--set", f"machine.fidelity={fidelity}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(command):
        begin = time.monotonic()
        p.stdin.write(f"{command}\np 123456789\n")
        p.stdin.flush()
        said = ""
        while "= 123456789" not in said:
            line = p.stdout.readline()
            if not line:
                sys.exit(f"the debugger has ended:\n{said}")
            said += line
        return said, time.monotonic() - begin

    answer("break loop.hip:9")
    answer("watch x[77]")
    answer("disable 2")
    begin = time.monotonic()
    said, run = answer("run")
    print(f"{fidelity}: {re.search('instruction [0-9]+', answer('info launch')[0]).group(0)} after {run:.1f} s; the processes hold {held(p.pid):.0f} MiB")
    for command in ("reverse-stepi", "reverse-step", "reverse-next"):
        times = [answer(command)[1] for _ in range(15)]
        print(f"  {command}: median {statistics.median(times):.3f} s, at most {max(times):.3f} s")
    answer("enable 2")
    said, took = answer("reverse-continue")
    print(f"  reverse-continue to the element's last write: {took:.3f} s, {said.splitlines()[1]}")
    p.stdin.close()
    p.wait()
