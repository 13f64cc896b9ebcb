#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unchanged_test.py PWSVP PWSCC ROOT [--sample N [--seed K]] [--jobs N] [--fidelity F] [NAME...]: right programs have no findings.

All of configs/runs, sw/kernels/programs and tests/hip/programs run with all checks on, in functional fidelity and, those of
configs/runs and the small HIP programs, in timing fidelity too: as they are, and split wherever pwscc can (--split=all) with
S = 1, 3 and 7. HIP programs with several streams run with two and four hardware queues too. As they are and with S = 3, they run with wavefronts in a random order too. --sample: only N of all these cases, chosen by the seed. NAME: only the cases whose name has it.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import sys
import tempfile

from programs import CHECK, flags, run, says

p = argparse.ArgumentParser()
p.add_argument("pwsvp")
p.add_argument("pwscc")
p.add_argument("root")
p.add_argument("names", nargs="*")
p.add_argument("--sample", type=int)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--jobs", type=int, default=2)
p.add_argument("--fidelity", choices=["functional", "timing"])
o = p.parse_intermixed_args()
PWSVP, PWSCC, ROOT = (os.path.abspath(f) for f in (o.pwsvp, o.pwscc, o.root))
MACHINE = os.path.join(ROOT, "configs/gpu/default.yaml")
SPLITS = [0, 1, 3, 7]
RANDOM = ["--set=machine.wave_order=random"]
folder = tempfile.TemporaryDirectory()


def split_options(s):
    return ["--set=machine.divergence=pws", f"--set=machine.spsimd_per_simd={s}"] if s else []


def judge(r, report, fails=False, misuses=False):
    """"" if all is well, else what is not. misuses: a program that is wrong about memory on purpose."""
    text = r.stdout + r.stderr
    if not os.path.exists(report):
        return "no report\n" + text
    with open(report) as f:
        check = json.load(f).get("check")
    if check is None:
        return "nothing was checked\n" + text
    wrong = [f for f in check["findings"] if not (misuses and f["check"] == "memory")]
    if wrong:
        return "\n".join(f"  {f['check']} {f['rule']}: {f['what']}; {f['count']['value']} times; {f['here'].get('kernel')} "
                         f"{f['here'].get('source') or f['here'].get('offset')} {f['here'].get('instruction')}; other "
                         f"{f.get('other', {}).get('source')} {f.get('other', {}).get('instruction')}"
                         for f in wrong[:10])
    if (r.returncode != 0) != (fails or check["places"]["value"] != 0):
        return f"exit code {r.returncode}\n" + text
    return ""


def of_run_file(file, s, fidelity, order=()):
    with open(file) as f:
        text = f.read()
    assembly = re.search(r"source: [^,}]*\.s\b", text)
    if s and (assembly or "cosim:" in text or "split:" in text):
        return None  # split by hand, or for the machine that it names
    if "cosim:" in text and fidelity == "functional":
        return None
    extra = ["--set=program.split=all", "--set=machine.schedule=round_robin"] if s else []
    if not assembly:
        extra.append("--set=program.flags=[-g]")

    def case(here):
        return judge(run([PWSVP, "run", file, CHECK, f"--set=machine.fidelity={fidelity}", "--quiet", "--report", "report.json",
                          *split_options(s), *order, *extra], cwd=here), os.path.join(here, "report.json"))
    return case


def of_program(source, s, fidelity, arguments, order=()):
    said = says(source)
    if "kernels" in said or "unchecked" in said:
        return None
    split = ["--split=all", "-S", str(s)] if s else ["--split=none"]

    def case(here):
        compiler = [PWSCC, *split, "-O3", "-g", "-std=c++17", *flags(ROOT, source)]
        r = run([*compiler, source, "-o", "program", "-pthread", "-ldl"], cwd=here)
        if r.returncode != 0:
            return "pwscc: " + r.stdout + r.stderr
        more = list(arguments)
        if "hsaco" in said:
            r = run([*compiler, os.path.join(os.path.dirname(source), said["hsaco"]), "-o", "kernels.hsaco"], cwd=here)
            if r.returncode != 0:
                return "pwscc: " + r.stdout + r.stderr
            more.append("kernels.hsaco")
        return judge(run([PWSVP, "exec", MACHINE, CHECK, "--fidelity", fidelity, "--quiet", "--report", "report.json",
                          *split_options(s), *order, "--", "./program", *more], cwd=here), os.path.join(here, "report.json"),
                     said.get("expect") == "fail", said.get("expect") == "fail" or said.get("misuses") == "memory")
    return case


def cases():
    """(name, function of a folder: what is not as it should be)"""
    for s in SPLITS:
        how = f"S = {s}" if s else "unsplit"
        for file in sorted(glob.glob(os.path.join(ROOT, "configs/runs/*.yaml"))):
            for fidelity in ("functional", "timing"):
                yield f"run {os.path.basename(file)[:-5]}, {fidelity}, {how}", of_run_file(file, s, fidelity)
        for file in sorted(glob.glob(os.path.join(ROOT, "sw/kernels/programs/*.hip"))):
            yield f"program {os.path.basename(file)[:-4]}, functional, {how}", of_program(file, s, "functional", ["--size", "small"])
        for file in sorted(glob.glob(os.path.join(ROOT, "tests/hip/programs/*.hip"))):
            name = f"hip {os.path.basename(file)[:-4]}"
            yield f"{name}, functional, {how}", of_program(file, s, "functional", [])
            if "timing" in says(file):
                yield f"{name}, timing, {how}", of_program(file, s, "timing", [])
            if "queues" in says(file):
                for queues in (2, 4):
                    yield (f"{name}, timing, {how}, {queues} queues",
                           of_program(file, s, "timing", [], [f"--set=machine.hardware_queues={queues}"]))
        if s in (0, 3):
            how += ", random order"
            for file in sorted(glob.glob(os.path.join(ROOT, "configs/runs/*.yaml"))):
                yield f"run {os.path.basename(file)[:-5]}, functional, {how}", of_run_file(file, s, "functional", RANDOM)
            for file in sorted(glob.glob(os.path.join(ROOT, "sw/kernels/programs/*.hip"))):
                yield (f"program {os.path.basename(file)[:-4]}, functional, {how}",
                       of_program(file, s, "functional", ["--size", "small"], RANDOM))
            for file in sorted(glob.glob(os.path.join(ROOT, "tests/hip/programs/*.hip"))):
                yield f"hip {os.path.basename(file)[:-4]}, functional, {how}", of_program(file, s, "functional", [], RANDOM)


def execute(name, case):
    here = tempfile.mkdtemp(dir=folder.name)
    try:
        return name, case(here)
    finally:
        shutil.rmtree(here, ignore_errors=True)


chosen = [(n, c) for n, c in cases() if c and (not o.names or any(x in n for x in o.names)) and
          (not o.fidelity or o.fidelity in n)]
total = len(chosen)
if o.sample:
    chosen = random.Random(o.seed).sample(chosen, min(o.sample, total))
failed = 0
with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
    for name, wrong in pool.map(lambda c: execute(*c), chosen):
        failed += bool(wrong)
        print(f"{name}: {'FAILED: ' + wrong if wrong else 'ok'}", flush=True)
print(f"{len(chosen)} of {total} cases, {failed} failed")
sys.exit(1 if failed or not chosen else 0)
