#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""launches_test.py PWSVP ROOT: run files with several launches, in run, wcet and check."""
import json
import os
import re
import sys
import tempfile

from command_line import call, fail

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())


def run(*command, code=0, says=()):
    return call(PWSVP, *command, code=code, says=says).stdout


def reported(command, *options, code=0, says=()):
    run(command, *options, "--report", "report.json", code=code, says=says)
    return json.load(open("report.json"))


with open("steps.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
#include <pws.h>
extern "C" __global__ void add(int* x, int n) { x[threadIdx.x] += n; }
extern "C" __global__ void twice(int* to, const int* from) { to[threadIdx.x] = 2 * from[threadIdx.x]; }
extern "C" __global__ void nothing() {}
extern "C" __global__ void sum(int* x, int n) {
  int s = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(8);
    s += x[(threadIdx.x + k) & 63];
  }
  x[threadIdx.x] = s;
}
extern "C" __global__ void wild(int* x) { x[1 << 28] = 1; }
""")
HEAD = f"""machine: {ROOT}/configs/gpu/default.yaml
program: {{source: steps.hip}}
arguments:
  - {{name: x, type: i32, count: 64, init: {{ramp: {{}}}}}}
  - {{name: y, type: i32, count: 64}}
  - {{name: one, type: i32, value: 1}}
  - {{name: eight, type: i32, value: 8}}
