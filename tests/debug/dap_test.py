#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dap_test.py PWSVP ROOT: sessions of pwsvp dap with a client of the Debug Adapter Protocol."""
import base64
import os
import re
import tempfile

from dap_client import Client, Refused
from prompts import FIDELITIES, FUNCTIONS, ROOT, config, fail, of_scheme, run, says, summary

TWO = config("two_branches")
SOURCE = f"{ROOT}/sw/kernels/two_branches.s"
os.chdir(tempfile.mkdtemp())


def refused(client, text, command, /, **arguments):
    """The request gets an error that says so."""
    try:
        body = client.ask(command, **arguments)
    except Refused as e:
        says(str(e), text)
        return
    fail(f"{command} {arguments} is not refused, but answered with {body}")


def same(what, is_, expected):
    if is_ != expected:
        fail(f"{what}: {is_}, and not {expected}")


def verified(answer):
    return [b["verified"] for b in answer["breakpoints"]]


# ---- Both sides of a branch are threads, with their masks; results and counters are those of pwsvp run
LEFT, RIGHT = "0x000000000000ffff", "0xffffffffffff0000"
for scheme in ("pws", "dws", "stack", "dpe"):
    for fidelity in FIDELITIES:
        sets = of_scheme(scheme) + [fidelity]
        c = Client(TWO, configure=False, set=sets)
        same("line", c.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": 37}])["breakpoints"][0]["line"], 37)
        c.ask("configurationDone")
        s = c.stop("breakpoint")
        threads = c.threads()
        same(f"{scheme}: paths", len(threads), 2)
        names = " ".join(t["name"] for t in threads)
        says(names, "wavefront 0, path 0 of 2", "path 1 of 2", LEFT, RIGHT)
        same(f"{scheme}: the path that stops", [LEFT in t["name"] for t in threads if t["id"] == s["threadId"]], [True])
        f = c.frame(s["threadId"])
        same("frame", (f["name"], f["line"], f["source"]["path"]), ("two_branches", 37, SOURCE))
        v = c.values(s["threadId"], "Path")
        same("masks", (v["spm"], v["active"], v["lane"], v["lane is"]), (LEFT, LEFT, "0", "active"))
        other = next(t["id"] for t in threads if t["id"] != s["threadId"])
        v = c.values(other, "Path")
        same("masks", (v["spm"], v["lane"]), (RIGHT, "16"))
        if scheme == "stack":
            says(v["waits for"], "its turn, in entry 0 of the stack")
            refused(c, "step the path that runs", "next", threadId=other)
            says(str(c.values(s["threadId"], "Divergence scheme")), "stack.depth")
        same("v2 is there for all lanes", len(c.values(other, "Vector registers")), 8)
        c.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[])
        c.ask("continue", threadId=other)
        c.ended()
        same(f"{scheme}, {fidelity}: the summary", summary(c.output["console"]), run(TWO, sets))
for scheme in ("dwf", "pdom"):
    sets = of_scheme(scheme)
    c = Client(config("quickstart"), configure=False, set=sets)
    vector_add = f"{ROOT}/sw/kernels/vector_add.hip"
    c.ask("setBreakpoints", source={"path": vector_add}, breakpoints=[{"line": 23, "condition": "workgroup == 1"}])
    c.ask("configurationDone")
    s = c.stop("breakpoint")
    wavefront = c.values(s["threadId"], "Path")["wavefront"]
    of_it = [c.values(t["id"], "Path")["spm"] for t in c.threads() if t["name"].startswith(f"wavefront {wavefront},")]
    same(f"{scheme}: the paths are the wavefront", sum(int(m, 16) for m in of_it), (1 << 64) - 1)
    if scheme == "dwf" and len(of_it) < 2:
        fail("dwf: one path")
    c.ask("setBreakpoints", source={"path": vector_add}, breakpoints=[])
    c.finish()
    same(f"{scheme}: the summary", summary(c.output["console"]), run(config("quickstart"), sets))

