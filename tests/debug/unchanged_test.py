#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unchanged_test.py PWSVP ROOT: breakpoints on every instruction, and commands at random, change neither results nor counters.

PWS_DEBUG_RUNS=all: with all run files of configs/runs. PWS_DEBUG_COMMANDS=N: so many commands."""
import os
import pathlib
import random
import re

from prompts import FIDELITIES, ROOT, SCHEMES, config, debug, fail, of_scheme, run, summary

ALL = 10**9  # stops
RUNS = ["quickstart", "reduction", "divergent_break", "odd_even_loop", "histogram", "matrix_multiply_tiled", "bfs_step"]
if os.environ.get("PWS_DEBUG_RUNS") == "all":
    RUNS = sorted(f.stem for f in pathlib.Path(ROOT, "configs/runs").glob("*.yaml") if f.stem != "two_branches")
COMMANDS = int(os.environ.get("PWS_DEBUG_COMMANDS", "640"))
IN_A_SESSION = 40


def same(what, file, commands, sets, code):
    answers = debug(file, commands, sets, code)
    said, expected = summary("".join(answers)), run(file, sets)
    if said != expected:
        fail(f"{what}:\n" + "\n".join(said) + "\nand without the debugger\n" + "\n".join(expected))
    return answers


# ---- A breakpoint on every instruction
def instructions(file, sets):
    listing = debug(file, ["disassemble"], sets)[1]
    return re.findall(r"^ +\d*\s*(0x[0-9a-f]+) <", listing, re.M)


stops = 0
for name, sets in [("two_branches", of_scheme(s)) for s in SCHEMES] + [
        (n, ["machine.n_cu=4"]) for n in RUNS]:
    for fidelity in FIDELITIES:
        if "cosim" in open(config(name)).read() and "timing" not in fidelity:
            continue  # RTL is compared by the cycle
        both = sets + [fidelity]
        places = instructions(config(name), both)
        if len(places) < 10:
            fail(f"{name}: {places}")
        code = 0 if run(config(name), both)[-1] == "PASS" else 1
        a = same(f"{name} with {both}", config(name), [f"b *{p}" for p in places] + [f"continue {ALL}", "info b", "continue"], both, code)
        met = sum(int(n) for n in re.findall(r"met (\d+) times", a[-2]))
        issued = [int(n) for l in run(config(name), both) for n in re.findall(r"^  instructions (\d+) ", l)]
        if met < issued[0] and "by warps" not in "".join(a):
            fail(f"{name} with {both}: {met} stops in {issued} instructions")
        stops += met

# ---- Commands at random
WORDS = ["break", "b", "tbreak", "watch", "rwatch", "awatch", "catch", "condition", "ignore", "enable", "disable", "delete", "continue", "stepi", "step", "next", "until",
         "reverse-stepi", "reverse-continue", "info", "print", "x", "list", "disassemble", "backtrace", "wavefront", "path", "lane", "help", "run", "foo", ""]
OPERANDS = ["", "1", "2", "3", "0", "-1", "64", "99999999999", "out", "a", "c[3]", "out[7]", "v2", "v2[5]", "v300", "s4", "s[4:5]", "exec", "spm", "active[3]", "vcc", "pc", "lds[0]", "lds 0",
            "*pc", "*0", "*out@8", "two_branches", "vector_add", "block_c", "two_branches+0x54", "23", "split", "merge", "barrier", "end", "finding", "registers", "paths", "wavefronts", "scheme",
            "breakpoints", "counters", "buffers", "launch", "if lane == 3", "two_branches if v2 == 1", "all", "wavefront", "3 all", "/4xw out", "/8xb pc", "/3i pc", "/f v2[1]", "((", "1/0",
            "scc == 1 && exec != 0", "1 exec", "1 10", "\x01\xff", "%s%n", "a" * 3000]
generator = random.Random(57)
done = 0
machines = [("two_branches", of_scheme(s)) for s in SCHEMES] + [("quickstart", of_scheme(s)) for s in ("none", "pws", "dwf")]
for n in range(COMMANDS // IN_A_SESSION):
    name, sets = machines[n % len(machines)]
    both = sets + [FIDELITIES[(n + n // len(machines)) % 2]]
    commands = []
    for _ in range(IN_A_SESSION):
        word = generator.choice(WORDS)
        if word == "continue" and generator.random() < 0.7:
            word = "stepi"
        operand = generator.choice(OPERANDS)
        commands.append(word + ("" if operand.startswith("/") else " ") + operand)
    # Whatever has been done, the run comes to its end, as it would have.
    commands += ["foo", "delete", "run", f"continue {ALL}", "continue"]
    a = debug(config(name), commands, both, code=2)
    done += len(a) - 1
    if summary("".join(a))[-len(run(config(name), both)):] != run(config(name), both):
        fail(f"{name} with {both}: {commands}\n" + "".join(a)[-3000:])
if done < COMMANDS // 2:
    fail(f"{done} commands are too few")
print(f"{stops} stops at instructions and {done} commands change nothing")
