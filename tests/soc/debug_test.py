#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debug_test.py PWSVP SOURCE PROGRAMS FIRMWARE: pwsvp debug --firmware: the GPUs of a system at a prompt."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

pwsvp, source, programs, firmware = sys.argv[1:]
if not os.path.exists(f"{firmware}/control.elf"):
    print("no firmware")
    sys.exit(77)
system = f"{source}/configs/soc/control.yaml"
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def fail(text):
    sys.exit(f"FAILED: {text}")


def says(text, *parts):
    for p in parts:
        if p not in text:
            fail(f"does not say {p!r}:\n{text}")


def debug(elf, commands, options=(), config=system, code=0, given=""):
    """The answers to the commands, in order, and in front of them what came before."""
    words = [pwsvp, "debug", config, "--firmware", elf, *options]
    for c in commands:
        words += ["-ex", c]
    r = subprocess.run(words, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, and not {code}\n{r.stdout}")
    return re.split(r"^\(pwsvp\) .*\n", r.stdout, flags=re.M)


def alone(elf, config=system):
    r = subprocess.run([pwsvp, "soc", config, "--firmware", elf], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return r.stdout


control, gpu_check, two_gpus = (f"{firmware}/{n}.elf" for n in ("control", "gpu_check", "two_gpus"))
lines = ("--kernels", f"{firmware}/control.hsaco")

# The prompt comes at the first launch, and where the GPU stops; in the end it has printed what `soc` prints.
a = debug(control, ["break kernels.hip:30", "run", "info paths", "print y", "delete", "watch out[2]", "catch end if workgroup == 0", "x/2i pc", "continue", "gpu", "delete", "continue"], lines, code=2)
says(a[0], "gpu0: control.hsaco is loaded. Launch 1 is kernel filter, grid 64x1x1, workgroup 64x1x1.")
says(a[2], "gpu0: Breakpoint 1: kernels.hip:30", "path 1 of 2", "y += step >> 3;")
if len(re.findall(r"^[* ] \d  cu0\.", a[3], re.M)) != 2:
    fail(f"two paths:\n{a[3]}")
says(a[8], "=>", "<filter+")
a = debug(control, ["break filter", "run", "ignore 1 18", "continue", "info breakpoints", "continue"])
says(a[2], "gpu0: Breakpoint 1: filter")
says(a[4], "gpu0: Breakpoint 1: filter")
says(a[5], "met 20 times")
if a[-1] != alone(control) or "PASS" not in a[-1] or "20 periods" not in a[-1]:
    fail(f"the end is another one than that of soc:\n{a[-1]}\n{alone(control)}")
# Code that the firmware's file alone has: names, and no lines.
code = debug(control, ["break filter", "continue", "x/150i pc", "quit"])[3]
split, behind = re.search(r"<(filter\+0x[0-9a-f]+)>: split exec_lo.*\n *(0x[0-9a-f]+) ", code).groups()
a = debug(control, ["break 30", f"break {split}", f"tbreak *{behind}", "continue", "list", "continue", "delete", "continue"], code=2)
says(a[2], f"<{split}>")
says(a[4], f"<{split}>: split exec_lo")
says(a[6], behind)
says("".join(a), "the code has no source lines", "no source line is known there")
# Two of them
a = debug(two_gpus, ["gpu 1 break filter", "gpu 0 break filter"] + ["info breakpoints", "gpu", "continue"] * 6, config=f"{source}/configs/soc/two_gpus.yaml")
says(a[0], "gpu0: two_gpus.elf, kernels at 0x8", "is loaded")
says("".join(a), "gpu0: Breakpoint 1: filter", "gpu1: two_gpus.elf, kernels at", "gpu1: Breakpoint 1: filter", "PASS")
# Faults: firmware that makes them goes on behind each.
a = debug(gpu_check, ["continue"] + ["continue"] * 10)
says("".join(a), "gpu0: The program has gone wrong", "0 failures", "PASS")
# Its end by quit and by the end of input, and codes
for commands, given, code in ((["quit"], "", 0), ([], "", 0), (["break filter"], "continue\nquit\n", 0), (["garbage", "quit"], "", 2), (["gpu 1", "quit"], "", 2), (["gpu 0 quit"], "", 0)):
    text = "".join(debug(control, commands, given=given, code=code))
    if "PASS" in text or "20 periods" in text:
        fail(f"{commands}: the run goes on\n{text}")
text = "".join(debug(f"{programs}/fails.elf", ["break nothing"], config=f"{source}/configs/soc/virt.yaml", code=42))
says(text, "ended with   42")
for options, text in ((("--check", "races"), "--check: the GPUs of a system have no checks"), (("--snapshot-memory", "1"), "firmware does not go back"), (("--kernels", "no.hsaco"), "no.hsaco"),
                      (("--set", "gpus.0.machine.check.races=true"), "check"), (("--", "/bin/true"), "a HIP program cannot be debugged with it")):
    r = subprocess.run([pwsvp, "debug", system, "--firmware", control, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if r.returncode != 2 or text not in r.stdout:
        fail(f"{options}: {r}")
r = subprocess.run([pwsvp, "debug", f"{source}/configs/runs/two_branches.yaml", "--kernels", control], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
if r.returncode != 2 or "--kernels requires --firmware" not in r.stdout:
    fail(f"--kernels alone: {r}")
# Ctrl-C where no GPU executes anything
p = subprocess.Popen([pwsvp, "debug", system, "--firmware", f"{programs}/hang.elf"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
time.sleep(1)
p.send_signal(signal.SIGINT)
said, _ = p.communicate("info wavefronts\nquit\n", timeout=60)
says(said, "Interrupted. No GPU executes anything.", "No wavefront runs.")
if p.returncode != 0:
    fail(f"quit behind Ctrl-C: {p.returncode}")
print("the prompt of firmware's GPUs as it should be")
