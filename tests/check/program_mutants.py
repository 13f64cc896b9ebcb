#!/usr/bin/env python3
"""program_mutants.py PWSVP PWSCC ROOT [--sample N] [--seed K] [--jobs N] [--kind KIND]... [PROGRAM...]: mutants of HIP programs.

From the code and the host's calls of sw/kernels/programs and tests/hip/programs one thing at a time is taken out:

  waitcnt   an s_waitcnt, or one of its counters made weaker by one
  barrier   an s_barrier
  wbinvl1   a buffer_wbinvl1
  lds       an instruction that writes LDS
  copy      a hipMemset or a copy to the device

and the checks of waits, races, init, coherence and sync have to find it, in the order in which wavefronts run or, where that matters to
the results, in a random one. For a mutant that they do not find it is said why: the instruction
is never executed ("not executed"); with memory that begins with poison or anything the program's own check of its results finds
nothing either ("results the same": lds, copy); what it computes is wrong, but does not depend on what memory held at first: what was
taken out was no initialisation, older values are in its place ("older values": lds, copy); "no use": from the wait on, whatever
way the code goes, another wait for the same comes before any use of what is under way (waitcnt); "the same in any order": with
wavefronts in eight random orders, and with either memory, no result is another one (barrier); or it stands, with the reason, in
`unfound.txt`. What is left is MISSED, an invalidation too whose loss changes no result here. --sample: of each kind at
most N mutants, chosen by the seed; the sample is the same for every program list. Exit code 1 if anything is missed.
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

HERE = os.path.dirname(os.path.abspath(__file__))
p = argparse.ArgumentParser()
p.add_argument("pwsvp")
p.add_argument("pwscc")
p.add_argument("root")
p.add_argument("programs", nargs="*")
p.add_argument("--sample", type=int)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--jobs", type=int, default=2)
p.add_argument("--kind", action="append")
o = p.parse_intermixed_args()
PWSVP, PWSCC, ROOT = (os.path.abspath(f) for f in (o.pwsvp, o.pwscc, o.root))
KINDS = o.kind or ["waitcnt", "barrier", "wbinvl1", "lds", "copy"]
MACHINE = os.path.join(ROOT, "configs/gpu/default.yaml")
NOP = bytes.fromhex("000080bf")
ILLEGAL = bytes.fromhex("0000ffbf")
folder = tempfile.TemporaryDirectory()
# Programs that are to fail, or whose kernels are loaded from elsewhere.
ORDERS = 8
LEFT_OUT = ("assert_fails", "bad_address", "null_pointer", "printf_lds_limited", "module_load", "vector_kernels")


def random_order(seed):
    return "--set=machine.wave_order=random", f"--set=machine.wave_order_seed={seed}"


class cannot_be_mutated(Exception):
    pass


class instruction:
    def __init__(self, kernel, text, at, size):
        self.kernel, self.text, self.at, self.size = kernel, text, at, size
        self.mnemonic = text.split()[0]


class program:
    """A program as it is: its executable, the instructions of its kernels, and where these are in the file."""

    def __init__(self, source):
        self.name = os.path.basename(source)[:-4]
        self.folder = tempfile.mkdtemp(dir=folder.name)  # two programs may have one name
        self.arguments = ["--size", "small"] if "sw/kernels/programs" in source else []
        compiler = [PWSCC, "--split=none", "-O3", "-std=c++17", *flags(ROOT, source), source]
        self.file, code = os.path.join(self.folder, "program"), os.path.join(self.folder, "code.hsaco")
        for r in (run([*compiler, "-o", self.file, "-pthread", "-ldl"]), run([*compiler, "-o", code])):
            if r.returncode != 0:
                raise cannot_be_mutated(f"{self.name}: {r.stdout}{r.stderr}")
        with open(self.file, "rb") as f:
            self.image = f.read()
        self.instructions = self.listing(code)

    def listing(self, code):
        sections = run(["llvm-readelf-15", "-S", "-W", code]).stdout
        address, offset, size = (int(x, 16) for x in re.search(r"\.text\s+PROGBITS\s+([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)", sections).groups())
        with open(code, "rb") as f:
            text = f.read()[offset:offset + size]
        at = self.image.find(text)
        if at < 0 or self.image.find(text, at + 1) >= 0:
            raise cannot_be_mutated(f"{self.name}: its code is not once in the executable")
        if self.execute(self.folder)[0] != 0:
            raise cannot_be_mutated(f"{self.name}: fails unchanged, without arguments")
        found, kernel = [], ""
        for line in run(["llvm-objdump-15", "-d", "--mcpu=gfx803", "--demangle", code]).stdout.splitlines():
            if m := re.match(r"[0-9a-f]+ <(.+)>:$", line):
                kernel = m.group(1)
            elif m := re.match(r"\s+(\w.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", line):
                found.append(instruction(kernel, m.group(1), at + int(m.group(2), 16) - address, 4 * len(m.group(3).split())))
        return found

    def execute(self, where, *options, file=None, environment=None):
        """Exit code, report, what it printed."""
        report = os.path.join(where, "report.json")
        if os.path.exists(report):
            os.remove(report)
        try:
            r = run([PWSVP, "exec", MACHINE, "--fidelity", "functional", "--quiet", "--report", report,
                     "--set=machine.limits.max_instructions=400000000", *options, "--", file or self.file, *self.arguments],
                    cwd=where, env={**os.environ, **(environment or {})}, timeout=300)
        except subprocess.TimeoutExpired:
            return -1, {}, ""
        found = {}
        if os.path.exists(report):
            with open(report) as f:
                found = json.load(f)
        return r.returncode, found, r.stdout

    def patched(self, where, at, words):
        file = os.path.join(where, "program")
        image = bytearray(self.image)
        image[at:at + len(words)] = words
        with open(file, "wb") as f:
            f.write(image)
        os.chmod(file, 0o755)
        return file


# ---- waits without effect, by the text of the code alone

def registers(text):
    """The registers that operands name: v1, s[4:7], vcc."""
    found = set()
    for kind, first, low, high in re.findall(r"\b([vs])(?:(\d+)|\[(\d+):(\d+)\])", text):
        for n in range(int(first or low), int(first or high) + 1):
            found.add(kind + str(n))
    return found


def filled(i, counter):
    """Registers that this instruction fills when the counter says so."""
    scalar, lds = i.mnemonic.startswith("s_load") or i.mnemonic.startswith("s_buffer_load") or i.mnemonic == "s_memtime", i.mnemonic.startswith("ds_")
    vector = re.match(r"(flat|buffer|tbuffer)_(load|atomic)", i.mnemonic)
    if not ((scalar or lds) if counter == "lgkmcnt" else vector):
        return set()
    return registers(i.text.split(None, 1)[1].split(",")[0]) if " " in i.text else set()


def is_covered(code, at, how):
    """Whichever way the code goes from the wait code[at] on, the same wait comes before anything that is under way is used."""
    wait = dict((n, int(v)) for n, v in re.findall(r"(\w+)\((\d+)\)", code[at].text))
    counters = [c for c in ("vmcnt", "lgkmcnt") if c in wait and (how == "removed" or how.startswith(c))]
    for counter in counters:
        under_way = set()
        for i in code[max(0, at - 200):at]:
            waits = dict((c, int(v)) for c, v in re.findall(r"(\w+)\((\d+)\)", i.text)) if i.mnemonic == "s_waitcnt" else {}
            under_way = set() if waits.get(counter) == 0 else under_way | filled(i, counter)
        barrier_counts = counter == "lgkmcnt"
        seen, todo = set(), [at + 1]
        while todo:
            n = todo.pop()
            if n in seen or n >= len(code):
                continue
            seen.add(n)
            i = code[n]
            counts = dict((c, int(v)) for c, v in re.findall(r"(\w+)\((\d+)\)", i.text)) if i.mnemonic == "s_waitcnt" else {}
            if i.mnemonic == "s_endpgm" or counts.get(counter, 99) <= wait[counter]:
                continue
            if registers(i.text) & under_way or (barrier_counts and i.mnemonic == "s_barrier") or i.mnemonic in ("s_swappc_b64", "s_setpc_b64"):
                return False
            branch = re.match(r"s_c?branch\w*\s+(\d+)", i.text)
            if branch:
                step = int(branch.group(1))
                to = i.at + 4 + 4 * (step if step < 32768 else step - 65536)
                todo += [k for k, x in enumerate(code) if x.at == to]
            if not i.mnemonic.startswith("s_branch"):
                todo.append(n + 1)
    return True


def weakened(text):
    """(name, word) of the wait's mutants."""
    yield "removed", NOP
    counts = {"vmcnt": 15, "expcnt": 7, "lgkmcnt": 15}
    for name, n in re.findall(r"(\w+)\((\d+)\)", text):
        counts[name] = int(n)
    for name, most in (("vmcnt", 15), ("lgkmcnt", 15)):
        if counts[name] < most:
            weaker = dict(counts, **{name: counts[name] + 1})
            word = 0xbf8c0000 | weaker["lgkmcnt"] << 8 | weaker["expcnt"] << 4 | weaker["vmcnt"]
            yield f"{name} + 1", word.to_bytes(4, "little")


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

    def judge(self):
        """(found, reason)"""
        where = tempfile.mkdtemp(dir=folder.name)
        file, environment = None, None
        if self.patch is None:
            environment = {"LD_PRELOAD": SHIM, "DROPPED_CALL": str(self.call)}
        else:
            file = self.of.patched(where, *self.patch)
        _, report, _ = self.of.execute(where, CHECK, file=file, environment=environment)
        if self.kind == "barrier":
            self.order_matters = any(self.of.execute(where, *random_order(seed), file=file)[0] != 0 for seed in range(1, ORDERS + 1))
        def finds(report):
            return report.get("check", {}).get("places", {}).get("value", 0) != 0

        if finds(report):
            return True, ""
        # What is ordered by chance in one order, by atomics that are there for something else, is not so in another one.
        if self.order_matters and any(
                finds(self.of.execute(where, CHECK, *random_order(seed), file=file)[1]) for seed in range(1, ORDERS + 1)):
            return True, ""
        if self.patch is not None and self.of.execute(where, file=self.of.patched(where, self.patch[0], ILLEGAL))[0] == 0:
            return False, "not executed"
        if self.patch is not None:
            self.of.patched(where, *self.patch)
        if self.kind == "waitcnt":
            return False, "no use" if is_covered(self.of.instructions, self.number, self.how) else "MISSED"
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
        for how, word in weakened(i.text) if kind == "waitcnt" else [("removed", NOP * (i.size // 4))]:
            m = mutant(of, kind, i, how, patch=(i.at, word))
            m.number = number
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
        if not found:
            print(f"{m}: {why} ({place})", flush=True)
for kind, how in sorted(tally.items()):
    n = sum(len(x) for x in how.values())
    print(f"{kind}: {n} of {total[kind]} mutants: " + ", ".join(f"{len(x)} {what}" for what, x in sorted(how.items())))
    if kind == "barrier":
        print(f"  in some order a result is another one in {sum(m.order_matters for x in how.values() for m in x)}, all of which are found"
              if not any(m.order_matters for what, x in how.items() if what != "found" for m in x) else "  some order has another result")
print(f"{len(sources) - len(left_out)} programs, {len(left_out)} left out, {len(mutants)} mutants, {failed} missed")
sys.exit(1 if failed or not mutants else 0)
