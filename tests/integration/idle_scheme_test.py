#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""idle_scheme_test.py PWSVP PWSCC ROOT: a divergence scheme that finds nothing to do, and keys that it does not read, are said; others are not."""
import json
import os
import re
import sys
import tempfile

from command_line import fail, said_by, write
from schemes import ON_SPSIMD, at_split_and_merge

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())


def settings(values):
    return [x for v in values for x in ("--set", v)]


write("sides.hip", """#include <hip/hip_runtime.h>
extern "C" __global__ void sides(int* x) {
  if (x[threadIdx.x] % 3 == 0) x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * 5 % 1000; else x[threadIdx.x] = 7 * x[threadIdx.x] % 100 + 3;
}
extern "C" __global__ void plain(int* x) { x[threadIdx.x] = 1; }
""")
write("run.yaml", """machine: {n_cu: 1, fidelity: timing}
program: {source: sides.hip, kernel: sides}
launch: {grid: [64], workgroup: [64]}
arguments: [{name: x, type: i32, count: 64, init: {ramp: {}}}]
""")


def warnings_of(file, *values):
    """Those of a run; in the report, on the screen and by check alike."""
    said = said_by(PWSVP, "run", file, *settings(values), "--report", "report.json")
    warnings = json.load(open("report.json"))["warnings"]
    on_screen = [line.split("warning", 1)[1].strip() for line in said.splitlines() if line.startswith("  warning ")]
    checked = [line.split(": warning: ", 1)[1] for line in said_by(PWSVP, "check", file, *settings(values)).splitlines() if ": warning: " in line]
    if not warnings == on_screen == checked:
        fail(f"{values}: the report has {warnings}, the screen {on_screen}, check {checked}")
    return warnings


def expect(file, values, *parts):
    """One warning for each of `parts`, which is a piece of it."""
    warnings = warnings_of(file, *values)
    if len(warnings) != len(parts) or any(p not in w for p, w in zip(parts, warnings)):
        fail(f"{values}: {warnings}, and these are expected: {parts}")


def scheme(name, *more):
    return (f"machine.divergence={name}", *more)


ONE = "machine.spsimd_per_simd=1"
SPLIT = "program.split=all"
NO_SPLIT = "acts at split and merge, and the code has no split"

# No split in the code.
for name in ("pws", "dws"):
    expect("run.yaml", scheme(name, ONE), f"machine.divergence: {name} {NO_SPLIT}")
for name in sorted(set(at_split_and_merge(PWSVP)) - set(ON_SPSIMD)):
    expect("run.yaml", scheme(name), f"machine.divergence: {name} {NO_SPLIT}")
# Splits, but nowhere to run SWFs, or none to place them for.
for name in ("pws", "dws"):
    expect("run.yaml", scheme(name, SPLIT), f"machine.divergence: {name} has no context for SWFs, because machine.spsimd_per_simd is 0",
           "program.split: all can place no split, because machine.spsimd_per_simd is 0")
expect("run.yaml", scheme("none", SPLIT), "program.split: all can place no split")
expect("run.yaml", scheme("pws", ONE, SPLIT, "machine.reuse_idle_spsimd=true", "machine.split_points=0"), "because machine.split_points is 0")
# MODE bit 21.
expect("run.yaml", scheme("pws-mode", ONE), "splits while MODE bit 21 is set, and no s_setreg of the code sets it")
expect("run.yaml", scheme("pws-mode"), "machine.divergence: pws-mode has no context for SWFs", "MODE bit 21")
write("mode.s", "")
MODE = """.text
.globl k
.p2align 8
.type k,@function
k:
  {setreg}
  s_cbranch_execz done
  s_nop 0
done:
  s_endpgm
.Lend:
  .size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - {{.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64,
     .sgpr_count: 16, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: []}}
...
.end_amdgpu_metadata
"""
write("mode.yaml", "machine: {n_cu: 1, divergence: pws-mode, spsimd_per_simd: 1}\nprogram: {source: mode.s, kernel: k}\nlaunch: {grid: [64], workgroup: [64]}\n")
for setreg, sets in {
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 21, 1), 1": True,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 20, 2), 2": True,
        "s_setreg_b32 hwreg(HW_REG_MODE), s2": True,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 21, 1), 0": False,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 20, 1), 1": False,
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15": False,
        "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 21, 1), 1": False,
        "s_nop 0": False,
}.items():
    write("mode.s", MODE.format(setreg=setreg))
    expect("mode.yaml", (), *([] if sets else ["MODE bit 21"]))
