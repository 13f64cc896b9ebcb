#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parallel_units_test.py PWSVP ROOT: compute units on several threads (machine.threads): what is ordered gives the same bytes and counters as with one,
what is atomic stays so, faults, signals, limits and prints are as with one, and who needs one thread says so."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

PWSVP, ROOT = (os.path.abspath(f) for f in sys.argv[1:3])
ROUNDS = int(os.environ.get("PWS_PARALLEL_ROUNDS", "1"))
os.chdir(tempfile.mkdtemp())
MACHINE = f"{ROOT}/configs/gpu/default.yaml"
THREADS = (1, 2, 3, 8)


def fail(text):
    sys.exit(f"FAILED: {text}")


def run(words, code=0, timeout=300):
    r = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)
    if r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, and not {code}\n{r.stdout[-2000:]}{r.stderr[-2000:]}")
    return r


def words(threads, kind, *options, fidelity="functional"):
    return [PWSVP, "exec", MACHINE, "--quiet", "--fidelity", fidelity, "--set", "machine.n_cu=8", "--set", f"machine.threads={threads}", *options, "--", "./program", kind]


run([PWSVP, "hipcc", "-O3", "-std=c++17", f"{ROOT}/tests/hip/parallel_units.hip", "-o", "program"])

# ---- What compute units do to the same bytes
for _ in range(ROUNDS):
    for kind in ("atomics", "exchanges", "locks", "messages", "whole"):
        for threads in THREADS:
            run(words(threads, kind))
first = run(words(1, "apart")).stdout
for threads in THREADS[1:]:
    if run(words(threads, "apart")).stdout != first:
        fail(f"other bytes with {threads} threads")

# ---- Each block prints once, whoever runs it
lines = sorted(f"block {k} of 64" for k in range(64)) + ["right"]
for threads in THREADS:
    printed = run(words(threads, "prints")).stdout.splitlines()
    if sorted(printed) != sorted(lines):
        fail(f"{threads} threads print {printed}")

# ---- A fault names the same place; a limit and a signal end it
faults = set()
for threads in THREADS:
    said = run(words(threads, "wrong"), code=3).stderr
    faults.add(re.sub(r"\(cu.*?\)", "", re.search(r"launch 1: kernel wrong.*write of 4 bytes at 0x[0-9a-f]+", said)[0]))
    if said.count("write of 4 bytes") != 1:
        fail(f"{threads} threads: {said}")
if len(faults) != 1:
    fail(f"faults: {faults}")
for threads in THREADS[:2]:
    if "limits.max_instructions reached: 100000" not in run(words(threads, "forever", "--set", "machine.limits.max_instructions=100000"), code=3).stderr:
        fail(f"{threads} threads: no word of the limit")
    p = subprocess.Popen(words(threads, "forever"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    said = p.communicate(timeout=60)[1]
    if p.returncode != -signal.SIGINT or "kernel forever" not in said:
        fail(f"{threads} threads, interrupted: exit code {p.returncode}\n{said}")


# ---- Counters of run files are as with one thread
def report(file, threads):
    run([PWSVP, "run", file, "--quiet", "--set", "machine.fidelity=functional", "--set", "machine.n_cu=8", "--set", f"machine.threads={threads}", "--report", "report.json"])
    r = json.load(open("report.json"))
    if r["configuration"]["machine"]["threads"]["value"] != threads:
        fail(f"{file}: the report does not say {threads} threads")
    del r["configuration"]["machine"]["threads"], r["host"]
    return json.dumps(r, indent=1)


files = [f for f in sorted(os.listdir(f"{ROOT}/configs/runs")) if "cosim" not in open(f"{ROOT}/configs/runs/{f}").read()]
if len(files) < 15:
    fail(f"run files: {files}")
for f in files:
    a, b = (report(f"{ROOT}/configs/runs/{f}", threads).splitlines() for threads in (1, 4))
    if a != b:
        fail(f"{f}: " + next(f"{x} with one thread, {y} with four" for x, y in zip(a, b) if x != y))

# ---- Who needs one thread
VECTOR_ADD = f"{ROOT}/configs/runs/vector_add.yaml"
TWO = ["--set", "machine.fidelity=functional", "--set", "machine.threads=2"]
for options, what in ((["--profile", "p.callgrind"], "a profile"), (["--coverage", "c.info"], "coverage"), (["--set", "machine.check.races=true"], "what checks know of memory"),
                      (["--set", "machine.check.loop_bounds=true"], "a count of loops"), (["--set", "machine.trace.branch_uniformity=true"], "a count of branches")):
    said = run([PWSVP, "run", VECTOR_ADD, *TWO, *options], code=2).stderr
    if f"machine.threads is 2: {what} follows instructions one after the other; 1 is needed" not in said:
        fail(f"{options}: {said}")
if "wave_order random is an order that a seed gives again: threads must be 1" not in run([PWSVP, "run", VECTOR_ADD, *TWO, "--set", "machine.wave_order=random"], code=2).stderr:
    fail("random order with two threads")
if "machine.threads is 5, and no more than machine.n_cu, 4, can run at a time" not in run([PWSVP, "run", VECTOR_ADD, "--set", "machine.fidelity=functional", "--set", "machine.threads=5"]).stdout:
    fail("no word of threads that have no unit")
for timed in ([PWSVP, "run", VECTOR_ADD, "--set", "machine.threads=2"], words(2, "apart", fidelity="timing")):
    r = run(timed)
    if "machine.threads has no effect without launches of functional fidelity" not in r.stdout + r.stderr:
        fail(f"{timed}: no word of threads in timing fidelity")
run([PWSVP, "run", VECTOR_ADD, "--set", "machine.threads=0"], code=2)
print(f"{len(THREADS)} numbers of threads: atomics, locks, messages, {len(files)} run files, prints, faults and signals are as with one")
