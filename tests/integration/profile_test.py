#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_test.py PWSVP ROOT: --profile adds up to the report's counters in every scheme, has cycles at the line that waits, names lines and callers,
is well-formed, and changes nothing."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from command_line import call, fail
from schemes import at_split_and_merge

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
os.environ["XDG_CACHE_HOME"] = os.getcwd()  # code that was compiled from another folder has its lines' files by other names
EVENTS = ["Issues", "Cycles", "Stalls", "Lanes", "Misses"]


def run(*command, code=0, says=()):
    return call(PWSVP, *command, code=code, says=says).stdout


def value(node):
    return node["value"] if isinstance(node, dict) else node


def read_callgrind(path):
    """Sums by event, and costs by (file, line)."""
    names, file, sums, lines, said = {}, "", [0] * len(EVENTS), {}, {}
    for line in open(path):
        line = line.rstrip("\n")
        if m := re.fullmatch(r"(ob|fl|fi|fe|fn)=\((\d+)\)(?: (.*))?", line):
            kind = "f" if m[1] in ("fl", "fi", "fe") else m[1]
            if m[3]:
                names[kind, m[2]] = m[3]
            if kind == "f":
                file = names[kind, m[2]]
        elif m := re.fullmatch(r"0x[0-9a-f]+ (\d+)((?: \d+){5})", line):
            costs = [int(n) for n in m[2].split()]
            if costs[2] > costs[1]:
                fail(f"{path}: more stalls than cycles: {line}")
            sums = [a + b for a, b in zip(sums, costs)]
            old = lines.setdefault((os.path.basename(file), int(m[1])), [0] * len(EVENTS))
            lines[os.path.basename(file), int(m[1])] = [a + b for a, b in zip(old, costs)]
        elif m := re.fullmatch(r"(summary|totals): (.*)", line):
            said[m[1]] = [int(n) for n in m[2].split()]
        elif line.startswith("events:"):
            if line.split()[1:] != EVENTS:
                fail(f"{path}: {line}")
        elif line and not re.match(r"#|version: 1$|creator:|positions: instr line$|event: ", line):
            fail(f"{path}: unknown line {line!r}")
    for kind in ("summary", "totals"):
        if said.get(kind) != sums:
            fail(f"{path}: {kind} {said.get(kind)}, the lines add up to {sums}")
    return dict(zip(EVENTS, sums)), lines


def check(file, *options, code=0):
    what = f"{file} {options}"
    run("run", file, *options, "--quiet", "--report", "plain.json", code=code)
    run("run", file, *options, "--quiet", "--report", "report.json", "--profile", "p.callgrind", code=code)
    run("run", file, *options, "--quiet", "--profile", "p.html", code=code)
    plain, report = json.load(open("plain.json")), json.load(open("report.json"))
    if plain["per_launch"] and [x["counters"] for x in plain["per_launch"]] != [x["counters"] for x in report["per_launch"]]:
        fail(f"{what}: a profile changes what is counted")
    sums, lines = read_callgrind("p.callgrind")
    counters = [x["counters"] for x in report["per_launch"]]
    instructions = sum(value(c["instructions"]) for c in counters)
    if sums["Issues"] != instructions or instructions == 0:
        fail(f"{what}: {sums['Issues']} issues, the report has {instructions}")
    stalls = sum(value(v) for c in counters for v in c.get("waiting", {}).values())
    if sums["Stalls"] != stalls:
        fail(f"{what}: {sums['Stalls']} stalls, the report has {stalls}")
    misses = sum(value(c["vector_l1"]["read_misses"]) for c in counters if "vector_l1" in c)
    if sums["Misses"] != misses:
        fail(f"{what}: {sums['Misses']} misses, the report has {misses}")
    page = xml.parse("p.html").getroot()
    text = "".join(page.itertext())
    if f"{sums['Issues']} instructions, {sums['Cycles']} cycles" not in text:
        fail(f"{what}: the page does not have the sums")
    first = open("p.html", "rb").read(), open("p.callgrind", "rb").read()
    run("run", file, *options, "--quiet", "--profile", "p.html", code=code)
    run("run", file, *options, "--quiet", "--profile", "p.callgrind", code=code)
    if first != (open("p.html", "rb").read(), open("p.callgrind", "rb").read()):
        fail(f"{what}: not the same bytes again")
    return sums, lines, text


REDUCTION = f"{ROOT}/configs/runs/reduction.yaml"
sums, lines, text = check(REDUCTION, "--set", "machine.fidelity=timing")
if sums["Cycles"] <= sums["Stalls"] or sums["Misses"] == 0:
    fail(f"reduction: {sums}")
