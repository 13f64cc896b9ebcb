#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dap_program_test.py PWSVP SOURCE: HIP programs in an editor, by the Debug Adapter Protocol: what they stop at and show, how they end, and clients that are wrong."""
import os
import signal
import subprocess
import tempfile
import time

from dap_client import Client, Refused
from programs import LATE, ODD, SOURCE, WRONG, built
from prompts import ROOT, fail, says

os.chdir(tempfile.mkdtemp())
built("program", SOURCE)
built("late", LATE, "--genco")
MACHINE = f"{ROOT}/configs/gpu/default.yaml"
HERE = os.getcwd()


def client(*arguments, sets=(), configure=False, program=f"{HERE}/program", **more):
    return Client(MACHINE, configure, program=program, args=list(arguments), set=list(sets), **more)


def refused(what, text, *arguments, **more):
    c = Client()
    c.ask("initialize", adapterID="pwsvp")
    try:
        c.ask("launch", **{"config": MACHINE, "program": f"{HERE}/program", "args": list(arguments), **more})
        fail(f"{what} is launched")
    except Refused as e:
        says(str(e), text)
    c.close()
    return c


def lines(c, *wanted, **more):
    return c.ask("setBreakpoints", source={"path": f"{HERE}/program.hip"}, breakpoints=[{"line": n, **more} for n in wanted])["breakpoints"]


def functions(c, *names):
    return c.ask("setFunctionBreakpoints", breakpoints=[{"name": n} for n in names])["breakpoints"]


def programs():
    return [int(p) for p in os.listdir("/proc") if p.isdigit() and os.path.exists(f"/proc/{p}/exe") and os.path.realpath(f"/proc/{p}/exe") == f"{HERE}/program"]


# ---- From the first launch to the exit code
for fidelity in ("functional", "timing"):
    c = client("3", sets=[f"exec.fidelity={fidelity}"])
    if c.event("capabilities")["capabilities"] != {"supportsStepBack": False}:
        fail("what a program cannot do is not told")
    b = lines(c, ODD, condition="workgroup == 0")
    if not b[0]["verified"] or b[0]["line"] != ODD:
        fail(f"{b}")
    functions(c, "after")
    c.ask("configurationDone")
    stop = c.stop("breakpoint")
    if stop["hitBreakpointIds"] != [b[0]["id"]]:
        fail(f"{stop}")
    frame = c.frame(stop["threadId"])
    if frame["line"] != ODD or frame["source"]["name"] != "program.hip":
        fail(f"{frame}")
    buffers = c.variables(c.scopes(stop["threadId"])["Buffers"]["variablesReference"])
    if set(buffers) != {"in", "out"}:
        fail(f"{buffers}")
    if c.variables(buffers["in"]["variablesReference"], start=3, count=1)["[3]"]["value"] != "3.5":
        fail("in[3]")
    says(c.say("info launch"), "launch 1: kernel sides(")
    if c.ask("evaluate", expression="n / 8", frameId=frame["id"])["result"] != "25":
        fail("an argument that is a number")
    says(c.say("print out[3]", stop["threadId"]), "out[3] = 0")
    c.go("stepIn", "step", stop["threadId"])
    if "twice" not in c.frame(stop["threadId"])["name"]:
        fail(f"{c.frame(stop['threadId'])}")
    for command in ("stepBack", "reverseContinue"):
        try:
            c.ask(command, threadId=stop["threadId"])
            fail(f"{command} of a program")
        except Refused as e:
            says(str(e), "a HIP program cannot go back")
    lines(c)
    c.go("continue", "function breakpoint")
    says(c.say("info launch"), "launch 2: kernel after(")
    functions(c)
    c.finish(3)
    says(c.output["stdout"], "before\n", "1006 1045\n")

# ---- Code that comes later
c = client("module", "late")
b = functions(c, "late", "nowhere")
if b[0]["verified"] or "there is no kernel" not in b[0]["message"]:
    fail(f"{b}")
c.ask("configurationDone")
changed = c.event("breakpoint")
if changed["reason"] != "changed" or changed["breakpoint"]["id"] != b[0]["id"] or not changed["breakpoint"]["verified"]:
    fail(f"{changed}")
c.stop("function breakpoint")
c.go("continue", "function breakpoint")
c.finish()
says(c.output["stdout"], "1016 1055\n")

# ---- A fault, and what the program makes of it; its own standard input is empty
c = client("wrong", configure=True)
stop = c.stop("exception")
if c.frame(stop["threadId"])["line"] != WRONG:
    fail(f"{stop}")
c.finish(5)
says(c.output["stdout"], "error 1\n")
c = client("reads", configure=True)
c.ended()
c = client("fork", stopOnEntry=True, configure=True)
c.stop("entry")
functions(c, "after")
c.go("continue", "function breakpoint")
c.finish()

# ---- Again, and to an early end
c = client("3")
functions(c, "after")
c.ask("configurationDone")
c.stop("function breakpoint")
c.ask("restart")
c.stop("function breakpoint")
if len(programs()) != 1:
    fail(f"{len(programs())} programs run")