write("mode.s", MODE.format(setreg="s_nop 0").replace("s_cbranch_execz done", "s_nop 0"))
expect("mode.yaml", ("machine.force_mode_split=true",), "splits at s_cbranch_execz and s_cbranch_execnz, and the code has neither")

# What program.split has tried is not what is advised.
write("straight.hip", """#include <hip/hip_runtime.h>
extern "C" __global__ void straight(int* x) { x[threadIdx.x] = 1; }
""")
write("straight.yaml", open("run.yaml").read().replace("sides", "straight"))
for split, advice in {"all": "found no branch that it can split; set machine.divergence to none", "auto": "found no branch worth splitting; set it to all",
                      "marked": "found no mark that it can follow; set it to all or auto"}.items():
    expect("straight.yaml", scheme("pws", ONE, f"program.split={split}"), f"machine.divergence: pws {NO_SPLIT}")
    if not warnings_of("straight.yaml", *scheme("pws", ONE, f"program.split={split}"))[0].endswith(f"program.split: {split} {advice}"):
        fail(f"program.split {split}: {advice}")

# Nothing to say.
for values in [scheme("none"), scheme("pws", ONE, SPLIT), scheme("dws", ONE, SPLIT), scheme("stack", SPLIT), scheme("dpe", SPLIT), scheme("dws-table", SPLIT), scheme("subwarps", SPLIT, "machine.subwarps.entries=2"),
               scheme("convergence", SPLIT, "machine.convergence.yield_branches=0"),
               scheme("pws-mode", ONE, "machine.force_mode_split=true"), scheme("pdom"), scheme("naive"), scheme("dwf"), scheme("mimd"),
               scheme("naive", "machine.dwf.warp_size=16"), scheme("dws-table", SPLIT, "machine.dws.threshold=10"),
               scheme("dwf", "machine.dwf.heuristic=majority", "machine.dwf.majority_entries=16"), scheme("none", "machine.dpe.scheduler=constrained"),
               scheme("stack", SPLIT, "machine.dpe.scheduler=full")]:
    expect("run.yaml", values)
expect(f"{ROOT}/configs/runs/figure5.yaml", ())

# Splits, and a scheme that does not act at them.
UNREAD = "does not act at split and merge"
for values in [scheme("none", ONE, SPLIT), scheme("naive", ONE, SPLIT), scheme("dwf", ONE, SPLIT), scheme("pws-mode", ONE, SPLIT, "machine.force_mode_split=true")]:
    expect("run.yaml", values, f"{values[0].replace('=', ': ')} {UNREAD}")
    if not warnings_of("run.yaml", *values)[0].endswith("or program.split to none"):
        fail(f"{values}: does not name program.split")
expect("straight.yaml", scheme("none", ONE, SPLIT))

# The kernels that are launched count, with what they call, and no others of the code.
write("several.hip", open("sides.hip").read() + """
__device__ __attribute__((noinline)) void halves(int* x) { if (*x % 3 == 0) *x = *x * *x * 5 % 1000; else *x = 7 * *x % 100 + 3; }
__device__ __attribute__((noinline)) void twice(int* x) { *x *= 2; }
__device__ void (*pointer)(int*) = halves;
extern "C" __global__ void calls(int* x) { halves(x + threadIdx.x); }
extern "C" __global__ void other(int* x) { twice(x + threadIdx.x); }
extern "C" __global__ void by_pointer(int* x) { pointer(x + threadIdx.x); }
""")
for kernel, divergent in {"sides": True, "calls": True, "by_pointer": True, "other": False, "plain": False}.items():
    write("several.yaml", open("run.yaml").read().replace("sides.hip", "several.hip").replace("kernel: sides", f"kernel: {kernel}"))
    expect("several.yaml", scheme("pws-mode", ONE, "machine.force_mode_split=true"), *([] if divergent else ["and the code has neither"]))
    split = kernel == "sides"  # pwscc leaves functions that are called
    for name in ("pws", "stack"):
        expect("several.yaml", scheme(name, ONE, SPLIT), *([] if split else [f"{name} {NO_SPLIT}"]))
    expect("several.yaml", scheme("none", ONE, SPLIT), *([UNREAD] if split else []))

# The wavefront itself has the only context.
expect("run.yaml", scheme("dws", ONE, SPLIT, "machine.n_wfc=1"), "machine.divergence: dws finds no free context for SWFs, because machine.n_wfc is 1")
expect("run.yaml", scheme("dws", ONE, SPLIT, "machine.n_wfc=2"))

