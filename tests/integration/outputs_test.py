#!/usr/bin/env python3
"""outputs_test.py PWSVP PWSCC ROOT: files and standard output that cannot be written are said, with exit code 2; folders
are made; two outputs are not one file."""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
RUN = f"{ROOT}/configs/runs/quickstart.yaml"
MACHINE = f"{ROOT}/configs/gpu/default.yaml"


def run(command, stdout=subprocess.PIPE, before=None):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, preexec_fn=before)


def refused(command, words, **how):
    r = run(command, **how)
    said = r.stderr.decode()
    if r.returncode != 2 or words not in said:
        sys.exit(f"FAILED: {command}: exit code {r.returncode}, expected 2 and {words!r}:\n{said}")


def passes(command, **how):
    r = run(command, **how)
    if r.returncode != 0:
        sys.exit(f"FAILED: {command}: exit code {r.returncode}\n{r.stderr.decode()}")


FULL = "No space left on device"
with open("hello.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
__global__ void set(int* n) { n[threadIdx.x] = 1; }
int main() {
  int* n = nullptr;
  if (hipMalloc(&n, 256) != hipSuccess) return 3;
  for (int k = 0; k < 200; ++k) set<<<1, 64>>>(n);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 4;
}
""")
passes([PWSCC, "-O1", "hello.hip", "-o", "hello"])
EXEC = [PWSVP, "exec", MACHINE, "--fidelity", "timing", "--quiet"]
PREDICTABLE = f"{ROOT}/configs/runs/synthetic.yaml"

# A device that is always full.
os.symlink("/dev/full", "full.vcd")
for option, file in (("--report", "/dev/full"), ("--timeline", "/dev/full"), ("--vcd", "full.vcd")):
    refused([PWSVP, "run", RUN, option, file], FULL)
    refused(EXEC + [option, file, "--", "./hello"], FULL)
for option in ("--report", "--timeline", "--dot", "--svg"):
    refused([PWSVP, "wcet", PREDICTABLE, option, "/dev/full"], FULL)
refused([PWSVP, "graph", f"{ROOT}/configs/graphs/figure8.yaml", "--report", "/dev/full"], FULL)
refused([PWSVP, "reconvergence", f"{ROOT}/configs/runs/odd_even_loop.yaml", "--report", "/dev/full"], FULL)
refused([PWSCC, "-O1", "hello.hip", "-o", "/dev/full"], "cannot be written")
assert os.stat("/dev/full").st_rdev == os.makedev(1, 7), "the device has been replaced by a file"


# A long run says how far it is, a line at a time where standard error is no terminal, and not with --quiet; one of a single
# workgroup too, which has no time left to tell.
LONG = [PWSVP, "run", RUN, "--set", "launch.grid=4294967040"]
MANY = rb"(?m)^\d+ of 16777215 workgroups, cycle \d+, (\d+) instructions, \d+ s, about \d+ s left$"
with open("spin.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void spin(int* x) {
  for (unsigned k = 0; k < 0xffffffff; ++k) asm volatile("v_nop");
  x[threadIdx.x] = 1;
}
""")
with open("spin.yaml", "w") as f:
    f.write(f"""machine: {MACHINE}
program: {{source: spin.hip, kernel: spin}}
launch: {{blocks: 1, workgroup: 64}}
arguments: [{{name: x, type: i32, count: 64}}]
""")
SPIN = [PWSVP, "run", "spin.yaml"]
FUNCTIONAL = ["--set", "machine.fidelity=functional", "--progress", "1"]
TIMED = rb"(?m)^0 of 1 workgroups, cycle [1-9]\d*, ([1-9]\d*) instructions, \d+ s$"
UNTIMED = rb"(?m)^0 of 1 workgroups, ([1-9]\d*) instructions, \d+ s$"
for command, options, form, lines in ((LONG, ["--progress", "1"], MANY, 2), (LONG, ["--progress", "1", "--quiet"], MANY, 0),
                                      (LONG, ["--progress", "0"], MANY, 0), (LONG, [], MANY, 0),
                                      (SPIN, ["--progress", "1"], TIMED, 2), (SPIN, FUNCTIONAL, UNTIMED, 2)):
    with open("said", "w+b") as said:
        long_run = subprocess.Popen(command + options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        for _ in range(600):
            time.sleep(0.1 if lines else 3)
            progress = [int(n) for n in re.findall(form, open("said", "rb").read())]
            if len(progress) >= lines:
                break
        long_run.send_signal(signal.SIGINT)
        long_run.wait()
        if (len(progress) >= lines and progress == sorted(set(progress))) if lines else open("said", "rb").read().count(b"workgroups") == 0:
            continue
        sys.exit(f"FAILED: {command + options}: progress: {open('said').read()!r}")
refused([PWSVP, "run", RUN, "--progress", "-1"], "--progress")


# A disk that becomes full: files end after some kilobytes, when they could be opened.
def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


refused([PWSVP, "run", RUN, "--vcd", "w.vcd"], "w.vcd: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--timeline", "t.json"], "t.json: cannot be written", before=small_files)
refused(EXEC + ["--vcd", "w.vcd", "--", "./hello"], "w.vcd: cannot be written", before=small_files)
refused(EXEC + ["--timeline", "t.json", "--", "./hello"], "t.json: cannot be written", before=small_files)
refused(EXEC + ["--report", "r.json", "--", "./hello"], "r.json: cannot be written", before=small_files)

