#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""program_mutants.py PWSVP PWSCC ROOT [--sample N] [--seed K] [--jobs N] [--kind KIND]... [--keep FOLDER] [PROGRAM...]: mutants of HIP programs.

From the code and the host's calls of sw/kernels/programs and tests/hip/programs one thing at a time is taken out:

  waitcnt   an s_waitcnt, or one of its counters made weaker by one
  barrier   an s_barrier
  wbinvl1   a buffer_wbinvl1
  lds       an instruction that writes LDS
  copy      a hipMemset or a copy to the device

and the checks of waits, races, init, coherence and sync have to find it, in the order in which wavefronts run or, where that matters
to the results, in a random one. For a mutant that they do not find it is said why:

  not executed               the instruction is never executed, which is known from the unchanged program
  no use (waitcnt)           from the wait on, whatever way the code goes, another wait for the same comes before any use of what is
                             under way (wait_effects.py)
  the same in any order (barrier)
                             with wavefronts in eight random orders, and with either memory, no result is another one
  results the same (lds, copy)
                             with memory that begins with poison or anything the program's own check of its results finds nothing either
  older values (lds, copy)   what it computes is wrong, but does not depend on what memory held at first: what was taken out was no
                             initialisation, older values are in its place
  in unfound.txt             which has the reason

What is left is MISSED, an invalidation too whose loss changes no result here, and a wait that is found where wait_effects.py sees no use.

--sample: of each kind at most N mutants, chosen by the seed; the sample is the same for every program list. --keep: compiled programs are
kept there, and taken from there unless their source is newer. Exit code 1 if anything is missed.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from programs import CHECK, flags, run
from wait_effects import MOST, effects

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
import llvm  # noqa: E402

p = argparse.ArgumentParser()
p.add_argument("pwsvp")
p.add_argument("pwscc")
p.add_argument("root")
p.add_argument("programs", nargs="*")
p.add_argument("--sample", type=int)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--jobs", type=int, default=2)
p.add_argument("--kind", action="append")
p.add_argument("--keep")
o = p.parse_intermixed_args()
PWSVP, PWSCC, ROOT = (os.path.abspath(f) for f in (o.pwsvp, o.pwscc, o.root))
KINDS = o.kind or ["waitcnt", "barrier", "wbinvl1", "lds", "copy"]
MACHINE = os.path.join(ROOT, "configs/gpu/default.yaml")
NOP = bytes.fromhex("000080bf")
FIRST = CHECK, "--set=machine.check.stop=first"  # a mutant may go on for ever
ILLEGAL = bytes.fromhex("0000ffbf")
folder = tempfile.TemporaryDirectory()
# Programs that are to fail, whose kernels are loaded from elsewhere, or that checks do not go with.
ORDERS = 8
LEFT_OUT = ("assert_fails", "bad_address", "null_pointer", "printf_lds_limited", "module_load", "vector_kernels",
            "device_reset", "past_the_end")


def random_order(seed):
    return "--set=machine.wave_order=random", f"--set=machine.wave_order_seed={seed}"


def without_blanks(name):
    """A kernel's name, however it was demangled."""
    return name.replace(" ", "")


class cannot_be_mutated(Exception):
    pass


class instruction:
    def __init__(self, kernel, text, address, at, size):
        self.kernel, self.text, self.address, self.at, self.size = kernel, text, address, at, size  # at: in the file
        self.mnemonic = text.split()[0]


