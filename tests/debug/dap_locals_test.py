#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dap_locals_test.py PWSVP ROOT: local variables in an editor: the scope of each frame, parts of structures and arrays, hovers, watches, data
breakpoints, in runs and in HIP programs."""
import os
import tempfile

from dap_client import Client, Refused
from local_kernels import ARGUMENTS, CALLS, SOURCES, line_in, run_file
from programs import built
from prompts import FIDELITIES, ROOT, fail, says

os.chdir(tempfile.mkdtemp())
HERE = os.getcwd()


def same(what, found, wanted):
    if found != wanted:
        fail(f"{what}: {found}, and not {wanted}")


def stopped_at(file, source, line, condition, sets=()):
    c = Client(f"{HERE}/{file}", configure=False, set=[f"machine={ROOT}/configs/gpu/default.yaml", *sets])
    b = c.ask("setBreakpoints", source={"path": f"{HERE}/{source}"}, breakpoints=[{"line": line, "condition": condition}])["breakpoints"]
    same("a breakpoint", b[0]["verified"], True)
    c.ask("configurationDone")
    return c, c.stop("breakpoint")["threadId"]


def evaluated(c, text, frame, context="hover"):
    return c.ask("evaluate", expression=text, frameId=frame["id"], context=context)


# ---- Values and types of all kinds, and their parts
types = run_file("types.yaml", "types", "types", "-O0", ARGUMENTS)
for fidelity in FIDELITIES:
    c, t = stopped_at(types, "types.hip", line_in("types", "out[i] = all"), "i == 9", [fidelity])
    scopes = c.scopes(t)
    same("the first scope", list(scopes)[0], "Locals")
    same("its hint", scopes["Locals"]["presentationHint"], "locals")
    same("the lane", c.values(t, "Path")["lane"], "9")
    v = c.variables(scopes["Locals"]["variablesReference"])
    for name, value, kind in (("i", "9", "int"), ("c", "green", "colour"), ("letter", "106 'j'", "char"), ("huge", "18446744073709551615", "u64"), ("half", "1.5", "_Float16"),
                              ("v", "{1, 2, 3, 9}", "four"), ("grid", "{{1, 4, 3}, {4, 4, 9}}", "int[2][3]"), ("many", "{0 <repeats 300 times>}", "int[300]"), ("nowhere", "0x0", "void *")):
        same(name, (v[name]["value"], v[name]["type"]), (value, kind))
    same("what is no structure", v["i"]["variablesReference"], 0)
    same("how a register's name is evaluated", (v["lane"]["evaluateName"], v["i"]["evaluateName"]), ("types::lane", "i"))
    same("its value", evaluated(c, "types::lane", c.frame(t))["result"], "99")
    for name in v.keys() - {"in"}:  # which is a buffer, as long as the kernel has not changed it
        same(f"{name} evaluated", evaluated(c, v[name]["evaluateName"], c.frame(t))["result"].split(" (0x")[0], v[name]["value"])
    all_of = c.variables(v["all"]["variablesReference"])
    same("members", list(all_of), ["inherited", "low", "high", "real", "whole", "inner", "next"])
    same("a member", (all_of["high"]["value"], all_of["inner"]["evaluateName"]), ("-3", "all.inner"))
    elements = c.variables(c.variables(all_of["inner"]["variablesReference"])["a"]["variablesReference"])
    same("elements", {n: (e["value"], e["evaluateName"]) for n, e in elements.items()}, {"[0]": ("1", "all.inner.a[0]"), "[1]": ("9", "all.inner.a[1]"), "[2]": ("-3", "all.inner.a[2]")})
    led_to = c.variables(all_of["next"]["variablesReference"])
    same("what a pointer leads to", (list(led_to), led_to["[0]"]["type"]), (["[0]"], "everything"))
    same("a member of that", c.variables(led_to["[0]"]["variablesReference"])["inherited"]["value"], "-9")
    same("its expression", evaluated(c, c.variables(led_to["[0]"]["variablesReference"])["inherited"]["evaluateName"], c.frame(t))["result"], "-9")
    part = c.variables(v["many"]["variablesReference"], filter="indexed", start=298, count=10)
    same("a part of an array", list(part), ["[298]", "[299]"])
    same("no named ones", c.variables(v["many"]["variablesReference"], filter="named"), {})
    same("count", v["many"]["indexedVariables"], 300)
    same("a structure has names", (v["all"]["namedVariables"], "indexedVariables" in v["all"]), (7, False))
    hover = evaluated(c, "all.inner", c.frame(t))
    same("a hover", (hover["result"], hover["type"]), ("{a = {1, 9, -3}, ready = true}", "inner_pair"))
    same("its parts", list(c.variables(hover["variablesReference"])), ["a", "ready"])
    same("a watch", evaluated(c, "p[2] * 2 + ref", c.frame(t), "watch")["result"], "27")
    for text, why in (("nosuch", "no register or buffer nosuch"), ("all.nosuch", "no member nosuch"), ("grid[7]", "elements 0 to 1"), ("all + 1", "is no number")):
        try:
            fail(f"{text}: {evaluated(c, text, c.frame(t))}")
        except Refused as e:
            says(str(e), why)
    # Another lane, which its own variables are shown of.
    c.ask("setVariable", variablesReference=scopes["Path"]["variablesReference"], name="lane", value="40")
    same("another lane", (c.values(t, "Locals")["i"], c.values(t, "Locals")["v"]), ("40", "{1, 2, 3, 40}"))
    counter = evaluated(c, "counter", c.frame(t))
    same("memory", len(c.ask("readMemory", memoryReference=counter["memoryReference"], count=4)["data"]), 8)
    c.close()

# ---- Frames: what was inlined, and who has called
calls = run_file("calls.yaml", "calls", "calls", "-O0", CALLS)
c, t = stopped_at(calls, "calls.hip", line_in("calls", "at[x] = y"), "x == 37")
frames = c.frames(t)
same("frames", [f["name"] for f in frames], ["callee", "calls"])
own, caller = ({s["name"]: s for s in c.ask("scopes", frameId=f["id"])["scopes"]} for f in frames)
same("of the function", {n: v["value"] for n, v in c.variables(own["Locals"]["variablesReference"]).items() if n != "at"}, {"x": "37", "y": "111"})
same("of its caller", {n: v["value"] for n, v in c.variables(caller["Locals"]["variablesReference"]).items() if n in ("i", "sum", "n")}, {"i": "37", "sum": "225", "n": "3"})
same("watched in the caller", evaluated(c, "sum + i", frames[1], "watch")["result"], "262")
same("watched in the function", evaluated(c, "y + x", frames[0], "watch")["result"], "148")
try:
    fail(f"{evaluated(c, 'x', frames[1])}")
except Refused as e:
    says(str(e), "no register or buffer x")
says(c.say("info locals", t), "x               37  int")
d = c.ask("dataBreakpointInfo", variablesReference=own["Locals"]["variablesReference"], name="y")
says(d["description"], "y in ")
c.ask("setBreakpoints", source={"path": f"{HERE}/calls.hip"}, breakpoints=[])
c.close()
inlined = run_file("inlined.yaml", "calls", "calls", "-O2", CALLS)
c, t = stopped_at(inlined, "calls.hip", line_in("calls", "at[z + 64]"), "")
says(c.frames(t)[0]["name"], "within, inlined, calls.hip")
same("a frame around", c.frames(t)[-1]["name"], "calls")
c.close()

# ---- A data breakpoint on a variable in LDS, and on one in private memory
local = run_file("locals.yaml", "locals", "locals", "-O0", ARGUMENTS)
c, t = stopped_at(local, "locals.hip", line_in("locals", "int raw = in[i]"), "lane == 5")
v = c.variables(c.scopes(t)["Locals"]["variablesReference"])
c.ask("setBreakpoints", source={"path": f"{HERE}/locals.hip"}, breakpoints=[])
d = c.ask("dataBreakpointInfo", variablesReference=c.scopes(t)["Locals"]["variablesReference"], name="raw")
same("of one lane", (d["canPersist"], d["accessTypes"]), (False, ["write"]))
c.ask("setDataBreakpoints", breakpoints=[{"dataId": d["dataId"], "accessType": "write"}])
stop = c.go("continue", "data breakpoint", t)
same("what it is then", c.values(stop["threadId"], "Locals")["raw"], "20")
if not v["tile"]["value"].startswith("<in LDS"):
    tile = c.variables(c.scopes(stop["threadId"])["Locals"]["variablesReference"])["tile"]
    d = c.ask("dataBreakpointInfo", variablesReference=tile["variablesReference"], name="[3]")
    same("in LDS", d["accessTypes"], ["read", "write", "readWrite"])
    c.ask("setDataBreakpoints", breakpoints=[{"dataId": d["dataId"], "accessType": "write"}])
    stop = c.go("continue", "data breakpoint", stop["threadId"])
    same("what LDS is then", c.variables(c.variables(c.scopes(stop["threadId"])["Locals"]["variablesReference"])["tile"]["variablesReference"], start=3, count=1)["[3]"]["value"], "45")
c.ask("setDataBreakpoints", breakpoints=[])
c.finish()

# ---- A HIP program
PROGRAM = SOURCES["calls"] + """#include <cstdio>
int main() {
  int* out;
  if (hipMalloc(&out, 256 * sizeof(int)) != hipSuccess) return 9;
  calls<<<1, 64>>>(out, 3);
  return hipDeviceSynchronize() == hipSuccess ? 4 : 8;
}
"""
built("program", PROGRAM, "-O0")
for fidelity in ("functional", "timing"):
    c = Client(f"{ROOT}/configs/gpu/default.yaml", configure=False, program=f"{HERE}/program", args=[], set=[f"exec.fidelity={fidelity}"])
    c.ask("setBreakpoints", source={"path": f"{HERE}/program.hip"}, breakpoints=[{"line": line_in("calls", "at[x] = y"), "condition": "y == 27"}])
    c.ask("configurationDone")
    t = c.stop("breakpoint")["threadId"]
    same("in a program", {n: v for n, v in c.values(t, "Locals").items() if n != "at"}, {"x": "9", "y": "27"})
    same("hovered", evaluated(c, "x * y", c.frame(t))["result"], "243")
    c.ask("setBreakpoints", source={"path": f"{HERE}/program.hip"}, breakpoints=[])
    c.finish(4)
print("dap_locals_test: scopes, parts, hovers and watches")
