#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb_test.py PWSVP SOURCE PROGRAMS FIRMWARE: pwsvp soc under gdb: by the remote protocol itself, also by clients that are wrong, and by gdb-multiarch."""
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from gdb_client import THREE, Client, fail, firmware, framed, gdb, programs, pwsvp, run_alone, says, source, symbol, virt

csrs, fails, hang, sleeps, lost, interrupts = (f"{programs}/{n}.elf" for n in ("csrs", "fails", "hang", "sleeps", "lost", "interrupts"))

# ---- Registers, memory, breakpoints, steps; at a port and at the standard streams
for port in (False, True):
    c = Client(csrs, *THREE, "--report", "report.json", port=port)
    c.expect("?", "S05")
    start = symbol(csrs, "_start")
    if c.pc() != start or c.register(65 + 0xf14) != 0:
        fail(f"it stands at {c.pc():#x}")
    if "hwbreak+" not in c.ask("qSupported:multiprocess+;swbreak+"):
        fail("qSupported")
    if 'name="mepc"' not in c.ask("qXfer:features:read:target.xml:0,8000") or c.ask("qXfer:features:read:target.xml:0,10") != 'm<?xml version="1':
        fail("target.xml")
    c.expect("qXfer:features:read:target.xml:fffff,10", "l")
    c.expect("qCRC:80000000,4", "")
    c.expect("vMustReplyEmpty", "")
    c.expect("qC", "QC1")
    registers = c.ask("g")
    if len(registers) != 33 * 16 or struct.unpack("<Q", bytes.fromhex(registers[-16:]))[0] != start:
        fail(f"registers: {registers}")
    c.expect("G" + registers, "OK")
    c.expect("s", "S05")
    first = c.pc()
    if not start < first <= start + 4:
        fail(f"a step leads to {first:#x}")
    code = c.ask(f"m{start:x},20")
    c.expect(f"M{start:x},4:{code[:8]}", "OK")
    c.expect(f"M{start:x},20:{code}", "OK")
    raw = bytes.fromhex(code)
    c.expect(b"X%x,20:" % start + re.sub(rb"[$#}*]", lambda m: b"}" + bytes([m.group(0)[0] ^ 0x20]), raw), "OK")
    c.expect(f"m{start:x},20", code)
    c.expect("m40000000,4", "E0e")   # nothing is there
    c.expect("M40000000,4:00000000", "E0e")
    c.expect("m1000,ffffffff", "E01")
    if len(c.ask("m80fffff8,40")) != 16:  # the end of ram
        fail("memory ends elsewhere")
    # Breakpoints behind instructions that the processor's own module executes, and at the first one of a piece of work.
    c.expect(f"Z0,{start + 8:x},4", "OK")
    c.expect("c", "S05")
    if c.pc() != start + 8:
        fail(f"the breakpoint is at {start + 8:#x}, and it stands at {c.pc():#x}")
    c.expect(f"z0,{start + 8:x},4", "OK")
    c.expect("c", "W00")
    c.ends(0)
    now = json.load(open("report.json"))
    alone = run_alone(csrs, *THREE)
    for part in ("instructions", "traps", "interrupts", "time", "cycles"):
        if now[part] != alone[part]:
            fail(f"{part}: {now[part]}, and {alone[part]} without gdb")

# ---- A breakpoint at every instruction: all are met, in the order that steps have, and nothing changes
c = Client(csrs, *THREE)
steps = []
while c.ask("s").startswith("S05") and len(steps) < 2000:
    steps.append(c.pc())
if len(steps) < 50 or len(steps) == 2000:
    fail(f"{len(steps)} steps")
c.process.kill()
c = Client(csrs, *THREE, "--report", "report.json", "--set", "quantum_ns=100000")
for address in set(steps):
    c.expect(f"Z0,{address:x},2", "OK")
met = []
while c.ask("c") == "S05":
    met.append(c.pc())
if met != steps:
    k = next(k for k, (a, b) in enumerate(zip(met + [0], steps + [0])) if a != b)
    fail(f"breakpoint {k} of {len(met)} and {len(steps)} is met at {met[k:k + 3]} and stepped to at {steps[k:k + 3]}")
c.ends(0)
if json.load(open("report.json"))["instructions"] != run_alone(csrs, *THREE)["instructions"]:
    fail("breakpoints change what is executed")

# ---- What ends otherwise
c = Client(fails)
c.expect("c", "W2a")
c.ends(42)
c = Client(lost)
c.expect("c", "S06")
if b"at the trap handler's first instruction" not in c.said:
    fail(f"{c.said}")
