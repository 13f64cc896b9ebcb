#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prompt_test.py PWSVP ROOT: scripted sessions of pwsvp debug."""
import ctypes
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time

from prompts import FIDELITIES, FUNCTIONS, PWSVP, ROOT, config, debug, fail, of_scheme, says
from schemes import at_split_and_merge

TWO = config("two_branches")
os.chdir(tempfile.mkdtemp())


def masks(answer):
    return sorted(int(m, 16) for m in re.findall(r"mask (0x[0-9a-f]+)", answer))


# ---- Both sides of a branch, with their masks, where work-items 0 to 15 are in the block that they alone take
LEFT, RIGHT = 0xffff, 0xffffffffffff0000
for scheme in at_split_and_merge(PWSVP):
    for fidelity in FIDELITIES:
        a = debug(TWO, ["b two_branches+0x54", "run", "info paths", "info wavefronts", "info scheme", "p spm", "p active[15] - active[16]"],
                  of_scheme(scheme) + [fidelity])
        says(a[2], "Breakpoint 1", "wavefront 0, workgroup (0,0,0), path 0 of 2", "lanes 0x000000000000ffff", "s_nop 0", "block 2")
        if masks(a[3]) != [LEFT, RIGHT]:
            fail(f"{scheme}, {fidelity}: {a[3]}")
        says(a[4], "2 paths")
        says(a[5], scheme)
        says(a[6], "spm = 65535")
        says(a[7], "= 1")
for scheme in ("pdom", "naive", "dwf", "mimd"):
    a = debug(config("quickstart"), ["b vector_add.hip:23 if workgroup == 1", "run", "info paths", "p active"], of_scheme(scheme))
    says(a[2], "Breakpoint 1", "workgroup (1,0,0)", "result = x + y")
    if sum(masks(a[3])) != (1 << 64) - 1:
        fail(f"{scheme}: the paths are not the wavefront:\n{a[3]}")
# Side by side: the SWF has its parent, and can be chosen.
a = debug(TWO, ["b two_branches+0x54", "run", "info paths", "path 1", "p spm", "lane", "info scheme", "path 2", "stepi", "stepi all"], of_scheme("pws"), code=2)
says(a[3], "* 0  cu0.simd0.wf0", "  1  cu0.simd0.spsimd2.swf0", "split off cu0.simd0.wf0")
says(a[4], "path 1 of 2", "lanes 0xffffffffffff0000")
says(a[5], "spm = -65536")
says(a[6], "lane 16", "active")
says(a[7], "parent")
says(a[8], "paths 0 to 1")
says(a[9], "path 1 of 2")

# ---- Catchpoints, in the order of the run
a = debug(TWO, ["catch split", "catch merge", "run"] + ["c"] * 6 + ["info b"])
order = [re.search("Catchpoint, (split|merge)|(ended)", x).group(0).split()[-1] for x in a[3:10]]
if order != ["split", "merge", "split", "merge", "merge", "merge", "ended"]:
    fail(f"{order}\n" + "\n".join(a))
says(a[3], "split s10, s11", "lanes 0xffffffffffffffff")
says(a[10], "met 2 times", "met 4 times")
a = debug(config("reduction"), ["catch barrier if wavefront == 1", "run", "info wavefronts", "stepi 1 all", "wavefront 1", "info paths"])
says(a[2], "Catchpoint, barrier 1", "wavefront 1", "s_barrier")
says(a[3], "running")
a = debug(config("reduction"), ["catch end", "run"], ["machine.fidelity=functional"])
says(a[2], "Catchpoint, end 1", "Launch 1 has ended, the last one")

# ---- Threads have no effect
for threads in ("1", "2"):
    a = debug(config("vector_add"), ["b vector_add", "run", "quit"], ["machine.fidelity=functional", f"machine.threads={threads}"])
    if ("machine.threads has no effect here" in a[0]) != (threads == "2"):
        fail(f"{threads} threads: {a[0]}")
    says(a[2], "Breakpoint 1: vector_add")

