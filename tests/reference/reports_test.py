#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reports_test.py PWSVP PWSCC ROOT: real reports and waveforms of every kind have nothing that `pwsvp reference` does not
list, with its type and unit, and each entry of the list is in one of them."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
REFERENCE = json.loads(subprocess.run([PWSVP, "reference", "--json"], check=True, capture_output=True).stdout)
PREDICTABLE = f"{ROOT}/configs/gpu/predictable.yaml"
DEFAULT = f"{ROOT}/configs/gpu/default.yaml"
PWS = ["--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1", "--set", "program.split=all"]
HANDOVER = ["--set", "machine.split_cycles=9", "--set", "machine.merge_cycles=9"]  # what the RTL takes
AUTO = PWS[:-1] + ["program.split=auto"]
FORMED = ["--set", "machine.divergence=dwf", "--set", "machine.dwf.heuristic=majority"]
problems = []


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


class Reference:
    """The patterns of one part, and which of them were seen."""

    def __init__(self, part, key):
        self.part = part
        self.entries = REFERENCE[part]["entries"]
        self.seen = [False] * len(self.entries)
        self.patterns = [re.compile("".join("[^.]+" if c == "*" else re.escape(c) for c in e[key])) for e in self.entries]

    def of(self, path):
        return [k for k, p in enumerate(self.patterns) if p.fullmatch(path)]

    def never_seen(self, key):
        return [f"{self.part}: {e[key]} is in none of these" for e, s in zip(self.entries, self.seen) if not s]


REPORTS = {part: Reference(part, "path") for part in REFERENCE if "path" in REFERENCE[part]["entries"][0]}
SIGNALS = Reference("signals", "signal")


def leaves(node, path=()):
    """(path, value, unit) of each value; of quantities theirs."""
    if isinstance(node, dict) and "value" in node and not isinstance(node["value"], dict):
        yield path, node["value"], node.get("unit", "")
    elif isinstance(node, dict):
        for key, below in node.items():
            yield from leaves(below, path + (key.replace(".", "_"),))
    elif isinstance(node, list) and any(isinstance(x, (dict, list)) for x in node):
        for k, below in enumerate(node):
            yield from leaves(below, path + (str(k),))
    elif node is not None:
        yield path, node, ""


def type_of(value):
    if isinstance(value, bool):
        return "truth value"
    return {int: "number", float: "number", str: "text", list: "list"}[type(value)]


def look_at(part, report, what):
    """Every value of the report is in the reference."""
    reference = REPORTS[part]
    for path, value, unit in leaves(report):
        shown = ".".join(path)
        if value is None and shown.startswith("configuration."):
            value = 0  # a number that is not set
        found = reference.of(shown)
        if value == [] and not unit and not found:
            continue  # of mappings
        good = [k for k in found if unit in reference.entries[k]["unit"].split(" | ") and
                (type_of(value) == reference.entries[k]["type"] or shown.startswith("points.") and ".values." in shown)]
        if not found:
            problems.append(f"{what}: {part}: {shown} is not in the reference")
        elif not good:
            problems.append(f"{what}: {part}: {shown} is {type_of(value)} in {unit!r}, not as the reference has it")
        for k in good:
            reference.seen[k] = True


