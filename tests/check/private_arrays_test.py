#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""private_arrays_test.py PWSVP PWSCC ROOT: the check of memory finds in each kernel of kernels/private_arrays.hip what it says
without optimisation, whether it splits or not, and nothing with optimisation or without entries of variables."""
import json
import os
import re
import sys
import tempfile

from programs import run

pwsvp, pwscc, root = (os.path.abspath(f) for f in sys.argv[1:4])
source = os.path.join(root, "tests/check/kernels/private_arrays.hip")
with open(source) as f:
    wanted = {k: None if w == "nothing" else w for k, w in re.findall(r"^KERNEL\((\w+), .*\) *// finds: (.+)$", f.read(), re.M)}
if len(wanted) < 15:
    sys.exit(f"FAILED: {len(wanted)} kernels only")
os.chdir(tempfile.mkdtemp())
failed = 0
rule = "past_a_private_variable"  # others too: optimised, an access leaves scratch
for options, finds in ((["-O0", "-g"], True), (["-O0", "-g", "--split=all"], True), (["-O0", "-g", "-gdwarf-4"], True),
                       (["-O1", "-g"], False), (["-O3", "-g"], False), (["-O3", "-g", "-fno-omit-frame-pointer"], False),
                       (["-O3", "-g", "-gdwarf-4"], False), (["-O0", "-gline-tables-only"], False)):
    if "--split=all" not in options:
        options = ["--split=none"] + options
    r = run([pwscc] + options + ["-w", "-std=c++17", source, "-o", "program"])
    if r.returncode != 0:
        sys.exit(f"FAILED: {options}: {r.stdout}{r.stderr}")
    r = run([pwsvp, "exec", os.path.join(root, "configs/gpu/default.yaml"), "--quiet", "--check=memory", "--report", "report.json",
             "--", "./program"])
    if finds and r.returncode != 1:
        failed += 1
        print(f"FAILED: {options}: exit code {r.returncode}: {r.stderr}")
    with open("report.json") as f:
        findings = json.load(f)["check"]["findings"]
    for k, want in wanted.items():
        of = [f for f in findings if f["here"]["kernel"].split("(")[0] == k and f["rule"] == rule]
        got = [f["what"].split(", a private variable of ")[0] + ", lanes " + f["here"]["lanes"] for f in of]
        want = [want] if want and finds else []
        if got != want:
            failed += 1
            print(f"FAILED: {k} ({options}): found {got}, wanted {want}")
        if any("private_arrays.hip:" not in f["here"]["source"] for f in of):
            failed += 1
            print(f"FAILED: {k} ({options}): no source line")
print(f"{len(wanted)} kernels, {failed} failed")
sys.exit(1 if failed else 0)
