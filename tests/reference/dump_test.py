#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dump_test.py PWSVP ROOT PROGRAM MODULE-PROGRAM MODULE: pwsvp run --dump-config has every key with its value and origin; run from elsewhere, it
gives the same report but for origins and names of files. Reports of wcet and exec have the configuration as those of run."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import yaml

PWSVP, ROOT, PROGRAM, MODULE_PROGRAM, MODULE = sys.argv[1:6]
os.chdir(tempfile.mkdtemp())
os.makedirs("elsewhere")
os.makedirs("a folder, odd: #1")


def fail(text):
    sys.exit(f"FAILED: {text}")


def run(*command, folder=".", code=0):
    r = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if r.returncode != code:
        fail(f"{command}: exit code {r.returncode}, expected {code}\n{r.stdout}{r.stderr}")
    return r.stdout


def without_origins(node):
    if isinstance(node, dict):
        return {k: without_origins(v) for k, v in node.items() if k != "origin"}
    return [without_origins(v) for v in node] if isinstance(node, list) else node


def report(file, *options, folder="."):
    run(PWSVP, "run", file, *options, "--quiet", "--report", "report.json", folder=folder)
    j = json.load(open(os.path.join(folder, "report.json")))
    made_of = j.pop("inputs")
    del j["host"], j["run"]["file"]
    return j, made_of


def hashes_hold(made_of):
    for f in made_of["files"]:
        if hashlib.sha256(open(f["file"], "rb").read()).hexdigest() != f["sha256"]:
            fail(f"{f}: not its SHA-256")


def same(file, *options):
    """The report of the file and that of its dump, whose dump is the same again."""
    first, made_of = report(file, *options)
    dump = run(PWSVP, "run", file, *options, "--dump-config")
    with open("elsewhere/dump.yaml", "w") as f:
        f.write(dump)
    second, _ = report("dump.yaml", folder="elsewhere")
    for j in (first, second):  # a path from here, and an absolute one
        j["run"]["source"] = j["configuration"]["program"]["source"] = "source"
        for a in j["configuration"].get("arguments", []):
            if "file" in a.get("init", {}):
                a["init"]["file"] = "file"
    a, b = json.dumps(without_origins(first)), json.dumps(without_origins(second))
    if a != b:
        fail(f"{file} {options}: another report of its dump:\n{dump}\n{a}\n{b}")
    again = run(PWSVP, "run", "elsewhere/dump.yaml", "--dump-config")
    strip = lambda text: [line.split("  # ")[0] for line in text.splitlines()]
    if strip(again) != strip(dump):
        fail(f"{file} {options}: the dump's dump is another one")
    hashes_hold(made_of)
    return first, made_of, dump


RUNS = f"{ROOT}/configs/runs"
first, made_of, dump = same(f"{RUNS}/quickstart.yaml")
if [os.path.basename(f["file"]) for f in made_of["files"]] != ["quickstart.yaml", "default.yaml", "vector_add.hip"]:
    fail(f"inputs: {made_of}")
version = run(PWSVP, "--version").split()[1]
if made_of["version"] != version:
    fail(f"version {made_of['version']}, and --version says {version}")

# Every key that a machine has is there, with the value that pwsvp params has where the file gives none.
with open("plain.yaml", "w") as f:
    f.write(open(f"{RUNS}/quickstart.yaml").read().replace("../gpu/default.yaml", "{}").replace("../../", f"{ROOT}/"))
plain = yaml.safe_load(run(PWSVP, "run", "plain.yaml", "--dump-config"))
if plain["machine"] != yaml.safe_load(run(PWSVP, "params", "--yaml")):
    fail("the machine's defaults are not those of pwsvp params --yaml")
if "default" not in dump or f"{ROOT}/configs/gpu/default.yaml:" not in dump:
    fail(f"origins:\n{dump}")


def value(j, path):
    for key in path.split("."):
        j = j[int(key) if isinstance(j, list) else key]
    return j


