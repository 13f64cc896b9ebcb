#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ordering_test.py PWSVP ROOT: each kernel of kernels/ordering.hip, flags.hip, flag_forms.hip and locks.hip has the findings that it says, in both
fidelities and with wavefronts in a random order; all but those of ordering.hip without optimisation and with little of it too. At -O0 with
clang 16 and 17 waits for elements of arrays are not recognised (docs/checks.md): their kernels may have a race there, and are counted."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from findings import checker  # noqa: E402

check = checker(*sys.argv[1:3])
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels")
kernels = []
for name in ("ordering.hip", "flags.hip", "flag_forms.hip", "locks.hip"):
    with open(os.path.join(here, name)) as f:
        found = re.findall(r"^// (\w+): grid (\d+) workgroup (\d+)( split)?; finds: ([\w, ]+)(?:; perhaps: ([\w, ]+))?$", f.read(), re.M)
    kernels += [(os.path.join(here, name), *k) for k in found]
failed = unrecognised = 0
for source, kernel, grid, workgroup, split, rules, others in kernels:
    wanted = set() if rules == "nothing" else set(rules.split(", "))
    allowed = wanted | set(others.split(", "))
    run = check.run_file(source, kernel, grid, workgroup)
    ways = [("functional", "in_turn", ""), ("timing", "in_turn", ""), ("functional", "random", "")]
    if not source.endswith("ordering.hip"):
        ways += [("functional", "in_turn", "-O0"), ("functional", "in_turn", "-O1")]
    for fidelity, order, level in ways:
        options = ["--set", f"machine.fidelity={fidelity}", "--set", f"machine.wave_order={order}"]
        if level:
            options += ["--set", f"program.flags=[{level}]"]
        if split:
            options += ["--set", "program.split=all", "--set", "machine.divergence=pws", "--set",
                        "machine.spsimd_per_simd=3"]
        code, findings, text = check(run, *options)
        found = {f["rule"] for f in findings}
        if level == "-O0" and os.environ.get("PWS_LLVM") in ("16", "17") and not wanted and found == {"race_read_write"} and code == 1:
            unrecognised += 1
            continue
        if not wanted <= found <= allowed or code != (1 if wanted else 0):
            failed += 1
            print(f"FAILED: {kernel} ({fidelity}, {order} {level}): exit code {code}, found {sorted(found)}, wanted {sorted(wanted)}\n{text}")
if len(kernels) < 80:
    sys.exit(f"FAILED: {len(kernels)} kernels only")
print(f"{len(kernels)} kernels in both fidelities and in a random order, {failed} failed"
      + (f"; in {unrecognised} waits were not recognised at -O0" if unrecognised else ""))
sys.exit(1 if failed else 0)