# ---- Breakpoints: what they have got, and why not; equal ones stay as they are
c = Client(TWO, configure=False)
b = c.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": 1}, {"line": 57, "condition": "exec == 1"}, {"line": 9999}, {"line": 57, "condition": "1 +"}, {"line": 57, "hitCondition": "x"},
                                                                  {"line": 57, "logMessage": "here"}])["breakpoints"]
same("verified", [x["verified"] for x in b], [True, True, False, False, False, False])
same("the next line with code", b[0]["line"], 26)
for k, text in ((2, "no code at line 9999"), (3, "a value is missing"), (4, "no count of hits"), (5, "no log points")):
    says(b[k]["message"], text)
again = c.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": 57, "condition": "exec == 1"}])["breakpoints"]
same("a breakpoint that stays", again[0]["id"], b[1]["id"])
b = c.ask("setBreakpoints", source={"path": "/nowhere/other.hip"}, breakpoints=[{"line": 3}])["breakpoints"][0]
says(b["message"], "no code is of a file /nowhere/other.hip")
os.symlink(SOURCE, "linked.s")
same("by a link", verified(c.ask("setBreakpoints", source={"path": os.path.abspath("linked.s")}, breakpoints=[{"line": 57, "condition": "0"}])), [True])
b = c.ask("setFunctionBreakpoints", breakpoints=[{"name": "two_branches"}, {"name": "block_c"}, {"name": "nosuch"}])
same("functions", verified(b), [True, True, False])
says(b["breakpoints"][2]["message"], "no kernel, function or label nosuch")
at = int(b["breakpoints"][1]["instructionReference"], 16)
b = c.ask("setInstructionBreakpoints", breakpoints=[{"instructionReference": hex(at), "offset": 8}, {"instructionReference": "0x10"}, {"instructionReference": "what"}])
same("instructions", verified(b), [True, False, False])
c.ask("configurationDone")
s = c.stop("function breakpoint")
same("the breakpoint", s["hitBreakpointIds"], [c.ask("setFunctionBreakpoints", breakpoints=[{"name": "two_branches"}])["breakpoints"][0]["id"]])
thread = s["threadId"]
c.go("continue", "instruction breakpoint")
same("pc", c.frame(thread)["instructionPointerReference"], hex(at + 8))
# A word of the console takes them all away, and it is told.
c.say("delete")
same("gone", c.event("breakpoint")["reason"], "removed")
c.finish()

# ---- Hits, and what is entered
for hits, expected in (("3", 3), (">= 2", 2), (">1", 2)):
    c = Client(config("quickstart"), configure=False, set=["machine.n_cu=1"])
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "vector_add", "hitCondition": hits}])
    c.ask("configurationDone")
    c.stop("function breakpoint")
    says(c.say("info breakpoints"), f"met {expected} times")
    c.ask("terminate")
    c.event("terminated")
    c.close()
c = Client(TWO, stopOnEntry=True)
same("the first instruction", c.frame(c.stop("entry")["threadId"])["line"], 26)
c.finish()

# ---- A buffer's element is watched, and the run goes back to the write
c = Client(TWO, stopOnEntry=True)
t = c.stop("entry")["threadId"]
buffers = c.scopes(t)["Buffers"]["variablesReference"]
out = c.variables(buffers)["out"]
same("elements", (out["indexedVariables"], list(c.variables(out["variablesReference"], start=20, count=3))), (64, ["[20]", "[21]", "[22]"]))
info = c.ask("dataBreakpointInfo", variablesReference=out["variablesReference"], name="[20]")
same("the element", (info["description"], info["accessTypes"], info["canPersist"]), ("out[20]", ["read", "write", "readWrite"], True))
register = c.ask("dataBreakpointInfo", name="v2[20]", frameId=c.frame(t)["id"])
same("a register", (register["accessTypes"], register["canPersist"]), (["write"], False))
for name, text in (("out[64]", "elements 0 to 63"), ("v99[0]", "v99 is not among"), ("foo", "no register or buffer foo"), ("v2[64]", "no lane 64")):
    i = c.ask("dataBreakpointInfo", name=name, frameId=c.frame(t)["id"])
    same(name, i["dataId"], None)
    says(i["description"], text)