class program:
    """A program as it is: its executable, the instructions of its kernels, and where these are in the file."""

    def __init__(self, source):
        self.name = os.path.basename(source)[:-4]
        self.folder = os.path.join(os.path.abspath(o.keep or folder.name), os.path.relpath(source, ROOT).replace("/", "."))
        os.makedirs(self.folder, exist_ok=True)
        self.arguments = ["--size", "small"] if "sw/kernels/programs" in source else []
        compiler = [PWSCC, "--split=none", "-O3", "-std=c++17", *flags(ROOT, source), source]
        self.file, code = os.path.join(self.folder, "program"), os.path.join(self.folder, "code.hsaco")
        for made, libraries in ((self.file, ["-pthread", "-ldl"]), (code, [])):
            if os.path.exists(made) and os.path.getmtime(made) > os.path.getmtime(source):
                continue
            r = run([*compiler, "-o", made, *libraries])
            if r.returncode != 0:
                raise cannot_be_mutated(f"{self.name}: {r.stdout}{r.stderr}")
        with open(self.file, "rb") as f:
            self.image = f.read()
        self.instructions = self.listing(code)
        symbols = run([llvm.tool("llvm-readelf"), "-s", "-W", "--demangle", code]).stdout
        self.kernels = set(re.findall(r"OBJECT .*? \d+ (.+?)(?:\.kd| \(\.kd\))$", symbols, re.M))  # by their descriptors
        self.most_instructions = 400000000
        self.issues, self.workgroups = self.profile()
        self.most_instructions = 1000000 + 16 * sum(self.issues.values())
        self.not_executed = self.find_not_executed()
        self.of_waits = None

    def listing(self, code):
        sections = run([llvm.tool("llvm-readelf"), "-S", "-W", code]).stdout
        address, offset, size = (int(x, 16) for x in re.search(r"\.text\s+PROGBITS\s+([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)", sections).groups())
        with open(code, "rb") as f:
            text = f.read()[offset:offset + size]
        at = self.image.find(text)
        if at < 0 or self.image.find(text, at + 1) >= 0:
            raise cannot_be_mutated(f"{self.name}: its code is not once in the executable")
        found, kernel = [], ""
        for line in run([llvm.tool("llvm-objdump"), "-d", "--mcpu=gfx803", "--demangle", code]).stdout.splitlines():
            if m := re.match(r"[0-9a-f]+ <(.+)>:$", line):
                kernel = m.group(1)
            elif m := re.match(r"\s+(\w.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", line):
                where = int(m.group(2), 16)
                found.append(instruction(kernel, m.group(1), where, at + where - address, 4 * len(m.group(3).split())))
        return found

    def profile(self):
        """How often each instruction is executed, by its address, and the size of each kernel's largest workgroup."""
        file = os.path.join(self.folder, "callgrind.out")
        code, report, _ = self.execute(self.folder, "--profile", file)
        if code != 0:
            raise cannot_be_mutated(f"{self.name}: fails unchanged, without arguments")
        issues, workgroups = {}, {}
        if os.path.exists(file):
            with open(file) as f:
                for m in (re.match(r"0x([0-9a-f]+) \d+ (\d+)", line) for line in f):
                    if m:
                        issues[int(m.group(1), 16)] = int(m.group(2))
        for launch in report.get("per_launch", []):
            x, y, z = launch["workgroup"]
            name = without_blanks(launch["kernel"])
            workgroups[name] = max(x * y * z, workgroups.get(name, 0))
        return issues, workgroups if report.get("launches_not_listed", 0) == 0 else {}

    def find_not_executed(self):
        """Places of instructions that no wavefront executes. That the profile has all others is seen in one run with
        something illegal in the place of them all."""
        places = {i.at for i in self.instructions if i.address not in self.issues}
        if self.execute(self.folder, file=self.patched(self.folder, *((at, ILLEGAL) for at in places), name="probe"))[0] != 0:
            raise cannot_be_mutated(f"{self.name}: executes what is not in its profile")
        return places

    def effects(self):
        """The effects of its waits; computed when first asked for."""
        if self.of_waits is None:
            starts = {}
            for i in self.instructions:
                starts.setdefault(i.kernel, i.address)
            kernels = {name: at for name, at in starts.items() if name in self.kernels}
            alone = {at for name, at in kernels.items() if 0 < self.workgroups.get(without_blanks(name), 0) <= 64}
            functions = set(starts.values()) - set(kernels.values())
            self.of_waits = effects(self.instructions, self.issues, kernels.values(), functions, alone)
        return self.of_waits

    def execute(self, where, *options, file=None, environment=None):
        """Exit code, report, what it printed."""
        report = os.path.join(where, "report.json")
        if os.path.exists(report):
            os.remove(report)
        try:
            r = run([PWSVP, "exec", MACHINE, "--fidelity", "functional", "--quiet", "--report", report,
                     f"--set=machine.limits.max_instructions={self.most_instructions}", "--set=machine.memory.faults=allocation",
                     *options, "--", file or self.file, *self.arguments],
                    cwd=where, env={**os.environ, **(environment or {})}, timeout=300)
        except subprocess.TimeoutExpired:
            return -1, {}, ""
        found = {}
        if os.path.exists(report):
            with open(report) as f:
                found = json.load(f)
        return r.returncode, found, r.stdout

    def patched(self, where, *patches, name="program"):
        file = os.path.join(where, name)
        image = bytearray(self.image)
        for at, words in patches:
            image[at:at + len(words)] = words
        with open(file, "wb") as f:
            f.write(image)
        os.chmod(file, 0o755)
        return file


