#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb_gpus_test.py PWSVP SOURCE PROGRAMS FIRMWARE: the GPUs of pwsvp soc under gdb: by the remote protocol itself, and by gdb-multiarch."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys

from gdb_client import Client, fail, firmware, gdb, programs, pwsvp, run_alone, says, source, symbol

if not os.path.exists(f"{firmware}/control.elf"):
    print("no firmware")
    sys.exit(77)
system = f"{source}/configs/soc/control.yaml"
two_systems = f"{source}/configs/soc/two_gpus.yaml"
control, gpu_check, gpu_check_ram, two_gpus = (f"{firmware}/{n}.elf" for n in ("control", "gpu_check", "gpu_check_ram", "two_gpus"))
LINES = ("--kernels", f"{firmware}/control.hsaco")
GPU_STOPS = "S1e"
WINDOW = 0x20000000 + 0x100000
FIRST, RECORD, ENDED = 0x400, 0x400, 6  # docs/registers.md


def quad(c, at):
    return struct.unpack("<Q", bytes.fromhex(c.ask(f"m{at:x},8")))[0]


def word(c, at):
    return struct.unpack("<I", bytes.fromhex(c.ask(f"m{at:x},4")))[0]


def paths_of(text):
    """Each path by its place: mask, active lanes, address, symbol and line."""
    form = r"^([* ]) \d+ +(\S+) +mask (0x\w+) active (0x\w+) (0x\w+) (<\S+>)? ?(\S*)$"
    return {m[1]: (m[0] == "*", int(m[2], 16), int(m[3], 16), int(m[4], 16), m[5], m[6]) for m in re.findall(form, text, re.M)}


def record_at(place):
    """Where the window has a context of the system's compute unit: one SIMD unit, its SpSIMD unit, four contexts each."""
    unit, context = re.fullmatch(r"cu0\.simd0\.(wf|spsimd2\.swf)(\d)", place).groups()
    return WINDOW + FIRST + ((unit != "wf") * 4 + int(context)) * RECORD


def compare_with_window(c, before=True):
    """The debugger's view and what host software reads in the bus's window, which has the next instruction where a path is `before` one. The paths."""
    paths = paths_of(c.monitor("gpu info paths"))
    for place, (is_current, mask, active, pc, _, _) in paths.items():
        at = record_at(place)
        shown, em, spm, status = quad(c, at), quad(c, at + 8), quad(c, at + 0x10), word(c, at + 0x18)
        behind = shown - pc
        if (em & spm, spm) != (active, mask) or status == 0 or not (behind in (4, 8) if is_current and before else behind == 0):
            fail(f"{place}: {pc:#x} {mask:#x} {active:#x}, and the window has {shown:#x} {spm:#x} {em:#x} {status}")
    there = sum(word(c, WINDOW + FIRST + k * RECORD + 0x18) not in (0, ENDED) for k in range(8))
    if there != len(paths):
        fail(f"{there} contexts are in use, and there are {len(paths)} paths")
    return paths


# ---- Before its code is there; a breakpoint that comes with it; both sides of a branch, with masks; the window agrees
c = Client(control, *LINES, "--report", "report.json", config=system)
says(c.monitor("gpu"), "gpu0: 0 kernels and 0 workgroups have ended, no fault")
for words, text in (("info launch", "no kernel has been launched"), ("info paths", "no path is selected"), ("info wavefronts", "No wavefront runs"), ("backtrace", "no path is selected"),
                    ("info counters", "no kernel has been launched"), ("info arguments", "No argument"), ("disassemble", "no function"), ("list", "no source line"), ("stepi path", "")):
    says(c.monitor("gpu " + words), text)
says(c.monitor("gpu break filter"), "Breakpoint 1 waits for code to come")
says(c.monitor("gpu break nothing_has_this_name"), "waits for code")
says(c.monitor("gpu break kernels.hip:26"), "waits for code")
says(c.monitor("gpu disable 3"))
said = c.goes_on(GPU_STOPS)
while "Breakpoint" not in said:  # the step from before
    said = c.goes_on(GPU_STOPS)