# Standard output, full and closed by its reader.
COMMANDS = ([PWSVP, "run", RUN], [PWSVP, "params"], [PWSVP, "params", "--yaml"], [PWSVP, "--help"], [PWSVP, "--version"],
            [PWSVP, "check", RUN], [PWSVP, "wcet", PREDICTABLE], [PWSVP, "disasm", f"{ROOT}/sw/kernels/vector_add.hip"],
            [PWSVP, "graph", f"{ROOT}/configs/graphs/figure8.yaml"], [PWSCC, "--help"],
            [PWSVP, "reconvergence", f"{ROOT}/configs/runs/odd_even_loop.yaml"])
for command in COMMANDS:
    with open("/dev/full", "wb") as full:
        refused(command, "standard output", stdout=full)
    reader, writer = os.pipe()
    os.close(reader)
    refused(command, "standard output", stdout=writer)
    os.close(writer)

# Folders are made; where they cannot be, nothing runs.
passes([PWSVP, "run", RUN, "--report", "a/b/r.json", "--vcd", "c/w.vcd", "--timeline", "c/d/t.json"])
json.load(open("a/b/r.json"))
json.load(open("c/d/t.json"))
passes(EXEC + ["--report", "e/f/r.json", "--", "./hello"])
json.load(open("e/f/r.json"))
refused([PWSVP, "run", RUN, "--report", "hello.hip/r.json"], "hello.hip/r.json: cannot be written")

# One file for two outputs, or for an input.
refused([PWSVP, "run", RUN, "--report", "x.json", "--timeline", "x.json"], "the same file as --timeline")
refused([PWSVP, "run", RUN, "--report", "x.json", "--timeline", "./a/../x.json"], "the same file as --timeline")
refused(EXEC + ["--report", "x.json", "--timeline", "x.json", "--", "./hello"], "the same file as --timeline")
refused([PWSVP, "wcet", PREDICTABLE, "--dot", "x", "--svg", "x"], "the same file as --dot")
with open(RUN) as f:
    text = f.read().replace("../../", f"{ROOT}/").replace("../gpu/", f"{ROOT}/configs/gpu/")
with open("run.yaml", "w") as f:
    f.write(text)
refused([PWSVP, "run", "run.yaml", "--report", "run.yaml"], "an input of this command")
assert open("run.yaml").read() == text