source = open(f"{ROOT}/sw/kernels/reduction.hip").read().split("\n")
if not any(file == "reduction.hip" and costs[0] > 0 for (file, _), costs in lines.items()):
    fail("no line of reduction.hip")
for (file, line), _ in lines.items():
    if file == "reduction.hip" and source[line - 1].strip() not in text:
        fail(f"the page does not have line {line} of reduction.hip")
if shutil.which("callgrind_annotate"):
    r = subprocess.run(["callgrind_annotate", "p.callgrind"], capture_output=True, text=True)
    if r.returncode != 0 or "reduction" not in r.stdout or f"{sums['Issues']:,}" not in r.stdout:
        fail(f"callgrind_annotate: {r.stdout}{r.stderr}")
sums, _, _ = check(REDUCTION, "--set", "machine.fidelity=functional")
if sums["Cycles"] != 0 or sums["Stalls"] != 0:
    fail(f"functional: {sums}")
for scheme in at_split_and_merge(PWSVP):
    split = () if scheme in ("dws-table", "subwarps", "dpe") else ("--set", "program.split=all")
    check(f"{ROOT}/configs/runs/odd_even_loop.yaml", "--set", f"machine.divergence={scheme}", *split)
check(REDUCTION, "--set", "machine.fidelity=timing", "--set", "program.flags=[-g0]")

# A chain of loads: the line that loads waits for the load before, not the loop that leads back to it. A line that was
# inlined names its callers, one that never ran is not like a comment, and no figure hides behind a long line.
CHASE = """#include <hip/hip_runtime.h>
__device__ __forceinline__ int twice(int x) {
  return 2 * x + (x >> 3);
}
extern "C" __global__ void chase(const int* next, int* out, int n) {
  int p = threadIdx.x;
  for (int k = 0; k < n; ++k)
    p = next[p];
  // nobody asks for fewer
  if (n < 0) {
    out[2 * n] = p * 77;
    p = 3;
  }
  out[threadIdx.x] = twice(p);
  out[0] = twice(n);
}
"""
with open("chase.hip", "w") as f:
    f.write(CHASE)
with open("chase.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: chase.hip, kernel: chase}}\n"
            "launch: {grid: 64, workgroup: 64}\narguments:\n- {name: next, type: i32, count: 100000, init: {ramp: {start: 977, step: 1}}}\n"
            "- {name: out, type: i32, count: 64}\n- {name: n, type: i32, value: 90}\n")
sums, lines, text = check("chase.yaml")
loads, loop = lines["chase.hip", 8], lines.get(("chase.hip", 7), [0] * len(EVENTS))
if loads[1] < 0.7 * sums["Cycles"] or loads[2] < 0.7 * sums["Cycles"] or loop[1] > 0.2 * sums["Cycles"]:
    fail(f"the load has {loads}, the loop {loop}, of {sums}")
for name, says in (("chase.hip:3", True), ("inlined at chase.hip:14; at chase.hip:15", True), ("never ran", True)):
    if (name in text) != says:
        fail(f"the page of chase.hip: {name!r}")
page = xml.parse("p.html").getroot()
XHTML = "{http://www.w3.org/1999/xhtml}"
rows = {}
for row in page.iter(XHTML + "tr"):
    cells = ["".join(c.itertext()) for c in row]
    number = int(cells[0]) if len(cells) > 1 and cells[0].isdigit() else 0
    if 0 < number < CHASE.count("\n") and cells[1].startswith(CHASE.split("\n")[number - 1][:20]):
        rows.setdefault(number, (row.get("class"), cells))
if rows[9][0] != "z" or rows[11][0] != "r" or rows[8][0] != "l" or "never ran" not in rows[11][1] or len(rows[9][1]) != 2:
    fail(f"comments, lines that never ran and others: {rows[9]}, {rows[11]}, {rows[8]}")
if CHASE.split("\n")[7] != rows[8][1][1] or rows[8][1][3] != str(loads[1]) or rows[8][1][4] != str(loads[2]):
    fail(f"source first, then share, cycles and stalls: {rows[8]}")
if any(word in open("p.html").read().replace("http://www.w3.org/1999/xhtml", "") for word in ("http:", "https:", "src=", "<link")):
    fail("the page needs other files")
# Without line tables the page says of which file.
run("run", "chase.yaml", "--quiet", "--set", "program.flags=[-g0]", "--profile", "p.html")
if "chase.hip has no line tables: compile it with -g" not in "".join(xml.parse("p.html").getroot().itertext()):
    fail("a program without line tables")

run("run", REDUCTION, "--profile", "p.txt", code=2, says=("the file's name says the format",))
run("run", REDUCTION, "--profile", "/dev/full/p.html", code=2)
print("all is well")