word = c.ask("dataBreakpointInfo", name=out["memoryReference"], asAddress=True, bytes=8, frameId=c.frame(t)["id"])
b = c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}, {"dataId": "nonsense"}, {"dataId": "1.2.3|x"}, {"dataId": "9.9.9.9.9.9|v2"}, {"dataId": word["dataId"], "accessType": "read"}])
same("watched", verified(b), [True, False, False, False, True])
s = c.go("continue", "data breakpoint")
says(s["text"], "out[20]: 0 -> 13467", "by lanes 0x0000000000100000")
says(c.output["console"], "out[20]: 0 -> 13467")
same("the line that writes", c.frame(s["threadId"])["line"], 57)
same("the lane that writes", c.values(s["threadId"], "Path")["lane"], "20")
says(c.say("lane"), "lane 20")
element = lambda: c.ask("evaluate", expression="out[20]", context="watch", frameId=c.frame(s["threadId"])["id"])["result"]
same("written", element(), "13467")
s = c.go("reverseContinue")
says(s["description"], "Back at instruction 51")
same("not written yet", element(), "0")
s = c.go("stepBack", "step", granularity="instruction")
says(s["description"], "Back at instruction 50")
b = c.ask("setDataBreakpoints", breakpoints=[{"dataId": register["dataId"]}])
c.go("reverseContinue")
c.go("continue", "data breakpoint")
c.ask("setDataBreakpoints", breakpoints=[])
c.finish()

# ---- Lanes: one is selected, is looked at, and steps with its path
c = Client(TWO, configure=False, set=of_scheme("pws"))
c.ask("setFunctionBreakpoints", breakpoints=[{"name": "two_branches+0x40"}])
c.ask("configurationDone")
c.stop()
paths = {re.search("0x[0-9a-f]{16}", t["name"]).group(): t["id"] for t in c.threads()}
t = paths[RIGHT]
same("set", c.ask("setVariable", variablesReference=c.scopes(t)["Path"]["variablesReference"], name="lane", value="40"), {"value": "40"})
same("told", c.event("invalidated")["threadId"], t)
v = c.variables(c.scopes(t)["Vector registers"]["variablesReference"])["v2"]
same("its register", v["evaluateName"], "v2[40]")
before = v["value"]
c.ask("setFunctionBreakpoints", breakpoints=[])
lines = [c.frame(t)["line"]]
while len(lines) < 3:
    c.go("next", "step", thread=t)
    lines.append(c.frame(t)["line"])
if len(set(lines)) != 3:
    fail(f"the lane's lines: {lines}")
same("the lane", c.values(t, "Path")["lane"], "40")
v = c.variables(c.scopes(t)["Vector registers"]["variablesReference"])["v2"]
same("one value of 64", (v["value"], c.variables(v["variablesReference"], filter="indexed", start=40, count=1)["[40]"]["value"].split()[0]), (v["value"],) * 2)
says(c.variables(v["variablesReference"])["[3]"]["value"], "(not active)")
if v["value"] == before:
    fail(f"v2 of lane 40 is still {before}")
c.go("stepBack", "step", thread=t)
same("the line before", c.frame(t)["line"], lines[-2])
c.go("stepIn", "step", thread=t, granularity="instruction")
for value, text in (("64", "no lane 64"), ("-1", "no lane -1"), ("x", "no register or buffer x")):
    refused(c, text, "setVariable", variablesReference=c.scopes(t)["Path"]["variablesReference"], name="lane", value=value)
refused(c, "exec cannot be changed", "setVariable", variablesReference=c.scopes(t)["Path"]["variablesReference"], name="exec", value="1")