# ---- What they wait for
begin, wait = re.search(r"^(.*?)<(vector_add\+0x[0-9a-f]+)>: s_waitcnt lgkmcnt\(0\)", debug(config("quickstart"), ["b vector_add", "run", "x/40i pc"])[3], flags=re.S).groups()
a = debug(config("quickstart"), [f"b {wait} if wavefront == 3", "run", "stepi", "info wavefronts"])
says(a[4], "* 3 ", "  11 ", f"memory: 0 vector, {begin.count('s_load')} scalar and LDS operations under way")
a = debug(config("reduction"), ["catch barrier if wavefront == 3", "run", "info wavefronts"], ["machine.fidelity=functional"])
says(a[3], "barrier: 3 of the 4 paths that run in its workgroup are there")
a = debug(TWO, ["b two_branches+0xb0", "run", "stepi all", "info paths", "c"], of_scheme("pws"))
says(a[4], "the other side at its merge; its wavefront runs in cu0.simd0.spsimd")
a = debug(TWO, ["b two_branches+0x54", "run", "info paths"], of_scheme("convergence"))
says(a[3], "its turn, after cu0.simd0.wf0")

# ---- Watchpoints
a = debug(TWO, ["watch out[20]", "run", "p out[20]", "p out[21]", "reverse-continue", "p out[20]", "c", "c"])
says(a[2], "Watchpoint 1: out[20]", "out[20]: 0 -> 13467", "by lanes 0x0000000000100000", "flat_store_dword")
says(a[3], "= 13467")
says(a[5], "Back at instruction 51", "flat_store_dword")
says(a[6], "out[20] = 0")
says(a[7], "out[20]: 0 -> 13467")
says(a[8], "has ended")
a = debug(TWO, ["watch out[5]@3", "rwatch out", "run"])
says(a[3], "out[5]: 0 -> 127", "out[7]: 0 -> 127", "by lanes 0x00000000000000e0")
a = debug(config("quickstart"), ["rwatch a[64]", "awatch c[64] if lane == 1", "run", "c"])
says(a[3], "Read watchpoint 1", "by lanes 0x0000000000000001", "wavefront 1")
if "Access watchpoint 2" in "".join(a[3:]):
    fail("a condition on a lane that does not access it holds")
a = debug(config("reduction"), ["b reduction", "run", "watch lds[256] if wavefront == 1", "delete 1", "c", "bt", "x/2dw lds 256"])
says(a[5], "Watchpoint 2", "lds[0x100]:", "wavefront 1", "ds_write_b32")
a = debug(TWO, ["b two_branches+0x3c", "run", "watch spm", "watch v2[20]", "c", "c"], of_scheme("stack"))
says(a[5], "spm: 0xffffffffffffffff -> 0xffff", "split s10, s11")
says(a[6], "v2[20]: 0x1 ->") if "v2[20]" in a[6] else says(a[6], "spm: 0xffff ->")

# Checks hear of the same instructions; what is watched changes while they do.
checks = of_scheme("pws") + ["machine.check.init=true", "machine.check.races=true", "machine.check.waits=true"]
a = debug(TWO, ["b block_c", "run", "watch out[20]", "watch v2[20]", "c", "delete 3", "c", "delete", "c", "c"], checks)
says(a[5], "v2[20]: 0x1 -> 0xd")
says(a[7], "out[20]: 0 -> 13467")
says(a[9], "has ended")
says(a[10], "nothing found", "PASS")

# ---- Conditions
a = debug(config("quickstart"), ["b vector_add if lane == 5 && workgroup == 2 && wavefront == 9", "run", "lane", "c"])
says(a[2], "wavefront 9, workgroup (2,0,0)")
says(a[3], "lane 5, work-item 69")
says(a[4], "has ended")
a = debug(TWO, ["b block_c", "condition 1 lane == 3", "run", "condition 1 scc == 1 || exec != 0", "run", "info b", "ignore 1 1", "run"])
says(a[3], "has ended")  # lanes 0 to 15 do not come there
says(a[5], "Breakpoint 1: block_c", "lanes 0xffffffffffff0000")
says(a[6], "if scc == 1 || exec != 0", "met 1 times", "two_branches+0x60")
a = debug(TWO, ["b block_c if 1/0", "run", "tbreak block_e", "c", "info b"])
says(a[2], "the condition of 1: division by 0")
says(a[4], "Breakpoint 2: block_e")
a = debug(TWO, ["tbreak two_branches", "run", "stepi", "info b"])
says(a[4], "No breakpoints")