c.expect("m80000000,4", "[0-9a-f]{8}")
c.expect("c", "W01")
c.ends(1)
c = Client(sleeps)
c.expect("c", "W01")
if b"none can come any more" not in c.said:
    fail(f"{c.said}")
c.ends(1)
c = Client(hang)
c.write(framed(b"c"))
for _ in range(3):
    c.read(rb"\+")
    time.sleep(0.2)
    c.write(b"\x03")
    if c.answer() != "S02":
        fail("Ctrl-C")
    c.write(framed(b"vCont;c:1"))
c.read(rb"\+")
c.write(b"\x03")
c.answer()
c.expect("vCont;s:1;c", "S05")
c.write(framed(b"k"))
c.ends(1)
c = Client(hang)
c.expect("vKill;1", "OK")
c.ends(1)
c = Client(hang)  # a packet that comes while the processor runs stops it, and is answered
c.write(framed(b"c") + framed(b"qC"))
if (c.answer(), c.answer()) != ("S02", "QC1"):
    fail("a packet while the processor runs")
c.write(framed(b"k"))
c.ends(1)
# The stream is open until the last packet is acknowledged, however long that takes.
for last, elf, code in (("D", fails, 42), ("c", fails, 42), ("vKill;1", hang, 1)):
    for port in (False, True):
        c = Client(elf, port=port)
        c.write(framed(last.encode()))
        c.read(rb"\$(OK|W2a)#..")
        time.sleep(0.3)
        c.write(b"+")
        c.ends(code)
c = Client(fails)
c.expect("QStartNoAckMode", "OK")
c.write(framed(b"c"))
c.read(rb"\$W2a#")
c.ends(42)
c = Client(hang)
c.expect("D", "OK")
time.sleep(0.2)
c.process.send_signal(signal.SIGTERM)
c.ends(128 + signal.SIGTERM)
c = Client(hang)
c.ask("?")
c.process.send_signal(signal.SIGINT)
c.ends(128 + signal.SIGINT)
c = subprocess.Popen([pwsvp, "soc", virt, "--firmware", hang, "--gdb", "0"], stderr=subprocess.PIPE)
c.stderr.readline()
c.send_signal(signal.SIGTERM)  # while it waits
if c.wait(60) != 128 + signal.SIGTERM:
    fail(f"{c.returncode}")

# ---- Clients that are wrong
c = Client(csrs)
c.write(b"garbage $qC#00")
c.read(rb"-")
c.write(b"$" + b"m" * 200000)
c.read(rb"-")
for wrong in ("m", "mx", "m1", "m1,", "m1,zz", "M1,4:00", "M1,1:zz", "X1,4:a", "Z", "Z0", "Z0,", "Z0,1", "z9,1,1", "P", "P1", "P1=00", "Pffff=0000000000000000", "p", "pffff", "G00", "vCont;", "vCont;t",
              "qXfer:features:read:target.xml:", "m10000000000000000,1"):
    if not re.fullmatch("E..|", c.ask(wrong)):
        fail(f"{wrong} is not refused")
for text in ("gpus", "time", "help", "x" * 500, ""):
    if not bytes.fromhex(c.ask("qRcmd," + text.encode().hex())):
        fail(f"monitor {text} says nothing")
c.ask("qRcmd,zz")
generator = random.Random(57)
for _ in range(1000):
    c.ask(bytes(generator.choice(b"qgGpPmMXZzH?TvCont0123456789abcdef,;:=.") for _ in range(generator.randrange(1, 30))).replace(b"vK", b"").lstrip(b"cCsSDkG") or b"?")
c.expect("D", "OK")
c.process.wait(60)
for port in (False, True):  # one that goes: the run goes on
    c = Client(fails, port=port)
    c.ask("?")
    if port:
        c.socket.close()
    else:
        c.process.stdin.close()
    c.ends(42)