"""
S = "launch: {grid: 64, workgroup: 64}"


def steps(name, launches, rest=""):
    with open(name, "w") as f:
        f.write(HEAD + "launches:\n" + "".join(f"  - {{{l}}}\n" for l in launches) + rest)


ADD = f"kernel: add, {S}, arguments: [x, one]"
TWICE = f"kernel: twice, {S}, arguments: [y, x]"
BACK = f"kernel: twice, {S}, arguments: [x, y]"
NOTHING = f"kernel: nothing, {S}"
SUM = f"kernel: sum, {S}, arguments: [x, eight]"

# In order, on the same buffers: ((x + 1) * 2 * 2) + 1. Another order gives another result.
steps("order.yaml", [ADD, TWICE, BACK, NOTHING, ADD], 'expect:\n  x: {expression: "4 * (x + 1) + 1"}\n  y: {expression: "2 * (x + 1)"}\n')
for options in ((), ("--set", "machine.fidelity=functional"), ("--set", f"machine={ROOT}/configs/gpu/predictable.yaml")):
    j = reported("run", "order.yaml", *options, says=("5 launches", "launch 4"))
    if [l["kernel"] for l in j["per_launch"]] != ["add", "twice", "twice", "nothing", "add"] or not all(l["completed"] for l in j["per_launch"]):
        fail(f"launches: {j['per_launch']}")
    if j["totals"]["workgroups"]["value"] != 5 or sum(l["counters"]["instructions"]["value"] for l in j["per_launch"]) != j["totals"]["instructions"]["value"]:
        fail("the launches' counters are not the totals")
    if "functional" not in str(options) and sum(l["cycles"]["value"] for l in j["per_launch"]) != j["cycles"]["value"]:
        fail("the launches' cycles are not the totals")
steps("other.yaml", [TWICE, ADD, BACK, NOTHING, ADD], 'expect:\n  x: {expression: "4 * (x + 1) + 1"}\n')
run("run", "other.yaml", code=1)
# The L2 keeps what a launch left there, the L1 begins empty: the same launch again is faster, and misses in L1 as before.
first, _, _, _, second = reported("run", "order.yaml")["per_launch"]
if second["cycles"]["value"] >= first["cycles"]["value"]:
    fail(f"the second time takes {second['cycles']}, the first {first['cycles']}")
if second["counters"]["l2"]["read_hits"]["value"] <= first["counters"]["l2"]["read_hits"]["value"]:
    fail("the L2 does not stay warm")
if second["counters"]["vector_l1"]["read_hits"]["value"] != first["counters"]["vector_l1"]["read_hits"]["value"]:
    fail("the L1 is not invalidated at a launch")
# What is expected after each launch: of a buffer that others change later, and of one that comes later.
EXPECT = [f'{ADD}, expect: {{x: {{expression: "x + 1"}}}}', f'{TWICE}, expect: {{x: {{expression: "x + 1"}}, y: {{expression: "2 * (x + 1)"}}}}',
          f'{BACK}, expect: {{x: {{values: [4, 8], count: 2}}}}', NOTHING, f"{ADD}, expect: {{x: {{constant: 5, count: 1}}}}"]
LAST = 'expect:\n  x: {expression: "4 * (x + 1) + 1"}\n'
steps("each.yaml", EXPECT, LAST)
for options in ((), ("--set", "machine.fidelity=functional")):
    j = reported("run", "each.yaml", *options, says=("launch 2: y: PASS: y: 64 elements match", "launch 3: x: PASS: x: 2 elements match", "x: PASS: x: 64"))
    if [len(l.get("expect", [])) for l in j["per_launch"]] != [1, 2, 1, 0, 1] or len(j["result"]["expect"]) != 1:
        fail(f"expectations: {j['per_launch']}")
    # To look costs the machine nothing.
    plain = reported("run", "order.yaml", *options)
    if any(plain[k] != j[k] for k in ("cycles", "totals")):
        fail("a run that is looked at is another run")
run("check", "each.yaml", says=("5 launches, 4 arguments, 6 expectations",))
# The launch that left something else is named, and those behind it run and are looked at too.
j = reported("run", "each.yaml", "--set", "launches.1.expect.y.expression=2*x", "--set", "launches.4.expect.x.constant=6", code=1, says=(
    "launch 1: x: PASS", "launch 2: x: PASS", "launch 2: y: FAIL: y: 64 of 64 elements differ; first y[0]: expected 0, got 2", "launch 5: x: FAIL", "  expect       x: PASS"))
if j["result"]["pass"] or not j["result"]["completed"] or [e["pass"] for e in j["per_launch"][1]["expect"]] != [True, False]:
    fail(f"the expectation that failed: {j['result']}")
if run("run", "each.yaml", "--quiet", "--set", "launches.1.expect.y.expression=2*x", code=1, says=("error: launch 2: y: FAIL",)) != "":
    fail("--quiet prints a report")
# A launch that does not come to its end has nothing to look at; one before it has.
steps("stopped.yaml", [EXPECT[0], f"kernel: wild, {S}, arguments: [x], expect: {{x: {{constant: 0}}}}", EXPECT[0]], LAST)
j = reported("run", "stopped.yaml", code=1, says=("launch 1: x: PASS", "launch 2 of 3: kernel wild"))
if ["expect" in l for l in j["per_launch"]] != [True, False] or "expect" in j["result"]:
    fail(f"a launch that did not end was looked at: {j['per_launch']}")
with open("dumped.yaml", "w") as f:
    f.write(run("run", "each.yaml", "--dump-config"))
run("run", "dumped.yaml", says=("launch 2: y: PASS", "x: PASS: x: 64"))

# A list of one is the single form.
steps("one.yaml", [ADD])
with open("single.yaml", "w") as f:
    f.write(HEAD.replace("steps.hip", "steps.hip, kernel: add").replace("  - {name: y, type: i32, count: 64}\n", "").replace("  - {name: eight, type: i32, value: 8}\n", "") + f"{S}\n")
a, b = reported("run", "single.yaml"), reported("run", "one.yaml")
if a["cycles"] != b["cycles"] or a["run"]["kernel"] != b["run"]["kernel"] or len(a["per_launch"]) != 1:
    fail("a list of one launch is not that launch")
if reported("run", "order.yaml")["totals"] != reported("run", "order.yaml")["totals"]:
    fail("two runs differ")

# Waveform and timeline of all of them.
run("run", "order.yaml", "--timeline", "all.json", "--vcd", "all.vcd")
run("run", "one.yaml", "--timeline", "first.json", "--vcd", "first.vcd")
slices = lambda name: [e for e in json.load(open(name))["traceEvents"] if e["ph"] == "X"]
if slices("all.json")[: len(slices("first.json"))] != slices("first.json") or len(slices("all.json")) <= len(slices("first.json")):
    fail("the timeline does not begin with the first launch and go on with the others")

# Each slice, and each context of the waveform, says of which launch it is; comments name the kernels.
run("run", "order.yaml", "--set", "machine.n_cu=1", "--timeline", "all.json", "--vcd", "all.vcd")
launches = {}
for s in slices("all.json"):
    launches.setdefault(s["args"]["launch"], set()).add(s["name"].split("+")[0])
if launches != {1: {"add"}, 2: {"twice"}, 3: {"twice"}, 4: {"nothing"}, 5: {"add"}}:
    fail(f"launches of the timeline's slices: {launches}")
vcd = open("all.vcd").read()
kernels = re.findall(r"^launch (\d+): kernel (\d+), (\w+): 1 x 1 x 1 workgroups of 64 x 1 x 1 work-items$", vcd, re.M)
if kernels != [("1", "1", "add"), ("2", "2", "twice"), ("3", "2", "twice"), ("4", "3", "nothing"), ("5", "1", "add")]:
    fail(f"comments of the waveform: {kernels}")


def values(signal):
    """Values of the signal in cu0.simd0.wf0, where each launch's only wavefront begins, without those between launches."""
    wf0 = vcd[vcd.index("$scope module wf0 $end"):]
    ident = re.search(rf"\$var wire +\d+ +(\S+) +{signal} ", wf0)[1]
    changes = [int(v, 2) for v in re.findall(rf"^b([01]+) {re.escape(ident)}$", vcd, re.M)]
    return [v for v in changes if v != 0]