# ---- Steps
a = debug(config("quickstart"), ["b vector_add if workgroup == 0 && wavefront == 0", "run", "next", "next", "until vector_add.hip:29", "stepi", "bt", "list 22"])
says(a[3], "vector_add.hip:17")
says(a[5], "vector_add.hip:29")
says(a[7], "#0", "vector_add")
says(a[8], "22", "if (x > 0.0f)")
a = debug(TWO, ["stepi", "stepi", "reverse-stepi", "reverse-stepi", "info registers", "info registers v0 s4", "x/2i pc", "disassemble", "p/x s[4:5]", "info launch"], code=2)
says(a[1], "two_branches>: s_load_dwordx2")
says(a[2], "<two_branches+0x8>")
says(a[3], "<two_branches>")
says(a[4], "just begun")
says(a[5], "exec    0xffffffffffffffff", "v0    0x00000000")
says(a[6], "0x0000003f")
says(a[7], "=> 0")
says(a[8], "s_endpgm")
says(a[10], "instruction 0 of the run", "0 of 1 workgroups")
a = debug(config("quickstart"), ["b vector_add", "run", "reverse-continue", "c", "c", "reverse-continue", "info counters"])
says(a[3], "Launch 1 is kernel")
says(a[4], "wavefront 0")
says(a[6], "wavefront 0")

# ---- Functions that are called and inlined: step goes in, next past them, and the caller is known
with open("call.hip", "w") as f:
    f.write(FUNCTIONS + """extern "C" __global__ void caller(int* x) {
  int a = x[threadIdx.x];
  int b = twice(a);
  int c = plus(b);
  x[threadIdx.x] = c;
}
""")
with open("call.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: call.hip, kernel: caller}}\nlaunch: {{grid: 64, workgroup: 64}}\n"
            "arguments:\n  - {name: x, type: i32, count: 64, init: {constant: 7}}\n")
a = debug("call.yaml", ["b call.hip:9", "run", "next", "bt", "next", "reverse-continue", "step", "bt", "step", "step", "p x[3]", "c", "p x[3]"])
says(a[3], "inlined at call.hip:10")
says(a[4], "#0  plus, inlined, at call.hip:6", "#1", "<caller+", "call.hip:10")
says(a[5], "call.hip:11")
says(a[6], "call.hip:9")
says(a[7], "<twice>")
says(a[8], "#0", "<twice>", "#1", "<caller+", "call.hip:9")
says(a[9], "call.hip:4")
says(a[10], "inlined at call.hip:10")
says(a[11], "= 7")
says(a[13], "= 19")

# finish leaves a function that was called, and one that was inlined; back by lines goes into calls, or past them.
a = debug("call.yaml", ["finish", "b call.hip:4", "run", "finish", "reverse-next", "delete", "b call.hip:6", "c", "finish", "reverse-step", "reverse-step", "run", "finish", "c"], code=2)
says(a[1], "no path is selected")
says(a[4], "inlined at call.hip:10", "<caller+")
says(a[5], "call.hip:9", "Back at instruction")
says(a[8], "Breakpoint 2", "inlined at call.hip:10")
says(a[9], "call.hip:11")
says(a[10], "inlined at call.hip:10")
says(a[11], "call.hip:4", "<twice+")
says(a[13], "call.hip:11")
a = debug(TWO, ["b two_branches", "run", "finish", "reverse-next", "c"], code=2)
says(a[3], "no caller")
says(a[4], "just begun")

# ---- A path that merges within a step: it stops at the next instruction of its wavefront
a = debug(TWO, ["b two_branches+0x54", "run", "delete", "path 1", "stepi 1000", "info wavefronts", "stepi 1000"], of_scheme("pws"))
says(a[5], "path 0 of 1", "lanes 0xffffffffffffffff", "block 7")
says(a[7], "has ended")

# ---- Several launches: points are for all of them, and going back leads from one into another
a = debug(config("two_stage_sum"), ["catch end", "b reduction if workgroup == 0 && wavefront == 1", "run", "c", "c", "info launch", "reverse-continue", "info launch", "delete", "c", "c"])
says(a[3], "Breakpoint 2")
says(a[4], "Launch 1 has ended", "Catchpoint, end 1")
says(a[6], "launch 2", "0 of 1 workgroups")
says(a[7], "Back at instruction 1.", "Breakpoint 2")
says(a[8], "launch 1", "0 of 4 workgroups")
says(a[10], "Launch 2 has ended, the last one")
says(a[11], "PASS")
a = debug(config("two_stage_sum"), ["watch partial[2]", "run", "c"])
says(a[2], "partial[2]:", "workgroup (2,0,0)")
says(a[3], "Launch 2 has ended")