c.ask("terminate")
c.event("terminated")
try:
    c.ask("stackTrace", threadId=1)
    fail("a stack trace after the end")
except Refused:
    pass
c.ask("restart")  # behind the end
c.stop("function breakpoint")
c.finish(3)
c = client("long", configure=True)
time.sleep(0.5)
c.ask("pause")
stop = c.stop("pause")
says(c.say("info launch"), "kernel after(")
c.close()
if programs():
    fail("the program outlives its debugger")
for how in (signal.SIGTERM, signal.SIGKILL):
    for what in ("long", "sleep"):  # in a kernel, and before there is one
        if what == "long":
            c = client(what, configure=True)
        else:
            c = Client()
            c.ask("initialize", adapterID="pwsvp")
            c.send("launch", {"config": MACHINE, "program": f"{HERE}/program", "args": [what]})
        time.sleep(0.3)
        c.process.send_signal(how)
        if c.process.wait(60) != {signal.SIGTERM: 128 + signal.SIGTERM, signal.SIGKILL: -signal.SIGKILL}[how]:
            fail(f"{what}, {how.name}: {c.process.returncode}")
        end = time.monotonic() + 60
        while programs():
            if time.monotonic() > end:
                fail(f"the program outlives a debugger that {how.name} has ended")
            time.sleep(0.05)

# ---- Options that have no effect: told once, by their names
for options, names in (([], None), (["--snapshot-every", "9"], "--snapshot-every: "), (["--snapshot-memory", "9"], "--snapshot-memory: "), (["--snapshot-memory", "0"], "--snapshot-memory: "),
                       (["--snapshot-every", "9", "--snapshot-memory", "9"], "--snapshot-memory, --snapshot-every: ")):
    c = client("3", options=options)
    functions(c, "after")
    c.ask("configurationDone")
    c.stop("function breakpoint")
    c.ask("restart")
    c.stop("function breakpoint")
    c.finish(3)
    expected = f"{names}a HIP program does not go back, so there are no snapshots\n" if names else None
    if c.output.get("important") != expected:
        fail(f"{options}: {c.output}")
c = Client(f"{ROOT}/configs/runs/quickstart.yaml", options=["--snapshot-every", "9"])
c.ended()
if "important" in c.output:
    fail(f"a run: {c.output}")

# ---- Another machine behind a reset; a program that changes its folder, and a restart of another one
c = client("reset")
functions(c, "after")
c.ask("configurationDone")
c.stop("exception")
c.go("continue", "function breakpoint")
c.finish()
for again, text in (({"args": ["3"]}, "1006 1045\n"), ({"args": ["3"], "program": f"{HERE}/missing"}, "cannot be started")):
    c = client("elsewhere")
    functions(c, "after")
    c.ask("configurationDone")
    c.stop("function breakpoint")
    c.ask("restart", arguments={"config": MACHINE, "program": f"{HERE}/program", **again})
    if "program" in again:
        c.event("terminated")
        c.close()
    else:
        c.stop("function breakpoint")
        c.finish(3)
    says("".join(c.output.values()), text)

# ---- Programs that end otherwise
c = client("crash", configure=True)
if c.event("exited") != {"exitCode": 128 + signal.SIGABRT}:
    fail("the program has not been aborted")
if c.output["stdout"].count("until here") != 1:
    fail(f"{c.output}")
c.ask("restart")  # breakpoints are asked for again
c.event("initialized")
functions(c, "sides")
c.ask("configurationDone")
c.stop("function breakpoint")
functions(c)
c.finish(128 + signal.SIGABRT)
refused("a program without a launch", "without a launch on the GPU; its exit code is 3", "nothing")
says(refused("no HIP program", "without a launch", program="/bin/true", args=[]).output["stderr"], "was never loaded")
refused("a program that is not there", "cannot be started", program=f"{HERE}/missing")
refused("two GPUs", "exec.devices", set=["exec.devices=2"])
refused("a wrong key", "exec.nothing", set=["exec.nothing=1"])
refused("a run file", "unknown key", config=f"{ROOT}/configs/runs/quickstart.yaml")
c = Client()
c.ask("initialize", adapterID="pwsvp")
for wrong in ({"args": ["1"]}, {"program": 3}, {"program": f"{HERE}/program", "args": "1"}, {"program": f"{HERE}/program", "args": [1]}):
    try:
        c.ask("launch", config=MACHINE, **wrong)
        fail(f"{wrong} is launched")
    except Refused:
        pass
# The session is good for a program after all that.
c.ask("launch", config=MACHINE, program=f"{HERE}/program", args=["7"])
c.event("initialized")
c.ask("configurationDone")
c.ended(7)
# A client that goes.
c = client("long", configure=True)
c.process.stdin.close()
c.process.wait(60)
if programs():
    fail("the program outlives its client")
print("HIP programs in an editor stop, show and end as they should")
