#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numbers_test.py PWSVP PWSCC ROOT: each kernel of kernels/numbers.hip has the findings that it says, optimised or not, in both
fidelities, and on both sides of its branches where it is split."""
import json
import os
import re
import sys
import tempfile

from programs import run

pwsvp, pwscc, root = (os.path.abspath(f) for f in sys.argv[1:4])
source = os.path.join(root, "tests/check/kernels/numbers.hip")
with open(source) as f:
    kernels = re.findall(r"^NUMBERS\((\w+), .*\)\s+// finds: ([\w, ]+?)( \(by lines\))?$", f.read(), re.M)
wanted = {k: sorted(r.split(", ")) if r != "nothing" else [] for k, r, _ in kernels}
by_lines = {k for k, _, lines in kernels if lines}
if len(wanted) < 50:
    sys.exit(f"FAILED: {len(wanted)} kernels only")
os.chdir(tempfile.mkdtemp())
failed = 0
machines = {"functional": ["--fidelity", "functional"], "timing": ["--fidelity", "timing"],
            "without lines": ["--fidelity", "functional"],
            "split": ["--fidelity", "functional", "--set=machine.schedule=round_robin", "--set=machine.divergence=pws"]}
for level, machine in (("-O3", "functional"), ("-O3", "timing"), ("-O1", "functional"), ("-O1", "split"), ("-O0", "functional"),
                       ("-O0", "timing"), ("-O3", "without lines")):
    split = ["--split=all", "-S", "3"] if machine == "split" else ["--split=none"]
    r = run([pwscc] + split + ([] if machine == "without lines" else ["-g"]) + [level, "-w", "-std=c++17", source, "-o", "program"])
    if r.returncode != 0:
        sys.exit(f"FAILED: {level}: {r.stdout}{r.stderr}")
    r = run([pwsvp, "exec", os.path.join(root, "configs/gpu/default.yaml")] + machines[machine] +
            ["--quiet", "--check=numbers", "--report", "report.json", "--", "./program"])
    with open("report.json") as f:
        findings = json.load(f)["check"]["findings"]
    found = {k: [] for k in wanted}
    for f in findings:
        found[f["here"]["kernel"].split("(")[0]].append(f["rule"])
    for k in wanted:
        either = machine == "without lines" and k in by_lines and set(found[k]) <= {"nan_arises", "infinity_arises"}
        if sorted(found[k]) != wanted[k] and not either:
            failed += 1
            print(f"FAILED: {k} ({level}, {machine}): found {found[k]}, wanted {wanted[k]}:",
                  [(f["here"]["instruction"], f["what"]) for f in findings if f["here"]["kernel"].startswith(k + "(")])
print(f"{len(wanted)} kernels, {failed} failed")
sys.exit(1 if failed else 0)