# ---- Arguments that are numbers
a = debug(config("quickstart"), ["break vector_add if n == 1000", "run", "p n * 2", "info arguments", "watch n", "p n[0]", "rwatch n", "quit"], code=2)
says(a[2], "Breakpoint 1: vector_add")
says(a[3], "n * 2 = 2000")
says(a[4], "1000 x f32", "n               1000  u32")
says(a[5], "n is given to the kernel as a number, which does not change")
says(a[6], "n is a number, and no buffer")
says(a[7], "does not change")

# ---- A breakpoint that is never reached, and what is not there
a = debug(TWO, ["b block_c if workgroup == 7", "run", "continue"])
says(a[2], "has ended")
says(a[3], "PASS")
wrong = {"b nowhere": "there is no kernel, function or label nowhere", "b 99999": "no code at line 99999", "b 0x10": "no kernel, function or label 0x10", "b x.c:1": "no code is of a file x.c",
         "b two_branches+2": "no instruction begins", "b *0x10": "no instruction begins", "b two_branches+4": "within one", "b x:": "colon", "b x:0": "colon", "p s99": "s99 is not among",
         "p v77": "v77 is not among", "p v2[64]": "there is no lane 64", "p v2[-1]": "there is no lane -1", "lane 64": "there is no lane 64", "lane x": "is no number",
         "p nosuch": "there is no register or buffer nosuch; buffers are: out", "p out[64]": "elements 0 to 63", "p 1 +": "a value is missing", "p " + "(" * 300: "nested",
         "p 0x": "no number", "p s[4:9]": "s[N:N+1]", "p $foo": "there is no register foo", "x 0": "nothing is allocated at 0x0", "x/q out": "no format", "x lds 0": "LDS, which has 0 bytes",
         "x/100000xg out": "nothing is allocated", "x/0x out": "the count is", "foo": "there is no command", "info foo": "there is no thing to show", "delete 7": "there is no breakpoint 7",
         "condition": "is missing", "condition 1 ((": "a value is missing", "watch": "is missing", "watch out[64]": "elements 0 to 63", "watch *0@4": "nothing is allocated", "catch fire": "cannot be caught",
         "path 1": "paths 0 to 0", "wavefront 1": "wavefront 1 does not run", "list 99999": "no code at line", "stepi x": "is no number", "until": "a place is missing", "continue 1 2": "too much",
         "print": "is missing", "watch out@0": "so many are not there", "watch out@99999999999999": "so many", "rwatch s4": "only memory", "rwatch out@2": "nothing is allocated", "p 99999999999999999999": "no number", "info registers v1 v99": "v99 is not among"}
a = debug(TWO, ["b two_branches", "run"] + list(wrong) + ["info b"], code=2)
for (command, text), answer in zip(wrong.items(), a[3:]):
    if text not in answer:
        fail(f"{command}: does not say {text!r}:\n{answer}")
says(a[-1], "1   breakpoint")
if re.search(r"^2 ", a[-1], re.M):
    fail(f"a wrong command leaves a breakpoint:\n{a[-1]}")
# Before the first wavefront there is none to look at.
a = debug(TWO, ["info registers", "info paths", "bt", "p exec", "step", "info wavefronts", "disassemble", "list", "info buffers"], code=2)
for answer in a[1:5]:
    says(answer, "no path is selected")
says(a[6], "No wavefront runs")
says(a[9], "out", "64 x u32")

# ---- A program that goes wrong stops where it does
with open("wild.hip", "w") as f:
    f.write('#include <hip/hip_runtime.h>\nextern "C" __global__ void wild(int* x, int n) {\n  if (threadIdx.x == 7)\n    x[1 << 28] = n;\n}\n')
with open("wild.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: wild.hip, kernel: wild}}\nlaunch: {{grid: 64, workgroup: 64}}\n"
            "arguments:\n  - {name: x, type: i32, count: 64}\n  - {name: n, type: i32, value: 3}\n")
for fidelity in FIDELITIES:
    a = debug("wild.yaml", ["run", "lane", "info registers v0", "c"], [fidelity], code=1)
    says(a[1], "The program has gone wrong", "outside every allocation", "x[1 << 28] = n", "flat_store_dword")
    says(a[2], "lane 7")
    says(a[4], "FAIL")