if values("launch") != [1, 2, 3, 4, 5] or values("kernel") != [1, 2, 2, 3, 1]:
    fail(f"launches of the waveform: {values('launch')}, kernels {values('kernel')}")

# What goes wrong stops it at that launch.
steps("wrong.yaml", [ADD, f"kernel: wild, {S}, arguments: [x]", ADD])
j = reported("run", "wrong.yaml", code=1, says=("launch 2 of 3: kernel wild", "outside every allocation"))
if [l["completed"] for l in j["per_launch"]] != [True, False] or j["result"]["completed"]:
    fail(f"the launch that went wrong: {j['per_launch']}")

# Each launch is bounded; the sum holds what all took.
bounded = ("--set", f"machine={ROOT}/configs/gpu/predictable.yaml")
steps("bounds.yaml", [ADD, SUM, NOTHING, SUM])
j = reported("wcet", "bounds.yaml", *bounded, "--observe", says=("launch 2 of 4: sum", "sum of E_kernel"))
parts = [l["bound"]["E_kernel"]["value"] for l in j["launches"]]
if sum(parts) != j["total"]["bound"]["value"] or parts[1] != parts[3] or parts[2] >= parts[0]:
    fail(f"bounds {parts}, sum {j['total']}")
took = [l["observed"]["cycles"]["value"] for l in j["launches"]]
if sum(took) != j["total"]["observed"]["value"] or any(t > b for t, b in zip(took, parts)):
    fail(f"took {took}, bounds {parts}")
one = reported("wcet", "single.yaml", *bounded)
if one["bound"]["E_kernel"]["value"] != parts[0]:
    fail(f"a launch in a list has another bound: {parts[0]}, and by itself {one['bound']}")
run("wcet", "bounds.yaml", *bounded, "--times", "measured", "--set", "wcet.runs=2")
run("wcet", "bounds.yaml", *bounded, "--dot", "x.dot", code=2, says=("--dot", "4 launches"))
run("wcet", "bounds.yaml", *bounded, "--set", "wcet.loops=[{bound: 4, label: nowhere}]", code=2, says=("nor has any other launch",))
# A loop bound that one of the kernels has is enough; a run that breaks it fails.
run("wcet", "bounds.yaml", *bounded, "--set", "wcet.loops=[{bound: 8, line: 9}]")
# One that the code itself shows to be broken is refused before anything runs.
run("wcet", "bounds.yaml", *bounded, "--observe", "--set", "arguments.eight.value=9", code=2, says=("the loop at sum+0x24 makes 9 passes each time it is entered, what bounds it (PWS_LOOP_BOUND of line 9) allows 8",))
run("run", "bounds.yaml", "--set", "machine.check.loop_bounds=true", "--set", "arguments.eight.value=9", code=1, says=("launch 2 of 4",))