def weakened(text):
    """(name, word, counts that are left) of the wait's mutants."""
    yield "removed", NOP, {}
    counts = {"vmcnt": MOST, "expcnt": 7, "lgkmcnt": MOST}
    for name, n in re.findall(r"(\w+)\((\d+)\)", text):
        counts[name] = int(n)
    for name in ("vmcnt", "lgkmcnt"):
        if counts[name] < MOST:
            weaker = dict(counts, **{name: counts[name] + 1})
            word = 0xbf8c0000 | weaker["lgkmcnt"] << 8 | weaker["expcnt"] << 4 | weaker["vmcnt"]
            yield f"{name} + 1", word.to_bytes(4, "little"), weaker


class mutant:
    def __init__(self, of, kind, place, how, patch=None, call=None):
        self.of, self.kind, self.place, self.how, self.patch, self.call = of, kind, place, how, patch, call
        self.order_matters = False  # barrier: in some order a result is another one

    def __str__(self):
        if self.patch is None:
            what = f"call {self.call}"
        else:
            kernel = self.place.kernel.replace("(anonymous namespace)::", "").split("(")[0]
            what = f"{kernel}: {self.place.text}, number {self.number}"
        return f"{self.of.name}: {self.kind}, {what}, {self.how}"

    def use_too_early(self):
        return self.of.effects().use_too_early(self.number, self.weaker)

    def judge(self):
        """(found, reason)"""
        if self.patch is not None and self.place.at in self.of.not_executed:
            return False, "not executed"
        where = tempfile.mkdtemp(dir=folder.name)
        file, environment = None, None
        if self.patch is None:
            environment = {"LD_PRELOAD": SHIM, "DROPPED_CALL": str(self.call)}
        else:
            file = self.of.patched(where, self.patch)
        _, report, _ = self.of.execute(where, *FIRST, file=file, environment=environment)
        if self.kind == "barrier":
            self.order_matters = any(self.of.execute(where, *random_order(seed), file=file)[0] != 0 for seed in range(1, ORDERS + 1))

        def finds(report):
            return report.get("check", {}).get("places", {}).get("value", 0) != 0

        if finds(report):
            if self.kind == "waitcnt" and self.use_too_early() is None:
                return True, "MISSED: found, though wait_effects.py sees no use"
            return True, ""
        # What is ordered by chance in one order, by atomics that are there for something else, is not so in another one.
        if self.order_matters and any(
                finds(self.of.execute(where, *FIRST, *random_order(seed), file=file)[1]) for seed in range(1, ORDERS + 1)):
            return True, ""
        if self.kind == "waitcnt":
            use = self.use_too_early()
            return False, "no use" if use is None else f"MISSED: number {use[0]} may be under way at number {use[1]}"
        results = [self.of.execute(where, f"--set=machine.memory.fill={fill}", file=file, environment=environment)
                   for fill in ("poison", "random")]
        if all(r[0] == 0 for r in results):
            if self.kind == "barrier" and not self.order_matters:
                return False, "the same in any order"
            return False, "results the same" if self.kind in ("lds", "copy") else "MISSED: results the same"
        if self.kind in ("lds", "copy") and results[0][2] == results[1][2]:
            return False, "older values"
        return False, "MISSED: results differ"