def signals_in(vcd):
    scope, names = [], set()
    for line in open(vcd):
        words = line.split()
        if line.startswith("$scope"):
            scope.append(words[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var"):
            names.add(".".join(scope[1:] + [words[4]]))
        elif line.startswith("$enddefinitions"):
            return names
    sys.exit(f"FAILED: {vcd} has no end of its definitions")


def look_at_signals(vcd, what):
    for name in signals_in(vcd):
        found = SIGNALS.of(name)
        if not found:
            problems.append(f"{what}: signal {name} is not in the reference")
        for k in found:
            SIGNALS.seen[k] = True


def run(command, code=0):
    r = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode != code:
        sys.exit(f"FAILED: {' '.join(command)}: exit code {r.returncode}, expected {code}\n{r.stdout}{r.stderr}")


def reported(part, *command, code=0, report="report.json"):
    run([str(c) for c in command], code)
    look_at(part, json.load(open(report)), " ".join(str(c) for c in command[1:]).replace(ROOT + "/", ""))


def pwsvp(part, file, *options, code=0):
    reported(part, PWSVP, part, file, "--report", "report.json", *options, code=code)


def waved(file, *options):
    run([PWSVP, "run", file, "--vcd", "wave.vcd", *options])
    look_at_signals("wave.vcd", " ".join(options))


write("sides.hip", """#include <hip/hip_runtime.h>
#include <pws.h>
extern "C" __global__ void sides(float* out, int n) {
  __shared__ float s[64];
  const int k = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = k;
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
    asm volatile("v_exp_f16 %0, %0" : "+v"(x));  // an instruction that the RTL does not have
  }
  out[k] = x;
}
extern "C" __global__ void nothing() {}
// Some wavefronts end before the others' barrier; some go another way to theirs.
extern "C" __global__ void early(float* out, int n) {
  if (threadIdx.x / 64 == n) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
extern "C" __global__ void undecided(float* out, int n) {
  if (__builtin_amdgcn_readfirstlane(threadIdx.x / 64) == n) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = sqrtf(n);
    __syncthreads();
  }
}
""")
write("program.hip", """#include <hip/hip_runtime.h>
#include <pws.h>
__global__ void uniform(float* out, unsigned n) {
  PWS_SPLIT();
  unsigned v;
  asm volatile("v_mov_b32 %0, 7" : "=v"(v));
  if (v > n) out[threadIdx.x] = 1;
}
__global__ void lost(float* out) {
  PWS_SPLIT();
  out[threadIdx.x] = 1;
}
__global__ void sides(float* out, int n) {
  __shared__ float s[64];
  const int k = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = k;
  __syncthreads();
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
    asm volatile("v_exp_f16 %0, %0" : "+v"(x));  // an instruction that the RTL does not have
  }
  out[k] = x;
}
int main(int argc, char** argv) {
  float* out;
  if (hipMalloc(&out, 1024) != hipSuccess) return 3;
  if (argc == 1) sides<<<4, 64>>>(out, 4);
  hipModule_t module;
  hipFunction_t f;
  if (argc == 2 && argv[1][0] == 'm') {
    if (hipModuleLoad(&module, "no_code.hsaco") != hipSuccess || hipModuleGetFunction(&f, module, "no_code") != hipSuccess) return 3;
    (void)hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  if (argc == 2 && argv[1][0] == 'l') sides<<<4, 64>>>(out, 5);
  if (argc == 2 && argv[1][0] == 'd') {
    if (hipSetDevice(1) != hipSuccess || hipMalloc(&out, 1024) != hipSuccess) return 3;
    sides<<<4, 64>>>(out, 4);
  }
  if (argc == 2 && argv[1][0] == 's') {
    const uint32_t one = 1;
    hipStream_t masked;
    if (hipExtStreamCreateWithCUMask(&masked, 1, &one) != hipSuccess) return 3;
    sides<<<4, 64, 0, masked>>>(out, 4);
  }
  if (argc == 2 && argv[1][0] == 'f') sides<<<4, 64>>>(nullptr, 4);
  (void)hipDeviceSynchronize();
  return 0;
}
""")
# A kernel with words in it that are no instruction.
write("no_code.s", """.text
.globl no_code
.p2align 8
.type no_code,@function
no_code:
  s_endpgm
  .long 0xffffffff
.size no_code, .-no_code
.rodata
.p2align 6
.amdhsa_kernel no_code
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - {.name: no_code, .symbol: no_code.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 4, .max_flat_workgroup_size: 256, .args: []}
...
.end_amdgpu_metadata
""")
write("no_code.yaml", f"""machine: {DEFAULT}
program: {{source: no_code.s, kernel: no_code}}
launch: {{grid: 64, workgroup: 64}}
""")
write("sides.yaml", f"""machine: {DEFAULT}
program: {{source: sides.hip, kernel: sides}}
launch: {{grid: [256], workgroup: [64]}}
arguments:
  - {{name: out, type: f32, count: 256}}
  - {{name: n, type: i32, value: 4}}
expect: {{out: {{expression: "i % 2 == 1 ? out : out", tolerance: {{absolute: 1e9}}}}}}
""".replace('"i % 2 == 1 ? out : out"', '"1.0"'))

# Two launches, and each form of a launch's keys.
write("several.yaml", open("sides.yaml").read().replace(", kernel: sides", "").replace("launch: {grid: [256], workgroup: [64]}", """launches:
  - {kernel: sides, launch: {grid: [256], workgroup: [64]}, arguments: [out, n]}
  - {kernel: nothing, launch: {blocks: 1, workgroup: 64}}
  - {kernel: nothing, launch: {grid: {workgroups: 1}, workgroup: 64}, expect: {out: {constant: 1, first: 1, count: 2, tolerance: {absolute: 1e9}}}}
  - {kernel: nothing, launch: {blocks: 1, workgroup: 64}, expect: {out: {values: [1], count: 1, tolerance: {absolute: 1e9}}}}
  - {kernel: nothing, launch: {blocks: 1, workgroup: 64}, expect: {out: {expression: "i", tolerance: {absolute: 1e9, relative: 1, ulp: 3}}}}
  - {kernel: nothing, launch: {blocks: 1, workgroup: 64}, expect: {out: {file: all.bin, tolerance: {absolute: 1e9}}}}"""))
write("all.bin", "0" * 1024)


def every_key():
    """Every key of a run file, each form of an argument and of what is expected."""
    write("data.bin", "12345678" * 8)
    write("keys.hip", """#include <hip/hip_runtime.h>
struct pair { int a, b; };
struct alignas(16) nested { int k[2]; int* b; char rest[16]; };
struct whole { nested in; int k[2]; int* b; char rest[16]; };
extern "C" __global__ void keys(int* a, float* c, int* d, int* e, int* f, pair p, whole w, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = p.a;
  if (threadIdx.x < n) w.b[threadIdx.x] = w.in.k[1];
  f[threadIdx.x] = 5;
#pragma unroll 1
  for (int k = 0; k < n; ++k) c[k & 15] += 1;
}
""")
    write("keys.yaml", f"""machine: {DEFAULT}
program: {{source: keys.hip, kernel: keys, flags: [-DX]}}
launch: {{blocks: 1, workgroup: 16}}
arguments:
  - {{name: a, type: i32, count: 16, init: {{constant: 7}}}}
  - {{name: b, type: i32, count: 16, init: {{ramp: {{start: 1}}}}}}
  - {{name: c, type: f32, count: 16, init: {{random: {{seed: 3}}}}}}
  - {{name: d, type: i32, init: {{file: data.bin}}}}
  - {{name: e, type: i32, init: {{values: [1, 2]}}}}
  - {{name: f, type: i32, count: 16, init: none}}
  - {{name: p, bytes: "0x0100000002000000"}}
  - name: w
    struct:
      - {{name: in, struct: [{{name: k, type: i32, value: 1, align: 16}}, {{type: i32, values: [2]}}, {{buffer: b}}, {{pad: 0x10, align: 1}}]}}
      - {{name: k, type: i32, value: 1, align: 16}}
      - {{type: i32, values: [2]}}
      - {{buffer: b}}
      - {{pad: 16}}
  - {{name: n, type: i32, value: 16}}
expect:
  a: {{constant: 1, first: 1, count: 2, tolerance: {{absolute: 0.5}}}}
  d: {{file: data.bin}}
  e: {{values: [1, 2]}}
  f: {{expression: "5"}}
save:
  a: a.bin
  f: {{file: f.dat, format: csv}}
wcet:
  loops:
  - {{bound: 16, line: 10, file: keys.hip}}
  - {{bound: 4, label: here}}
  - {{bound: 4, offset: 0x10, kernel: keys}}
""")
    pwsvp("run", "keys.yaml")
    pwsvp("run", "sides.yaml", "--set", "launch.grid={workgroups: 4}")


def bounds_of_every_key():
    """The same for wcet, which refuses a bound that fits no loop; and for exec, which does not look at them unasked."""
    predictable = ["--set", f"machine={PREDICTABLE}"]
    pwsvp("wcet", "keys.yaml", *predictable, "--set", "wcet.loops=[{bound: 16, line: 10, file: keys.hip}]")
    bound = json.load(open("report.json"))
    offset = bound["blocks"][bound["loops"][0]["header"]]["offset"]
    pwsvp("wcet", "keys.yaml", *predictable, "--set", f"wcet.loops=[{{bound: 16, offset: {offset}, kernel: keys}}]")
    run([PWSCC, "-O3", "keys.hip", "-o", "keys.s"])
    text = open("keys.s").read()
    label = next(m[1] for m in re.finditer(r"s_c?branch\w* (\.LBB0_\d+)", text) if text.index(f"\n{m[1]}:") < m.start())
    pwsvp("wcet", "keys.yaml", *predictable, "--set", "program.source=keys.s", "--set", "program.flags=[]",
          "--set", f"wcet.loops=[{{bound: 16, label: {label}}}]")
    # A run file's outputs are not wcet's, but its configuration has them.
    files = ("vcd", "rtl_vcd", "rtl_coverage", "timeline", "stats", "profile", "coverage", "report")
    outputs = ", ".join(f"{name}: keys.{ending}" for name, ending in zip(files, ("vcd", "vcd", "json", "json", "csv", "html", "info", "json")))
    pwsvp("wcet", "sides.yaml", *predictable, "--set", "launch.grid={workgroups: 4}", "--set", f"outputs={{{outputs}, stats_every: 100}}")
    pwsvp("wcet", "sides.yaml", *predictable, "--set", "program.kernel=nothing", "--set", "arguments=[]", "--set", "expect={}")


def runs():
    """With every scheme, with faults, and stopped."""
    every_key()
    pwsvp("run", "sides.yaml")
    pwsvp("run", "sides.yaml", *PWS, "--set", "machine.trace.branch_uniformity=true", "--set", "machine.check.loop_bounds=true")
    pwsvp("run", "sides.yaml", *PWS, *HANDOVER, "--set", "machine.cosim.mode=lockstep")
    pwsvp("run", "sides.yaml", "--set", f"machine={PREDICTABLE}", *PWS)
    for machine in (PREDICTABLE, DEFAULT):  # bounded, and not
        pwsvp("run", "sides.yaml", "--set", f"machine={machine}", *AUTO)
    for scheme, scoreboard in (("stack", "conservative"), ("dpe", "conservative"), ("dws-table", "drain")):
        pwsvp("run", "sides.yaml", "--set", f"machine.divergence={scheme}", "--set", "program.split=all", "--set", f"machine.scoreboard={scoreboard}")
    pwsvp("run", "sides.yaml", *FORMED)
    pwsvp("run", "sides.yaml", *FORMED, "--set", "machine.fidelity=functional")
    pwsvp("run", "several.yaml", "--set", "machine.trace.branch_uniformity=true")
    pwsvp("run", "sides.yaml", "--set", "arguments.n.value=5", "--set", "machine.check.loop_bounds=true", code=1)
    pwsvp("run", "no_code.yaml", "--set", "machine.trace.branch_uniformity=true")
    write("no_code_twice.yaml", open("no_code.yaml").read().replace(", kernel: no_code", "").replace(
        "launch: {grid: 64, workgroup: 64}", "launches: [{kernel: no_code, launch: {grid: 64, workgroup: 64}}, {kernel: no_code, launch: {grid: 64, workgroup: 64}}]"))
    pwsvp("run", "no_code_twice.yaml", "--set", "machine.trace.branch_uniformity=true")
    long_run = subprocess.Popen([PWSVP, "run", f"{ROOT}/configs/runs/quickstart.yaml", "--set", "launch.grid=4294967040", "--progress", "1",
                                 "--report", "long.json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if b"workgroups" not in long_run.stderr.readline():  # it runs
        sys.exit("FAILED: the run that is to be stopped does not run")
    long_run.send_signal(signal.SIGINT)
    long_run.communicate()
    look_at("run", json.load(open("long.json")), "a run that a signal stopped")


def waves():
    waved("sides.yaml", *PWS, *HANDOVER, "--set", "machine.cosim.mode=rtl")
    for scheme in ("dpe", "dws-table"):
        waved("sides.yaml", "--set", f"machine.divergence={scheme}", "--set", "program.split=all")
    waved("sides.yaml", *FORMED)


def stopped_study():
    """A study of reconvergence that a signal stops. Its warps would take many seconds."""
    write("wander.hip", """#include <hip/hip_runtime.h>
extern "C" __global__ void wander(unsigned* x, unsigned n) {
  unsigned v = threadIdx.x + 1;
#pragma unroll 1
  for (unsigned k = 0; k < n; ++k) {
    v = v * 1664525 + 1013904223;
    if (v >> 31) asm volatile("v_add_u32 %0, vcc, 7, %0" : "+v"(v) : : "vcc");
    else asm volatile("v_xor_b32 %0, 5, %0" : "+v"(v));
  }
  x[threadIdx.x] = v;
}
""")
    write("wander.yaml", f"""machine: {DEFAULT}
program: {{source: wander.hip, kernel: wander}}
launch: {{grid: 256, workgroup: 256}}
arguments:
  - {{name: x, type: u32, count: 256}}
  - {{name: n, type: u32, value: 1500}}
""")
    run([PWSVP, "check", "wander.yaml"])
    study = subprocess.Popen([PWSVP, "reconvergence", "wander.yaml", "--work-items", "256", "--report", "stopped.json"],
                             stdout=subprocess.DEVNULL)
    while study.poll() is None and int(open(f"/proc/{study.pid}/stat").read().split()[13]) / os.sysconf("SC_CLK_TCK") < 1.5:
        time.sleep(0.05)
    study.send_signal(signal.SIGINT)
    study.wait()
    look_at("reconvergence", json.load(open("stopped.json")), "a study that a signal stopped")


def bounds():
    bounds_of_every_key()
    for file, kernel in (("sides.yaml", "program.kernel"), ("several.yaml", "launches.0.kernel")):
        predictable = ["--set", f"machine={PREDICTABLE}"]
        pwsvp("wcet", file, *predictable, *PWS, "--observe")
        pwsvp("wcet", file, *PWS, "--times", "measured", "--observe")
        pwsvp("wcet", file, *predictable, "--observe", "--set", "arguments.n.value=5", code=1)
        for other in ("early", "undecided"):
            pwsvp("wcet", file, *predictable, "--set", ("launch" if file == "sides.yaml" else "launches.0.launch") + ".workgroup=128",
                  "--set", f"{kernel}={other}")
    pwsvp("wcet", "sides.yaml", "--set", f"machine={PREDICTABLE}", *AUTO)
    pwsvp("wcet", "sides.yaml", "--set", f"machine={DEFAULT}", *AUTO, "--times", "measured")
    pwsvp("graph", f"{ROOT}/configs/graphs/figure8.yaml", "--set", "S=2")
    pwsvp("reconvergence", "sides.yaml")
    stopped_study()


def programs():
    run([PWSCC, "--split=all", "-S", "1", "--report=report.json", "-O3", "program.hip", "-o", "program"])
    look_at("compiler", json.load(open("report.json")), "pwscc --split=all")
    write("by_hand.hip", """#include <hip/hip_runtime.h>
extern "C" __global__ void by_hand(unsigned* x) {
  const unsigned v = x[threadIdx.x] * 3;
  asm volatile(".long 0xbf147f7e");
  x[threadIdx.x] = v * 5;
}
""")
    run([PWSCC, "--split=all", "-S", "1", "--report=report.json", "-O3", "by_hand.hip", "-o", "by_hand.hsaco"])
    look_at("compiler", json.load(open("report.json")), "a split by hand")
    run([PWSCC, "--divergence=ps", "--report=report.json", "-O3", "program.hip", "-o", "predicated"])
    look_at("compiler", json.load(open("report.json")), "pwscc --divergence=ps")
    run(["clang-15", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx803", "no_code.s", "-o", "no_code.hsaco"])
    run([PWSCC, "--split=all", "-S", "1", "-O3", "program.hip", "-o", "program"])
    timing = ["--fidelity", "timing"]
    machine = ["--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1"]

    def launched(file, *options, code=0, argument=()):
        reported("exec", PWSVP, "exec", file, *options, "--report", "report.json", "--", "./program", *argument, code=code)

    launched(DEFAULT, *machine, *timing, "--set", "machine.trace.branch_uniformity=true")
    launched(DEFAULT, *machine, *timing, *HANDOVER, "--set", "machine.cosim.mode=lockstep")
    launched(PREDICTABLE, *machine, *timing, "--wcet")
    launched(DEFAULT, *machine, *timing, "--wcet", "--times", "measured")
    launched(DEFAULT, *machine, *timing, "--wcet", code=1)
    launched(PREDICTABLE, *machine, *timing, "--wcet", code=1, argument=["loop"])
    launched(PREDICTABLE, *machine, *timing, "--wcet", "--set", "wcet.loops=[{kernel: sides, label: nowhere, bound: 7}]", code=1)
    launched(DEFAULT, "--set", "machine.trace.branch_uniformity=true", argument=["module"])
    launched(DEFAULT, argument=["fault"])
    launched(DEFAULT, *timing, argument=["some units"])
    launched(DEFAULT, *timing, "--set", "exec.devices=2", argument=["devices"])
    launched(DEFAULT, *timing, "--set", "machine.divergence=dws-table")
    launched(DEFAULT, *timing, *FORMED)
    launched(DEFAULT, *timing, "--set", "machine.hardware_queues=2", "--vcd", "wave.vcd")
    look_at_signals("wave.vcd", "two hardware queues")
    write("keys_of_exec.yaml", f"""machine: {DEFAULT}
exec: {{timing_kernels: [sides], functional_kernels: [uniform], timing_launches: [1], functional_launches: [2], trace_launches: [1],
       trace_kernels: [sides], vcd: keys.vcd, rtl_vcd: keys_rtl.vcd, rtl_coverage: keys_rtl.json, timeline: keys.json, profile: keys.html, coverage: keys.info,
       stats: keys.csv, stats_every: 100}}
wcet:
  loops:
  - {{bound: 16, line: 10, file: keys.hip}}
  - {{bound: 4, label: here}}
  - {{bound: 4, offset: 0x10, kernel: keys}}
""")
    launched("keys_of_exec.yaml", *machine, *HANDOVER, "--set", "machine.cosim.mode=rtl")


# Workgroups that write different values to one place, and one that does so alone.
def findings():
    write("racy.hip", '''#include <hip/hip_runtime.h>
extern "C" __global__ void racy(int* out) { out[0] = blockIdx.x; }
int main(int argc, char**) {
  int* out;
  if (hipMalloc(&out, 4) != hipSuccess) return 2;
  hipLaunchKernelGGL(racy, dim3(argc), dim3(64), 0, 0, out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 2;
}
''')
    write("racy.yaml", f'''machine: {DEFAULT}
program: {{source: racy.hip, kernel: racy}}
launch: {{blocks: 4, workgroup: 64}}
arguments: [{{name: out, type: i32, count: 1}}]
''')
    run([PWSCC, "-O3", "racy.hip", "-o", "racy"])
    pwsvp("run", "racy.yaml", "--check", "races", code=1)
    pwsvp("run", "racy.yaml", "--check", "races", "--set", "launch.blocks=1")
    for code, arguments in ((1, ["several"]), (0, [])):
        reported("exec", PWSVP, "exec", DEFAULT, "--check", "races", "--report", "report.json", "--", "./racy", *arguments, code=code)


    write("freed.hip", """#include <hip/hip_runtime.h>
int main() {
  int* p;
  if (hipMalloc(&p, 4) != hipSuccess) return 2;
  return hipFree(p) == hipSuccess && hipFree(p) != hipSuccess ? 0 : 2;
}
""")
    run([PWSCC, "-O3", "freed.hip", "-o", "freed"])
    reported("exec", PWSVP, "exec", DEFAULT, "--check", "memory", "--report", "report.json", "--", "./freed", code=1)


def sweeps():
    write("grid.yaml", f"""title: A grid
command: graph
config: {ROOT}/configs/graphs/figure8.yaml
axes: [{{name: S, key: S, values: [1, 2, -1]}}]
measures: {{bound: bounds.pws.E_kernel, file: file}}
refusal: no such words
""")
    run([PWSVP, "sweep", "grid.yaml", "--output", "grid"], 2)
    write("grid.yaml", open("grid.yaml").read().replace(", -1", "") + "holds: [{measure: bound, at_most: cost}]\n")
    write("grid.yaml", open("grid.yaml").read().replace("file: file", "file: file, cost: IPET_C_out"))
    run([PWSVP, "sweep", "grid.yaml", "--output", "grid"], 1)
    look_at("sweep", json.load(open("grid/sweep.json")), "a sweep")


def units_agree():
    """A value has one unit, and the machine one description, whichever report has it."""
    for name in ("simulated_time", "bandwidth", "clock", "wall_clock", "cycles"):
        units = {e["unit"] for part in REPORTS.values() for e in part.entries if e["path"].split(".")[-1] == name and "configuration." not in e["path"]}
        if len(units) != 1:
            problems.append(f"{name} has the units {sorted(units)}")
    run_has, exec_has = ({e["path"] for e in REPORTS[part].entries if e["path"].startswith("machine.")} for part in ("run", "exec"))
    if run_has != exec_has or "machine.n_cu" not in run_has:
        problems.append(f"machine: run has {sorted(run_has)}, exec {sorted(exec_has)}")


units_agree()
runs()
waves()
bounds()
programs()
findings()
sweeps()
for name, part in REPORTS.items():
    if name not in ("run", "reconvergence"):  # whose lists are made of what writes them
        problems += part.never_seen("path")
problems += SIGNALS.never_seen("signal")
for p in problems:
    print(p)
sys.exit("FAILED" if problems else print("PASS"))
