#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""outputs_test.py PWSVP PWSCC ROOT: files and standard output that cannot be written are said, with exit code 2, but
for a pipe whose reader has gone; folders are made; two outputs are not one file."""
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


def unread(command, code=0):
    """Its standard output is a pipe whose reader has gone: it does all else, and says nothing."""
    reader, writer = os.pipe()
    os.close(reader)
    r = run(command, stdout=writer)
    os.close(writer)
    said = r.stderr.decode()
    if r.returncode != code or "written" in said or "pipe" in said:
        sys.exit(f"FAILED: {command}, nobody reads: exit code {r.returncode}, expected {code}:\n{said}")


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
ONE_UNIT = ["--set", "machine.cosim.cus=[0]", "--set", "machine.cosim.simds=[0]"]  # so that there is one waveform
LOCKSTEP = [PWSVP, "run", f"{ROOT}/configs/runs/lockstep.yaml"]
RTL_EXEC = EXEC[:]
for key in ("divergence=pws", "spsimd_per_simd=1", "split_cycles=9", "merge_cycles=9", "cosim.mode=lockstep"):
    RTL_EXEC += ["--set", f"machine.{key}"]
for name in ("full.csv", "full.jsonl", "full.html", "full.callgrind"):
    os.symlink("/dev/full", name)
for option, file in (("--report", "/dev/full"), ("--timeline", "/dev/full"), ("--vcd", "full.vcd")):
    refused([PWSVP, "run", RUN, option, file], FULL)
    refused(EXEC + [option, file, "--", "./hello"], FULL)
for file in ("full.csv", "full.jsonl"):
    refused([PWSVP, "run", RUN, "--stats-every", "10", "--stats", file], FULL)
for file in ("full.html", "full.callgrind"):
    refused([PWSVP, "run", RUN, "--profile", file], FULL)
    refused(EXEC + ["--profile", file, "--", "./hello"], FULL)
refused(LOCKSTEP + ONE_UNIT + ["--rtl-vcd", "full.vcd"], FULL)
refused(RTL_EXEC + ONE_UNIT + ["--rtl-vcd", "full.vcd", "--", "./hello"], FULL)
for option in ("--report", "--timeline", "--dot", "--svg"):
    refused([PWSVP, "wcet", PREDICTABLE, option, "/dev/full"], FULL)
refused([PWSVP, "graph", f"{ROOT}/configs/graphs/figure8.yaml", "--report", "/dev/full"], FULL)
refused([PWSVP, "reconvergence", f"{ROOT}/configs/runs/odd_even_loop.yaml", "--report", "/dev/full"], FULL)
refused([PWSCC, "-O1", "hello.hip", "-o", "/dev/full"], "cannot be written")
refused([PWSCC, "-O1", "--report=/dev/full", "hello.hip", "-o", "hello"], "cannot be written")
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
        long_run.send_signal(signal.SIGTERM)  # what is started in the background may ignore SIGINT
        long_run.wait()
        if (len(progress) >= lines and progress == sorted(set(progress))) if lines else open("said", "rb").read().count(b"workgroups") == 0:
            continue
        sys.exit(f"FAILED: {command + options}: progress: {open('said').read()!r}")
refused([PWSVP, "run", RUN, "--progress", "-1"], "--progress")


# A disk that becomes full: files end after some kilobytes, when they could be opened.
def small_files(most=8192):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def tiny_files():
    small_files(256)


refused([PWSVP, "run", RUN, "--vcd", "w.vcd"], "w.vcd: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--timeline", "t.json"], "t.json: cannot be written", before=small_files)
refused(EXEC + ["--vcd", "w.vcd", "--", "./hello"], "w.vcd: cannot be written", before=small_files)
refused(EXEC + ["--timeline", "t.json", "--", "./hello"], "t.json: cannot be written", before=small_files)
refused(EXEC + ["--report", "r.json", "--", "./hello"], "r.json: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--report", "r.json"], "r.json: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--stats-every", "1", "--stats", "s.csv"], "s.csv: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--profile", "p.html"], "p.html: cannot be written", before=small_files)
refused([PWSVP, "run", RUN, "--profile", "p.callgrind"], "p.callgrind: cannot be written", before=tiny_files)
passes(LOCKSTEP)  # compiled
for more, name in (([], "w.cu3.simd3.spsimd2.vcd"), (ONE_UNIT, "w.vcd")):
    refused(LOCKSTEP + more + ["--rtl-vcd", "w.vcd"], f"{name}: cannot be written", before=small_files)
    refused(RTL_EXEC + more + ["--rtl-vcd", "w.vcd", "--", "./hello"], f"{name}: cannot be written", before=small_files)
passes(RTL_EXEC + ["--rtl-vcd", "w.vcd", "--", "./hello"])
# The other files are whole nevertheless, and all problems are said.
refused(LOCKSTEP + ONE_UNIT + ["--rtl-vcd", "w.vcd", "--report", "r.json", "--timeline", "t.json"],
        "w.vcd: cannot be written", before=lambda: small_files(1 << 20))
json.load(open("r.json"))
json.load(open("t.json"))
RTL_FILES = RTL_EXEC + ONE_UNIT + ["--rtl-vcd", "w.vcd", "--report", "r.json", "--timeline", "t.json", "--", "./hello"]
for name in ("w.vcd", "r.json"):
    refused(RTL_FILES, f"{name}: cannot be written", before=lambda: small_files(100_000))
json.load(open("t.json"))

# Outputs of a sweep: its table, its points and its page.
with open("grid.yaml", "w") as f:
    f.write(f"""title: Points