says(said, "gpu0: Breakpoint 1: filter", "wavefront 0, workgroup (0,0,0), path 0 of 1", "control/kernels.hip:")
says(c.monitor("gpu info launch"), "launch 1: kernel filter, grid 64x1x1, workgroup 64x1x1")
says(c.monitor("gpu info arguments"), "sample", "x i32", "n               64")
if not 0 <= c.pc() - symbol(control, "gpu_wait") < 256:
    fail(f"the processor stands at {c.pc():#x}")
if len(compare_with_window(c)) != 1:
    fail("one path before the branch")
says(c.monitor("gpu catch split"), "Catchpoint 4 (split)")
says(c.goes_on(GPU_STOPS), "Catchpoint, split 4", "split exec_lo, exec_hi")
says(c.monitor("gpu break kernels.hip:30"), "kernels.hip:30")
says(c.goes_on(GPU_STOPS), "path 1 of 2", "y += step >> 3;")
paths = compare_with_window(c)
(a, b) = paths.values()
if a[1] & b[1] or a[1] | b[1] != 2**64 - 1 or b[5] != "kernels.hip:30" or not b[0] or "filter" not in a[4]:
    fail(f"both sides of the branch: {paths}")
step = int(re.search(r"= (-?\d+)", c.monitor("gpu print v5[0]")).group(1))
says(c.monitor("gpu path 0"), "path 0 of 2")
says(c.monitor("gpu info registers exec spm active pc"), f"exec    {a[2]:#018x}", f"spm     {a[1]:#018x}", f"pc      {a[3]:#018x}")
# A listing that is longer than a packet of gdb's, and answers without a word.
listing = c.monitor("gpu disassemble")
if len(listing) < 9000 or listing.count("<filter") != len(listing.splitlines()) or "s_endpgm" not in listing.splitlines()[-1]:
    fail(f"the listing of a kernel:\n{listing}")
if c.monitor("gpu delete 1") != "" or c.monitor("gpu delete 4") != "":
    fail("delete has something to say")
# Steps go when gdb lets the system go on, and gdb's own step is the processor's.
says(c.monitor("gpu path 1"), "path 1 of 2")
says(c.monitor("gpu stepi"), "when gdb lets the system go on")
says(c.goes_on(GPU_STOPS), "path 1 of 2")
next_pc = [p for p in paths_of(c.monitor("gpu info paths")).values() if p[0]][0][3]
if not b[3] < next_pc <= b[3] + 8:
    fail(f"a step leads from {b[3]:#x} to {next_pc:#x}")
c.monitor("gpu disable")
says(c.monitor("gpu tbreak kernels.hip:43"), "Temporary breakpoint")
says(c.goes_on(GPU_STOPS), "state[i] = y;")
# Memory: by name and address, watched, and where nothing is.
says(c.monitor("gpu print state[3]"), "state[3] = 0")
says(c.monitor("gpu watch state[3]"), "Watchpoint")
says(c.goes_on(GPU_STOPS), "state[3]: 0 -> ", "by lanes 0x0000000000000008")
state = int(re.search(r"state +(0x\w+)", c.monitor("gpu info arguments")).group(1), 16)
if f"{word(c, state + 12):#010x}" not in c.monitor(f"gpu x/1xw {state + 12:#x}"):
    fail("memory is not what the processor reads")
says(c.monitor("gpu x/1xw 0x80000000"), "nothing is allocated at 0x80000000")
says(c.monitor("gpu catch end"), "(end)")
says(c.goes_on(GPU_STOPS), "Launch 1 has ended")
says(c.monitor("gpu info wavefronts"), "No wavefront runs")

