# SPDX-License-Identifier: Apache-2.0
"""schema_test.py PWSVP ROOT: the JSON Schemas of `pwsvp params --schema` accept every file of the project that they are for, and refuse
each of a list of mistakes."""

import copy
import glob
import json
import os
import subprocess
import sys

import jsonschema
import yaml

pwsvp, root = sys.argv[1:]
wrong = []


def validator(kind):
    schema = json.loads(subprocess.run([pwsvp, "params", "--schema", kind], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


validators = {kind: validator(kind) for kind in ("machine", "run", "exec", "graph", "experiment", "soc", "tasks")}


def read(path):
    with open(os.path.join(root, path)) as file:
        return yaml.safe_load(file)


def accept(kind, data, name):
    for e in validators[kind].iter_errors(data):
        wrong.append(f"{name} is refused as {kind}: {'.'.join(map(str, e.absolute_path))}: {e.message[:300]}")


count = 0
for path in sorted(glob.glob("configs/**/*.yaml", root_dir=root, recursive=True)):
    data = read(path)
    kinds = {"gpu": "machine", "runs": "run", "graphs": "graph", "experiments": "experiment", "soc": "soc", "tasks": "tasks"}
    kind = kinds[path.split("/")[1]]
    if kind == "machine" and "machine" in data:
        kind = "exec"
    if kind == "experiment" and "title" not in data:
        continue  # an axis that several experiments have
    accept(kind, data, path)
    count += 1
if count < 50:
    wrong.append(f"only {count} files were found")

run = read("configs/runs/quickstart.yaml")
run["machine"] = {"base": "default.yaml", "n_cu": 2}
experiment = read("configs/experiments/dwf-fig12.yaml")
like = read("configs/experiments/dwf-fig13.yaml")


def changed(data, path, value):
    out = at = copy.deepcopy(data)
    for key in path[:-1]:
        at = at.setdefault(key, {}) if isinstance(at, dict) else at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return out


# Good: other ways to say the same.
accept("run", run, "a machine in place")
accept("run", changed(run, ["machine"], "default.yaml"), "a machine file")
accept("run", changed(run, ["launch", "grid"], {"workgroups": 4}), "workgroups")
accept("run", changed(run, ["launch", "workgroup"], 64), "a number in place of a list")
accept("run", changed(run, ["machine", "lds", "size_kib"], "0x40"), "a hexadecimal number as a text")
accept("run", changed(run, ["arguments", 0, "count"], "4Ki"), "Ki")
accept("experiment", experiment, "an experiment")
accept("experiment", like, "one like another")

# Each is refused.
for kind, data, path, value in [
    ("run", run, ["machine", "n_cus"], 2),
    ("run", run, ["machine", "n_cu"], 0),
    ("run", run, ["machine", "n_cu"], 257),
    ("run", run, ["machine", "n_cu"], "two"),
    ("run", run, ["machine", "n_cu"], 1.5),
    ("run", run, ["machine", "n_cu"], [1]),
    ("run", run, ["machine", "valu_lanes"], 48),
    ("run", run, ["machine", "divergence"], "pw"),
    ("run", run, ["machine", "reuse_idle_spsimd"], "maybe"),
    ("run", run, ["machine"], None),
    ("run", run, ["machine"], 7),
    ("run", run, ["program"], None),
    ("run", run, ["program", "kernels"], "x"),
    ("run", run, ["program", "flags"], "-O3"),
    ("run", run, ["launch", "workgroup"], None),
    ("run", run, ["launch", "grid"], {"workgroup": 4}),
    ("run", run, ["launch", "workgroup"], [2048]),
    ("run", run, ["arguments"], {"name": "x"}),
    ("run", run, ["arguments", 0, "kind"], "u32"),
    ("run", run, ["arguments", 0, "type"], "u33"),
    ("run", run, ["arguments", 0, "init"], {"rampe": {}}),
    ("run", run, ["expect", "x"], {"tolerance": {"ulps": 1}}),
    ("run", run, ["exec"], {}),
    ("exec", {}, ["exec", "fidelity"], "slow"),
    ("exec", {}, ["exec", "timing_launches"], [0]),
    ("exec", {}, ["n_cu"], 1),
    ("machine", {}, ["memory", "dram", "channel"], 1),
    ("machine", {}, ["memory"], [1]),
    ("graph", {"blocks": [{"name": "a", "cycles": 1}]}, ["blocks", 0, "cycles"], -1),
    ("graph", {"blocks": [{"name": "a", "cycles": 1}]}, ["blocks", 0, "name"], None),
    ("experiment", experiment, ["title"], None),
    ("experiment", experiment, ["axes"], None),
    ("experiment", experiment, ["command"], "runs"),
    ("experiment", experiment, ["figures", 0, "plot"], "pie"),
    ("experiment", experiment, ["figures", 0, "lines", 0, "measure"], None),
    ("experiment", like, ["like"], None),
]:
    if validators[kind].is_valid(changed(data, path, value)):
        wrong.append(f"{kind}: {'.'.join(map(str, path))}: {value!r} is accepted")

for w in wrong:
    print(w)
print("FAIL" if wrong else f"PASS: {count} files")
sys.exit(1 if wrong else 0)
