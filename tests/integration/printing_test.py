#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""printing_test.py PWSVP ROOT: printf and assert of device code in pwsvp run, and what of hostcall a run cannot give."""
import os
import re
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from command_line import call, fail
from llvm import is_of_documents

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
FUNCTIONAL = ("--set", "machine.fidelity=functional")


def run(*command, **expected):
    return call(PWSVP, *command, **expected)


with open("speak.hip", "w") as f:
    f.write(r"""#include <hip/hip_runtime.h>
#include <cassert>
extern "C" __global__ void speak(const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0)
    printf("item %d of %s\n", i, i % 2 == 0 ? "even" : "odd");
  else if (i == 40)
    printf("%u|%#x|%-6s|%06d|%lld|%.3f|%c|%%|%p\n", 4000000000u, 255, "ab", -42, -9000000000ll, 0.5f, 'z', (void*)16);
  for (int k = 0; i == 1 && k < n; ++k) printf("loop %d: %d\n", k, x[k]);
}
extern "C" __global__ void silent(int* x) { x[threadIdx.x] += 1; }
extern "C" __global__ void asserts(const int* x) { assert(x[threadIdx.x] == 7); }
typedef unsigned long long word;
typedef word pair __attribute__((ext_vector_type(2)));
extern "C" __device__ pair __ockl_hostcall_preview(unsigned, word, word, word, word, word, word, word, word);
extern "C" __global__ void calls(word* x, unsigned service) {
  x[0] = __ockl_hostcall_preview(service, x[1], 0, 0, 0, 0, 0, 0, 0).x;
}
""")
HEAD = f"""machine: {ROOT}/configs/gpu/default.yaml
program: {{source: speak.hip}}
arguments:
  - {{name: x, type: i32, count: 64, init: {{ramp: {{start: 5}}}}}}
  - {{name: n, type: i32, value: 3}}
  - {{name: w, type: u64, count: 4, init: {{constant: 0}}}}
  - {{name: service, type: u32, value: 1}}
launches:
"""
SPEAK = "  - {kernel: speak, launch: {blocks: 2, workgroup: 37}, arguments: [x, n]}\n"
SILENT = "  - {kernel: silent, launch: {blocks: 1, workgroup: 64}, arguments: [x]}\n"


def write(name, *launches):
    with open(name, "w") as f:
        f.write(HEAD + "".join(launches))


def lines(first):
    return sorted([f"item {i} of {'odd' if i % 2 else 'even'}" for i in range(0, 74, 3)] +
                  ["4000000000|0xff|ab    |-00042|-9000000000|0.500|z|%|0x10"] + [f"loop {k}: {first + k}" for k in range(3)])


# Each launch prints what it finds in memory, all of the first before the second; the report comes behind it.
write("speak.yaml", SPEAK, SILENT, SPEAK)
for options in ((), FUNCTIONAL, ("--set", f"machine={ROOT}/configs/gpu/predictable.yaml", "--set", "machine.memory.instruction_cache.size_kib=64"), ("--set", "program.flags=[-O0]"),
                ("--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1", "--set", "program.split=all")):
    quiet = run("run", "speak.yaml", "--quiet", *options).stdout
    said = quiet.splitlines()
    half = len(said) // 2
    if sorted(said[:half]) != lines(5) or sorted(said[half:]) != lines(6):
        fail(f"{options}: printed\n{quiet}")
    loops = [l for l in said if l.startswith("loop")]
    if loops != [f"loop {k}: {first + k}" for first in (5, 6) for k in range(3)]:
        fail(f"{options}: one work-item's lines are out of order: {loops}")
    # The same order in every run, and the same with the report.
    if run("run", "speak.yaml", "--quiet", *options).stdout != quiet:
        fail(f"{options}: two runs print in another order")
    loud = run("run", "speak.yaml", *options).stdout
    if not loud.startswith(quiet + "speak.hip: 3 launches\n") or not loud.endswith("PASS\n"):
        fail(f"{options}: printed\n{loud}")