# ---- Code that is overwritten between launches is not what it was; what a kernel in service has executed stays its own
entry = int(re.search(r"(0x\w+) <filter>", c.monitor("gpu disassemble filter")).group(1), 16)
code = c.ask(f"m{entry:x},4")
branches = re.findall(r"(0x\w+) <\S+>: s_c?branch\w* (\d+)", c.monitor(f"gpu x/150i {entry:#x}"))
loop_end = next(at for at, words in branches if int(words) >= 1 << 15)
c.monitor("gpu delete")
says(c.monitor("gpu break filter"), "Breakpoint")
c.expect(f"M{entry + 8:x},4:000080bf", "OK")  # s_nop
says(c.monitor("gpu break command"), "Breakpoint")
c.monitor("gpu catch end")
said = c.goes_on(GPU_STOPS)
says(said, "Launch 2 has ended")  # `command` was not stopped at: its code object is not there
says(c.monitor("gpu info launch"), "kernel at 0x1000")
says(c.monitor("gpu break command"), "waits for code to come", "there are: none")
says(c.monitor(f"gpu x/2i {entry:#x}"), f"{entry:#x} : s_load_dword", "s_nop 0")
c.write(b"$k#6b")
c.ends(1)
c = Client(control, *LINES, config=system)
c.monitor(f"gpu break *{loop_end}")
c.monitor("gpu break filter")
c.goes_on(GPU_STOPS)
for _ in range(3):
    c.goes_on(GPU_STOPS)
loop = c.monitor("gpu x/1i pc")
at = int(re.search(r"0x\w+", loop).group(0), 16)
kept = c.ask(f"m{at:x},4")
c.expect(f"M{at:x},4:000080bf", "OK")
if c.monitor("gpu x/1i pc") != loop or "0xbf800000" not in c.monitor("gpu x/1xw pc"):
    fail(f"the instruction of the kernel in service: {c.monitor('gpu x/1i pc')}")
c.expect(f"M{at:x},4:{kept}", "OK")
c.monitor("gpu delete")
c.expect("c", "W00")  # and the results are right
c.ends(0)

# ---- A watchpoint that is made where the processor stands, or another GPU, sees what comes then
c = Client(two_gpus, config=two_systems)
c.monitor("gpu 0 break filter")
c.goes_on(GPU_STOPS)
place = re.search(r"arg1 +(0x\w+)", c.monitor("gpu 0 info arguments")).group(1)  # the same in each run
c.write(b"$k#6b")
c.ends(1)
c = Client(two_gpus, config=two_systems)
c.monitor(f"gpu 0 awatch *{place}")
says(c.goes_on(GPU_STOPS), "gpu0: ", "accessed", "by lanes 0x0000000000000001")
c.monitor("gpu delete")
c.monitor("gpu 1 break filter")
says(c.goes_on(GPU_STOPS), "gpu1: Breakpoint 1: filter")
c.monitor("gpu 1 delete")
store = re.search(r"(0x\w+) <\S+>: flat_store_dword", c.monitor("gpu 0 disassemble filter")).group(1)
c.monitor(f"gpu 0 break *{store}")
says(c.goes_on(GPU_STOPS), "gpu0: Breakpoint 2: *0x1")
state = re.search(r"arg1 +(0x\w+)", c.monitor("gpu 1 info arguments")).group(1)
c.monitor(f"gpu 1 awatch *{state}")
says(c.goes_on(GPU_STOPS), "gpu1: ", "accessed", "by lanes 0x0000000000000001")
c.write(b"$k#6b")
c.ends(1)
c = Client(gpu_check, config=system)
c.monitor("gpu tbreak add")
says(c.goes_on(GPU_STOPS), "Breakpoint 1: add")
for _ in range(200):
    c.expect("s", "S05")
now, all_paths = re.findall(r"pc (0x\w+)", c.monitor("gpus")), re.findall(r" paths  (0x\w+)", c.monitor("gpu info wavefronts"))
if len(now) != 4 or sorted(now) != sorted(all_paths):
    fail(f"wavefronts stand at {now}, and the debugger has them at {all_paths}")
c.monitor(f"gpu awatch *{re.search('arg2 +(0x[0-9a-f]+)', c.monitor('gpu info arguments')).group(1)}")
says(c.goes_on(GPU_STOPS), "accessed", "flat_store_dword")
c.monitor("gpu delete")
c.monitor("gpu catch end")
says(c.goes_on(GPU_STOPS), "Launch 1 has ended")
says(c.monitor("gpu info launch"), "launch 1: kernel add", "3 of 4 workgroups have ended")  # the last one does now
says(c.goes_on(GPU_STOPS), "Launch 2 has ended")
c.write(b"$k#6b")
c.ends(1)

