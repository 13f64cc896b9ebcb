#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage_test.py PWSVP PWSCC ROOT: --coverage writes a tracefile of lcov's: what ran how often, what did not, added up over launches, kernels, headers
and object files."""
import os
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from command_line import call, fail
from llvm import is_of_documents

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
os.environ["XDG_CACHE_HOME"] = os.getcwd()  # code that was compiled from another folder has its lines' files by other names


def read(path):
    """{file: (lines, functions)}; each record's sums are checked."""
    files, record = {}, []
    for line in open(path).read().splitlines():
        if line != "end_of_record":
            record.append(line.split(":", 1))
            continue
        of = lambda kind: [value for key, value in record if key == kind]
        if [key for key, _ in record[:2]] != ["TN", "SF"] or {key for key, _ in record} - set("TN SF FN FNDA FNF FNH DA LF LH".split()):
            fail(f"{path}: {record}")
        lines = {int(n): int(count) for n, count in (v.split(",") for v in of("DA"))}
        begins = {name: int(n) for n, name in (v.split(",") for v in of("FN"))}
        called = {name: int(count) for count, name in (v.split(",") for v in of("FNDA"))}
        if of("LF") != [str(len(lines))] or of("LH") != [str(sum(n != 0 for n in lines.values()))] or len(lines) != len(of("DA")):
            fail(f"{path}: lines of {of('SF')}")
        if set(begins) != set(called) or called and (of("FNF") != [str(len(called))] or of("FNH") != [str(sum(n != 0 for n in called.values()))]):
            fail(f"{path}: functions of {of('SF')}")
        name = os.path.basename(of("SF")[0])
        if name in files or not os.path.isabs(of("SF")[0]):
            fail(f"{path}: {of('SF')}")
        files[name] = lines, {name: (begins[name], called[name]) for name in called}
        record = []
    if record or not files:
        fail(f"{path}: {record}")
    return files


def expect(got, expected, what):
    if got != expected:
        fail(f"{what}: {got}, expected {expected}")


def counted(lines, functions, declared):
    """Counts of functions. Each begins where it is declared, or (clang 17 and later) at its first line that has code of its own or of what it calls."""
    for name, (begin, _) in functions.items():
        latest = declared[name] if is_of_documents() else min(n for n in lines if n > declared[name])
        if not declared[name] <= begin <= latest:
            fail(f"{name} begins at {begin}, and is declared at {declared[name]}")
    return {name: count for name, (_, count) in functions.items()}


