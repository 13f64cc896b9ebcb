#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dap_test.py PWSVP SOURCE PROGRAMS FIRMWARE: the GPU of a system in an editor, by the Debug Adapter Protocol."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "debug"))
from dap_client import Client, Refused  # noqa: E402
from prompts import PWSVP, ROOT, fail, says  # noqa: E402

programs, firmware = sys.argv[3:]
if not os.path.exists(f"{firmware}/control.elf"):
    print("no firmware")
    sys.exit(77)
SYSTEM = f"{ROOT}/configs/soc/control.yaml"
KERNELS = f"{ROOT}/sw/firmware/control/kernels.hip"


def client(name="control", configure=False, **more):
    return Client(SYSTEM, configure, firmware=f"{firmware}/{name}.elf", kernels=[f"{firmware}/{name}.hsaco"], **more)


def lines(c, *wanted):
    return c.ask("setBreakpoints", source={"path": KERNELS}, breakpoints=[{"line": n} for n in wanted])["breakpoints"]


def refused(text, **launch):
    c = Client()
    c.ask("initialize", adapterID="pwsvp")
    try:
        c.ask("launch", **launch)
        fail(f"{launch} is launched")
    except Refused as e:
        says(str(e), text)
    c.close()


# Options that have no effect are named, once.
for options, names in (([], None), (["--snapshot-every", "9"], "--snapshot-every: "), (["--snapshot-memory", "9", "--snapshot-every", "9"], "--snapshot-memory, --snapshot-every: ")):
    c = client(options=options)
    c.ask("configurationDone")
    c.ended(0)
    expected = f"{names}firmware does not go back, so there are no snapshots\n" if names else None
    if c.output.get("important") != expected:
        fail(f"{options}: {c.output}")

# From the first launch on: both sides of a branch are threads; then a restart, and the end with what `soc` prints.
c = client()
if c.event("capabilities")["capabilities"] != {"supportsStepBack": False}:
    fail("what firmware cannot do is not told")
b = lines(c, 30)
if not b[0]["verified"] or b[0]["line"] != 30:
    fail(f"{b}")
c.ask("configurationDone")
for again in (False, True):
    stop = c.stop("breakpoint")
    at = stop["threadId"]
    if c.frame(at)["line"] != 30 or len(c.threads()) != 2:
        fail(f"{c.frame(at)} {c.threads()}")
    path = c.values(at, "Path")
    says(str(path), "0x50a150a150a150a1")
    says(c.say("info paths"), "cu0.simd0.spsimd2.swf0", "kernels.hip:30")
    c.go("next", "step", at)
    if c.frame(at)["line"] == 30:
        fail("next stays at its line")
    if not again:
        try:
            c.ask("stepBack", threadId=at)
            fail("firmware goes back")
        except Refused as e:
            says(str(e), "firmware cannot go back")
        c.ask("restart")
lines(c)
c.ask("setExceptionBreakpoints", filters=["end"])
c.go("continue", "exception", c.threads()[0]["id"])
c.ask("setExceptionBreakpoints", filters=[])
c.ask("continue", threadId=c.threads()[0]["id"])
c.ended(0)
alone = subprocess.run([PWSVP, "soc", SYSTEM, "--firmware", f"{firmware}/control.elf"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
if c.output["stdout"] + "".join(l for l in c.output["console"].partition(f"{firmware}/control.elf on ")[1:]) != alone:
    fail(f"the run is another one than that of soc:\n{c.output}\n{alone}")
# A GPU that goes wrong, and firmware that goes on behind that.
c = client("gpu_check", True)
stop = c.stop("exception")
says(stop["text"], "0x1000")
c.ask("continue", threadId=stop["threadId"])
while True:
    e = c.event("exited") if not c.events else c.events.pop(0)
    if "exitCode" in e:
        break
if e["exitCode"] != 0:
    fail(f"{e}: {c.output}")
c.event("terminated")
c.close()
# Given up at a stop, and before there is one.
c = client(stopOnEntry=True)
c.ask("configurationDone")
c.stop("entry")
c.ask("terminate")
c.close()
c = Client()
c.ask("initialize", adapterID="pwsvp")
c.send("launch", {"config": SYSTEM, "firmware": f"{programs}/hang.elf"})
c.close()
refused("one GPU, and there are 2", config=f"{ROOT}/configs/soc/two_gpus.yaml", firmware=f"{firmware}/two_gpus.elf")
refused("one GPU, and there are 0", config=f"{ROOT}/configs/soc/virt.yaml", firmware=f"{programs}/hang.elf")
refused("without a launch on the GPU; its exit code is 42", config=SYSTEM, firmware=f"{programs}/fails.elf")
refused("no.elf", config=SYSTEM, firmware="no.elf")
refused("no.hsaco", config=SYSTEM, firmware=f"{firmware}/control.elf", kernels=["no.hsaco"])
refused("not debugged at a time", config=SYSTEM, firmware="x", program="y")
refused("kernels are for firmware", config=SYSTEM, kernels=["x"])
refused("args are for a program", config=SYSTEM, firmware="x", args=["1"])
print("firmware in an editor as it should be")