for where, text in (("x", "neither a port's number nor"), ("", "neither"), ("99999", "neither a port's"), ("-1", "neither"), ("1 ", "neither")):
    r = subprocess.run([pwsvp, "soc", virt, "--firmware", fails, *(["--gdb", ""] if where == "" else [f"--gdb={where}"])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode != 2 or text not in r.stdout:
        fail(f"--gdb {where}: {r}")
taken = socket.create_server(("localhost", 0))
r = subprocess.run([pwsvp, "soc", virt, "--firmware", fails, "--gdb", str(taken.getsockname()[1])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if r.returncode != 2 or "in use" not in r.stdout:
    fail(f"a port that is taken: {r}")
r = subprocess.run([pwsvp, "soc", virt, "--firmware", fails, "--gdb", "-", "--uart-input", "-"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if r.returncode != 2 or "cannot be for both" not in r.stdout:
    fail(f"standard input for two: {r}")

# ---- gdb itself, with the firmware's source
if not shutil.which("gdb-multiarch") or not os.path.exists(f"{firmware}/hello.elf"):
    print("the protocol as it should be; no gdb-multiarch, or no firmware, to go on with")
    sys.exit(0)


hello = f"{firmware}/hello.elf"
# Watchpoints of each kind, in memory and at a device, by the protocol.
c = Client(hello)
c.expect(f"Z0,{symbol(hello, 'main'):x},2", "OK")
c.expect("c", "S05")
stack = c.register(2)
for kind, name in (("2", "watch"), ("3", "rwatch"), ("4", "awatch")):
    c.expect(f"Z{kind},{stack - 64:x},40", "OK")
    at = int(c.expect("c", f"T05{name}:[0-9a-f]+;")[len(f"T05{name}:"):-1], 16)
    if not stack - 64 <= at < stack:
        fail(f"{name}: it is met at {at:#x}, and the stack ends at {stack:#x}")
    c.expect(f"z{kind},{stack - 64:x},40", "OK")
c.expect("Z2,10000000,1", "OK")
c.expect("c", "T05watch:10000000;")
c.expect("c", "T05watch:10000000;")
c.expect("z2,10000000,1", "OK")
c.expect("c", "W00")
c.ends(0)
# Ctrl-C while the processor waits for an interrupt.
slow = ("--set", "clint.timebase_khz=100")
c = Client(hello, *slow, "--report", "report.json")
c.write(framed(b"c") + b"\x03")
if c.answer() != "S02" or not 0 <= c.pc() - symbol(hello, "clint_sleep_until") < 256:
    fail(f"Ctrl-C in wfi: it stands at {c.pc():#x}")
c.expect("c", "W00")
c.ends(0)
if json.load(open("report.json"))["instructions"] != run_alone(hello, *slow)["instructions"]:
    fail("Ctrl-C changes what is executed")
a = gdb(hello, virt, ["info registers pc mhartid", "break main", "continue", "next", "print wait_us", "break clint_sleep_until", "continue", "backtrace", "finish", "watch *(long*)($sp)",
                      "info watchpoints", "delete", "break putchar", "delete", "monitor time", "continue"])
says(a[1], "_start", "mhartid        0x0")
says(a[3], "Breakpoint 1, main ()", 'printf("hello')
says(a[5], "= 250")
says(a[7], "Breakpoint 2, clint_sleep_until")
says(a[8], "#0  clint_sleep_until", "#1", "main ()")
says(a[9], "main ()")
says(a[15], "cycles and")
says(a[16], "exited normally")
if json.load(open("report.json"))["instructions"] != run_alone(hello)["instructions"]:
    fail("gdb changes what is executed")

# Firmware that drives a GPU: it stands where the kernel runs, and the GPU is looked at, by gdb and by the registers of its window.
control = f"{source}/configs/soc/control.yaml"
gpu_check = f"{firmware}/gpu_check.elf"
a = gdb(gpu_check, control, ["break gpu_wait", "continue", "backtrace", "monitor gpus", "stepi 500", "monitor gpus", "print/x *(unsigned*)0x20000000", "x/1xw 0x100000000", "delete",
                             "awatch *(unsigned*)0x20000000", "continue", "backtrace 3", "delete", "continue"])
says(a[2], "Breakpoint 1, gpu_wait")
says(a[3], "#0  gpu_wait", "main ()")
for part in (a[4], a[6]):
    says(part, "gpu0: 0 kernels and 0 workgroups have ended, no fault")
    paths = re.findall(r"^  cu0\.simd\d\.wf\d +pc 0x1[0-9a-f]{8}  active 0xffffffffffffffff  (?:running|waiting)", part, re.M)
    if len(paths) != 4:
        fail(f"the wavefronts of the kernel that runs:\n{part}")
if a[4] == a[6]:
    fail(f"the GPU stands while the processor executes 500 instructions:\n{a[4]}")
says(a[7], "0x50575347")  # its register `id`
says(a[8], "0x464c457f")  # the program that is loaded into its memory
says(a[11], "Hardware access (read/write) watchpoint", "trap_entry")
says(a[12], "check_registers")
says(a[14], "0 failures", "exited normally")
if json.load(open("report.json"))["instructions"] != run_alone(gpu_check, config=control)["instructions"]:
    fail("gdb changes what is executed")
print("the protocol and gdb as they should be")