# The RTL of a SIMD unit needs pws, and executes code without splits too; that of an SpSIMD unit has nothing to do then.
RTL = f"machine={ROOT}/configs/gpu/rtl.yaml"
expect("run.yaml", (RTL, "machine.cosim.spsimds=[1]"))
expect("run.yaml", (RTL,), f"machine.divergence: pws {NO_SPLIT}")

# Keys that the scheme does not read.
for values, key, reader in [
        (scheme("pws", ONE, SPLIT, "machine.dpe.scheduler=constrained"), "machine.dpe.scheduler", "divergence dpe"),
        (scheme("convergence", SPLIT, "machine.subwarps.switch_at=issue"), "machine.subwarps.switch_at", "divergence subwarps"),
        (scheme("stack", SPLIT, "machine.subwarps.entries=2"), "machine.subwarps.entries", "divergence subwarps"),
        (scheme("dpe", SPLIT, "machine.subwarps.switch_cycles=6"), "machine.subwarps.switch_cycles", "divergence subwarps"),
        (scheme("subwarps", SPLIT, "machine.convergence.yield_branches=0"), "machine.convergence.yield_branches", "divergence convergence"),
        (scheme("stack", SPLIT, "machine.dwf.heuristic=pc"), "machine.dwf.heuristic", "divergence dwf"),
        (scheme("naive", "machine.dwf.heuristic=pc"), "machine.dwf.heuristic", "divergence dwf"),
        (scheme("dwf", "machine.dwf.heuristic=pc", "machine.dwf.majority_entries=16"), "machine.dwf.majority_entries", "majority or minority"),
        (scheme("dwf", "machine.merge_cycles=3"), "machine.merge_cycles", "schemes that split and merge"),
        (scheme("pws", ONE, SPLIT, "machine.force_mode_split=true"), "machine.force_mode_split", "divergence pws-mode"),
        (scheme("dws", ONE, SPLIT, "machine.reuse_idle_spsimd=true"), "machine.reuse_idle_spsimd", "divergence pws and pws-mode"),
        (scheme("pws", ONE, SPLIT, "machine.split_points=1"), "machine.split_points", "reuse_idle_spsimd"),
]:
    expect("run.yaml", values, f"{key} has no effect with divergence {values[0].split('=')[1]}; it is for ")
    if reader not in warnings_of("run.yaml", *values)[0]:
        fail(f"{values}: does not say {reader}")
# Every key of the groups that schemes have.
text = said_by(PWSVP, "params", "--yaml")
for group in ("dpe", "dws", "subwarps", "convergence", "dwf"):
    keys = re.search(rf"^{group}:\n((?:  .*\n)+)", text, re.M)[1]
    for key, default in re.findall(r"^  (\w+): *([^ ]*) *#", keys, re.M):
        if (group, key) == ("dws", "threshold"):  # is refused without its scheme
            continue
        other = {"true": "false", "false": "true", "full": "constrained", "stall": "issue", "majority": "pc", "lane_aware": "ideal"}.get(default, "4")
        if f"machine.{group}.{key} has no effect with divergence stack" not in "".join(warnings_of("run.yaml", *scheme("stack", SPLIT, f"machine.{group}.{key}={other}"))):
            fail(f"machine.{group}.{key}={other} is not said to have no effect")
# A machine file has keys for several schemes; whoever chooses one above it need not take the others out. In one place they do not belong together.
write("machine.yaml", "n_cu: 1\ndivergence: dpe\ndpe: {scheduler: constrained}\n")
write("other.yaml", open("run.yaml").read().replace("{n_cu: 1, fidelity: timing}", "machine.yaml"))
expect("other.yaml", scheme("stack", SPLIT))
write("machine.yaml", "n_cu: 1\ndivergence: stack\ndpe: {scheduler: constrained}\n")
expect("other.yaml", (SPLIT,), "machine.yaml:3:18: machine.dpe.scheduler has no effect")
if "machine.yaml: warning: " not in said_by(PWSVP, "check", "machine.yaml"):
    fail("check of a machine")
# With none, unless it was chosen where a comparison takes the splitting off.
write("machine.yaml", "n_cu: 1\ndivergence: none\nforce_mode_split: true\n")
expect("other.yaml", (), "machine.yaml:3:19: machine.force_mode_split has no effect with divergence none; it is for divergence pws-mode")
expect("other.yaml", scheme("none"))
expect("other.yaml", (f"machine={ROOT}/configs/gpu/default.yaml", "machine.force_mode_split=true"), "machine.force_mode_split has no effect with divergence none")
write("no_contexts.yaml", "machine: {divergence: pws}\nexec: {fidelity: timing}\n")
if "no_contexts.yaml: warning: machine.divergence: pws has no context for SWFs" not in said_by(PWSVP, "check", "no_contexts.yaml"):
    fail("check of an exec file")

