#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fidelities_test.py PWSVP ROOT: what a functional run counts, a run in timing fidelity of the same file counts too, and as much of it."""
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob

from command_line import call, fail

PWSVP, ROOT = sys.argv[1:3]
RUNS = sorted(glob(f"{ROOT}/configs/runs/*.yaml"))
BY_TIME = {"schedulable_paths"}  # which paths are ready when one issues
os.chdir(tempfile.mkdtemp())


def counters(node, path=()):
    if isinstance(node, list):
        return {}  # of SpSIMD units, each by itself
    if "value" in node:
        return {".".join(path): (node["value"], node["unit"])}
    return {k: v for key, below in node.items() for k, v in counters(below, path + (key,)).items()}


def of_launches(report):
    return [counters(report["totals"])] + [counters(launch["counters"]) for launch in report["per_launch"]]


def reports(job):
    """The runs of both fidelities, without RTL."""
    file, scheme = job
    found = []
    for fidelity in ("functional", "timing"):
        name = f"{os.path.basename(file)}.{scheme}.{fidelity}.json"
        more = ["--set", f"machine.divergence={scheme}", "--set", "program.split=all"] if scheme else []
        call(PWSVP, "run", file, "--quiet", "--set", f"machine.fidelity={fidelity}", "--set", "machine.cosim.mode=model", *more, "--report", name)
        found.append(of_launches(json.load(open(name))))
    return found


def check(job, functional, timing):
    named = set()
    for without, with_time in zip(functional, timing):
        if len(without) < 5:
            fail(f"{job}: a functional run counts {sorted(without)} alone")
        for name, value in without.items():
            if name not in BY_TIME and with_time.get(name) != value:
                fail(f"{job}: {name} is {value}, in timing fidelity {with_time.get(name)}")
        named |= {name for name, (value, _) in without.items() if value != 0}
    return named


seen = set()
# As written, and on stacks. Not where warps are formed, and an instruction is another thing in each fidelity.
JOBS = [(file, None) for file in RUNS] + [(f"{ROOT}/configs/runs/{name}.yaml", scheme) for scheme in ("stack", "dpe", "subwarps")
                                          for name in ("divergent_break", "fully_divergent", "odd_even_loop")]
with ThreadPoolExecutor(2) as pool:
    for job, (functional, timing) in zip(JOBS, pool.map(reports, JOBS)):
        seen |= check(job, functional, timing)
wanted = {"instructions", "vector_alu_instructions", "simd_lane_utilisation", "branches_taken", "instructions_by_unit.barrier", "splits", "merges",
          "instructions_by_unit.lds", "instructions_by_unit.valu_f64", "stack_depth"}
if not RUNS or wanted - seen:
    fail(f"{len(RUNS)} runs, none of which counts {sorted(wanted - seen)}")
print(f"{len(JOBS)} runs, {len(seen)} counters")