with open("shared.h", "w") as f:
    f.write("""// Inlined everywhere.
static __device__ __forceinline__ int mix(int x) {
  return x * 77 + (x >> 3);
}
""")
with open("two.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
#include "shared.h"
extern "C" __global__ void loop(int* out, int n) {
  int v = threadIdx.x;
  // Not unrolled: a line has one place in the code.
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    v = mix(v) ^ k;
  if (n < 0)
    out[-1] = v;
  out[blockIdx.x * 64 + threadIdx.x] = v;
}
extern "C" __global__ void once(int* out) {
  out[threadIdx.x] = mix(out[threadIdx.x]);
}
extern "C" __global__ void never(int* out) {
  out[0] = 7;
}
""")
with open("two.yaml", "w") as f:
    f.write(f"""machine: {ROOT}/configs/gpu/default.yaml
program: {{source: two.hip}}
launches:
  - {{kernel: loop, launch: {{blocks: 3, workgroup: 64}}, arguments: [out, n]}}
  - {{kernel: once, launch: {{blocks: 1, workgroup: 64}}, arguments: [out]}}
  - {{kernel: loop, launch: {{blocks: 2, workgroup: 64}}, arguments: [out, m]}}
arguments:
  - {{name: out, type: i32, count: 192}}
  - {{name: n, type: i32, value: 5}}
  - {{name: m, type: i32, value: 7}}
""")
# Three wavefronts of five rounds, two of seven; and one that mixes once.
for fidelity in ("functional", "timing"):
    call(PWSVP, "run", "two.yaml", "--quiet", "--set", f"machine.fidelity={fidelity}", "--coverage", "c.info")
    files = read("c.info")
    lines, functions = files["two.hip"]
    expect(counted(lines, functions, {"loop": 3, "once": 13, "never": 16}), {"loop": 5, "once": 1, "never": 0}, fidelity)
    expect(files["shared.h"][0], {3: 3 * 5 + 2 * 7 + 1}, f"{fidelity}: lines of the header")
    expect({n: lines.get(n) for n in (5, 6, 8, 10, 11, 14, 17)},
           {5: None, 6: None, 8: 3 * 5 + 2 * 7, 10: 0, 11: 5, 14: 1, 17: 0}, fidelity)
first = open("c.info").read()
call(PWSVP, "run", "two.yaml", "--quiet", "--coverage", "again.info", "--profile", "p.html")
expect(open("again.info").read(), first, "the same bytes again, beside a profile")
# Warps that are formed change what an execution is, not which lines run.
call(PWSVP, "run", "two.yaml", "--quiet", "--set", "machine.divergence=dwf", "--coverage", "dwf.info")
expect({name: {n for n, count in lines.items() if count} for name, (lines, _) in read("dwf.info").items()},
       {name: {n for n, count in lines.items() if count} for name, (lines, _) in files.items()}, "warps")

# Without line tables.
call(PWSVP, "run", "two.yaml", "--quiet", "--set", "program.flags=[-g0]", "--coverage", "none.info", code=2,
    says=("--coverage none.info: there is nothing to write: two.hip has no line tables: compile it with -g",))
call(PWSVP, "run", "two.yaml", "--quiet", "--coverage", "/dev/full", code=2)

# A program of two object files, one of them without line tables, in many launches.
for name, host in (("a", "void call_b(int*, int); int main() { int* x; if (hipMalloc(&x, 256) != hipSuccess) return 3; "
                         "for (int k = 0; k < 3; ++k) { a<<<2, 64>>>(x, 4); call_b(x, 5); } return hipDeviceSynchronize(); }"),
                   ("b", "void call_b(int* x, int n) { b<<<1, 64>>>(x, n); }")):
    with open(f"{name}.hip", "w") as f:
        f.write(f"""#include <hip/hip_runtime.h>
#include "shared.h"
__global__ void {name}(int* x, int n) {{
  x[threadIdx.x] = mix(n);
}}
__global__ void {name}_unused(int* x) {{
  x[1] = 5;
}}
{host}
""")
for flags, without in ((["-g", "-g"], ""), (["-g", "-g0"], "b.o")):
    for name, flag in zip("ab", flags):
        call(PWSCC, "--split=none", "-O2", flag, "-c", f"{name}.hip", "-o", f"{name}.o")
    call(PWSCC, "a.o", "b.o", "-o", "program")
    said = () if not without else ("warning: --coverage ", " lacks ./program, bundle 1 ", "which has no line tables: compile it with -g")
    call(PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--quiet", "--coverage", "c.info", "--", "./program", says=said)
    files = read("c.info")
    expect(files["a.hip"][0], {4: 6, 5: 6, 7: 0, 8: 0}, "a.hip")
    expect("b.hip" in files, not without, "b.hip")
    if not without:
        expect((files["b.hip"][0][4], files["b.hip"][0][7]), (3, 0), "b.hip")
    expect(sorted(count for _, count in files["a.hip"][1].values()), [0, 6], "functions of a.hip")
# Kernels that nobody launches have 0, whether their code comes to the machine or not; of no kernels there is no file.
for name, text in (("idle", "__global__ void idle(int* x) {\n  x[0] = 1;\n}\nint main() { int* x; return hipMalloc(&x, 4); }"),
                   ("asked", "__device__ int v;\n__global__ void idle(int* x) {\n  x[0] = v;\n}\n"
                             "int main() { int n = 3; return hipMemcpyToSymbol(HIP_SYMBOL(v), &n, 4); }"),
                   ("no_call", "__global__ void idle(int* x) {\n  x[0] = 1;\n}\nint main() {}"),
                   ("none", "int main() { int* x; return hipMalloc(&x, 4); }"), ("nothing", "int main() { return hipInit(0); }")):
    with open(f"{name}.hip", "w") as f:
        f.write(f"#include <hip/hip_runtime.h>\n{text}\n")
    call(PWSCC, "--split=none", "-g", f"{name}.hip", "-o", name)
    call(PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--quiet", "--coverage", f"{name}.info", "--", f"./{name}",
         says=("warning: --coverage ", ".info: there is nothing to write: no kernels were loaded") if name in ("none", "nothing") else ())
    if name in ("none", "nothing"):
        expect(os.path.exists(f"{name}.info"), False, "a file of no kernels")
        continue
    lines, functions = read(f"{name}.info")[f"{name}.hip"]
    expect((set(lines.values()), [count for _, count in functions.values()]), ({0}, [0]), name)
    expect(3 in lines or 4 in lines, True, f"{name}: the kernel's line")
call(PWSCC, "--split=none", "-g0", "idle.hip", "-o", "bare")
call(PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--quiet", "--coverage", "bare.info", "--", "./bare", code=2,
     says=("bare.info: there is nothing to write: ./bare",))
for options, says in ((("--set", "machine.hardware_queues=2"), "exec.coverage: machine.hardware_queues is 2"),
                      (("--set", "exec.devices=2"), "exec.coverage: exec.devices is 2")):
    call(PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", *options, "--coverage", "c.info", "--", "./program", code=2, says=(says,))
print("all is well")