# A bound, of one launch and of several: what its run says.
PREDICTABLE = f"machine={ROOT}/configs/gpu/predictable.yaml"
write("launches.yaml", """machine: {n_cu: 1, fidelity: timing}
program: {source: sides.hip}
launches:
  - {kernel: sides, launch: {grid: [64], workgroup: [64]}, arguments: [x]}
  - {kernel: plain, launch: {grid: [64], workgroup: [64]}, arguments: [x]}
arguments: [{name: x, type: i32, count: 64, init: {ramp: {}}}]
""")
for file in ("run.yaml", "launches.yaml"):
    for values, parts in [((PREDICTABLE, *scheme("pws", ONE)), [NO_SPLIT]), ((PREDICTABLE, *scheme("none")), []), ((PREDICTABLE, *scheme("pws", ONE, SPLIT)), []), ((PREDICTABLE, *scheme("none", ONE, SPLIT)), [UNREAD]),
                          ((PREDICTABLE, *scheme("none", "machine.spsimd_per_simd=0", SPLIT)), ["program.split: all can place no split"]),
                          ((PREDICTABLE, *scheme("dws", ONE, SPLIT, "machine.dwf.heuristic=pc")), ["machine.dwf.heuristic has no effect"])]:
        said = said_by(PWSVP, "wcet", file, *settings(values), "--report", "wcet.json")
        warnings = json.load(open("wcet.json"))["warnings"]
        if len(warnings) != len(parts) or any(p not in w for p, w in zip(parts, warnings)) or warnings != warnings_of(file, *values) or any(
                said.count(f"  warning       {w}\n") != 1 for w in warnings):
            fail(f"wcet {file} with {values}: {warnings}\n{said}")

# A sweep: once, with the number of points; check says it beforehand.
write("experiment.yaml", f"""title: t
command: run
config: {os.getcwd()}/run.yaml
set: {{machine.spsimd_per_simd: 1}}
axes:
- {{name: scheme, key: machine.divergence, values: [none, pws, stack]}}
- {{name: n, key: machine.n_cu, values: [1, 2]}}
measures: {{cycles: cycles}}
""")
def checked_as_swept(file, *parts):
    """One warning for each of `parts`: by check, and by the sweep, also where it keeps what it did."""
    checked = [line.split(": warning: ", 1)[1] for line in said_by(PWSVP, "check", file).splitlines() if line.startswith(f"{file}: warning: ")]
    if len(checked) != len(parts) or any(not w.startswith(p) for p, w in zip(parts, checked)):
        fail(f"check {file}: {checked}")
    for attempt in ("fresh", "kept"):
        said = said_by(PWSVP, "sweep", file, "--output", file.split(".")[0])
        if [line.split(" ", 1)[1] for line in said.splitlines() if line.startswith("warning ")] != checked:
            fail(f"{attempt}: {said}\n{checked}")


checked_as_swept("experiment.yaml", f"at 2 of 6 points, e.g. scheme = pws, n = 1: machine.divergence: pws {NO_SPLIT}",
                 f"at 2 of 6 points, e.g. scheme = stack, n = 1: machine.divergence: stack {NO_SPLIT}")
write("bounds.yaml", f"""title: t
command: wcet
config: {os.getcwd()}/run.yaml
set: {{machine: {ROOT}/configs/gpu/predictable.yaml, machine.divergence: pws}}
axes:
- {{name: S, key: machine.spsimd_per_simd, values: [0, 1]}}
- {{name: split, key: program.split, values: [none, all]}}
measures: {{bound: bounds.pws.E_kernel}}
""")
checked_as_swept("bounds.yaml", "at 2 of 4 points, e.g. S = 0, split = none: machine.divergence: pws acts at split",
                 "at 2 of 4 points, e.g. S = 0, split = none: machine.divergence: pws has no context for SWFs",
                 "at 1 of 4 points, e.g. S = 0, split = all: program.split: all can place no split")
write("bounds.yaml", open("bounds.yaml").read().replace("none, all", "all, none").replace("run.yaml", "broken.yaml"))
write("broken.yaml", open("run.yaml").read().replace("sides", "broken"))
write("broken.hip", "not a program\n")
said = said_by(PWSVP, "check", "bounds.yaml", code=2)
if "bounds.yaml: at S = " not in said or "broken.hip" not in said:
    fail(f"an experiment's program that does not compile: {said}")

