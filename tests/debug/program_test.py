#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""program_test.py PWSVP SOURCE: pwsvp debug with HIP programs: where they stop, what is seen, how they end, and that nothing changes by it."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from programs import LATE, ODD, SOURCE, WRONG, built
from prompts import PWSVP, ROOT, fail, says

os.chdir(tempfile.mkdtemp())
built("program", SOURCE)
built("late", LATE, "--genco")
built("splits", SOURCE.replace("__attribute__((noinline)) ", ""), compiler=(f"{os.path.dirname(PWSVP)}/pwscc", "--split=all", "-S", "3"))
MACHINE = f"{ROOT}/configs/gpu/default.yaml"
TIMING = ("--set", "exec.fidelity=timing")


def started(commands, *options, arguments=(), program="./program", machine=MACHINE):
    words = [PWSVP, "debug", machine, *options]
    for c in commands:
        words += ["-ex", c]
    return words + ["--", program, *arguments]


def debug(commands, *options, code=0, given="", **more):
    """What it has printed: first up to the first command, then behind each."""
    words = started(commands, *options, **more)
    r = subprocess.run(words, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, and not {code}\n{r.stdout}")
    return re.split(r"^\(pwsvp\) .*\n", r.stdout, flags=re.M)


# ---- Both sides of a branch, arguments by their names and types, calls, a buffer's element, a launch's end
for fidelity in ("functional", "timing"):
    a = debug(["break program.hip:%d if workgroup == 0 && n == 200" % ODD, "tbreak after", "catch end", "info buffers", "run", "info paths", "lane 3", "print in[3]", "print out[3]", "watch out[3]", "step", "backtrace", "info launch",
               "delete 1", "continue", "delete 4", "continue", "print out[3]", "print out[4]", "continue", "info launch", "delete", "continue"],
              "--set", f"exec.fidelity={fidelity}", "--set", "exec.summary=false", code=3, arguments=["3"])
    says(a[0], "before\n", "program is loaded. Launch 1 is kernel sides(int*, double const*, int), grid 256x1x1, workgroup 64x1x1.")
    says(a[1], f"program.hip:{ODD}")
    says(a[2], "<after>")
    says(a[4], "in              0x", "256 x f64", "out             0x", "256 x i32", "n               200  i32")
    says(a[5], "Breakpoint 1", f"program.hip:{ODD}")
    says(a[6], "mask 0xffffffffffffffff active 0xaaaaaaaaaaaaaaaa")
    says(a[8], "in[3] = 3.5")
    says(a[9], "out[3] = 0")
    says(a[11], "twice")
    says(a[12], "twice", "sides")
    says(a[13], "launch 1: kernel sides(int*, double const*, int)")
    says(a[15], "out[3]: 0 -> 6")
    says(a[17], "Launch 1 has ended.")
    says(a[18], "out[3] = 6")
    says(a[19], "out[4] = 45")
    says(a[20], "Breakpoint 2: after", "<after>")
    says(a[21], "launch 2: kernel after(int*, unsigned int)")
    says(a[23], "1006 1045\n")

# ---- Code that comes later, and goes
a = debug(["break late", "break nowhere.hip:3", "break late.hip:2 if out[0] > 4", "info breakpoints", "run", "info breakpoints", "continue", "continue", "info breakpoints", "delete 3", "continue"],
          arguments=["module", "late"])
says(a[1], "Breakpoint 1 waits for code to come: there is no kernel, function or label late")
says(a[2], "Breakpoint 2 waits for code to come")
says(a[3], "Breakpoint 3 waits for code to come")
says(a[5], "Breakpoint 1: late")
says(a[6], "met 1 times", "<late>")
says(a[7], "Breakpoint 3: late.hip:2", "<late+")
says(a[8], "Breakpoint 1: late")
says(a[9], "met 2 times")
says(a[11], "1016 1055\n")

# ---- A launch that goes wrong: the program hears of it, and goes on
a = debug(["run", "lane", "print out[0]", "continue"], arguments=["wrong"], code=5)
says(a[1], "The program has gone wrong: write of 4 bytes", f"program.hip:{WRONG}")
says(a[2], "lane 5,")
says(a[3], "out[0] =")
says(a[4], "error 1\n")

# ---- Another machine behind a reset
a = debug(["break after", "run", "continue", "info breakpoints", "continue"], arguments=["reset"])
says(a[2], "The program has gone wrong")
says(a[3], "Breakpoint 1: after")
says(a[4], "met 1 times")
says(a[5], "1000 1000\n")

# ---- Launches beside each other: each stop is about its own
a = debug(["tbreak after", "run", "info launch", "info wavefronts", "tbreak twice", "continue", "info launch", "continue"], *TIMING, "--set", "machine.hardware_queues=2", arguments=["streams"])
says(a[3], "launch 3: kernel after(")
says(a[4], "<after", "<sides")
says(a[7], "launch 2: kernel sides(")

# ---- Standard input is the program's, where scripts have the commands
a = debug(["run"], arguments=["reads"], given="one\ntwo\n")
says(a[1], "read one\nread two\n")
a = debug([], arguments=["reads"], given="print 40 + 2\nrun\n")
says(a[1], "= 42")

# ---- A copy of the program has no debugger
a = debug(["tbreak after", "run", "continue"], arguments=["fork"])
if a[2].count("Breakpoint 1: after") != 1:
    fail(f"stops in the program's copy:\n{a}")

# ---- What does not go back says so; what is wrong
for command in ("reverse-stepi", "reverse-step", "reverse-next", "reverse-continue", "run"):
    a = debug(["break after", "run", command, "quit"], code=2)
    says(a[3], "a HIP program cannot go back or begin again")
debug(["run", "nonsense"], arguments=["3"], code=3)  # which the program has not come to
debug(["nonsense", "run"], arguments=["3"], code=3)
debug(["nonsense", "run"], code=2)
debug(["quit"], arguments=["3"])
says(debug([], given="")[0], "is loaded")  # the end of standard input is `quit`
# Scripts may be longer than a variable of the environment.
with open("long.gdb", "w") as f:
    f.write("print 40 + 2\n" * 30000)
says(debug(["run"], "-x", "long.gdb", arguments=["3"], code=3)[30000], "= 42")
for options, text in ((("--firmware", ""), "--firmware: "), (("--snapshot-every", "9"), "--snapshot-every: a HIP program does not go back"), (("--snapshot-memory", "9"), "--snapshot-memory: "),
                      (("--set", "exec.devices=2"), "exec.devices"), (("-x", "nothing.gdb"), "nothing.gdb: cannot be read"), (("--set", "exec.nothing=1"), "exec.nothing")):
    r = subprocess.run(started(["run"], *options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode != 2 or text not in r.stdout:
        fail(f"{options}: {r}")
says(debug(["run"], program="/bin/true")[0], "never loaded")
a = debug(["run"], program="/bin/sh", arguments=["-c", "./program; ./program 7"], code=7)
if sum(x.count("is loaded") for x in a) != 1:
    fail(f"two processes have the debugger:\n{a}")


# ---- Signals
def at_prompt(p, until):
    said = ""
    end = time.monotonic() + 120
    while until not in said:
        byte = p.stdout.read(1)
        if not byte or time.monotonic() > end:
            fail(f"does not come to {until!r}:\n{said}")
        said += byte
    return said


p = subprocess.Popen(started(["run"], arguments=["long"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
at_prompt(p, "(pwsvp) run\n")
time.sleep(1)
p.send_signal(signal.SIGINT)
at_prompt(p, "Interrupted.\n")
p.stdin.write("info launch\nquit\n")
p.stdin.flush()
at_prompt(p, "kernel after(")
if p.wait(60) != 0:
    fail(f"quit of an interrupted program: {p.returncode}")
for state in ("prompt", "running"):
    p = subprocess.Popen(started(["run"] if state == "running" else [], arguments=["long"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    at_prompt(p, "(pwsvp) run\n" if state == "running" else "is loaded")
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    if p.wait(60) != -signal.SIGTERM:
        fail(f"SIGTERM, {state}: {p.returncode}")


# ---- Nothing changes by it: a breakpoint on every instruction, and reports that are the same
def launches(report):
    return [{k: v for k, v in l.items() if "host" not in k} for l in json.load(open(report))["per_launch"]]


for scheme in ("none", "pws", "stack", "subwarps", "dwf"):
    options = [*TIMING, "--set", f"machine.divergence={scheme}", "--set", "machine.hardware_queues=2"] + (["--set", "machine.spsimd_per_simd=2"] if scheme == "pws" else [])
    subprocess.run([PWSVP, "exec", MACHINE, *options, "--quiet", "--report", "alone.json", "--", "./splits", "streams"], check=True, stdout=subprocess.DEVNULL)
    text = "".join(debug(["disassemble sides", "disassemble after", "quit"], *options, program="./splits"))
    places = re.findall(r"^ +(?:\d+ +)?(0x[0-9a-f]+) <", text, re.M)
    if len(places) < 40 or "split" not in text:
        fail(f"{len(places)} instructions:\n{text}")
    with open("script", "w") as f:
        f.write("".join(f"break *{x}\n" for x in places) + "".join(f"ignore {k + 1} 1000000\n" for k in range(len(places))) + "catch end\nignore %d 100\nrun\n" % (len(places) + 1))
    debug([], *options, "--set", "exec.report=watched.json", "-x", "script", program="./splits", arguments=["streams"])
    if launches("alone.json") != launches("watched.json"):
        fail(f"{scheme}: breakpoints change a launch:\n{launches('alone.json')}\n{launches('watched.json')}")
print("HIP programs stop, show, end and take as long as they should")
