#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""source_lines_test.py PWSVP PWSCC ROOT [--all]: findings and faults of a HIP program name its lines, whatever pwscc does to the code: split
or not, optimised or not, with debug information asked for or not. A few of the ways to compile; --all: all of them."""
import itertools
import json
import os
import re
import sys
import tempfile

from programs import run

pwsvp, pwscc, root = (os.path.abspath(f) for f in sys.argv[1:4])
source = os.path.join(root, "tests/check/kernels/source_lines.hip")
with open(source) as f:
    lines = {m.group(1): n for n, text in enumerate(f, 1) if (m := re.search(r";  // ([\w ]+)$", text))}
os.chdir(tempfile.mkdtemp())
machine = [os.path.join(root, "configs/gpu/default.yaml"), "--fidelity", "functional", "--quiet", "--set=machine.divergence=pws",
           "--set=machine.spsimd_per_simd=3"]


def fail(how, text):
    sys.exit(f"FAILED: {' '.join(how)}: {text}")


cases = 0
ways = list(itertools.product(("--split=none", "--split=all"), ("-O3", "-O1"), ("-g", "-gline-tables-only", "")))
for how in ways if "--all" in sys.argv else [w for w in ways if w[1:] in (("-O3", "-g"), ("-O1", ""))]:
    how = [x for x in how if x]
    r = run([pwscc, "-S", "3", *how, "-std=c++17", source, "-o", "program"])
    if r.returncode != 0:
        fail(how, r.stdout + r.stderr)
    r = run([pwsvp, "exec", *machine, "--check=races", "--report", "report.json", "--", "./program"])
    with open("report.json") as f:
        findings = json.load(f)["check"]["findings"]
    found = sorted({re.sub(r"\S*/", "", f["here"].get("source", "?")) for f in findings})
    name = "source_lines.hip"
    wanted = sorted([f"{name}:{lines['one side']}", f"{name}:{lines['the other side']}",
                     f"{name}:{lines['inlined']}, inlined at {name}:{lines['call']}"])
    if r.returncode != 1 or found != wanted:
        fail(how, f"exit code {r.returncode}, findings at {found}, expected {wanted}")
    r = run([pwsvp, "exec", *machine, "--", "./program", "wild"])
    if r.returncode != 1 or f"source_lines.hip:{lines['wild']})" not in r.stdout + r.stderr:
        fail(how, f"exit code {r.returncode}, the fault does not name line {lines['wild']}: {r.stdout}{r.stderr}")
    cases += 1
print(f"{cases} ways to compile: findings and fault name their lines")