# Layers: a base of a base, an override of a key and of the whole machine, and one that takes the place of another key.
with open("a folder, odd: #1/base.yaml", "w") as f:
    f.write(f"base: {ROOT}/configs/gpu/small.yaml\nn_wfc: 0x8\nmemory: {{dram: {{channels: 2}}}}\ndws: {{threshold: 7}}\n")
with open("a folder, odd: #1/run.yaml", "w") as f:
    f.write(open("plain.yaml").read().replace("machine: {}", "machine: {base: base.yaml, n_wfc: 6, dws: {threshold: ~}}"))
odd = "a folder, odd: #1/run.yaml"
j, made_of, _ = same(odd, "--set", "machine.memory.dram.banks=4", "--set", "launch.blocks=8")
for path, wanted, origin in (("machine.n_wfc", 6, "run.yaml:"), ("machine.memory.dram.channels", 2, "base.yaml:3:"),
                             ("machine.memory.dram.banks", 4, "--set"), ("machine.memory.dram.queue", None, "default"),
                             ("machine.dws.threshold", None, "run.yaml:"), ("launch.blocks", [8], "--set")):
    got = value(j["configuration"], path)
    if (wanted is not None and got["value"] != wanted) or origin not in got["origin"]:
        fail(f"{path}: {got}, expected {wanted} from {origin}")
if "grid" in j["configuration"]["launch"]:
    fail("launch.grid is in the report beside launch.blocks")
if value(j["configuration"], "machine.dws.threshold")["value"] is not None:
    fail("a key without a value has one")
if len(made_of["files"]) != 5:
    fail(f"inputs of layers: {made_of}")
j, _, _ = same(odd, "--set", f"machine={ROOT}/configs/gpu/default.yaml", "--set", "machine.n_cu=1")
if value(j["configuration"], "machine.n_cu")["origin"] != "--set":
    fail("an override over an override")

# Values that YAML could take for something else.
with open("data.bin", "wb") as f:
    f.write(bytes(range(64)))
