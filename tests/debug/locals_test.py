#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""locals_test.py PWSVP ROOT: the variables that a prompt shows are what the program has computed, in all lanes, on both
sides of a branch, in functions that are called and inlined, whatever the compiler has done to them."""
import os
import random
import re
import sys
import tempfile

from local_kernels import ARGUMENTS, CALLS, N, SOURCES, line_in, run_file
from prompts import FIDELITIES, ROOT, debug, fail, of_scheme, says

sys.path.insert(0, os.path.join(ROOT, "tests"))
from llvm import is_of_documents  # noqa: E402

os.chdir(tempfile.mkdtemp())


def answer_values(answer):
    """(lane, {name: value}) of `info locals`."""
    lane = re.match(r"lane (\d+)", answer)
    if not lane:
        fail(f"no lane:\n{answer}")
    values = {}
    for name, value in re.findall(r"^(\w+) +(.*?)  [\w *&\[\]:]+(?:, hidden by an inner one)?$", answer, flags=re.M):
        values.setdefault(name, value)
    return int(lane[1]), values


RAW = [5 + 3 * i for i in range(64)]
OWN = [3 * r + i for i, r in enumerate(RAW)]
TILE = "{" + ", ".join(map(str, OWN)) + "}"
REALS = "{" + ", ".join(f"{i / 2:g}" for i in range(64)) + "}"


def expected(name, lane):
    """What the variable may be in the lane, as text."""
    sums = [sum(RAW[k] * lane for k in range(n)) for n in range(N + 1)]
    return {"tile": {TILE}, "reals": {REALS}, "i": {f"{lane}"}, "raw": {f"{RAW[lane]}"}, "own": {f"{OWN[lane]}"},
            "both": {f"{{first = {a}, second = {b}}}" for a in (OWN[lane], "<optimized out>") for b in (f"{OWN[lane] * 0.25:g}", "<optimized out>")},
            "parts": {"{" + ", ".join(str(OWN[lane] + k) for k in range(4)) + "}"}, "odd": {f"{6 * OWN[lane]}"},
            "even": {f"{OWN[(lane + 1) % 64] - OWN[lane] - lane % 4}"}, "sum": set(map(str, sums)), "sum2": set(map(str, sums[1:])), "k": set(map(str, range(N + 1))),
            "x": {f"{OWN[lane]}", f"{lane}"}, "y": {f"{3 * OWN[lane]}"}, "inner": {f"{7 * lane + 1}"}, "n": {f"{N}", f"{N}, as it was given"}}.get(name)


# Lines at which variables are looked at, and those that are there then without optimisation.
OUTER = ["i", "raw", "own", "tile", "reals", "both", "parts", "n"]
STOPS = {"out[i + 320] = ": OUTER, "return y - x": ["x", "y"], "at[x + 128]": ["x", "inner"], "out[i] = odd": OUTER + ["odd"], "out[i] = even": OUTER + ["even"],
         "out[i + 64] = (int)": OUTER + ["even"], "out[i + 192] = ": OUTER + ["k", "sum", "sum2"], "out[i + 256]": OUTER + ["sum"]}
# Those that the compiler keeps somewhere, optimised. Other ones than that of the documents keep others.
KEPT = {"-O1": {"tile", "reals", "i", "odd", "even", "both", "sum", "sum2", "x", "y", "n"},
        "-O3": {"tile", "reals", "own", "odd", "even", "both", "sum", "sum2", "x", "y", "inner", "n"}}
IN_LDS = set() if is_of_documents() else {"tile", "reals"}

for level in ("-O0", "-O1", "-O3"):
    file = run_file(f"locals{level}.yaml", "locals", "locals", level, ARGUMENTS)
    for scheme in ("pws", "stack"):
        for fidelity in FIDELITIES:
            commands = [f"b locals.hip:{line_in('locals', t)}" for t in STOPS] + ["run"]
            begin = len(commands)
            # In the stop's lane, the next one and the last one of the path's.
            for _ in range(24):
                commands += ["info locals", "lane 62", "info locals", "lane 61", "info locals", "bt", "lane 0", "c"]
            a = debug(file, commands, of_scheme(scheme) + [fidelity], code=None)
            seen, sides, stop = set(), set(), a[begin]
            at = begin + 1
            while at + 7 < len(a) and "has ended" not in stop:
                here = next(t for t in STOPS if f":{line_in('locals', t)}" in stop)
                active = int(re.search(r"lanes (0x[0-9a-f]+)", stop)[1], 16)
                sides.add((here, active))
                for answer in (a[at], a[at + 2], a[at + 4]):
                    lane, values = answer_values(answer)
                    if not active >> lane & 1:
                        says(answer, "which is not ")
                        continue
                    for name, value in values.items():
                        wanted = expected(name, lane)
                        if value.startswith("<optimized") or value.startswith("0x") or wanted is None or (name in IN_LDS and "does not say where" in value):
                            continue
                        if level == "-O0" and name not in STOPS[here]:
                            continue  # it has no value yet
                        if level != "-O0" and value.startswith("{0 <repeats"):
                            continue  # the compiler has moved the line in front of the stores
                        if value not in wanted:
                            fail(f"{level} {scheme} {fidelity}: {name} of lane {lane} is {value}, and not one of {wanted}, at\n{stop}\n{answer}")
                        seen.add(name)
                    if level == "-O0":
                        missing = [n for n in STOPS[here] if n not in values]
                        if missing:
                            fail(f"{scheme} {fidelity}: {missing} are missing at\n{stop}\n{answer}")
                stop = a[at + 7]
                at += 8
            if level == "-O0":
                if not {n for names in STOPS.values() for n in names} - IN_LDS <= seen:
                    fail(f"{scheme}: seen {seen}")
                if {m for t, m in sides if "odd" in t} != {0x2222222222222222} or {m for t, m in sides if "= even" in t} != {0xdddddddddddddddd}:
                    fail(f"the sides are {sides}")
            elif is_of_documents() and not KEPT[level] <= seen:
                fail(f"{level} {scheme}: of {KEPT[level]} only {seen} are there")
# ---- Types, and what expressions make of variables
types = run_file("types.yaml", "types", "types", "-O0", ARGUMENTS)
HERE = line_in("types", "out[i] = all")
prints = {"i": "9", "i * 2 + 1": "19", "all.inherited": "-9", "all.low": "5", "all.high": "-3", "all.real": "2.5", "all.whole": "1075838976",
          "all.inner": "{a = {1, 9, -3}, ready = true}", "all.inner.a[1]": "9", "all.next->inner.a[2]": "-3", "(*all.next).low": "5", "all.next->next->high": "-3",
          "c": "green", "c + 1": "8", "small": "-9", "byte": "200", "letter": "106 'j'", "even": "false", "!even": "1", "types::s2": "-300", "u": "4000000000", "wide": "-5000000000",
          "huge": "18446744073709551615", "f": "0.1", "d": "1e+300", "half": "1.5", "half * 2": "3", "v": "{1, 2, 3, 9}", "v[3]": "9", "packed.w": "9", "packed.data[0]": "4",
          "grid": "{{1, 4, 3}, {4, 4, 9}}", "grid[1]": "{4, 4, 9}", "grid[1][2]": "9", "p[0]": "4", "p[-3]": "1", "*p": "4", "*(p + 2)": "9", "*(1 + p)": "4", "(p + 2) - p": "2", "p == &grid[1][0]": "1",
          "*grid[1]": "4", "ref + 1": "10", "from[0]": "32", "from[1] - *from": "3", "$lane": "9", "types::lane": "99", "lane": "9", "many": "{0 <repeats 300 times>}", "many[299]": "0",
          "rows[0][1]": "4", "rows[1][2]": "9", "counter": "4", "n": "3", "nowhere": "0x0", "n - 3 || i": "1", "in[4]": "17", "&all.inherited - &all.inherited": "0"}
says_types = debug(types, [f"b types.hip:{HERE} if i == 9", "run"] + [f"p {e}" for e in prints] + ["p/x u", "p &grid[1][2]", "p &counter", "p out[0]", "watch n", "info locals"], of_scheme("none"), code=None)
for k, (e, wanted) in enumerate(prints.items()):
    if says_types[3 + k] != f"{e} = {wanted}\n":
        fail(f"p {e}: {says_types[3 + k]!r}, expected {wanted}")
a = says_types[3 + len(prints):]
says(a[0], "u = 0xee6b2800")
says(a[1], "in private memory")
says(a[2], "&counter = 0x1")
says(a[3], "out[0] = ")  # the kernel has moved its pointer, which is a variable like others then
says(a[4], "does not change") if is_of_documents() else None
says(a[5], "lane 9\n", "rows", "int (*)[3]", "@0x")
for e, text in {"nosuch": "there is no register or buffer nosuch", "nosuch.x": "nosuch", "all.nosuch": "`everything` has no member nosuch; there are: inherited, low", "all + 1": "`everything` is no number",
                "grid[2]": "`int[2][3]` has elements 0 to 1", "grid[0][-1]": "elements 0 to 2", "i[0]": "`int` has no elements", "*i": "nothing is allocated at 0x0", "i.x": "`int` has no members",
                "i->x": "`int` is no pointer", "*nowhere": "nothing is allocated at 0x0", "all.next[1].low": "", "nowhere->x": "leads to has no type", "&all.low": "a bit field has no address",
                "&3": "it has no address", "&i": "", "all.": "a name is missing", "all.3": "", "i.": "a name is missing", "->x": "a value is missing", "& &i": "it has no address", "*": "a value is missing",
                "other::i": "there is no register or buffer other::i", "grid": "", "grid + 1 == &grid[1]": "", "((((((all)))))).low": "", "from[100000000]": "nothing is allocated", "v2.x": "it has no parts"}.items():
    r = debug(types, [f"b types.hip:{HERE}", "run", f"p {e}"], of_scheme("none"), code=None)[3]
    if text and (text not in r or "-ex:" not in r):
        fail(f"p {e}: {r!r} does not say {text!r}")

# ---- Conditions choose a lane; functions, frames, and what is hidden
for fidelity in FIDELITIES:
    for level in ("-O0", "-O2"):
        calls = run_file("calls.yaml", "calls", "calls", level, CALLS)
        in_callee, in_within, in_loop = line_in("calls", "at[x] = y"), line_in("calls", "at[z + 64]"), line_in("calls", "out[threadIdx.x + 128]")
        a = debug(calls, [f"b {in_callee} if x == 37", "run", "lane", "p x", "bt", "up", "info locals", "frame 0", "p x", "down", "frame 7", "up 2", f"b {in_within} if z == 5", "c", "p z", "bt", "info locals"],
                  of_scheme("none") + [fidelity], code=2)
        says(a[2], "Breakpoint 1")
        says(a[3], "lane 37, ", "active")
        says(a[4], "x = 37")
        says(a[5], "#0", "<callee", "#1", "<calls")
        says(a[6], "#1", "callee(i, out)")
        says(a[7], *(("i               37", "sum             225") if level == "-O0" else ("sum",)))
        says(a[8], "#0", "<callee")
        says(a[9], "x = 37")
        says(a[10], "frames 0 to 1")
        says(a[11], "frames 0 to 1")
        says(a[12], "frames 0 to 1")
        says(a[14], "Breakpoint 2")
        if level == "-O0":
            says(a[15], "z = 5")
            says(a[17], "inner           16", "z               5")
        else:
            says(a[16], "#0  within, inlined, at calls.hip:", "#1", "<calls")
            says(a[17], "within, inlined:\n", "calls:\n")
calls = run_file("calls.yaml", "calls", "calls", "-O0", CALLS)
a = debug(calls, [f"b {in_loop} if i == 12", "run", "p i", "p sum", "info locals", "lane 3", "watch sum", "c", "c", "c", "reverse-continue", "p sum", "delete 1", "c", "c", "info locals"], of_scheme("none"), code=None)
says(a[2], "Breakpoint 1")
says(a[3], "i = 12")
says(a[4], "sum = 12")
says(a[5], "k               0", "hidden by an inner one", "lane 6\n")
if not re.search(r"^i +12  int\n(.*\n)*i +6  int, hidden", a[5], flags=re.M):
    fail(f"the inner variable is not in front:\n{a[5]}")
says(a[7], "Watchpoint of a value 2: sum")
changes = re.findall(r"sum: (0x[0-9a-f]+) -> (0x[0-9a-f]+)", "".join(a))
if [(int(x, 16), int(y, 16)) for x, y in changes][:2] != [(6, 13), (13, 21)]:
    fail(f"lane 3's sum is {changes}\n" + "\n".join(a))
# In front of its parameters' stores, and where its frame has gone, a function's variables are not known.
a = debug(calls, ["b callee", "run", "p x", "info locals", "stepi 200", "up"], of_scheme("none"), code=None)
says(a[3], "x = <not stored yet: the function begins here>")
says(a[4], "y               <not stored yet")
a = debug(calls, ["b calls", "run", "p n", "p out[0]", "info locals", "b callee if x == 3", "c"], of_scheme("none"), code=None)
says(a[3], "n = 3")
says(a[4], "out[0] = 0")
says(a[5], "3, as it was given", "i               <not stored yet")
says(a[7], "the condition of 2: x is <not stored yet")
a = debug(calls, ["p sum", "info locals", "frame", "up"], of_scheme("none"), code=2)
for k in range(1, 5):
    says(a[k], "-ex:")
# Every instruction of a session, with all that is shown there: nothing goes wrong.
for level in ("-O0", "-O2"):
    calls = run_file("calls.yaml", "calls", "calls", level, CALLS)
    a = debug(calls, ["b calls", "run", "delete"] + ["stepi 7", "info locals", "up", "info locals", "info locals"] * 60, of_scheme("pws"), code=None)
    for answer in a:
        if "not understood" in answer or "nothing is allocated" in answer:
            fail(answer)
without = run_file("without.yaml", "calls", "calls", "-O2", CALLS)
with open("without.yaml") as f:
    text = f.read().replace(", -g", "")
with open("without.yaml", "w") as f:
    f.write(text)
a = debug("without.yaml", ["b calls", "run", "p sum", "info locals"], of_scheme("none"), code=2)
says(a[3], "there is no register or buffer sum")
says(a[4], "No variables.")

# ---- Where variables are in LDS: kernels with some of several types, each filled with numbers of its own
random.seed(3)
placed = 0
TYPES = {"char": 1, "short": 2, "int": 4, "double": 8}
for level in ("-O0", "-O3"):
    kernels = []
    for k in range(8):
        variables = []
        for v in range(random.randint(1, 5)):
            kind = random.choice(list(TYPES))
            variables.append((f"q{v}", kind, random.choice([1, 2, 3, 5, 7, 8, 20, 33, 64])))
        body = "".join(f"  __shared__ {t} {n}[{c}];\n" for n, t, c in variables)
        body += "  int i = threadIdx.x;\n" + "".join(f"  for (int k = i; k < {c}; k += 64) {n}[k] = k % 50 + {10 * m};\n" for m, (n, t, c) in enumerate(variables))
        body += "  __syncthreads();\n  out[i] = 0;\n" + "".join(f"  out[i] += (int){n}[i % {c}];\n" for n, t, c in variables)
        kernels.append((variables, f'extern "C" __global__ void lds{k}(int* out) {{\n{body}}}\n'))
    SOURCES["lds"] = "#include <hip/hip_runtime.h>\n" + "".join(text for _, text in kernels)
    for k, (variables, text) in enumerate(kernels):
        file = run_file("lds.yaml", "lds", f"lds{k}", level, "  - {name: out, type: i32, count: 64, init: {constant: 0}}\n")
        begin = SOURCES["lds"].splitlines().index(text.splitlines()[0])
        at = begin + len(text.splitlines())  # the end: the compiler moves other lines in front of the stores
        a = debug(file, [f"b lds.hip:{at}", "run"] + [f"p lds{k}::{n}" for n, _, _ in variables], of_scheme("none"), code=None)
        for m, (n, t, c) in enumerate(variables):
            answer = a[3 + m].split(" = ", 1)[-1].strip()
            if (not is_of_documents() and "does not say where" in answer) or (level != "-O0" and "optimized out" in answer):
                continue
            placed += 1
            shown = [int(x) for x in re.findall(r"-?\d+", re.sub(r" '.'|<repeats \d+ times>", "", answer))]
            if shown != [j % 50 + 10 * m for j in range(c)]:
                fail(f"{level}, kernel {k}: {t} {n}[{c}] is {answer}\n{text}")
# ---- The document's example
if is_of_documents():
    with open(f"{ROOT}/docs/debug.md", encoding="utf-8") as f:
        section = f.read().split("## Local variables\n")[1]
    SOURCES["branch"], session = re.findall(r"```(?:cpp)?\n(.*?)```", section, flags=re.S)[:2]
    branch = run_file("branch.yaml", "branch", "branch", "-O1", "  - {name: out, type: i32, count: 64}\n  - {name: n, type: i32, value: 4}\n", split="none")
    a = "".join(debug(branch, re.findall(r"-ex '?([^']*?)'?(?= -ex|\n)", session.splitlines()[0] + "\n"), [f"machine={ROOT}/configs/gpu/default.yaml"]))
    wanted = re.sub(r"^(\(pwsvp\)|\$) .*\n", "", session, flags=re.M)
    if a != wanted:
        fail(f"docs/debug.md has another session than\n{a}")
if is_of_documents() and placed < 40:
    fail(f"only {placed} variables have been placed")
print("locals_test: as computed")
