#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""snapshots_test.py PWSVP ROOT: going back through snapshots of the process answers what going back by another run does, whenever they were made."""
import os
import random
import re
import signal
import subprocess
import tempfile
import time

from prompts import FIDELITIES, FUNCTIONS, PWSVP, ROOT, SCHEMES, config, fail, of_scheme

SESSIONS = int(os.environ.get("PWS_SNAPSHOT_SESSIONS", "16"))
os.chdir(tempfile.mkdtemp())

with open("calls.hip", "w") as f:
    f.write(FUNCTIONS + """extern "C" __global__ void caller(int* x) {
  __shared__ int part[64];
  int a = x[threadIdx.x];
  for (int k = 0; k < 3; ++k) {
    int b = twice(a + k);
    int c = plus(b);
    part[threadIdx.x] = c;
    if (threadIdx.x == 3) printf("turn %d: %d\\n", k, c);
    a = part[63 - threadIdx.x];
  }
  x[threadIdx.x] = a;
}
""")
with open("calls.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: calls.hip, kernel: caller}}\nlaunch: {{grid: 128, workgroup: 64}}\n"
            "arguments:\n  - {name: x, type: i32, count: 64, init: {constant: 7}}\n")

# File, keys, places, what can be watched
PROGRAMS = [(config("two_branches"), of_scheme(s), ["two_branches", "two_branches+0x54", "block_c", "block_e", "two_branches+0xb0"], ["out[20]", "out", "out[5]@3", "v2[20]", "spm", "v2"]) for s in SCHEMES] + [
    (config("reduction"), ["machine.n_cu=2"], ["reduction", "reduction+0x40", "reduction+0x80"], ["lds[256]", "lds[0]@8", "s4", "partial"]),
    (config("two_stage_sum"), [], ["reduction", "reduction+0x40"], ["partial[2]", "sum", "lds[16]", "exec"]),
    ("calls.yaml", [], ["calls.hip:4", "calls.hip:12", "caller", "twice", "calls.hip:17"], ["x[3]", "lds[12]", "v0[3]", "s32"]),
]
BACK = ["reverse-stepi", "reverse-step", "reverse-next", "reverse-continue"]
ON = ["stepi", "stepi 7", "stepi 30 all", "step", "next", "continue", "finish", "step 3 wavefront", "until {place}"]
LOOK = ["info b", "info paths", "info wavefronts", "info scheme", "p exec", "p {what}", "info launch", "info counters", "lane 3", "path 1", "wavefront 1", "bt", "info registers v0 s4"]
POINTS = ["b {place}", "tbreak {place}", "b {place} if lane == 3", "watch {what}", "rwatch {what}", "awatch {what}", "catch split", "catch merge", "catch barrier", "disable 1", "enable", "ignore 1 2",
          "ignore 2 1", "condition 1 exec != 0", "delete 2", "delete"]


def session(generator, places, whats):
    commands = ["b " + places[0], "run"]
    for _ in range(25):
        kind = generator.choices([BACK, ON, LOOK, POINTS, [commands[-1]], ["run"]], [30, 30, 20, 15, 4, 1])[0]
        commands.append(generator.choice(kind).format(place=generator.choice(places), what=generator.choice(whats)))
    return commands


def said(file, sets, commands, options):
    words = [PWSVP, "debug", file] + options
    for s in sets:
        words += ["--set", s]
    r = subprocess.run(words, input="\n".join(commands) + "\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if r.returncode not in (0, 1, 2):
        fail(f"{words} with {commands}: exit code {r.returncode}\n{r.stdout}")
    return r.returncode, re.sub(r"^  host .*\n", "", r.stdout, flags=re.M)


generator = random.Random(57)
back = 0
for n in range(SESSIONS):
    file, sets, places, whats = PROGRAMS[n % len(PROGRAMS)]
    sets = sets + [FIDELITIES[n // len(PROGRAMS) % 2]]
    commands = session(generator, places, whats)
    expected = said(file, sets, commands, ["--snapshot-memory", "0"])
    back += expected[1].count("Back at instruction")
    for options in (["--snapshot-every", str(generator.choice([3, 5, 41]))], ["--snapshot-every", "11", "--snapshot-memory", "1"]):
        now = said(file, sets, commands, options)
        if now != expected:
            a, b = (x[1].splitlines() for x in (expected, now))
            k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            fail(f"{file} with {sets} and {options}, exit codes {expected[0]} and {now[0]}, line {k}:\n" + "\n".join(commands) + "\n\n" + "\n".join(a[max(0, k - 12):k + 4]) +
                 "\n---- and with snapshots\n" + "\n".join(b[max(0, k - 1):k + 4]))
if back < 2 * SESSIONS:
    fail(f"{SESSIONS} sessions went back {back} times alone")


# ---- The processes: as many as there are snapshots, and none that outlives the debugger, however that ends
def processes(file):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.abspath(file).encode() in open(f"/proc/{pid}/cmdline", "rb").read():
                found.append(int(pid))
        except OSError:  # it has ended meanwhile
            pass
    return found


def ends_all(how, file):
    end = time.monotonic() + 60
    while processes(file):
        if time.monotonic() > end:
            fail(f"{how}: {len(processes(file))} processes are left")
        time.sleep(0.05)


for how in ("quit", "SIGKILL", "SIGTERM", "end of input"):
    file = os.path.abspath("calls.yaml")
    p = subprocess.Popen([PWSVP, "debug", file, "--snapshot-every", "10"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    p.stdin.write("tbreak caller\nrun\nstepi 200 all\nreverse-stepi\nstepi\np 4711\n")
    p.stdin.flush()
    said = ""
    while "= 4711" not in said:
        line = p.stdout.readline()
        if not line:
            fail(f"{how}: the debugger has ended:\n{said}")
        said += line
    number = len(processes(file))
    if not 10 < number < 40:
        fail(f"{number} processes are there for 20 snapshots")
    if how == "quit":
        p.stdin.write("quit\n")
        p.stdin.flush()
    elif how == "end of input":
        p.stdin.close()
    else:
        p.send_signal(getattr(signal, how))
    code = p.wait(60)
    if code != {"SIGKILL": -signal.SIGKILL, "SIGTERM": 128 + signal.SIGTERM}.get(how, 0):
        fail(f"{how}: exit code {code}")
    ends_all(how, file)
r = subprocess.run([PWSVP, "debug", file, "--snapshot-every", "10", "--snapshot-memory", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if r.returncode != 2 or "--snapshot-every: there are no snapshots" not in r.stdout:
    fail(f"snapshots without memory: {r}")
# So many as fit into the memory that is given, and the debugger goes on; none without memory.
for options, most in ((["--snapshot-every", "10", "--snapshot-memory", "1"], 5), (["--snapshot-memory", "0"], 1)):
    p = subprocess.Popen([PWSVP, "debug", file, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    p.stdin.write("tbreak caller\nrun\nstepi 300 all\np 4711\n")
    p.stdin.flush()
    while "= 4711" not in p.stdout.readline():
        pass
    if len(processes(file)) > most:
        fail(f"{len(processes(file))} processes are there with {options}")
    p.stdin.close()
    if p.wait(60) != 0:
        fail(f"with {options}: exit code {p.returncode}")
print(f"{SESSIONS} sessions went back {back} times, to the same with and without snapshots")
