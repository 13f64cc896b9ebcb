#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""save_test.py PWSVP ROOT: what a run keeps of its buffers, against the generator that docs/buffers.md describes, and what that page says else."""
import ast
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from command_line import fail, said_by, write

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())
PAGE = open(f"{ROOT}/docs/buffers.md").read()
BLOCKS = dict(re.findall(r"^```(python|c)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
GENERATOR = {}
exec(BLOCKS["python"], GENERATOR)
CODES = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}


def run(*command, code=0, says=()):
    return said_by(PWSVP, *command, code=code, says=says)


def read(name):
    with open(name, "rb") as f:
        return f.read()


def numbers(kind, raw):
    return list(struct.unpack(f"<{len(raw) // struct.calcsize(CODES[kind])}{CODES[kind]}", raw))


def npy(name):
    """Type and numbers of a file in NumPy's format."""
    raw = read(name)
    if raw[:8] != b"\x93NUMPY\x01\x00":
        fail(f"{name} begins with {raw[:8]}")
    length = struct.unpack("<H", raw[8:10])[0]
    if (10 + length) % 64 != 0 or raw[9 + length] != ord("\n"):
        fail(f"{name}: a header of {length} bytes")
    header = ast.literal_eval(raw[10 : 10 + length].decode())
    kind = {"f": "f", "i": "i", "u": "u"}[header["descr"][1]] + str(8 * int(header["descr"][2:]))
    values = numbers(kind, raw[10 + length :])
    if header["shape"] != (len(values),) or header["fortran_order"] or header["descr"][0] not in ("|" if kind[1:] == "8" else "<"):
        fail(f"{name}: {header} for {len(values)} numbers")
    return kind, values


write("nothing.hip", "#include <hip/hip_runtime.h>\nextern \"C\" __global__ void nothing() {}\n")
BOUNDS = {k: ("0", "99") if k[0] == "u" else ("-50", "49") for k in CODES}
BOUNDS.update(f16=("-1", "1"), f32=("-1", "1"), f64=("-1", "1"), u64=("0", "18446744073709551615"), i64=("-9223372036854775808", "9223372036854775807"))
ARGUMENTS = "".join(
    f"  - {{name: b_{k}, type: {k}, count: 100, init: {{random: {{seed: 1, min: {low}, max: {high}}}}}}}\n" for k, (low, high) in BOUNDS.items())
HEAD = "machine: {fidelity: functional}\nprogram: {source: nothing.hip, kernel: nothing}\nlaunch: {grid: [64], workgroup: [64]}\n"


def run_file(name, save, arguments=ARGUMENTS, rest=""):
    """No kernel's parameters: a launch takes none of the arguments."""
    text = HEAD.replace("program: {source: nothing.hip, kernel: nothing}\nlaunch: {", "program: {source: nothing.hip}\nlaunches:\n  - {kernel: nothing, arguments: [], launch: {")
    write(name, text.rstrip("\n") + f"}}\narguments:\n{arguments}{rest}save:\n{save}")


# All types in all formats, and the page's generator.
run_file("all.yaml", "".join(f"  b_{k}: out/{k}.bin\n" for k in CODES))
run("run", "all.yaml", says=["saved        b_f32: out/f32.bin"])
run_file("npy.yaml", "".join(f"  b_{k}: {k}.npy\n" for k in CODES))
run("run", "npy.yaml", "--quiet")
run_file("csv.yaml", "".join(f"  b_{k}: {{file: {k}.text, format: csv}}\n" for k in CODES))
run("run", "csv.yaml", "--quiet")
for kind, (low, high) in BOUNDS.items():
    if kind[0] == "f":
        wanted = [GENERATOR["random_real"](1, k, float(low), float(high)) for k in range(100)]
    else:
        wanted = [GENERATOR["random_integer"](1, k, int(low), int(high)) for k in range(100)]
    raw = struct.pack(f"<100{CODES[kind]}", *wanted)
    if read(f"out/{kind}.bin") != raw:
        fail(f"{kind}: {numbers(kind, read(f'out/{kind}.bin'))[:4]}, and the page's generator has {wanted[:4]}")
    if npy(f"{kind}.npy") != (kind, numbers(kind, raw)):
        fail(f"{kind}.npy: {npy(f'{kind}.npy')}")
    title, *lines = open(f"{kind}.text").read().splitlines()
    again = [float(x) if kind[0] == "f" else int(x) for x in lines]
    if title != f"b_{kind}" or struct.pack(f"<100{CODES[kind]}", *again) != raw:
        fail(f"{kind}.text: {title}, {lines[:4]}")

# The page's first values.
rows = {cells[0]: cells[1:] for cells in ([c.strip(" `") for c in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| "))}
first = [hex(GENERATOR["split_mix_64"](1, k)) for k in range(4)]
if rows["split_mix_64(1, k)"] != first:
    fail(f"the page has {rows['split_mix_64(1, k)']}, not {first}")
if [int(x) for x in rows["u8, i32, u64: `min: 0, max: 99"]] != numbers("u8", read("out/u8.bin"))[:4]:
    fail("the page's integers")
if [float(x) for x in rows["f64: `min: -1, max: 1"]] != numbers("f64", read("out/f64.bin"))[:4]:
    fail("the page's f64")
if rows["f32: the same"] != open("f32.text").read().splitlines()[1:5]:
    fail(f"the page's f32: {open('f32.text').read().splitlines()[1:5]}")

# Numbers that are none, in text.
run_file("special.yaml", "  x: x.csv\n", "  - {name: x, type: f32, count: 4, init: {values: [inf, -inf, nan, -0.0]}}\n")
run("run", "special.yaml", "--quiet")
if read("x.csv") != b"x\ninf\n-inf\nnan\n-0\n":
    fail(read("x.csv"))

# What a kernel computed, also where an expectation fails and where the run stops; --set is relative to the working folder.
write("twice.hip", """#include <hip/hip_runtime.h>
extern "C" __global__ void twice(int* x, int last) { x[threadIdx.x] *= 2; if (threadIdx.x == last) x[1 << 28] = 0; }
""")
os.mkdir("below")
write("below/twice.yaml", """machine: {fidelity: functional}
program: {source: ../twice.hip, kernel: twice}
launch: {grid: [64], workgroup: [64]}
arguments:
  - {name: x, type: i32, count: 64, init: {ramp: {}}}
  - {name: last, type: i32, value: -1}
expect: {x: {expression: 2 * i}}
save: {x: x.bin}
""")
DOUBLED = struct.pack("<64i", *range(0, 128, 2))
run("run", "below/twice.yaml", "--quiet")
if read("below/x.bin") != DOUBLED:
    fail("the kernel's result")
run("run", "below/twice.yaml", "--set", "expect.x.expression=0", "--set", "save.x=wrong.bin", "--quiet", code=1)
if read("wrong.bin") != DOUBLED:
    fail("the result where an expectation fails")
run("run", "below/twice.yaml", "--set", "arguments.last.value=5", "--set", "save.x=stopped.bin", "--quiet", code=1)
if len(read("stopped.bin")) != 256:
    fail("the result where the run stops")
run("check", "below/twice.yaml", says=["no problem found"])

# Several launches: what the last one leaves.
write("three.yaml", """machine: {fidelity: functional}
program: {source: twice.hip}
launches:
  - &once {kernel: twice, launch: {grid: [64], workgroup: [64]}, arguments: [x, last]}
  - *once
  - *once
arguments:
  - {name: x, type: i32, count: 64, init: {ramp: {}}}
  - {name: last, type: i32, value: -1}
save: {x: three.npy}
""")
run("run", "three.yaml", "--quiet")
if npy("three.npy") != ("i32", [8 * k for k in range(64)]):
    fail("three launches")

# What cannot be saved.
for save, says in {
        "  y: y.bin\n": ":{line}:3: save.y: there is no argument of that name",
        "  last: y.bin\n": ":{line}:3: save.last: only buffers can be saved, and this argument is none",
        "  x: x.dat\n": "save.x: the ending of 'x.dat' says no format",
        "  x: {file: x.bin, format: xml}\n": "save.x.format: ",
        "  x: {format: raw}\n": "save.x.file: ",
        "  x: {file: x.bin, kind: raw}\n": "save.x.kind: unknown key",
        "  x: /dev/full/x.bin\n": "save.x: /dev/full/x.bin: cannot be written",
        "  x: below/twice.yaml\n": "says no format",
        "  x: {file: twice.hip, format: raw}\n": "an input of this command",
}.items():
    text = open("below/twice.yaml").read().replace("../twice.hip", "twice.hip").replace("save: {x: x.bin}\n", "save:\n" + save)
    write("bad.yaml", text)
    run("run", "bad.yaml", code=2, says=[says.format(line=len(text.splitlines()))])
write("both.yaml", open("three.yaml").read().replace("i32, count: 64, init: {ramp: {}}}\n", "i32, count: 64}\n  - {name: y, type: i32, count: 64}\n").replace("save: {x: three.npy}", "save: {x: one.bin, y: one.bin}"))
run("run", "both.yaml", code=2, says=["save.y: one.bin: the same file as save.x\n"])
# A pipe is opened once: its reader gets all of it.
os.mkfifo("pipe.bin")
os.mkfifo("report.pipe")
readers = [subprocess.Popen(["timeout", "60", "cat", p], stdout=subprocess.PIPE) for p in ("pipe.bin", "report.pipe")]
run("run", "below/twice.yaml", "--set", f"save.x={os.getcwd()}/pipe.bin", "--report", "report.pipe")
piped, report = [p.communicate()[0] for p in readers]
run("run", "below/twice.yaml", "--set", f"save.x={os.getcwd()}/plain.bin")
if piped != read("plain.bin") or "run" not in json.loads(report):
    fail(f"through pipes: {len(piped)} and {len(report)} bytes")
run("run", "below/twice.yaml", "--set", "save.x=/dev/full", code=2, says=["save.x: the ending of '/dev/full' says no format"])

# An experiment.
write("experiment.yaml", f"title: t\ncommand: run\nconfig: {os.getcwd()}/below/twice.yaml\naxes:\n- {{name: n, key: machine.n_cu, values: [1, 2]}}\nmeasures: {{i: totals.instructions}}\n")
run("sweep", "experiment.yaml", "--output", "swept", code=2, says=["save.x: points would write the same file"])
write("experiment.yaml", open("experiment.yaml").read() + "set: {save: {}}\n")
run("sweep", "experiment.yaml", "--output", "swept")

# The page's kernel with a __local parameter.
yaml_blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
write("turn_around.cl", BLOCKS["c"])
write("turn_around.yaml", "machine: {fidelity: functional}\n" + yaml_blocks[1])
run("run", "turn_around.yaml", says=["x: PASS: x: 256 elements match"])
run("run", "turn_around.yaml", "--set", "arguments.block.value=128", code=1)
SIZE = "arguments.block: kernel turn_around, argument 1: a pointer to local memory takes the size of its block in bytes"
run("check", "turn_around.yaml", "--set", "arguments.block.value=0", code=2, says=[SIZE, "which is not 0"])
write("buffer.yaml", "machine: {fidelity: functional}\n" + yaml_blocks[1].replace("type: u32, value: 256}", "type: i32, count: 64}"))
run("check", "buffer.yaml", code=2, says=["buffer.yaml:6:5: " + SIZE, "no buffer or structure"])
