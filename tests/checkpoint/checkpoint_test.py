#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""checkpoint_test.py PWSVP ROOT: a run that goes on from a checkpoint does what the run does that was never saved.

Each scheme in one way. PWS_CHECKPOINTS=N: in all ways, at so many places each."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
from command_line import fail  # noqa: E402
from schemes import FORMING_WARPS, ON_SPSIMD, all_schemes, at_split_and_merge  # noqa: E402

PWSVP, ROOT = sys.argv[1:3]
PLACES = int(os.environ.get("PWS_CHECKPOINTS", "0"))
SOURCE = pathlib.Path(__file__).resolve().parent / "kernels.hip"
folder = tempfile.TemporaryDirectory()
out = pathlib.Path(folder.name)
generator = random.Random(4)

# The buffers are in memory at all launches; those that `save` names are compared, all others by what follows of them.
TICKETS = """
program: {source: SOURCE, split: SPLIT, flags: [--hip-version=5.2]}
arguments:
  - {name: next, type: u32, count: 1, init: {constant: 0}}
  - {name: order, type: u32, count: 4096, init: {constant: 0}}
  - {name: sums, type: u32, count: 1024, init: {ramp: {start: 5, step: 3}}}
  - {name: rounds, type: u32, value: 7}
  - {name: data, type: u32, count: 300000, init: {random: {seed: 3, min: 0, max: 1000000}}}
  - {name: n, type: u32, value: 300000}
  - {name: stride, type: u32, value: 131}
  - {name: untouched, type: f32, count: 3000000, init: {constant: 1.5}}
launches:
  - {kernel: tickets, launch: {grid: [1000], workgroup: [200]}, arguments: [next, order, sums, rounds]}
  - {kernel: strides, launch: {grid: [1024], workgroup: [64]}, arguments: [data, n, stride]}
  - {kernel: tickets, launch: {grid: [512], workgroup: [256]}, arguments: [next, order, sums, rounds]}
  - {kernel: strides, launch: {grid: [640], workgroup: [64]}, arguments: [data, n, stride]}
expect:
  untouched: {constant: 1.5}
save:
  order: {file: FOLDER/order.bin, format: raw}
  sums: {file: FOLDER/sums.bin, format: raw}
  data: {file: FOLDER/data.bin, format: raw}
"""
OTHERS = """
program: {source: SOURCE, flags: [--hip-version=5.2]}
arguments:
  - {name: flag, type: u32, count: 1, init: {constant: 0}}
  - {name: lists, type: u64, count: 512, init: {constant: 0}}
  - {name: out, type: u32, count: 512, init: {constant: 0}}
launches:
  - {kernel: takes, launch: {grid: [512], workgroup: [128]}, arguments: [lists]}
  - {kernel: waits, launch: {grid: [512], workgroup: [128]}, arguments: [flag, out]}
  - {kernel: gives, launch: {grid: [512], workgroup: [128]}, arguments: [lists, out]}
  - {kernel: takes, launch: {grid: [500], workgroup: [100]}, arguments: [lists]}
expect:
  flag: {constant: 7}
save:
  lists: {file: FOLDER/lists.bin, format: raw}
  out: {file: FOLDER/out.bin, format: raw}
"""


def write(name, text, split="none", machine="default"):
    file = out / f"{name}.yaml"
    file.write_text(f"machine: {ROOT}/configs/gpu/{machine}.yaml"
                    + text.replace("SOURCE", str(SOURCE)).replace("FOLDER", str(out)).replace("SPLIT", split))
    return file


def call(file, sets, *words, code=0):
    command = [PWSVP, "run", str(file), "--report", str(out / "report.json"), *words]
    for s in sets:
        command += ["--set", s]
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    if r.returncode != code:
        fail(f"{' '.join(command)}: exit code {r.returncode}, expected {code}\n{r.stdout}")
    return r.stdout


class Result:
    """What a run has done: what it printed of its kernels, the buffers that it saved, and its report but for the host."""

    def __init__(self, file, sets, *words):
        for f in out.glob("*.bin"):
            f.unlink()
        self.text = call(file, sets, *words)
        self.printed = re.findall(r"^\d+ has \d+$", self.text, re.M)
        self.files = {f.name: f.read_bytes() for f in out.glob("*.bin")}
        self.report = json.loads((out / "report.json").read_text())
        for key in ("host", "inputs", "warnings", "occupancy"):  # the last one where there is one launch
            self.report.pop(key, None)
        self.launches = self.report.pop("per_launch", [])
        for launch in self.launches:
            launch.pop("host", None)
        for key in ("restored", "kernel", "grid", "workgroup"):
            self.report["run"].pop(key, None)