# ---- The console has the prompt's words; what it selects is where the client looks
says(c.say("info paths", t), "* 1", "  0")
says(c.say("path 0", t), "path 0 of 2", "=>")
s = c.stop("pause")
same("focus", s["threadId"], paths[LEFT])
says(c.say("p spm"), "spm = 65535")
says(c.say("lane 3", paths[LEFT]), "lane 3, work-item 3")
same("its lane", c.values(paths[LEFT], "Path")["lane"], "3")
same("an expression", c.say("v2[20] - v2[20] + 5"), "5")
same("nothing", c.say(""), "")
for words, text in (("p v99", "v99 is not among"), ("lane 64", "no lane 64"), ("path 7", "paths 0 to 1"), ("x 0", "nothing is allocated"), ("foo bar", "no operator"), ("b nosuch", "no kernel, function")):
    refused(c, text, "evaluate", expression=words, context="repl")
same("completed", [x["label"] for x in c.ask("completions", text="info pa", column=8)["targets"]], ["paths"])
same("completed", c.ask("completions", text="two", column=4)["targets"], [])
same("names", "two_branches" in [x["label"] for x in c.ask("completions", text="b two", column=6)["targets"]], True)
c.say("stepi")
c.event("continued")
c.stop("step")
says(c.output["console"], "=> ", "path 0 of 2")
c.say("b block_e")
c.say("continue")
says(c.stop("breakpoint")["description"], "block_e")
c.say("delete")
c.say("continue")
c.ended()

