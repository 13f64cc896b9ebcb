#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# cost_test.py PWSVP ROOT: pwsvp cost. The tables of docs/cost.md are what its commands print with the compiler that they are of; what energy is made of; bad input.
import json
import os
import re
import subprocess
import sys
import tempfile

PWSVP, ROOT = sys.argv[1:]
sys.path.insert(0, f"{ROOT}/tests")
from llvm import is_of_documents
os.chdir(tempfile.mkdtemp())
os.symlink(f"{ROOT}/configs", "configs")
os.symlink(f"{ROOT}/sw", "sw")


def fail(text):
    sys.exit(f"FAIL: {text}")


def run(*words, code=0):
    r = subprocess.run([PWSVP, *words], capture_output=True, text=True)
    if r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, {r.stdout}{r.stderr}")
    return r.stdout if code == 0 else r.stderr


# Each block of commands and the table behind it.
text = open(f"{ROOT}/docs/cost.md").read()
blocks = re.findall(r"^```\n(.*?)^```\n\n((?:^\|[^\n]*\n)+)", text, re.M | re.S)
if len(blocks) != 2:
    fail(f"{len(blocks)} blocks of commands with a table")
for commands, table in blocks:
    r = subprocess.run(["bash", "-e", "-c", commands.replace("build/bin/pwsvp", PWSVP)], capture_output=True, text=True)
    printed = "".join(line + "\n" for line in r.stdout.splitlines() if line.startswith("|"))
    if r.returncode != 0 or (printed != table if is_of_documents() else len(printed.splitlines()) != len(table.splitlines())):
        fail(f"docs/cost.md has\n{table}its commands print\n{printed}{r.stderr}")

# Every scheme has a row; nothing comes free that keeps paths, and what a key says is in it.
DEFAULT = f"{ROOT}/configs/gpu/default.yaml"


def storage(*sets):
    run("cost", DEFAULT, "--report", "cost.json", *sets)
    return {row["scheme"]: row for row in json.load(open("cost.json"))["storage"]}


def per_simd(rows, scheme):
    return rows[scheme]["simd"]["total"]["value"]


rows = storage()
schema = json.loads(run("params", "--schema", "machine"))
names = schema["properties"]["divergence"]["enum"]
if list(rows) != names:
    fail(f"schemes {list(rows)}, known are {names}")
if any((per_simd(rows, n) == 0) != (n in ("none", "pdom")) for n in names):
    fail("a scheme has no storage, or none needed has")
for n, row in rows.items():
    parts = row["wavefront"]
    if sum(v["value"] for k, v in parts.items() if k != "total") != parts["total"]["value"]:
        fail(f"{n}: the parts are not the whole")
    if row["simd"]["total"]["value"] != 10 * parts["total"]["value"] + row["simd"]["shared"]["value"]:
        fail(f"{n}: ten wavefronts and what they share")
for sets, grows in [(("--splits", "6"), {"stack", "dpe", "dws", "dws-table", "pws", "subwarps", "convergence", "naive", "dwf"}),
                    (("--set", "spsimd_per_simd=3"), {"pws", "pws-mode"}),
                    (("--set", "scoreboard=conservative"), {"dpe"}),
                    (("--set", "dwf.lut_entries=64"), {"dwf"}),
                    (("--set", "n_wfc=11"), set(names) - {"none", "pdom"})]:
    more = storage(*sets)
    found = {n for n in names if per_simd(more, n) > per_simd(rows, n)}
    if found != grows:
        fail(f"{sets}: more is needed by {sorted(found)}, not by {sorted(grows)}")
if per_simd(storage("--set", "subwarps.entries=1"), "subwarps") >= per_simd(rows, "subwarps"):
    fail("a table with one entry needs as much")

# Energy: every part follows its counter, and nothing else does.
report = json.load(open("stack.json"))


def energy(change=None):
    r = json.loads(json.dumps(report))
    if change:
        at = r
        for k in change[:-1]:
            at = at[k]
        at[change[-1]]["value"] = 2 * at[change[-1]]["value"] + 1000
    json.dump(r, open("changed.json", "w"))
    run("cost", "--of", "changed.json", "--report", "energy.json")
    return {k: v["value"] for k, v in json.load(open("energy.json"))["runs"][0]["energy"].items()}


plain = energy()
if abs(sum(v for k, v in plain.items() if k != "total") - plain["total"]) > 1e-6 * plain["total"]:
    fail("the parts of the energy are not the whole")
for change, part in [(("totals", "instructions"), "control"), (("totals", "instruction_cache", "reads"), "fetch"),
                     (("totals", "vector_alu_instructions"), "vector_lanes"), (("totals", "simd_lane_utilisation"), "vector_lanes"),
                     (("totals", "instructions_by_unit", "salu"), "scalar_ALU"), (("totals", "vector_l1", "reads"), "caches"),
                     (("totals", "l2", "writes"), "caches"), (("totals", "instructions_by_unit", "lds"), "LDS"),
                     (("totals", "dram", "writes"), "DRAM"), (("totals", "splits"), "splits"), (("totals", "merges"), "splits")]:
    changed = energy(change)
    grown = {k for k in plain if changed[k] > plain[k]}
    if grown != {part, "total"}:
        fail(f"{change}: {sorted(grown)} instead of {part}")

# Bad input.
run("run", "configs/runs/vector_add.yaml", "--set", "machine.fidelity=functional", "--quiet", "--report", "functional.json")
open("broken.json", "w").write("{")
open("other.json", "w").write("[1]")
for words, said in [(["--of", "functional.json"], "functional.json: totals.instruction_cache.reads is not in it: it has to be a report of run or exec in timing fidelity"), (["--of", "nowhere.json"], "nowhere.json: it cannot be read"),
                    (["--of", "broken.json"], "broken.json: it is not a report"), (["--of", "other.json"], "other.json: it is not a report"),
                    ([], "neither MACHINE"), (["configs/runs/figure5.yaml"], "this is a run file"), ([DEFAULT, "--set", "n_wfcs=1"], "unknown key"),
                    ([DEFAULT, "--splits", "0"], "--splits"), ([DEFAULT, "--splits", "64"], "--splits"), ([DEFAULT, "--of", "stack.json"], "excludes")]:
    out = run("cost", *words, code=2)
    if said not in out:
        fail(f"{words}: {out}")
print("PASS")
