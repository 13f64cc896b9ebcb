#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pinned_copies_test.py PWSVP PWSCC ROOT: each case of kernels/pinned_copies.hip has the findings that it says."""
import json
import os
import re
import sys
import tempfile

from programs import run

pwsvp, pwscc, root = (os.path.abspath(f) for f in sys.argv[1:4])
source = os.path.join(root, "tests/check/kernels/pinned_copies.hip")
with open(source) as f:
    cases = re.findall(r"^// (\w+): finds (nothing|[\d ]+)$", f.read(), re.M)
os.chdir(tempfile.mkdtemp())
r = run([pwscc, "-O3", "-std=c++17", source, "-o", "program", "-pthread", "-ldl"])
if r.returncode != 0:
    sys.exit(f"FAILED: {r.stdout}{r.stderr}")
failed = 0
for case, said in cases:
    wanted = [] if said == "nothing" else [("host_read_undefined", int(n)) for n in said.split()]
    r = run([pwsvp, "exec", os.path.join(root, "configs/gpu/default.yaml"), "--fidelity", "functional", "--quiet", "--check=init",
             "--report", f"{case}.json", "--", "./program", case])
    findings = []
    if os.path.exists(f"{case}.json"):
        with open(f"{case}.json") as f:
            findings = json.load(f)["check"]["findings"]
    found = [(f["rule"], f["memory"]["bytes"]["value"]) for f in findings]
    if found != wanted or r.returncode != (1 if wanted else 0):
        failed += 1
        print(f"FAILED: {case}: exit code {r.returncode}, found {found}, wanted {wanted}\n{r.stdout}{r.stderr}")
print(f"{len(cases)} cases, {failed} failed")
sys.exit(1 if failed or not cases else 0)