# A HIP program: once, whatever it launches how often.
write("program.hip", """#include <hip/hip_runtime.h>
__global__ void sides(int* x) { if (x[threadIdx.x] % 3) x[threadIdx.x] *= 5; else x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] + 2; }
__global__ void plain(int* x) { x[threadIdx.x] = 1; }
int main() {
  int* x = nullptr;
  if (hipMalloc(&x, 256) != hipSuccess) return 1;
  for (int n = 0; n < 3; ++n) { sides<<<1, 64>>>(x); plain<<<1, 64>>>(x); }
  return hipDeviceSynchronize() != hipSuccess;
}
""")
said_by(PWSCC, "--split=none", "-O3", "program.hip", "-o", "unsplit")
said_by(PWSCC, "--split=all", "-S", "1", "-O3", "program.hip", "-o", "split")
# A program with splits in a kernel that it does not launch.
write("halved.hip", open("program.hip").read().replace("sides<<<1, 64>>>(x); ", ""))
said_by(PWSCC, "--split=all", "-S", "1", "-O3", "halved.hip", "-o", "halved")
EXEC = [PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml"]
for values, program, wanted in [(scheme("pws", ONE), "unsplit", [NO_SPLIT]), (scheme("pws", ONE), "split", []), (scheme("stack"), "unsplit", [NO_SPLIT]),
                                (scheme("pws"), "split", ["has no context for SWFs"]), (scheme("none"), "unsplit", []), (scheme("none"), "split", [UNREAD]),
                                (scheme("pws", ONE), "halved", [NO_SPLIT]), (scheme("stack"), "halved", [NO_SPLIT]), (scheme("none"), "halved", []), (scheme("dwf"), "unsplit", [])]:
    for quiet in ([], ["--quiet"]):
        said = said_by(*EXEC, *settings(values), "--report", "exec.json", *quiet, "--", f"./{program}")
        warnings = json.load(open("exec.json"))["warnings"]
        if len(warnings) != len(wanted) or any(w not in x for w, x in zip(wanted, warnings)) or any(said.count(w) != 1 for w in warnings):
            fail(f"{program} with {values} {quiet}: {warnings}\n{said}")

# The same program at the points of a sweep.
write("programs.yaml", f"""title: t
command: exec
config: {ROOT}/configs/gpu/default.yaml
set: {{program.source: {os.getcwd()}/program.hip, exec.fidelity: timing}}
axes:
- {{name: scheme, key: machine.divergence, values: [none, pws, stack]}}
- name: how
  points:
    unsplit: {{machine.spsimd_per_simd: 1}}
    split: {{machine.spsimd_per_simd: 1, program.split: all}}
    no contexts: {{program.split: all}}
measures: {{cycles: cycles}}
""")
checked_as_swept("programs.yaml", f"at 1 of 9 points, e.g. scheme = none, how = split: machine.divergence: none {UNREAD}",
                 f"at 2 of 9 points, e.g. scheme = pws, how = unsplit: machine.divergence: pws {NO_SPLIT}",
                 "at 1 of 9 points, e.g. scheme = pws, how = no contexts: machine.divergence: pws has no context for SWFs",
                 f"at 1 of 9 points, e.g. scheme = stack, how = unsplit: machine.divergence: stack {NO_SPLIT}")

# The stack of kernels that say how much they need, and of one that does not.
write("stack.hip", """#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) int down(int n, int x) {
  int kept[8];  // without it the recursion would become a loop
  kept[n % 8] = x;
  return (n == 0 ? x : down(n - 1, x * 3 + kept[(n + 8) % 8])) + kept[n % 8];
}
extern "C" __global__ void recursive(int* x) { x[threadIdx.x] = down(x[threadIdx.x] % 5, 1); }
""")
write("stack.yaml", """machine: {n_cu: 1}
program: {source: stack.hip, kernel: recursive, flags: [-mcode-object-version=5]}
launch: {grid: [64], workgroup: [64]}
arguments: [{name: x, type: i32, count: 64, init: {ramp: {}}}]
""")
NO_STACK = "launch.dynamic_stack has no effect: the code of "
expect("run.yaml", ("launch.dynamic_stack=8192",), NO_STACK + "sides has a stack of 0 bytes, and does not say that it may need more")
expect("run.yaml", ("launch.dynamic_stack=16384",))
expect("stack.yaml", ("launch.dynamic_stack=32768",))
expect("stack.yaml", ("launch.dynamic_stack=4",), NO_STACK + "recursive has a stack of ")