# ---- Every instruction of a kernel is stopped at, and the report has the same bytes
alone = run_alone(control, config=system) and open("alone.json").read()
c = Client(control, "--report", "report.json", config=system)
c.monitor("gpu break filter")
says(c.goes_on(GPU_STOPS), "Breakpoint 1: filter")
instructions = [int(a, 16) for a in re.findall(r"(0x\w+) <filter", c.monitor("gpu disassemble"))]
for address in instructions:
    c.monitor(f"gpu break *{address:#x}")
for k in ("catch split", "catch merge", "catch end", f"awatch *{instructions[0] + 0x2000:#x}", "watch s3"):
    c.monitor("gpu " + k)
stops, seen = 0, set()
while stops < 3000:
    said = c.goes_on(GPU_STOPS)
    seen.update(int(a, 16) for a in re.findall(r"^=> (0x\w+)", said, re.M))
    if stops % 10 == 0 and "ended" not in said:
        compare_with_window(c, " -> " not in said and "accessed" not in said)
    stops += 1
    if "Launch 1 has ended" in said:
        break
if not seen <= set(instructions) or len(seen) < len(instructions) - 5 or stops < 500:
    fail(f"{stops} stops at {len(seen)} of {len(instructions)} instructions")
c.monitor("gpu delete")
c.expect("c", "W00")
c.ends(0)
if open("report.json").read() != alone:
    fail("a run with breakpoints has another report")

# ---- Firmware that stops, and looks at the GPU, which stands too; faults, if somebody asks about GPUs
c = Client(gpu_check, "--report", "report.json", config=system)
c.expect(f"Z0,{symbol(gpu_check, 'gpu_wait'):x},2", "OK")
c.expect("c", "S05")
most = 0
for _ in range(40):
    for _ in range(20):
        c.expect("s", "S05")
    text = c.monitor("gpu info wavefronts")
    if c.monitor("gpu info wavefronts") != text:
        fail("the GPU goes on while the processor stands")
    most = max(most, text.count("workgroup ("))
    for k in re.findall(r"^[* ] (\d+) ", text, re.M):
        c.monitor(f"gpu wavefront {k}")
        place = re.search(r"\((cu0\S+)\)", c.monitor("gpu wavefront")).group(1)
        if place not in c.monitor("gpus"):
            fail(f"{place} is not among all")
if most != 4:
    fail(f"{most} wavefronts are seen")
c.expect(f"z0,{symbol(gpu_check, 'gpu_wait'):x},2", "OK")
said = c.goes_on(GPU_STOPS)
says(said, "gpu0: The program has gone wrong", "0x1000")
says(c.monitor("gpu info registers v0"), "v0")
for _ in range(20):
    answer = c.ask("c")
    if answer != GPU_STOPS:
        break
if answer != "W00":
    fail(f"behind faults: {answer}")
c.ends(0)
if open("report.json").read() != (run_alone(gpu_check, config=system) and open("alone.json").read()):
    fail("stops at faults change the run")

# ---- All that a kernel touches is in the processor's memory
ram = ("--set", "gpus.0.machine={n_cu: 2, memory: {system: {size_mib: 16}, dram: {size_mib: 64}}}")
c = Client(gpu_check_ram, *ram, "--kernels", f"{firmware}/gpu_check_ram.hsaco", config=system)
c.monitor("gpu break add if lane == 3")
says(c.goes_on(GPU_STOPS), "Breakpoint 1: add", "gpu_check/kernels.hip:9")
says(c.monitor("gpu info arguments"), "x i32", "n               1000")
if not re.search(r"0x8\w{7}:  0x00000000  0x00000001", c.monitor("gpu x/2xw a")):
    fail(f"memory of the system: {c.monitor('gpu x/2xw a')}")
says(c.monitor("gpu print b[1]"), "b[1] = -993")
says(c.monitor("gpu x/1xw 0x20000000"), "nothing is allocated")
c.write(b"$k#6b")
c.ends(1)