def mutants_of(of):
    for number, i in enumerate(of.instructions):
        kind = {"s_waitcnt": "waitcnt", "s_barrier": "barrier", "buffer_wbinvl1": "wbinvl1", "buffer_wbinvl1_vol": "wbinvl1"}.get(i.mnemonic)
        if i.mnemonic.startswith("ds_write") or i.mnemonic == "ds_add_u32":
            kind = "lds"
        if kind is None or kind not in KINDS:
            continue
        for how, word, weaker in weakened(i.text) if kind == "waitcnt" else [("removed", NOP * (i.size // 4), None)]:
            m = mutant(of, kind, i, how, patch=(i.at, word))
            m.number, m.weaker = number, weaker
            yield m
    if "copy" in KINDS:
        counted = os.path.join(of.folder, "calls")
        of.execute(of.folder, environment={"LD_PRELOAD": SHIM, "CALLS_FILE": counted})
        calls = int(open(counted).read()) if os.path.exists(counted) else 0
        for call in range(calls):
            yield mutant(of, "copy", None, "left out", call=call)


SHIM = os.path.join(folder.name, "dropped_calls.so")
subprocess.run(["cc", "-shared", "-fPIC", "-O1", os.path.join(HERE, "mutation", "dropped_calls.c"), "-o", SHIM, "-ldl"], check=True)
sources = sorted(glob.glob(os.path.join(ROOT, "sw/kernels/programs/*.hip")) + glob.glob(os.path.join(ROOT, "tests/hip/programs/*.hip")))
sources = [s for s in sources if os.path.basename(s)[:-4] not in LEFT_OUT and
           (not o.programs or os.path.basename(s)[:-4] in o.programs)]
reasons = {}
with open(os.path.join(HERE, "unfound.txt")) as f:
    for line in f:
        if line.strip() and not line.startswith("#"):
            name, number, why = line.split(None, 2)
            reasons[name, number] = why.strip()

total, mutants, failed = {}, [], 0
with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
    def made(source):
        try:
            return program(source)
        except cannot_be_mutated as e:
            return e

    left_out = []
    for of in pool.map(made, sources):
        if isinstance(of, cannot_be_mutated):
            left_out.append(str(of))
        else:
            mutants += mutants_of(of)
for why in left_out:
    print(f"left out: {why}", flush=True)
for kind in KINDS:
    of_kind = [m for m in mutants if m.kind == kind]
    total[kind] = len(of_kind)
    if o.sample and len(of_kind) > o.sample:
        chosen = set(random.Random(f"{o.seed} {kind}").sample(range(len(of_kind)), o.sample))
        left = {id(m) for k, m in enumerate(of_kind) if k not in chosen}
        mutants = [m for m in mutants if id(m) not in left]
tally = {}
with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
    for m, (found, why) in zip(mutants, pool.map(lambda x: x.judge(), mutants)):
        place = f"{m.kind}:{m.call if m.patch is None else m.number}"
        if why.startswith("MISSED") and (m.of.name, place) in reasons:
            why = reasons[m.of.name, place]
        tally.setdefault(m.kind, {}).setdefault("found" if found else why if why in ("not executed", "no use", "results the same", "older values", "the same in any order") else
                                                "MISSED" if why.startswith("MISSED") else "in unfound.txt", []).append(m)
        failed += why.startswith("MISSED")
        if why:
            print(f"{m}: {why} ({place})", flush=True)
for kind, how in sorted(tally.items()):
    n = sum(len(x) for x in how.values())
    print(f"{kind}: {n} of {total[kind]} mutants: " + ", ".join(f"{len(x)} {what}" for what, x in sorted(how.items())))
    if kind == "barrier":
        print(f"  in some order a result is another one in {sum(m.order_matters for x in how.values() for m in x)}, all of which are found"
              if not any(m.order_matters for what, x in how.items() if what != "found" for m in x) else "  some order has another result")
print(f"{len(sources) - len(left_out)} programs, {len(left_out)} left out, {len(mutants)} mutants, {failed} missed")
sys.exit(1 if failed or not mutants else 0)
