#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""structures_test.py PWSVP ROOT: structures passed by value, written field by field, against the layout that clang gives them."""
import json
import os
import subprocess
import sys
import tempfile

from command_line import call, fail

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())


def run(*command, code=0, says=()):
    return call(PWSVP, *command, code=code, says=says).stdout


with open("fields.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
struct inner { short s; double d; char c[3]; };
struct params {
  bool flag;
  int n;
  const float* x;
  inner in;
  _Float16 h;
  float4 v;
  unsigned long long big;
  unsigned char last;
  double* y;
  signed char tail;
};
struct __attribute__((packed)) tight { char c; double d; int* out; };
struct alignas(32) wide { int a; };
extern "C" __global__ void fields(params p) {
  if (threadIdx.x >= p.n) return;
  double* y = p.y + 16 * threadIdx.x;
  y[0] = p.flag;
  y[1] = p.n;
  y[2] = p.x[threadIdx.x];
  y[3] = p.in.s;
  y[4] = p.in.d;
  y[5] = p.in.c[0] * 10000 + p.in.c[1] * 100 + p.in.c[2];
  y[6] = p.h;
  y[7] = p.v.x;
  y[8] = p.v.w;
  y[9] = p.big >> 32;
  y[10] = p.last;
  y[11] = p.tail;
}
extern "C" __global__ void packed(tight t) { t.out[threadIdx.x] = t.c + t.d; }
extern "C" __global__ void both(int n, wide w, params p, const float* x) {
  if (threadIdx.x < n) p.y[threadIdx.x] = w.a + x[threadIdx.x] + p.x[threadIdx.x];
}
""")

FIELDS = """      - {name: flag, type: u8, value: 1}
      - {name: n, type: i32, value: 4}
      - {name: x, buffer: x}
      - name: in
        struct:
          - {name: s, type: i16, value: -3}
          - {name: d, type: f64, value: 0.1}
          - {name: c, type: i8, values: [1, 2, 3]}
      - {name: h, type: f16, value: 1.5}
      - {name: v, type: f32, values: [10, 11, 12, 13], align: 16}
      - {name: big, type: u64, value: 0x1234567800000000}
      - {name: last, type: u8, value: 200}
      - {name: y, buffer: y}
      - {name: tail, type: i8, value: -128}
"""
ARGUMENTS = """  - name: p
    struct:
""" + FIELDS + """  - {name: x, type: f32, count: 4, init: {ramp: {start: 0.5}}}
  - {name: y, type: f64, count: 64, init: {constant: 0}}
"""
ROW = [1, 4, None, -3, 0.1, 10203, 1.5, 10, 13, 0x12345678, 200, -128, 0, 0, 0, 0]


def expected(row):
    return "expect:\n  y: {values: [" + ", ".join(str(k + 0.5 if v is None else v) for k in range(4) for v in row) + "]}\n"


def write(name, kernel, arguments, expect=""):
    with open(name, "w") as f:
        f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: fields.hip, kernel: {kernel}}}\n"
                f"launch: {{grid: 64, workgroup: 64}}\narguments:\n{arguments}{expect}")


# Every field where clang has it; buffers behind the structure, which are no parameters. Both fidelities, and as the dump has it.
write("fields.yaml", "fields", ARGUMENTS, expected(ROW))
run("check", "fields.yaml", says=("no problem found",))
run("run", "fields.yaml", says=("y: 64 elements match",))
run("run", "fields.yaml", "--set", "machine.fidelity=functional", says=("y: 64 elements match",))
with open("dumped.yaml", "w") as f:
    f.write(run("run", "fields.yaml", "--dump-config"))
run("run", "dumped.yaml", says=("y: 64 elements match",))
run("run", "fields.yaml", "--set", "arguments.p.struct.in.struct.s.value=7", code=1, says=("expected -3, got 7",))
run("run", "fields.yaml", "--set", "arguments.p.struct.n.value=3", code=1, says=("15 of 64 elements differ",))
# A buffer that a structure points to and that is a parameter too: launches say so.
BOTH = """  - {name: n, type: i32, value: 4}
  - {name: w, struct: [{type: i32, value: 100, align: 32}]}
""" + ARGUMENTS
with open("both.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: fields.hip}}\narguments:\n{BOTH}"
            "launches: [{kernel: both, launch: {grid: 64, workgroup: 64}, arguments: [n, w, p, x]}]\n"
            'expect: {y: {expression: "100 + 2 * x", count: 4}}\n')
run("run", "both.yaml", says=("y: 4 elements match",))
write("wrong.yaml", "both", BOTH)
run("check", "wrong.yaml", code=2, says=("takes 4 arguments, 3 are given", "structures point to x, y", "launches"))
# Packed: fields that are not aligned to their size.
PACKED = """  - {name: t, struct: [{type: i8, value: 2}, {type: f64, value: 40.5, align: 1}, {buffer: out, align: 1}]}
  - {name: out, type: i32, count: 64}
"""
write("packed.yaml", "packed", PACKED, "expect: {out: {constant: 42}}\n")
run("run", "packed.yaml", says=("out: 64 elements match",))
# The analysis has the same values: the bound holds for the run.
run("wcet", "fields.yaml", "--set", f"machine={ROOT}/configs/gpu/predictable.yaml", "--observe", says=("bound / observed",))

# What does not fit says where each field lies.
write("wrong.yaml", "fields", ARGUMENTS.replace("  - {name: tail, type: i8, value: -128}", "  - {name: tail, pad: 17}"))
run("check", "wrong.yaml", code=2, says=(
    "wrong.yaml:5:5: arguments.p: kernel fields, argument 0: the kernel takes 96 bytes, 112 are given",
    "its fields lie at 0 flag: u8, 4 n: i32, 8 x: address of x, 16 in.s: i16, 24 in.d: f64, 32 in.c: 3 i8, 40 h: f16, 48 v: 4 f32, "
    "64 big: u64, 72 last: u8, 80 y: address of y, 88 tail: 17 bytes of padding, 112 end"))
write("wrong.yaml", "packed", PACKED.replace(", align: 1}", "}"))
run("run", "wrong.yaml", code=2, says=("takes 17 bytes, 24 are given", "0 i8, 8 f64, 16 address of out, 24 end, a multiple of 8"))
# The largest, and one that a message does not show whole.
write("wrong.yaml", "packed", "  - {name: t, struct: [{type: u8, values: [" + ", ".join(["1"] * 4096) + "]}]}\n")
run("check", "wrong.yaml", code=2, says=("takes 17 bytes, 4096 are given", "0 4096 u8, 4096 end"))
write("wrong.yaml", "packed", "  - {name: t, struct: [" + ", ".join(["{type: u8, value: 1}"] * 40) + "]}\n")
run("check", "wrong.yaml", code=2, says=("23 u8, ..., 40 end",))
write("wrong.yaml", "packed", "  - {name: t, struct: [{type: u8, values: [" + ", ".join(["1"] * 4097) + "]}]}\n")
run("check", "wrong.yaml", code=2, says=("wrong.yaml:5:", "arguments.t.struct.0.values: 4097 bytes up to here; a kernel takes at most 4096"))
# A pointer to a buffer that is broken is not another error.
write("wrong.yaml", "packed", PACKED.replace("count: 64", "count: none"))
if "struct" in subprocess.run([PWSVP, "check", "wrong.yaml"], capture_output=True, text=True).stderr:
    fail("a broken buffer is said twice")
# The report names every field as it was written.
run("run", "fields.yaml", "--report", "report.json")
fields = json.load(open("report.json"))["configuration"]["arguments"][0]["struct"]
if [f["name"]["value"] for f in fields] != ["flag", "n", "x", "in", "h", "v", "big", "last", "y", "tail"] or fields[3]["struct"][1]["value"]["value"] != 0.1:
    fail(f"the report's structure: {fields}")
print("PASS")