# Mistakes, with their places.
for launches, says in (
        ([ADD, f"kernel: add, {S}, arguments: [x, ones]"], ("launches.1.arguments", "did you mean one?")),
        ([ADD, f"kernel: ad, {S}, arguments: [x, one]"], ("wrong.yaml:10:", "launches.1.kernel", "did you mean")),
        ([ADD, f"kernel: add, {S}, arguments: [x]"], ("launches.1.arguments", "takes 2 arguments, 1 are given")),
        ([f"kernel: add, {S}, arguments: [one, x]"], ("launches.0.arguments: one", "takes 8 bytes, 4 are given")),
        ([f"kernel: add, {S}"], ("launches.0.arguments", "takes 2 arguments, 0 are given")),
        ([f"kernel: nothing, {S.replace('grid: 64', 'grid: 65')}"], ("launches.0.launch.grid", "multiple")),
        ([f"kernel: nothing"], ("launches.0.launch", "required and missing")),
        ([f"{S}"], ("launches.0.kernel", "required and missing")),
        ([f"{ADD}, expect: {{xx: {{constant: 1}}}}"], ("wrong.yaml:9:", "launches.0.expect.xx", "did you mean x?")),
        ([ADD, f"{ADD}, expect: {{one: {{constant: 1}}}}"], ("wrong.yaml:10:", "launches.1.expect.one", "only buffers can be checked")),
        ([ADD, f"{ADD}, expect: {{x: {{constant: 1.5}}}}"], ("wrong.yaml:10:", "launches.1.expect.x.constant", "expected an integer, got '1.5'")),
        ([ADD, f"{ADD}, expect: {{x: {{constant: 2147483648}}}}"], ("launches.1.expect.x.constant", "2147483648 does not fit i32")),
        ([ADD, f"{ADD}, expect: {{x: {{expression: one + 0.5}}}}"], ("wrong.yaml:10:", "launches.1.expect.x.expression", "1.5 is no integer, and the buffer holds i32")),
        ([ADD, f"{ADD}, expect: {{x: {{values: [1, 2, 3], count: 2}}}}"], ("launches.1.expect.x.values", "has 3 elements, and 2 are checked")),
        ([f"kernel: nothing, lunch: 1, {S}"], ("launches.0.lunch", "did you mean launch?")),
        ([], ("launches",))):
    steps("wrong.yaml", launches)
    run("check", "wrong.yaml", code=2, says=says)
    run("run", "wrong.yaml", code=2, says=says)
steps("wrong.yaml", [ADD], f"{S}\n")
run("check", "wrong.yaml", code=2, says=("cannot stand beside",))
run("check", "one.yaml", "--set", "program.kernel=add", code=2, says=("program.kernel", "cannot stand beside launches"))
with open("wrong.yaml", "w") as f:
    f.write(HEAD + f"{S}\n")
run("check", "wrong.yaml", code=2, says=("program.kernel", "required and missing"))
with open("wrong.yaml", "w") as f:
    f.write(HEAD)
run("check", "wrong.yaml", code=2, says=("needs one of launch, launches",))
run("check", "order.yaml", says=("5 launches, 4 arguments, 2 expectations",))
run("run", "order.yaml", "--set", "launches.0.launch.blocks=2", "--set", "launches.0.launch.workgroup=32", says=("launch 1",), code=1)
run("reconvergence", "order.yaml", code=2, says=("5 launches",))
run("run", f"{ROOT}/configs/runs/two_stage_sum.yaml", says=("PASS",))
print("PASS")
