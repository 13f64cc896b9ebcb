#!/usr/bin/env python3
"""ordering_test.py PWSVP ROOT: each kernel of kernels/ordering.hip has the findings that it says, in both fidelities and with
wavefronts in a random order."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from findings import checker  # noqa: E402

check = checker(*sys.argv[1:3])
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "ordering.hip")
with open(source) as f:
    kernels = re.findall(r"^// (\w+): grid (\d+) workgroup (\d+)( split)?; finds: ([\w, ]+)(?:; perhaps: ([\w, ]+))?$", f.read(), re.M)
failed = 0
for kernel, grid, workgroup, split, rules, others in kernels:
    wanted = set() if rules == "nothing" else set(rules.split(", "))
    allowed = wanted | set(others.split(", "))
    run = check.run_file(source, kernel, grid, workgroup)
    for fidelity, order in (("functional", "in_turn"), ("timing", "in_turn"), ("functional", "random")):
        options = ["--set", f"machine.fidelity={fidelity}", "--set", f"machine.wave_order={order}"]
        if split:
            options += ["--set", "program.split=all", "--set", "machine.divergence=pws", "--set",
                        "machine.spsimd_per_simd=3"]
        code, findings, text = check(run, *options)
        found = {f["rule"] for f in findings}
        if not wanted <= found <= allowed or code != (1 if wanted else 0):
            failed += 1
            print(f"FAILED: {kernel} ({fidelity}, {order}): exit code {code}, found {sorted(found)}, wanted {sorted(wanted)}\n{text}")
if len(kernels) < 23:
    sys.exit(f"FAILED: {len(kernels)} kernels only")
print(f"{len(kernels)} kernels in both fidelities and in a random order, {failed} failed")
sys.exit(1 if failed else 0)