# ---- Hovers and watches
c = Client(config("quickstart"), configure=False)
c.ask("setBreakpoints", source={"path": vector_add}, breakpoints=[{"line": 23, "condition": "wavefront == 9"}])
c.ask("configurationDone")
t = c.stop()["threadId"]
frame = c.frame(t)["id"]
e = c.ask("evaluate", expression="a", context="hover", frameId=frame)
same("a buffer", (e["indexedVariables"], e["memoryReference"], len(c.variables(e["variablesReference"], start=0, count=2))), (1000, hex(int(e["result"].split()[0])), 2))
same("a vector register", c.ask("evaluate", expression="v2", context="watch", frameId=frame)["indexedVariables"], 64)
refused(c, "no register or buffer result", "evaluate", expression="result", context="hover", frameId=frame)
same("a condition", c.ask("evaluate", expression="wavefront == 9 && workgroup == 2", context="watch", frameId=frame)["result"], "1")
m = c.ask("readMemory", memoryReference=e["memoryReference"], count=16)
words = re.findall("0x[0-9a-f]{8}\\b", c.say("x/4xw a", t).split(":", 1)[1])
same("memory", base64.b64decode(m["data"]), b"".join(int(w, 16).to_bytes(4, "little") for w in words))
same("more than there is", c.ask("readMemory", memoryReference=e["memoryReference"], offset=4090, count=4096)["unreadableBytes"] > 0, True)
same("nothing there", c.ask("readMemory", memoryReference="0x10", count=8), {"address": "0x10", "unreadableBytes": 8})
pc = c.frame(t)["instructionPointerReference"]
i = c.ask("disassemble", memoryReference=pc, instructionOffset=-2, instructionCount=5)["instructions"]
same("instructions", (len(i), i[2]["address"], i[2]["line"]), (5, pc, 23))
whole = c.ask("disassemble", memoryReference=pc, instructionOffset=-1000, instructionCount=3000)["instructions"]
same("as many as were asked for", (len(whole), whole[1000]["address"], whole[0]["presentationHint"], whole[-1]["presentationHint"]), (3000, pc, "invalid", "invalid"))
same("the text", "result = x + y" in c.ask("source", source={"path": vector_add})["content"], True)
c.ask("setBreakpoints", source={"path": vector_add}, breakpoints=[])
c.finish()
c = Client(config("reduction"), configure=False)
c.ask("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "barrier", "condition": "wavefront == 1"}])
c.ask("configurationDone")
s = c.stop("exception")
same("what", c.ask("exceptionInfo", threadId=s["threadId"])["exceptionId"], "barrier")
lds = c.scopes(s["threadId"])["LDS"]
word = c.variables(lds["variablesReference"], start=64, count=1)["[256]"]
same("LDS", c.ask("readMemory", memoryReference=word["memoryReference"], count=4)["data"], base64.b64encode(int(word["value"], 16).to_bytes(4, "little")).decode())
d = c.ask("dataBreakpointInfo", variablesReference=lds["variablesReference"], name="[256]")
same("LDS is a workgroup's", d["canPersist"], False)
c.ask("setExceptionBreakpoints", filters=["end"])
c.ask("setDataBreakpoints", breakpoints=[{"dataId": d["dataId"], "accessType": "readWrite"}])
c.go("continue", "data breakpoint")
c.ask("setDataBreakpoints", breakpoints=[])
s = c.go("continue", "exception")
says(s["description"], "end")
says(c.threads()[0]["name"], "no wavefront is in the machine")
same("where nothing runs", list(c.scopes(c.threads()[0]["id"])), ["Buffers", "Counters"])
refused(c, "no wavefront is in the machine", "next", threadId=c.threads()[0]["id"])
c.finish()

# ---- Between launches the launch is the only thread; a step leads into the next one, and back leads into the one before
c = Client(config("two_stage_sum"), configure=False)
c.ask("setExceptionBreakpoints", filters=["end"])
c.ask("configurationDone")
s = c.stop("exception")
same("the only thread", [t["name"] for t in c.threads()], ["launch 1: no wavefront is in the machine"])
refused(c, "no wavefront is in the machine", "stepBack", threadId=s["threadId"])
s = c.go("next", "step", thread=s["threadId"])
says(c.say("info launch"), "launch 2")
c.ask("setExceptionBreakpoints", filters=[])
c.ask("setFunctionBreakpoints", breakpoints=[{"name": "reduction", "condition": "workgroup == 3 && wavefront == 13"}])
c.go("reverseContinue", "function breakpoint")
says(c.say("info launch"), "launch 1", "0 of 4 workgroups")
s = c.go("reverseContinue", "entry")
same("at the beginning", s["description"], "Before the first launch")
refused(c, "no wavefront is in the machine", "stepBack", threadId=s["threadId"])
c.go("stepIn", "step", thread=s["threadId"])
c.ask("setFunctionBreakpoints", breakpoints=[])
c.finish()

# ---- Code without source lines is its instructions
with open("plain.hip", "w") as f:
    f.write('#include <hip/hip_runtime.h>\nextern "C" __global__ void k(int* x) {\n  x[threadIdx.x] = 3;\n}\n')
with open("plain.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nlaunch: {{grid: 64, workgroup: 64}}\nprogram: {{source: plain.hip, kernel: k, flags: [-g0]}}\narguments:\n  - {{name: x, type: i32, count: 64, init: {{constant: 0}}}}\n")
c = Client("plain.yaml", stopOnEntry=True)
t = c.stop("entry")["threadId"]
listing = c.frame(t)["source"]
text = c.ask("source", source=listing, sourceReference=listing["sourceReference"])["content"].splitlines()
says(text[0], "<k>: s_load_dwordx2")
says(text[-1], "s_endpgm")
b = c.ask("setBreakpoints", source=listing, breakpoints=[{"line": 4}, {"line": 999}])
same("lines of instructions", verified(b), [True, False])
says(b["breakpoints"][1]["message"], f"the function has {len(text)} instructions")
c.go("next", "step", thread=t)
same("a line", c.frame(t)["line"], 2)
c.go("continue", "breakpoint", thread=t)
says(text[3], c.frame(t)["instructionPointerReference"])
same("the line", c.frame(t)["line"], 4)
c.go("stepBack", "step", thread=t)
same("the line before", c.frame(t)["line"], 3)
c.ask("setBreakpoints", source=listing, breakpoints=[])
c.finish()

# ---- Splits and merges are stops, in the order of the run
c = Client(TWO, configure=False)
c.ask("setExceptionBreakpoints", filters=["split", "merge"])
c.ask("configurationDone")
order = []
for _ in range(6):
    order.append(re.search("split|merge", c.stop("exception")["description"]).group())
    c.ask("continue", threadId=c.threads()[0]["id"])
same("order", order, ["split", "merge", "split", "merge", "merge", "merge"])
c.ended()

# ---- Calls, inlined and not; a fault; what a program prints; restart with other source
with open("call.hip", "w") as f:
    f.write(FUNCTIONS + """extern "C" __global__ void caller(int* x) {
  int a = x[0];
  int b = twice(a);
  int c = plus(b);
  if (threadIdx.x == 7)
    printf("seven has %d\\n", c);
  x[threadIdx.x + LATER] = c;
}
""")
MACHINE = f"machine: {ROOT}/configs/gpu/default.yaml\nlaunch: {{grid: 64, workgroup: 64}}\n"
with open("call.yaml", "w") as f:
    f.write(MACHINE + "program: {source: call.hip, kernel: caller, flags: [-DLATER=0]}\narguments:\n  - {name: x, type: i32, count: 64, init: {constant: 7}}\n")
here = os.path.abspath("call.hip")
c = Client("call.yaml", configure=False)
c.ask("setBreakpoints", source={"path": here}, breakpoints=[{"line": 3}])
c.ask("configurationDone")
t = c.stop()["threadId"]
same("calls", [(f["name"], f["line"]) for f in c.frames(t)], [("twice", 4), ("caller", 9)])
c.go("stepOut", "step", thread=t)
same("inlined", [(f["name"], f["line"]) for f in c.frames(t)], [("plus, inlined, call.hip:6", 6), ("caller", 10)])
c.go("stepOut", "step", thread=t)
same("behind", c.frames(t)[-1]["line"], 11)
same("deemphasised", c.frames(t)[0]["source"].get("presentationHint"), "deemphasize" if len(c.frames(t)) > 1 else None)
c.go("stepBack", "step", thread=t)
same("back", c.frames(t)[-1]["line"], 10)
c.go("stepBack", "step", thread=t)
same("back past the call", [(f["name"], f["line"]) for f in c.frames(t)], [("caller", 9)])
c.ask("setBreakpoints", source={"path": here}, breakpoints=[{"line": 13}])
t = c.go("continue", "breakpoint")["threadId"]
same("printed", c.output.get("stdout"), "seven has 19\n")
same("a part of the calls", (len(c.ask("stackTrace", threadId=t, startFrame=0, levels=1)["stackFrames"]), c.ask("stackTrace", threadId=t, startFrame=5)["stackFrames"]), (1, []))
with open("call.hip") as f:
    text = f.read()
with open("call.hip", "w") as f:
    f.write("// One line more\n" + text.replace("LATER", "(1 << 28)"))
c.ask("restart")
same("moved", c.event("breakpoint")["breakpoint"]["line"], 13)
t = c.stop("breakpoint")["threadId"]
c.ask("setBreakpoints", source={"path": here}, breakpoints=[])
s = c.go("continue", "exception")
says(s["text"], "outside every allocation")
same("the line", c.frames(s["threadId"])[-1]["line"], 14)
same("a fault", c.ask("exceptionInfo", threadId=s["threadId"])["exceptionId"], "fault")
c.ask("continue", threadId=s["threadId"])
same("failed", c.event("exited"), {"exitCode": 1})
c.event("terminated")
refused(c, "the run has ended", "threads")
refused(c, "the run has ended", "setFunctionBreakpoints", breakpoints=[])
# ... again, as something else, which comes to a good end.
c.ask("restart", arguments={"config": TWO, "stopOnEntry": True})
c.stop("entry")
c.finish()

print("sessions with an editor as they should be")