def same(what, whole, part, first):
    """`part` begins with the launch of that index."""
    if part.files != whole.files:
        differing = [n for n in whole.files if part.files.get(n) != whole.files[n]]
        fail(f"{what}: other contents of {differing}")
    if part.report != whole.report:
        for key in whole.report:
            if part.report.get(key) != whole.report[key]:
                fail(f"{what}: {key} is {part.report.get(key)}, expected {whole.report[key]}")
        fail(f"{what}: {part.report}\nexpected\n{whole.report}")
    if part.launches != whole.launches[first:]:
        for a, b in zip(part.launches, whole.launches[first:]):
            if a != b:
                fail(f"{what}: {[(k, a[k], b[k]) for k in b if a.get(k) != b[k]]}")
        fail(f"{what}: {len(part.launches)} launches")


def instructions(launch):
    return launch["counters"]["instructions"]["value"]


compared = 0


def compare(file, sets, places):
    """Saves at each of the places, and goes on from there: once also to the next place, and from that."""
    global compared
    whole = Result(file, sets)
    for at in places(whole):
        name = out / f"at{at}.checkpoint"
        what = f"{file.stem} {sets} --checkpoint-at {at}"
        saved = Result(file, sets, "--checkpoint-at", at, "--checkpoint", str(name))
        same(what + ", the run that is saved", whole, saved, 0)
        if saved.printed != whole.printed:
            fail(f"{what}: it prints {saved.printed}, expected {whole.printed}")
        first = int(at.split("+")[0]) - 1
        restored = Result(file, sets, "--restore", str(name))
        same(what + ", restored", whole, restored, first)
        if whole.printed[len(whole.printed) - len(restored.printed):] != restored.printed:
            fail(f"{what}: restored it prints {restored.printed}, and the whole {whole.printed}")
        again = out / "again.checkpoint"
        last = len(whole.launches) + 1
        if first + 1 < last:
            Result(file, sets, "--restore", str(name), "--checkpoint-at", str(last), "--checkpoint", str(again))
            same(what + ", restored twice", whole, Result(file, sets, "--restore", str(again)), last - 1)
        name.unlink()
        compared += 1


def between(whole):
    places = [str(n + 1) for n in range(len(whole.launches) + 1)]
    return generator.sample(places, min(max(PLACES, 1), len(places)))


def within(whole):
    for _ in range(max(PLACES, 1)):
        number = generator.randrange(len(whole.launches))
        last = instructions(whole.launches[number]) - 1
        yield f"{number + 1}+{generator.choice([1, last] + [generator.randint(1, last) for _ in range(6)])}"


def machine_of(scheme):
    return [f"machine.divergence={scheme}", "machine.n_cu=3"] + (["machine.spsimd_per_simd=2"] if scheme in ON_SPSIMD else [])


ways = 0
for scheme in all_schemes(PWSVP):
    splits = scheme in at_split_and_merge(PWSVP)
    files = [write(f"tickets_{scheme}", TICKETS, "all" if splits else "none")]
    if scheme not in FORMING_WARPS:  # under which malloc may not write to lanes of other paths
        files.append(write(f"others_{scheme}", OTHERS))
    for file in files:
        functional = machine_of(scheme) + ["machine.fidelity=functional"]
        all_ways = [(machine_of(scheme) + ["machine.fidelity=timing"], between), (functional, within),
                    (functional + ["machine.wave_order=random", "machine.wave_order_seed=9"], within)]
        for sets, places in all_ways if PLACES else [all_ways[ways % 3]]:
            compare(file, sets, places)
        ways += 1

# Machines with time division, small caches, and warps of other sizes.
for machine, more in (("predictable", ["machine.divergence=pws", "machine.spsimd_per_simd=1", "machine.memory.instruction_cache.size_kib=64"]), ("small", []), ("control", ["machine.memory.instruction_cache.size_kib=64"]), ("dpe_table1", []), ("dwf_table2", []),
                      ("default", ["machine.schedule=round_robin", "machine.memory.l2.bank.size_kib=8", "machine.memory.dram.scheduling=fcfs", "machine.n_cu=2"])):
    file = write(f"tickets_on_{machine}", TICKETS, "none", machine)
    compare(file, more + ["machine.fidelity=timing"], between)
    compare(file, more + ["machine.fidelity=functional"], within)
print(f"{compared} places: the run goes on from each as if it had not been saved")