# ---- The session in the document
document = re.search(r"^```\n\$ pwsvp (debug [^\n]*)\n(.*?)^```$", open(f"{ROOT}/docs/debug.md").read(), re.M | re.S)
r = subprocess.run(f"{PWSVP} {document.group(1)}", shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
if r.stdout != document.group(2):
    fail(f"docs/debug.md has another session than\n{r.stdout}")

# ---- What a run file writes is not written, and it is said
with open("saves.yaml", "w") as f:
    f.write(open("wild.yaml").read() + "save: {x: x.npy}\n")
says(debug("saves.yaml", [])[0], "not written here")
if os.path.exists("x.npy"):
    fail("a buffer is saved")

# ---- Back from the end, and from a fault
# ---- What caches have, and since when a path waits
ADD = config("quickstart")
a = debug(ADD, ["catch end", "info caches", "info caches c", "run", "info caches", "info caches c", "info caches c+16", "info caches 1.5"],
          ["machine.fidelity=timing", "machine.memory.l2.banks=4"], code=2)
if re.findall(r"^(\S+) +(\d+) of (\d+) lines, (\d+) dirty, (\d+) on their way$", a[2], re.M) != [
        (name, "0", room, "0", "0") for name, room in [("cu0.vector_l1", "256"), ("cu0.scalar", "256"), ("cu0.instruction", "512")] + [(f"l2.bank{k}", "4096") for k in range(4)]]:
    fail(a[2])
says(a[3], "not here")
held = {n: (int(here), int(dirty)) for n, here, dirty in re.findall(r"^(\S+) +(\d+) of \d+ lines, (\d+) dirty", a[5], re.M)}
# 1000 floats are 63 lines of 64 bytes, in a, b and c; only those of c have been written.
if sum(dirty for n, (_, dirty) in held.items() if n.startswith("l2.")) != 63 or held["cu0.vector_l1"][0] == 0 or held["cu0.vector_l1"][1] != 0:
    fail(a[5])
says(a[6], "here, dirty")
if len(re.findall(r"^l2\.bank", a[6], re.M)) != 1:
    fail(a[6])
says(a[7], a[6].splitlines()[0])  # the line of c[0] to c[15]
says(a[8], "an address is a whole number")
says(debug(ADD, ["info caches"], ["machine.fidelity=functional"], code=2)[1], "caches take part in timing fidelity alone")
says(debug(ADD, ["info caches"], [f"machine={ROOT}/configs/gpu/predictable.yaml", "machine.fidelity=timing"], code=2)[1], "there are no caches")
a = debug(config("reduction"), ["b reduction", "run", "delete", "catch barrier", "c 3", "info wavefronts", "q"], ["machine.fidelity=timing"])
if not re.search(r"barrier: \d+ of the \d+ paths that run in its workgroup are there, since cycle \d+$", a[6], re.M):
    fail(a[6])

a = debug(TWO, ["b block_c", "run", "c", "reverse-continue", "reverse-continue"])
says(a[3], "has ended")
says(a[4], "Back at instruction", "Breakpoint 1")
says(a[5], "Launch 1 is kernel")
a = debug("wild.yaml", ["run", "reverse-stepi", "reverse-stepi", "c"])
says(a[2], "Back at instruction", "flat_store_dword")
says(a[3], "Back at instruction")
says(a[4], "The program has gone wrong")

# ---- Scripts: files first; a wrong command has its place, and what follows is done
with open("commands.txt", "w") as f:
    f.write("# what to stop at\nb block_c\nfoo\n")
r = subprocess.run([PWSVP, "debug", TWO, "-x", "commands.txt", "--ex", "run"], input="p spm\nquit\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
if r.returncode != 2 or "commands.txt:3: there is no command `foo`" not in r.stderr or "spm = " not in r.stdout:
    fail(f"{r}")
r = subprocess.run([PWSVP, "debug", TWO, "-x", "nosuch.txt"], input="", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
if r.returncode != 2 or "nosuch.txt" not in r.stderr:
    fail(f"{r}")
garbage = bytes(range(256)) * 40
r = subprocess.run([PWSVP, "debug", TWO], input=garbage, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
if r.returncode != 2:
    fail(f"garbage: exit code {r.returncode}")

# ---- SIGINT leads to the prompt, and the run goes on from there
with open("long.hip", "w") as f:
    f.write('#include <hip/hip_runtime.h>\nextern "C" __global__ void forever(int* x) {\n  while (__atomic_load_n(x, __ATOMIC_RELAXED) == 0) {\n  }\n}\n')
with open("long.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: long.hip, kernel: forever}}\nlaunch: {{grid: 64, workgroup: 64}}\n"
            "arguments:\n  - {name: x, type: i32, count: 64, init: {constant: 0}}\n")
p = subprocess.Popen([PWSVP, "debug", "long.yaml"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def answers(command, last):
    p.stdin.write(command + "\n")
    p.stdin.flush()
    comes(last)


def comes(text):
    said = ""
    while text not in said:
        line = p.stdout.readline()
        if not line:
            fail(f"the prompt has ended before it says {text!r}:\n{said}")
        said += line
    return said


answers("run", "(pwsvp) run")
for _ in range(2):
    time.sleep(0.5)
    p.send_signal(signal.SIGINT)
    says(comes("=>"), "Interrupted.")
    answers("continue", "(pwsvp) continue")
p.send_signal(signal.SIGINT)
p.stdin.close()
if p.wait(60) != 0:
    fail(f"the prompt ends with {p.returncode}")

# ---- At a terminal: an empty line repeats, SIGINT drops what is typed, SIGTERM ends it; with libedit, completion and history
def read(terminal, until):
    said, end = b"", time.monotonic() + 60
    while not said.endswith(until):
        if time.monotonic() > end:
            fail(f"a terminal has {said!r}, and not {until!r}")
        if select.select([terminal], [], [], 0.1)[0]:
            said += os.read(terminal, 4096)
    return said.decode()


def at_terminal(term, **environment):
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.execve(PWSVP, [PWSVP, "debug", TWO], dict(os.environ, TERM=term, **environment))
    return child, terminal


def ended_by(number, child):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        of, status = os.waitpid(child, os.WNOHANG)
        if of != 0:
            if os.waitstatus_to_exitcode(status) != 128 + number:
                fail(f"signal {number} at the prompt: {status}")
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    fail(f"signal {number} does not end the prompt")


def has_libedit():
    try:
        ctypes.CDLL("libedit.so.2")
    except OSError:
        return False
    return True


for term in ["dumb"] + ["xterm"] * has_libedit():
    child, terminal = at_terminal(term)
    read(terminal, b"(pwsvp) ")
    os.write(terminal, b"garbage")
    time.sleep(0.3)
    os.write(terminal, b"\x03")
    read(terminal, b"(pwsvp) ")
    os.write(terminal, b"stepi\n")
    says(read(terminal, b"(pwsvp) "), "<two_branches>")
    os.write(terminal, b"\n")
    says(read(terminal, b"(pwsvp) "), "<two_branches+0x8>")
    if term == "xterm":
        os.write(terminal, b"\x1b[A\n")
        says(read(terminal, b"(pwsvp) "), "<two_branches+0x10>")
        os.write(terminal, b"tbr\ttwo\t+0x54\n")
        says(read(terminal, b"(pwsvp) "), "Temporary breakpoint 1 at")
        os.write(terminal, b"inf\tsch\t\n")
        says(read(terminal, b"(pwsvp) "), "no register that is not 0")
    os.kill(child, signal.SIGTERM)
    ended_by(signal.SIGTERM, child)
    os.close(terminal)

# A signal that comes between the prompt and the wait for what is typed ends it too: every wait begins late here.
with open("late.c", "w") as f:
    f.write("""#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
static void late(void) {
  struct timespec left = {0, 700000000};
  while (nanosleep(&left, &left) != 0) {
  }
}
int poll(struct pollfd* p, nfds_t n, int t) {
  late();
  return ((int (*)(struct pollfd*, nfds_t, int))dlsym(RTLD_NEXT, "poll"))(p, n, t);
}
int ppoll(struct pollfd* p, nfds_t n, const struct timespec* t, const sigset_t* s) {
  late();
  return ((int (*)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*))dlsym(RTLD_NEXT, "ppoll"))(p, n, t, s);
}
""")
subprocess.run(["cc", "-shared", "-fPIC", "-o", "late.so", "late.c", "-ldl"], check=True)
for term in ["dumb"] + ["xterm"] * has_libedit():
    child, terminal = at_terminal(term, LD_PRELOAD=os.path.abspath("late.so"))
    read(terminal, b"(pwsvp) ")
    os.kill(child, signal.SIGTERM)
    ended_by(signal.SIGTERM, child)
    os.close(terminal)
print("scripted sessions as they should be")