# ---- Two GPUs; words that are wrong
c = Client(two_gpus, "--report", "report.json", config=two_systems)
c.monitor("gpu 1 break filter")
c.monitor("gpu 0 break filter")
says(c.goes_on(GPU_STOPS), "gpu0: Breakpoint 1: filter")
c.monitor("gpu delete")
says(c.goes_on(GPU_STOPS), "gpu1: Breakpoint 1: filter")
says(c.monitor("gpu info paths"), "<filter>")
says(c.monitor("gpu 0"), "gpu0: ")
says(c.monitor("gpu info breakpoints"), "No breakpoints")
says(c.monitor("gpu 1 info breakpoints"), "filter", "met 1 times")
for words, text in (("2", "there is no GPU 2: the system has GPUs 0 to 1"), ("99999999999999999999", "is no number"), ("1x", "is no number"), ("nonsense", "there is no command `nonsense`"),
                    ("quit", "`kill` is gdb's word"), ("run", "firmware cannot go back"), ("reverse-stepi", "firmware cannot go back"), ("break *0x10", "no instruction begins at 0x10"),
                    ("break *0x100001a02", "no instruction begins at"), ("break", "Breakpoint"), ("print", "an expression is missing"), ("watch *0x80000000", "nothing is allocated"),
                    ("x/100001xw 0", "the count is 1 to"), ("catch finding", "check"), ("\xff\x00 \x01", "there is no command"), ("lane 64", "there is no lane 64"), ("wavefront 5", "does not run now"),
                    ("info", "there is no thing to show"), ("until", "a place is missing"), ("finish", "in no call")):
    says(c.monitor("gpu " + words), text)
says(c.monitor("gpufoo"), "gpu [N] COMMAND")
says(c.monitor("gpu help"), "reverse-continue")
c.expect("qRcmd,zz", "[0-9a-f]+")
c.expect("D", "OK")  # its breakpoints go with it
c.ends(0)
if open("report.json").read() != (run_alone(two_gpus, config=two_systems) and open("alone.json").read()):
    fail("a run that was detached from is another one")
c = Client(f"{programs}/hang.elf")
says(c.monitor("gpu info paths"), "the system has no GPU")
c.write(b"$k#6b")
c.ends(1)
for options, text in ((("--kernels", "x"), "--kernels requires --gdb"), (("--gdb", "0", "--kernels", "nothing.hsaco"), "nothing.hsaco"), (("--gdb", "0", "--kernels", system), "control.yaml")):
    r = subprocess.run([pwsvp, "soc", system, "--firmware", control, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if r.returncode != 2 or text not in r.stdout:
        fail(f"{options}: {r}")

# ---- gdb itself
if not shutil.which("gdb-multiarch"):
    print("the protocol as it should be; no gdb-multiarch to go on with")
    sys.exit(0)
a = gdb(control, system, ["monitor gpu break kernels.hip:30", "continue", "monitor gpu info paths", "backtrace", "monitor gpu delete", "stepi", "break run", "continue", "monitor gpu info wavefronts", "info breakpoints",
                          "delete", "monitor gpu break command", "handle SIGUSR1 nostop noprint", "continue"], " ".join(LINES))
says(a[2], "gpu0: Breakpoint 1: kernels.hip:30", "Program received signal SIGUSR1", "gpu_wait")
if len(paths_of(a[3])) != 2:
    fail(f"two paths:\n{a[3]}")
says(a[4], "#0", "gpu_wait", "main ()")
if "does not support" in a[5]:
    fail(a[5])
says(a[8], "Breakpoint 1, run")
says(a[9], "No wavefront runs")
says(a[14], "gpu0: Breakpoint 2: command", "exited normally")
if a[14].count("Breakpoint 2: command") != 20:
    fail("every launch meets the breakpoint, and gdb passes all of them")
if json.load(open("report.json"))["instructions"] != json.loads(alone)["instructions"]:
    fail("gdb changes what is executed")
print("the GPUs under gdb as they should be")