with open("odd.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void odd(int* a, int* b, float* c, double* d) { a[threadIdx.x] = TEXT[0]; d[threadIdx.x] = VALUE; }
""")
with open("odd.yaml", "w") as f:
    f.write("""machine: {divergence: none, limits: {max_cycles: 64Ki}}
program:
  source: odd.hip
  kernel: "odd"
  flags: ['-DTEXT="a: #b, {c} [d]"', "-DVALUE=1e-3", '-Wno-unused']
launch: {grid: 0x10, workgroup: [16, 1]}
arguments:
- {name: a, type: i32, count: 16}
- {name: b, type: i32, init: {file: data.bin}}
- {name: c, type: f32, count: 2, init: {values: [.inf, -0.0]}}
- {name: d, type: f64, count: 16, init: {constant: .nan}}
expect:
  a: {constant: 97, tolerance: {absolute: 0}}
  b: {count: 3, expression: "b[i] > 0 ? b[i] : b[i]"}
  d: {values: [0.001, 1e-3], count: 2, tolerance: {relative: 1e-9}}
""")
j, made_of, _ = same("odd.yaml")
if value(j["configuration"], "machine.limits.max_cycles")["value"] != 65536:
    fail("64Ki is not its number")
if sorted(os.path.basename(f["file"]) for f in made_of["files"]) != ["data.bin", "odd.hip", "odd.yaml"]:
    fail(f"inputs: {made_of}")

# What is saved goes where the run file says, also from the dump.
with open("a folder, odd: #1/saving.yaml", "w") as f:
    f.write(open("plain.yaml").read() + "save: {c: kept/c.npy, a: {file: a.dat, format: raw}}\n")
with open("elsewhere/saving.yaml", "w") as f:
    f.write(run(PWSVP, "run", "a folder, odd: #1/saving.yaml", "--set", "save.b=b.csv", "--dump-config"))
run(PWSVP, "run", "saving.yaml", "--quiet", folder="elsewhere")
for name in ("a folder, odd: #1/kept/c.npy", "a folder, odd: #1/a.dat", "b.csv"):
    if not os.path.exists(name):
        fail(f"the dump does not save {name}: {open('elsewhere/saving.yaml').read()}")

# On other machines, with code that is split.
for file in ("lockstep", "synthetic", "reduction", "two_stage_sum", "figure5"):
    same(f"{RUNS}/{file}.yaml")

# A bound is made of the same configuration as a run.
SPLIT = ["--set", f"machine={ROOT}/configs/gpu/predictable.yaml", "--set", "machine.n_cu=2"]
ran, ran_of = report(f"{RUNS}/quickstart.yaml", *SPLIT)
run(PWSVP, "wcet", f"{RUNS}/quickstart.yaml", *SPLIT, "--report", "bound.json")
bound = json.load(open("bound.json"))
if bound["configuration"] != ran["configuration"] or bound["inputs"] != ran_of:
    fail(f"pwsvp wcet: {bound['configuration']} {bound['inputs']}, and pwsvp run: {ran['configuration']} {ran_of}")
run(PWSVP, "wcet", f"{RUNS}/quickstart.yaml", *SPLIT, "--times", "measured", "--report", "bound.json")
times = json.load(open("bound.json"))["configuration"]["wcet"]["block_times"]
if times != {"value": "measured", "origin": "--set"}:
    fail(f"--times: {times}")

# A program's has the machine's keys too, those of exec and wcet, and the executable among its inputs.
with open("mine.yaml", "w") as f:
    f.write(f"""machine: {{base: {ROOT}/configs/gpu/small.yaml, n_wfc: 6}}
exec: {{timing_launches: [1], summary: false}}
wcet: {{loops: [{{bound: 7, label: here}}]}}
""")


def executed(config, program, *options):
    run(PWSVP, "exec", config, *options, "--quiet", "--report", "exec.json", "--", *program)
    j = json.load(open("exec.json"))
    hashes_hold(j["inputs"])
    return j["configuration"], j["inputs"], [os.path.basename(f["file"]) for f in j["inputs"]["files"]]


def every_key_of(configuration):
    names = lambda j: {k: names(v) for k, v in j.items()} if isinstance(j, dict) and "origin" not in j else None
    if names(configuration["machine"]) != names(ran["configuration"]["machine"]):
        fail(f"exec: the machine's keys are others: {configuration['machine']}")


c, made_of, names = executed("mine.yaml", [PROGRAM], "--set", "machine.n_simd=2", "--fidelity", "functional")
every_key_of(c)
if names != ["mine.yaml", "small.yaml", "default.yaml", os.path.basename(PROGRAM)] or made_of["version"] != version:
    fail(f"exec: inputs {made_of}")
for path, wanted, origin in (("machine.n_wfc", 6, "mine.yaml:1:"), ("machine.n_simd", 2, "--set"), ("machine.valu_lanes", None, ""),
                             ("machine.limits.max_cycles", None, ""), ("exec.timing_launches", [1], "mine.yaml:2:"),
                             ("exec.fidelity", "functional", "--set"), ("exec.wcet", False, "default"),
                             ("wcet.loops.0.label", "here", "mine.yaml:3:"), ("wcet.block_times", "static", "default")):
    got = value(c, path)
    if (wanted is not None and got["value"] != wanted) or origin not in got["origin"]:
        fail(f"exec: {path}: {got}, expected {wanted} from {origin}")
# A machine file by itself; modules that the program loads are its inputs.
c, made_of, names = executed(f"{ROOT}/configs/gpu/default.yaml", [MODULE_PROGRAM, MODULE])
every_key_of(c)
if f"{ROOT}/configs/gpu/default.yaml:" not in c["machine"]["n_cu"]["origin"]:
    fail(f"exec of a machine file: {c['machine']['n_cu']}")
if names != ["default.yaml", os.path.basename(MODULE_PROGRAM), os.path.basename(MODULE)]:
    fail(f"exec of a machine file: inputs {made_of}")

run(PWSVP, "run", "odd.yaml", "--dump-config", "--quiet", code=2)
run(PWSVP, "run", "odd.yaml", "--dump-config", "--set", "machine.n_cus=1", code=2)
print("PASS")
