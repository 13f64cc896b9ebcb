#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""statistics_test.py PWSVP ROOT: rows of --stats add up to the report's counters, each has what its cycles counted, and looking changes nothing."""
import csv
import json
import os
import sys
import tempfile

from command_line import call, fail
from schemes import FORMING_WARPS, ON_SPSIMD, all_schemes

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
RUN = f"{ROOT}/configs/runs/quickstart.yaml"
RATIOS = ("simd_lane_utilisation", "schedulable_paths")


def run(*command, code=0, says=()):
    return call(PWSVP, *command, code=code, says=says).stdout


def flat(node, path=()):
    if not isinstance(node, dict):
        return {".".join(path): node}
    if "unit" in node:
        return {".".join(path): node["value"]}
    return {k: v for key, below in node.items() for k, v in flat(below, path + (key,)).items()}


def rows_of(file, every, options, code=0):
    """The rows, each as a flat mapping, and the report. They are held against the report's launches."""
    run("run", file, *options, "--stats", "rows.jsonl", "--stats-every", str(every), "--report", "report.json", code=code)
    report = json.load(open("report.json"))
    rows = []
    for line in open("rows.jsonl"):
        row = json.loads(line)
        rows.append({"launch": row["launch"], "from": row["from"], "to": row["to"], **flat(row["counters"])})
    what = f"{file} {options} every {every}"
    for launch in report["per_launch"]:
        mine = [r for r in rows if r["launch"] == launch["number"]]
        at = 0
        for r in mine:
            if r["from"] != at or (r["to"] != at + every if r is not mine[-1] else r["to"] > at + every):
                fail(f"{what}: launch {launch['number']}: a row from {r['from']} to {r['to']} behind cycle {at}")
            if r["to"] == at and launch["cycles"]["value"] != 0:
                fail(f"{what}: a row of no cycles at {at}")
            at = r["to"]
        if at != launch["cycles"]["value"]:
            fail(f"{what}: rows end at {at}, the launch at {launch['cycles']}")
        for name, value in flat(launch["counters"]).items():
            if name not in RATIOS and sum(r[name] for r in mine) != value:
                fail(f"{what}: {name}: rows have {sum(r[name] for r in mine)}, the launch {value}")
    if sum(r["instructions"] for r in rows) != report["totals"]["instructions"]["value"] or report["totals"]["instructions"]["value"] == 0:
        fail(f"{what}: rows have {sum(r['instructions'] for r in rows)} instructions, the run {report['totals']['instructions']}")
    return rows, report


def without_host(report):
    return {k: v for k, v in report.items() if k not in ("host", "inputs", "configuration")}


PLAIN = json.loads(run("run", RUN, "--report", "/dev/stdout", "--quiet"))
CYCLES = PLAIN["cycles"]["value"]