command: graph
config: {ROOT}/configs/graphs/figure8.yaml
axes:
- {{name: S, key: S, values: [0, 1, 2]}}
measures: {{bound: bounds.pws.E_kernel}}
""")
passes([PWSVP, "sweep", "grid.yaml", "--output", "new/grid"])
passes([PWSVP, "report", "new/grid", "--output", "new/pages/grid.html"])
refused([PWSVP, "report", "new/grid", "--output", "/dev/full"], FULL)
refused([PWSVP, "report", "new/grid"], "report.html: cannot be written", before=tiny_files)
for table in ("table.csv", "sweep.json"):
    os.makedirs(f"full/{table}")
    os.symlink("/dev/full", f"full/{table}/{table}")
    refused([PWSVP, "sweep", "grid.yaml", "--output", f"full/{table}"], f"{table}: cannot be written")
refused([PWSVP, "sweep", "grid.yaml", "--output", "/dev/full"], "/dev/full")
refused([PWSVP, "sweep", "grid.yaml", "--output", "/proc/nowhere"], "/proc/nowhere")
refused([PWSVP, "sweep", "grid.yaml", "--output", "hello.hip/grid"], "hello.hip/grid")

# Standard output, full and closed by its reader.
GRAPH = f"{ROOT}/configs/graphs/figure8.yaml"
COMMANDS = [[PWSVP] + words for words in (
    ["run", RUN], ["run", RUN, "--dump-config"], ["--help"], ["--version"], ["run", "--help"],
    ["params"], ["params", "--yaml"], ["params", "--json"], ["params", "--schema", "run"], ["params", "memory.dram"],
    ["check", RUN], ["check", MACHINE], ["check", GRAPH], ["check", "grid.yaml"],
    ["wcet", PREDICTABLE], ["graph", GRAPH], ["reconvergence", f"{ROOT}/configs/runs/odd_even_loop.yaml"],
    ["disasm", f"{ROOT}/sw/kernels/vector_add.hip"], ["disasm", f"{ROOT}/sw/kernels/vector_add.hip", "--branches"],
    ["reference"], ["reference", "--json"], ["reference", "signals"], ["manual"], ["manual", "pwsvp-run"],
    ["completion", "bash"], ["completion", "zsh"], ["completion", "fish"],
    ["sweep", "grid.yaml", "--output", "new/grid"], ["sweep", "grid.yaml", "--output", "new/grid", "--list"],
    ["sweep", "grid.yaml", "--output", "new/grid", "--list", "--json"],
    ["sweep", "grid.yaml", "--output", "new/grid", "--collect"],
    ["sweep", "grid.yaml", "--output", "new/grid", "--point", "1"], ["report", "new/grid"])]
COMMANDS += [[PWSCC, "--help"], [PWSCC, "--version"]]
for command in COMMANDS:
    with open("/dev/full", "wb") as full:
        refused(command, "standard output", stdout=full)
    unread(command)
unread([PWSVP, "run", RUN, "--set", "expect.c.expression=7", "--report", "unread.json"], 1)
json.load(open("unread.json"))
# As in a shell; the signal of closed pipes is not for these programs, but for those that they become.
r = subprocess.run(["bash", "-c", f"set -o pipefail; {PWSVP} params | head -1; {PWSVP} manual pwsvp-run | true"], capture_output=True, text=True)
if r.returncode != 0 or r.stderr != "" or len(r.stdout.splitlines()) != 1:
    sys.exit(f"FAILED: a closed pipe: {r}")

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
refused([PWSVP, "run", RUN, "--stats-every", "9", "--stats", "x.csv", "--vcd", "x.csv"], "the same file as --vcd")
with open(RUN) as f:
    text = f.read().replace("../../", f"{ROOT}/").replace("../gpu/", f"{ROOT}/configs/gpu/")
with open("run.yaml", "w") as f:
    f.write(text)
refused([PWSVP, "run", "run.yaml", "--report", "run.yaml"], "an input of this command")
assert open("run.yaml").read() == text


# Nor for the program, the numbers that it begins with, what is expected, or what a page is made of; also by another name.
def copied(name, text):
    with open(name, "w") as f:
        f.write(text)
    return text


source = copied("k.hip", open(f"{ROOT}/sw/kernels/vector_add.hip").read())
numbers = copied("numbers.bin", "\0" * 4000)
own = copied("own.yaml", text.replace(f"{ROOT}/sw/kernels/vector_add.hip", "k.hip")
             .replace("{random: {seed: 1, min: -1, max: 1}}", "{file: numbers.bin}"))
passes([PWSVP, "run", "own.yaml"])
os.symlink("k.hip", "link.json")
os.link("k.hip", "other.json")
for name in ("own.yaml", "k.hip", "numbers.bin", "link.json", "other.json", "./new/../k.hip"):
    refused([PWSVP, "run", "own.yaml", "--report", name], "an input of this command")
    refused([PWSVP, "wcet", "own.yaml", "--dot", name], "an input of this command")
    refused([PWSVP, "reconvergence", "own.yaml", "--report", name], "an input of this command")
refused(EXEC + ["--report", "hello", "--", "./hello"], "an input of this command")
for name in ("sweep.json", "table.csv", "experiment.yaml"):
    refused([PWSVP, "report", "new/grid", "--output", f"new/grid/{name}"], "an input of this command")
for name in ("k.hip", "link.json", "other.json"):
    refused([PWSCC, "k.hip", "-o", name, "-c"], "the source; it would be overwritten")
    refused([PWSCC, "k.hip", "-o", "k.hsaco", f"--report={name}"], "the source; it would be overwritten")
refused([PWSCC, "k.hip", "-o", "k.hsaco", "--report=./k.hsaco"], "two outputs in one file")
refused([PWSCC, "k.hip", "-o", "k.hsaco", "--report=a.txt", "--report=a.txt"], "two outputs in one file")
passes([PWSCC, "k.hip", "-o", "k.s"])
refused([PWSCC, "k.s", "-S"], "the source; it would be overwritten")
assert (source, numbers, own) == tuple(open(name).read() for name in ("k.hip", "numbers.bin", "own.yaml"))
# The compiler makes folders as well.
passes([PWSCC, "k.hip", "-o", "made/here/k.hsaco", "--report=made/there/k.txt", "--keep=made/kept"])
assert os.path.exists("made/here/k.hsaco") and os.path.exists("made/there/k.txt") and os.path.exists("made/kept/k.after.s")


# Outputs are one table: options of run and exec, keys of their files.
def said(*words):
    return subprocess.run([PWSVP, *words], capture_output=True, text=True, check=True).stdout


keys = {k["key"] for kind in json.loads(said("params", "--json")).values() for k in kind["keys"]}
written = {key.removeprefix("outputs.") for key in keys if key.startswith("outputs.")}
assert {"vcd", "timeline", "stats", "profile", "report"} < written, written
for name in written:
    assert f"exec.{name}" in keys, name
    for command in ("run", "exec"):
        assert f"--{name.replace('_', '-')} " in said(command, "--help"), (command, name)

# A run file names them, from its folder; an option goes before the key.
with open("new/named.yaml", "w") as f:
    f.write(f"machine: {{base: {MACHINE}, fidelity: timing}}\n" + re.sub(r"(?ms)^machine:.*?\n(?=\S)", "", open(RUN).read())
            .replace("../../", f"{ROOT}/") + "outputs: {vcd: a.vcd, stats: a.csv, stats_every: 100, report: a.json}\n")
passes([PWSVP, "run", "new/named.yaml", "--vcd", "b.vcd"])
assert [os.path.exists(n) for n in ("new/a.csv", "new/a.json", "b.vcd", "new/a.vcd")] == [True, True, True, False]
refused([PWSVP, "run", "new/named.yaml", "--set", "machine.fidelity=functional"], "no time to show; set machine.fidelity: timing")
refused([PWSVP, "run", RUN, "--set", "outputs.stats=c.csv"], "outputs.stats goes with outputs.stats_every")

# A key that only outputs read, where none of them is wanted.
idle = "machine.trace.from_cycle has no effect without --vcd or --rtl-vcd"
assert idle in said("run", RUN, "--set", "machine.trace.from_cycle=5")
assert idle not in said("run", RUN, "--set", "machine.trace.from_cycle=5", "--set", "machine.fidelity=timing", "--vcd", "b.vcd")

# wcet and reconvergence have options of their own. A run file's outputs are there for run, so only the command line is told.
for command, options in (("wcet", ["--times", "measured"]), ("reconvergence", ["--work-items", "64"])):
    without_effect = f"outputs.vcd has no effect: {command} writes what its own options name"
    assert without_effect in said(command, RUN, *options, "--set", "outputs.vcd=c.vcd"), command
    assert "has no effect" not in said(command, "new/named.yaml", *options), command
    assert not os.path.exists("c.vcd"), command
