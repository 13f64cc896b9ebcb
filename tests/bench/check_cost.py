#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_cost.py PWSVP ROOT [--runs N] [CHECK...]: the table of docs/checks.md of what checks cost.

Of two kernels in both fidelities the processor time with one check on, as a ratio of that without: the shortest of N runs each (4; in timing
fidelity half as many), one after the other, less what the same kernel takes on next to nothing.
"""
import argparse
import os
import resource
import subprocess
import tempfile

KERNELS = {
    "`matrix_multiply`, {0} x {0}": ("matrix_multiply", 16, (
        "launch: {{grid: [{0}, {0}], workgroup: [16, 16]}}\n"
        "arguments:\n"
        "  - {{name: a, type: f32, count: {1}, init: {{constant: 2}}}}\n"
        "  - {{name: b, type: f32, count: {1}, init: {{ramp: {{start: 0, step: 1}}}}}}\n"
        "  - {{name: c, type: f32, count: {1}}}\n"
        "  - {{name: n, type: u32, value: {0}}}\n")),
    "`reduction`, {0} elements": ("reduction", 256, (
        "launch: {{grid: [{0}], workgroup: [256]}}\n"
        "arguments:\n"
        "  - {{name: input, type: i32, count: {0}, init: {{constant: 1}}}}\n"
        "  - {{name: partial, type: i32, count: {0}}}\n"
        "  - {{name: n, type: u32, value: {0}}}\n")),
}
SIZES = {"functional": (512, 4194304), "timing": (256, 1048576)}

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("pwsvp")
p.add_argument("root")
p.add_argument("checks", nargs="*", default=[])
p.add_argument("--runs", type=int, default=4)
o = p.parse_args()
pwsvp, root = os.path.abspath(o.pwsvp), os.path.abspath(o.root)
checks = o.checks or ["waits", "races", "init", "coherence", "sync"]


def seconds(run_file, options, runs):
    """Processor time of the shortest run."""
    shortest = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Whether something is found is no matter here: exit code 1.
        r = subprocess.run([pwsvp, "run", run_file, "--quiet", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if r.returncode > 1:
            raise SystemExit(r.stdout + r.stderr)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        shortest = took if shortest is None else min(shortest, took)
    return shortest


with tempfile.TemporaryDirectory() as folder:
    print("| kernel | fidelity | " + " | ".join(f"`{c}`" for c in checks) + " |\n" + "|---" * (2 + len(checks)) + "|")
    for fidelity, sizes in SIZES.items():
        for (title, (kernel, least, rest)), size in zip(KERNELS.items(), sizes):
            files = []
            for n in (size, least):
                files.append(os.path.join(folder, f"{kernel}_{n}.yaml"))
                with open(files[-1], "w") as f:
                    f.write(f"machine: {root}/configs/gpu/default.yaml\n"
                            f"program: {{source: {root}/sw/kernels/{kernel}.hip, kernel: {kernel}}}\n" + rest.format(n, n * n))
            runs = o.runs if fidelity == "functional" else max(1, o.runs // 2)

            def cost(check):
                options = ["--set", f"machine.fidelity={fidelity}"] + ([f"--check={check}"] if check else [])
                return seconds(files[0], options, runs) - seconds(files[1], options, runs)

            without = cost(None)
            print(f"| {title.format(size)} | {fidelity} | " + " | ".join(f"{cost(c) / without:.1f}" for c in checks) + " |", flush=True)