# One cycle, odd numbers, the whole run and around it, and more than there will ever be.
for every in (1, 2, 97, CYCLES // 2, CYCLES - 1, CYCLES, CYCLES + 1, 10**12):
    rows, report = rows_of(RUN, every, [])
    if len(rows) != max(1, -(-CYCLES // every)):
        fail(f"every {every}: {len(rows)} rows for {CYCLES} cycles")
    if without_host(report) != without_host(PLAIN):
        fail(f"every {every}: the run is another one")
each, _ = rows_of(RUN, 1, [])

# The same as comma-separated values, and the same file each time.
run("run", RUN, "--stats", "rows.csv", "--stats-every", "97", says=("statistics   rows.csv",))
rows, _ = rows_of(RUN, 97, [])
table = list(csv.DictReader(open("rows.csv")))
if [{k: float(v) for k, v in r.items()} for r in table] != [{k: float(v) for k, v in r.items()} for r in rows]:
    fail("the CSV is not the JSON Lines")
first = open("rows.csv").read()
run("run", RUN, "--stats", "rows.csv", "--stats-every", "97")
if open("rows.csv").read() != first or first.count("launch") != 1:
    fail("two files differ, or there is more than one line of titles")

# Stopped by the limit on cycles; what was counted until there is what the rows of the whole run have up to that cycle.
for limit in (CYCLES // 3, CYCLES // 2, CYCLES - 7):
    rows, report = rows_of(RUN, 100, ["--set", f"machine.limits.max_cycles={limit}"], code=1)
    if "max_cycles" not in report["result"]["error"] or rows[-1]["to"] != limit or len(rows) != -(-limit // 100):
        fail(f"limit {limit}: {report['result']}, rows {rows[-1]}")
    for name in each[0]:
        if name in RATIOS + ("launch", "from", "to"):
            continue
        before, after = (sum(r[name] for r in each[:n]) for n in (limit - 1, limit))
        stopped = sum(r[name] for r in rows)
        if not before <= stopped <= after:
            fail(f"limit {limit}: {name} is {stopped}; in the whole run {before} to cycle {limit - 1}, {after} to {limit}")

# Other machines, several launches, a fault.
machines = (["--set", "machine.divergence=dwf", "--set", "machine.dwf.heuristic=majority"],
            ["--set", "machine.divergence=dws", "--set", "program.split=all"],
            ["--set", f"machine={ROOT}/configs/gpu/predictable.yaml"],
            ["--set", "machine.clock_mhz=1777"],
            ["--set", "machine.n_cu=1", "--set", "machine.memory.interconnect.latency=1"])
for options in machines:
    rows_of(RUN, 113, options)
rows, report = rows_of(f"{ROOT}/configs/runs/two_stage_sum.yaml", 250, [])
if sorted({r["launch"] for r in rows}) != [1, 2]:
    fail(f"two launches: rows of {[r['launch'] for r in rows]}")
with open("wild.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void wild(int* x, unsigned n) {
  if (threadIdx.x == 5) x[n] = 1;
  x[threadIdx.x] = 1;
}
""")
with open("wild.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: wild.hip}}\n"
            "arguments: [{name: x, type: i32, count: 64}, {name: far, type: u32, value: 268435456}, {name: near, type: u32, value: 5}]\n"
            "launches: [{kernel: wild, launch: {blocks: 1, workgroup: 64}, arguments: [x, near]},\n"
            "           {kernel: wild, launch: {blocks: 1, workgroup: 64}, arguments: [x, far]}]\n")
rows, report = rows_of("wild.yaml", 50, [], code=1)
if "launch 2 of 2" not in report["result"]["error"] or rows[-1]["launch"] != 2:
    fail(f"a fault: {report['result']}, {rows[-1]}")

# Lanes are those of a warp, where warps issue: the run, its launch and its rows have one figure in one unit, which is 100 % where nobody
# is ever switched off, and for a static warp that has one work-item out of N, 100 / N %.
SOLO = f"""machine: {ROOT}/configs/gpu/default.yaml
program: {{source: lanes.s, kernel: lanes}}
launch: {{grid: [256], workgroup: [256]}}
"""
with open("lanes.s", "w") as f:
    code = "  s_mov_b64 s[2:3], exec\n" + "  v_mov_b32 v1, v0\n" * 30
    f.write(f""".text
.globl lanes
.p2align 8
.type lanes,@function
lanes:
  SOLO
{code}  s_endpgm
.Lend:
  .size lanes, .Lend-lanes
.rodata
.p2align 6
.amdhsa_kernel lanes
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - {{.name: lanes, .symbol: lanes.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 2, .max_flat_workgroup_size: 256}}
...
.end_amdgpu_metadata
""")
with open("lanes.yaml", "w") as f:
    f.write(SOLO)
text = open("lanes.s").read()
SIZES = (16, 32, 64)
lane_machines = [(s, n) for s in FORMING_WARPS for n in SIZES] + [(s, 64) for s in all_schemes(PWSVP) if s not in FORMING_WARPS + ON_SPSIMD]
for scheme, size in lane_machines:
    for one_in in (1, size):
        mask = "".join("1" if lane % one_in == 0 else "0" for lane in reversed(range(32)))
        high = mask if one_in < 64 else "0"
        open("lanes.s", "w").write(text.replace("SOLO", f"s_mov_b32 exec_lo, 0b{mask}\n  s_mov_b32 exec_hi, 0b{high}"))
        for fidelity in ("timing", "functional"):
            options = [f"--set=machine.divergence={scheme}", f"--set=machine.dwf.warp_size={size}", f"--set=machine.fidelity={fidelity}"]
            run("run", "lanes.yaml", *options, "--report", "report.json", "--quiet")
            report = json.load(open("report.json"))
            figures = [report["totals"]["simd_lane_utilisation"], report["per_launch"][0]["counters"]["simd_lane_utilisation"]]
            if scheme == "mimd":  # who is switched off issues alone
                wanted = None if one_in > 1 or fidelity == "functional" else 100
            else:
                wanted = 100 / one_in
            for figure in figures:
                if figure != figures[0] or figure["unit"] != "%" or (wanted is not None and abs(figure["value"] - wanted) > 1e-9):
                    fail(f"{scheme} {size}, one lane in {one_in}, {fidelity}: {figures}, expected {wanted}")
            if fidelity == "timing":
                rows, _ = rows_of("lanes.yaml", 10**9, options)
                if rows[0]["simd_lane_utilisation"] != figures[0]["value"]:
                    fail(f"{scheme} {size}: rows have {rows[0]['simd_lane_utilisation']}, the report {figures[0]}")
                said = run("run", "lanes.yaml", *options)
                if f"{figures[0]['value']:.1f} % active in " not in said:
                    fail(f"{scheme} {size}: {figures[0]} is not what is printed:\n{said}")

# A waveform beside it is the same.
run("run", RUN, "--vcd", "plain.vcd")
run("run", RUN, "--vcd", "both.vcd", "--stats", "rows.csv", "--stats-every", "10")
body = lambda name: open(name).read().split("$enddefinitions")[1]
if body("plain.vcd") != body("both.vcd"):
    fail("the waveform is another one")

# Refused.
STATS = ("--stats", "rows.csv", "--stats-every")
run("run", RUN, *STATS, "10", "--set", "machine.fidelity=functional", code=2, says=("--stats: functional launches have no time to show", "machine.fidelity: timing"))
for wrong in ("0", "-1", "1.5", "10k", "", "1000000000001"):
    run("run", RUN, *STATS, wrong, code=2, says=("--stats-every",))
run("run", RUN, "--stats", "rows.csv", code=2, says=("--stats-every",))
run("run", RUN, "--stats-every", "10", code=2, says=("--stats",))
for name in ("rows.txt", "rows", ".csv", "rows.CSV"):
    run("run", RUN, "--stats", name, "--stats-every", "10", code=2, says=(f"--stats {name}", ".csv or .jsonl"))
os.symlink("/dev/full", "full.csv")
run("run", RUN, "--stats", "full.csv", "--stats-every", "10", code=2, says=("--stats full.csv", "No space left on device"))
run("run", RUN, "--stats", "rows.csv/x.csv", "--stats-every", "10", code=2, says=("rows.csv/x.csv",))
run("run", RUN, "--stats", "same.csv", "--stats-every", "10", "--report", "same.csv", code=2, says=("the same file as --stats",))
run("run", RUN, "--stats", "new/folder/rows.csv", "--stats-every", "10")
if not open("new/folder/rows.csv").read().startswith("launch,from,to,workgroups,"):
    fail("the first line of a CSV")
print("PASS")