# An empty grid of lines: a kernel that could print and does not.
write("silent.yaml", SILENT)
if run("run", "silent.yaml", "--quiet").stdout != "":
    fail("a kernel that does not print prints")
# Where it cannot be written, that is an error.
with open("/dev/full", "w") as full:
    run("run", "speak.yaml", "--quiet", code=2, says=("standard output",), stdout=full)

# An assertion says where, and stops the machine; one that holds does not.
write("asserts.yaml", "  - {kernel: asserts, launch: {blocks: 1, workgroup: 64}, arguments: [x]}\n")
for options in ((), FUNCTIONAL):
    said = run("run", "asserts.yaml", *options, code=1, says=("kernel asserts, workgroup (0,0,0)", "s_trap 2", "the program trapped")).stderr
    said = re.findall(r"speak.hip:\d+: void asserts\(const int \*\): Device-side assertion `x\[threadIdx.x\] == 7' failed", said)
    if len(said) != 63:  # of one work-item it holds
        fail(f"{len(said)} work-items say what failed")
run("run", "asserts.yaml", "--set", "arguments.x.init={constant: 7}")
# The run that a bound is held against stops with the same words.
PREDICTABLE = ("--set", f"machine={ROOT}/configs/gpu/predictable.yaml", "--set", "machine.memory.instruction_cache.size_kib=64")
stops = [re.findall(r"^error: kernel asserts, .* the program trapped$", r.stdout + r.stderr, re.M)
         for r in (run("run", "asserts.yaml", *PREDICTABLE, code=1), run("wcet", "asserts.yaml", "--observe", *PREDICTABLE, code=1))]
if not stops[0] or stops[0] != stops[1]:
    fail(f"run and wcet --observe stop with {stops}")
run("wcet", "asserts.yaml", "--observe", *PREDICTABLE, "--set", "arguments.x.init={constant: 7}", says=("bound / observed",))

# printf of OpenCL C is refused, with the place of the call; an OpenCL program without it runs.
for statement, how in (('if (i < 3) printf("item %d\\n", i);', dict(code=2, says=("said.cl:3:14: error: 'printf' is unavailable: printf of OpenCL C is not there; HIP's is",))),
                       ("", dict(says=("PASS",)))):
    with open("said.cl", "w") as f:
        f.write(f"kernel void said(global int* x) {{\n  const int i = get_global_id(0);\n  {statement}\n  x[i] = i;\n}}\n")
    with open("said.yaml", "w") as f:
        f.write(f"machine: {{n_cu: 1}}\nprogram: {{source: said.cl, kernel: said}}\nlaunch: {{grid: 128, workgroup: 64}}\n"
                'arguments:\n  - {name: x, type: i32, count: 128}\nexpect: {x: {expression: "i"}}\n')
    run("run", "said.yaml", **how)

# There is no host program whose functions could be called, and no other service.
write("calls.yaml", "  - {kernel: calls, launch: {blocks: 1, workgroup: 1}, arguments: [w, service]}\n")
for options in ((), FUNCTIONAL):
    run("run", "calls.yaml", *options, code=1, says=("kernel calls", "s_sendmsg", "service 1 calls a function of the host program, and a run has none"))
    run("run", "calls.yaml", *options, "--set", "arguments.service.value=7", code=1, says=("kernel calls", "service 7 is none of this platform's"))
# Without memory for its buffer nothing runs.
SMALL = ["--set", "machine.memory.dram.size_mib=2", "--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=3"]
run("run", "speak.yaml", *SMALL, code=2, says=("device memory exhausted: hostcall buffer needs",))
run("run", "speak.yaml", "--set", "machine.memory.dram.size_mib=1", code=2, says=("device memory exhausted: " + ("scratch needs 1638400 bytes" if is_of_documents() else ""),))
print("PASS")
