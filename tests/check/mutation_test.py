#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutation_test.py PWSVP PWSCC ROOT [RUN.yaml...]: one barrier or cache invalidation at a time is taken out of the code.

Of each run file's kernel, and of those kernels of kernels/ordering.hip in which nothing is to be found, every s_barrier
and buffer_wbinvl1 is replaced in turn by s_nop. What races and coherence then find is counted. A mutant that is not found
has to be in `unfound.txt` (run or kernel, number of the instruction in it, why it changes nothing), else the test fails.
A barrier of a workgroup that is one wavefront orders nothing, and must not be found.
"""
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import llvm  # noqa: E402
from findings import checker  # noqa: E402

PWSVP, PWSCC, ROOT = sys.argv[1:4]
check = checker(PWSVP, ROOT)
FOLDER = check.folder.name
NOP = bytes.fromhex("000080bf")
# On one compute unit more wavefronts wait for one another, in another order.
MACHINES = [["fidelity=functional"], ["fidelity=timing"], ["fidelity=timing", "n_cu=1"]]
# Where a lock has to change hands at one place, few orders show it.
RANDOM_ORDERS = [["fidelity=functional", "wave_order=random", f"wave_order_seed={seed}"] for seed in range(1, 33)]
KINDS = {"s_barrier": 1, "buffer_wbinvl1": 2, "buffer_wbinvl1_vol": 2}


def code_object(source):
    out = os.path.join(FOLDER, os.path.basename(source) + ".hsaco")
    if not os.path.exists(out):
        subprocess.run([PWSCC, "--split=none", "-O3", source, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return out


def places(file, kernel):
    """(mnemonic, file offset) of the kernel's instructions that are taken out."""
    headers = subprocess.run([llvm.tool("llvm-objdump"), "-h", file], capture_output=True, text=True, check=True).stdout
    text = next(line.split() for line in headers.splitlines() if " .text " in line)
    sections = subprocess.run([llvm.tool("llvm-readelf"), "-S", "-W", file], capture_output=True, text=True, check=True).stdout
    offset = int(re.search(r"\.text\s+PROGBITS\s+[0-9a-f]+\s+([0-9a-f]+)", sections).group(1), 16)
    listing = subprocess.run([llvm.tool("llvm-objdump"), "-d", "--mcpu=gfx803", f"--disassemble-symbols={kernel}", file],
                             capture_output=True, text=True, check=True).stdout
    found = []
    for line in listing.splitlines():
        m = re.match(r"\s+(\w+)\b.*// ([0-9A-F]+): ", line)
        if m and m.group(1) in KINDS:
            found.append((m.group(1), offset + int(m.group(2), 16) - int(text[3], 16)))
    return found


def subjects():
    for run in sys.argv[4:]:
        with open(run) as f:
            m = re.search(r"^program: \{source: ([^,}]+), kernel: (\w+)", f.read(), re.M)
        if m:
            yield os.path.basename(run)[:-5], os.path.abspath(run), os.path.join(os.path.dirname(run), m.group(1)), m.group(2)
    source = os.path.join(HERE, "kernels", "ordering.hip")
    with open(source) as f:
        for kernel, grid, workgroup in re.findall(r"^// (\w+): grid (\d+) workgroup (\d+); finds: nothing$", f.read(), re.M):
            yield kernel, check.run_file(source, kernel, grid, workgroup), source, kernel


def one_wavefront(run):
    """Whether all workgroups of the run have no more than 64 work-items."""
    with open(run) as f:
        sizes = re.findall(r"\bworkgroup: \[?([\d, ]+)", f.read())
    return bool(sizes) and all(math.prod(int(n) for n in size.split(",")) <= 64 for size in sizes)


reasons = {}
with open(os.path.join(HERE, "unfound.txt")) as f:
    for line in f:
        if line.strip() and not line.startswith("#"):
            name, number, why = line.split(None, 2)
            reasons[name, number] = why.strip()
mutants, caught, failed = {}, {}, 0
for name, run, source, kernel in subjects():
    original = code_object(source)
    with open(original, "rb") as f:
        image = f.read()
    unordered = one_wavefront(run)
    for number, (mnemonic, at) in enumerate(places(original, kernel)):
        mutant = bytearray(image)
        mutant[at:at + 4 * KINDS[mnemonic]] = NOP * KINDS[mnemonic]
        file = os.path.join(FOLDER, "mutant.hsaco")
        with open(file, "wb") as f:
            f.write(mutant)
        kind = mnemonic.replace("_vol", "")
        mutants[kind] = mutants.get(kind, 0) + 1
        why = reasons.get((name, str(number)))
        if mnemonic == "s_barrier" and unordered:
            why = "workgroups of one wavefront"
        known = why is not None
        found = any(check(run, "--set", f"program.source={file}", *(f"--set=machine.{key}" for key in keys))[1]
                    for keys in (MACHINES if known else MACHINES + RANDOM_ORDERS))
        if found:
            caught[kind] = caught.get(kind, 0) + 1
        if found == known:
            failed += 1
        print(f"{name} {number} {mnemonic}: {'found' if found else 'NOT FOUND'}"
              f"{': ' + why if known else ''}")
for kind, n in sorted(mutants.items()):
    print(f"{kind}: {caught.get(kind, 0)} of {n} mutants found")
if failed or not mutants:
    sys.exit(f"FAILED: {failed} mutants are not as unfound.txt says, of {sum(mutants.values())}")
