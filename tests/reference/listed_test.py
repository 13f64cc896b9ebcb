#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""listed_test.py PWSVP PWSCC ROOT: what reports are made of lists their values, so only what two places say is held
here: configurations beside the keys of files, lists that are put in later, and the signals of waveforms in both directions.
A report of each kind has nothing that `pwsvp reference` does not list, with its type and unit."""
import json
import os
import re
import subprocess
import sys
import tempfile

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
REFERENCE = json.loads(subprocess.run([PWSVP, "reference", "--json"], check=True, capture_output=True).stdout)
PREDICTABLE, DEFAULT = (f"{ROOT}/configs/gpu/{name}.yaml" for name in ("predictable", "default"))
PWS = ["--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1"]
ALL = PWS + ["--set", "program.split=all"]
RTL = ["--set", "machine.split_cycles=9", "--set", "machine.merge_cycles=9", "--set", "machine.cosim.mode=rtl"]
FORMED = ["--set", "machine.divergence=dwf", "--set", "machine.dwf.heuristic=majority"]
problems = []


def entries(part, key):
    pattern = lambda text: re.compile("".join("[^.]+" if c == "*" else re.escape(c) for c in text))
    return [(pattern(e[key]), e) for e in REFERENCE[part]["entries"]]


def leaves(node, path=()):
    """(path, value, unit) of each value; of quantities theirs."""
    if isinstance(node, dict) and "value" in node and not isinstance(node["value"], dict):
        yield ".".join(path), node["value"], node.get("unit", "")
    elif isinstance(node, dict):
        for key, below in node.items():
            yield from leaves(below, path + (key.replace(".", "_"),))
    elif isinstance(node, list) and any(isinstance(x, (dict, list)) for x in node):
        for k, below in enumerate(node):
            yield from leaves(below, path + (str(k),))
    elif node not in (None, []):
        yield ".".join(path), node, ""


TYPES = {bool: "truth value", int: "number", float: "number", str: "text", list: "list", type(None): "number"}


def listed(part, file, what):
    known = entries(part, "path")
    for path, value, unit in leaves(json.load(open(file))):
        fits = [e for pattern, e in known if pattern.fullmatch(path) and unit in e["unit"].split(" | ")]
        if not any(e["type"] == TYPES[type(value)] or ".values." in path for e in fits):
            problems.append(f"{what}: {part}: {path} = {value!r} {unit} is not as the reference has it: {fits}")


def run(*command, code=0):
    r = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode != code:
        sys.exit(f"FAILED: {command}: exit code {r.returncode}, expected {code}\n{r.stdout}{r.stderr}")


def reported(part, *options, code=0):
    run(PWSVP, part, *options[:1], "--report", "report.json", *options[1:], code=code)
    listed(part, "report.json", " ".join(options).replace(ROOT + "/", ""))


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


KERNELS = """#include <hip/hip_runtime.h>
#include <pws.h>
extern "C" __global__ void nothing() {}
extern "C" __global__ void sides(float* out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  float x = s[63 - threadIdx.x];
  PWS_SPLIT();
  if (threadIdx.x & 1) {
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
      PWS_LOOP_BOUND(4);
      x = x * 0.5f + 1;
    }
  } else {
    x = sqrtf(x);
  }
  out[blockIdx.x * 64 + threadIdx.x] = x;
}
"""
write("sides.hip", KERNELS)
write("program.hip", KERNELS + """int main() {
  float* out;
  if (hipMalloc(&out, 1024) != hipSuccess) return 3;
  sides<<<4, 64>>>(out, 4);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
""")
ARGUMENTS = """arguments: [{name: out, type: f32, count: 256}, {name: n, type: i32, value: 4}]
"""
write("sides.yaml", f"""machine: {DEFAULT}
program: {{source: sides.hip, kernel: sides}}
launch: {{grid: [256], workgroup: [64]}}
expect: {{out: {{expression: "1.0", tolerance: {{absolute: 1e9}}}}}}
save: {{out: {{file: out.dat, format: raw}}}}
{ARGUMENTS}""")
write("several.yaml", f"""machine: {DEFAULT}
program: {{source: sides.hip}}
launches: [{{kernel: sides, launch: {{blocks: 4, workgroup: [64]}}, arguments: [out, n]}}, {{kernel: nothing, launch: {{grid: {{workgroups: 1}}, workgroup: 64}}}}]
{ARGUMENTS}""")
write("grid.yaml", f"""title: A grid
command: graph
config: {ROOT}/configs/graphs/figure8.yaml
axes: [{{name: S, key: S, values: [1, 2]}}]
measures: {{bound: bounds.pws.E_kernel, file: file}}
""")
write("exec.yaml", f"""machine: {PREDICTABLE}
exec: {{timing_kernels: [sides], functional_launches: [2], devices: 1, stats: s.csv, stats_every: 100}}
wcet: {{loops: [{{bound: 4, kernel: sides, line: 11, file: program.hip}}]}}
""")

reported("run", "sides.yaml", *ALL, "--check", "races")
reported("run", "several.yaml", *FORMED, "--set", "machine.trace.branch_uniformity=true")
for file in ("sides.yaml", "several.yaml"):
    reported("wcet", file, "--set", f"machine={PREDICTABLE}", *ALL, "--observe")
    reported("wcet", file, *ALL, "--times", "measured")
reported("wcet", "sides.yaml", "--set", f"machine={PREDICTABLE}", *PWS, "--set", "program.split=auto")
reported("graph", f"{ROOT}/configs/graphs/figure8.yaml", "--set", "S=2")
reported("reconvergence", "sides.yaml")
run(PWSVP, "run", "sides.yaml", "--set", "machine.fidelity=timing", "--quiet", "--report", "timed.json")
reported("cost", f"{ROOT}/configs/gpu/default.yaml")
run(PWSVP, "cost", "--of", "timed.json", "--report", "report.json")
listed("cost", "report.json", "cost --of")
for options in (["--split=all", "-S", "1"], ["--divergence=ps"]):
    run(PWSCC, *options, "--report=report.json", "-O3", "program.hip", "-o", "program")
    listed("compiler", "report.json", " ".join(options))
run(PWSCC, "--split=all", "-S", "1", "-O3", "program.hip", "-o", "program")
program = ["--", "./program"]
reported("exec", "exec.yaml", *PWS, "--fidelity", "timing", "--wcet", *program)
reported("exec", DEFAULT, *PWS, "--fidelity", "timing", "--wcet", *program, code=1)
reported("exec", DEFAULT, *PWS, "--fidelity", "timing", "--wcet", "--times", "measured", *program)
reported("exec", DEFAULT, "--set", "exec.devices=2", *program)
run(PWSVP, "sweep", "grid.yaml", "--output", "grid")
listed("sweep", "grid/sweep.json", "a sweep")


def signals_in(vcd):
    scope = []
    for line in open(vcd):
        words = line.split()
        if line.startswith("$scope"):
            scope.append(words[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var"):
            yield ".".join(scope[1:] + [words[4]])
        elif line.startswith("$enddefinitions"):
            return


signals, seen = entries("signals", "signal"), set()
for scheme in (ALL + RTL, ["--set", "machine.divergence=dpe", "--set", "program.split=all"],
               ["--set", "machine.divergence=dws-table", "--set", "program.split=all"],
               ["--set", "machine.divergence=subwarps", "--set", "program.split=all"], FORMED):
    run(PWSVP, "run", "sides.yaml", "--vcd", "wave.vcd", *scheme)
    names = set(signals_in("wave.vcd"))
    problems += [f"{scheme}: signal {n} is not in the reference" for n in names if not any(p.fullmatch(n) for p, _ in signals)]
    seen |= names
run(PWSVP, "exec", DEFAULT, "--fidelity", "timing", "--set", "machine.hardware_queues=2", "--vcd", "wave.vcd", *program)
seen |= set(signals_in("wave.vcd"))
problems += [f"signals: {e['signal']} is in none of these" for p, e in signals if not any(map(p.fullmatch, seen))]
sys.exit("FAILED\n" + "\n".join(problems) if problems else print("PASS"))
