#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unchanged_test.py PWSVP ROOT: breakpoints on every instruction, and commands at random, change neither results nor counters.

PWS_DEBUG_RUNS=all: with all run files of configs/runs and all programs of sw/kernels/programs, so with every kernel of sw/kernels; NAME,...: with these of them.
PWS_DEBUG_COMMANDS=N: so many commands."""
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import tempfile

from prompts import FIDELITIES, PWSVP, ROOT, SCHEMES, config, debug, fail, of_scheme, run, summary

ALL = 10**9  # stops
RUNS = ["quickstart", "reduction", "divergent_break", "odd_even_loop", "histogram", "matrix_multiply_tiled", "bfs_step"]
PROGRAMS = ["nearest_neighbour"]
ALL_RUNS = sorted(f.stem for f in pathlib.Path(ROOT, "configs/runs").glob("*.yaml") if f.stem != "two_branches")
ALL_PROGRAMS = sorted(f.stem for f in pathlib.Path(ROOT, "sw/kernels/programs").glob("*.hip"))
WANTED = os.environ.get("PWS_DEBUG_RUNS")
if WANTED == "all":
    RUNS, PROGRAMS = ALL_RUNS, ALL_PROGRAMS
elif WANTED:
    wanted = WANTED.split(",")
    if not set(wanted) <= set(ALL_RUNS + ALL_PROGRAMS):
        fail(f"PWS_DEBUG_RUNS: there is no {set(wanted) - set(ALL_RUNS + ALL_PROGRAMS)}")
    RUNS, PROGRAMS = [n for n in ALL_RUNS if n in wanted], [n for n in ALL_PROGRAMS if n in wanted]
COMMANDS = int(os.environ.get("PWS_DEBUG_COMMANDS", "640"))
IN_A_SESSION = 40


def same(what, file, commands, sets, code):
    answers = debug(file, commands, sets, code)
    said, expected = summary("".join(answers)), run(file, sets)
    if said != expected:
        fail(f"{what}:\n" + "\n".join(said) + "\nand without the debugger\n" + "\n".join(expected))
    return answers


# ---- A breakpoint on every instruction
def instructions_in(listing):
    return re.findall(r"^ +\d*\s*(0x[0-9a-f]+) <", listing, re.M)


def met_in(breakpoints):
    return sum(int(n) for n in re.findall(r"met (\d+) times", breakpoints))


def instructions(file, sets):
    return instructions_in(debug(file, ["disassemble"], sets)[1])


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
        met = met_in(a[-2])
        issued = [int(n) for l in run(config(name), both) for n in re.findall(r"^  instructions (\d+) ", l)]
        if met < issued[0] and "by warps" not in "".join(a):
            fail(f"{name} with {both}: {met} stops in {issued} instructions")
        stops += met

# ---- The same in HIP programs, whose kernels have no run file: on every instruction of each kernel that they launch
MACHINE = f"{ROOT}/configs/gpu/default.yaml"
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
kernels = set()
AT_ONCE = 1000  # places in a session: more commands do not go into a program's environment


def of_machine(report):
    """What a report says of the machine and the program: not of the host, nor what was asked for."""
    with open(report) as f:
        r = json.load(f)
    os.remove(report)
    r.pop("configuration")
    for launch in [r] + r["per_launch"]:
        launch.pop("host", None)
    return r


def of_program(words, code):
    r = subprocess.run([PWSVP, *words, "--", "./program", "--size", "small"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if r.returncode != code:
        fail(f"{words[:6]}: exit code {r.returncode}, expected {code}\n{r.stdout[-2000:]}\n{r.stderr}")
    return r.stdout


def debug_program(commands, sets, code=0):
    with open("commands", "w") as f:
        f.write("\n".join(commands) + "\n")
    return re.split(r"^\(pwsvp\) .*\n", of_program(["debug", MACHINE, *sets, "-x", "commands"], code), flags=re.M)


def stops_at(name, fidelity, sets, places, launches, said, expected):
    """How often the program has stopped at these places."""
    at_all = [f"b *{p}" for p in places] + ["catch end"]
    passed = [f"ignore {k + 1} {ALL}" for k in range(len(places))]
    last = [f"ignore {len(places) + 1} {launches - 1}"]
    met = met_in(debug_program(at_all + passed + last + ["run", "info b", "continue"], sets)[-2]) - launches
    os.remove("report.json")
    # Behind the stops, or at once where there are none, comes that at the last launch's end.
    answers = debug_program(at_all + last + ["run"] + [f"continue {met}"] * (met != 0) + ["info b", "continue"], sets)
    if met_in(answers[-2]) != met + launches or f"Launch {launches} has ended." not in answers[-3]:
        fail(f"{name} with {fidelity}: {met} stops, and\n" + "\n".join(answers[-3:]))
    found = of_machine("report.json")
    if found != expected:
        fail(f"{name} with {fidelity}: the report has other {[k for k in expected if found.get(k) != expected[k]]}")
    printed = "".join(answers)
    for line in said.splitlines():
        if line not in printed:
            fail(f"{name} with {fidelity} does not print {line!r}")
    return met


for name in PROGRAMS:
    source = f"{ROOT}/sw/kernels/programs/{name}.hip"
    flags = re.search(r"^// flags: *(.*)", open(source).read(), re.M)
    subprocess.run([f"{os.path.dirname(PWSVP)}/pwscc", "--split=none", "-O3", "-g", "-std=c++17", *shlex.split(flags.group(1) if flags else ""), source, "-o", "program", "-pthread"], check=True, cwd=folder.name)
    for fidelity in FIDELITIES:
        sets = ["--set", fidelity.replace("machine.", "exec."), "--set", "exec.report=report.json", "--set", "exec.summary=false"]
        said = of_program(["exec", MACHINE, *sets], 0)
        expected = of_machine("report.json")
        launches = len(expected["per_launch"])
        if launches != expected["launches"]:
            fail(f"{name}: {launches} launches of {expected['launches']}")
        kernels |= {(name, l["kernel"]) for l in expected["per_launch"]}
        # Where each launch's kernel is; then how often its instructions begin, and stops at all of them.
        listings = debug_program(["catch end", "run"] + ["disassemble", "continue"] * launches, sets)
        places = sorted(set(instructions_in("".join(listings))))
        met = sum(stops_at(name, fidelity, sets, places[k:k + AT_ONCE], launches, said, expected) for k in range(0, len(places), AT_ONCE))
        issued = expected["totals"]["instructions"]["value"]
        if not met or met > issued:
            fail(f"{name} with {fidelity}: {met} stops in {issued} instructions")
        print(f"{name}, {fidelity}: {len(places)} instructions, {met} stops in {issued} that ran", flush=True)
        stops += met
os.chdir(ROOT)

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
print(f"{stops} stops at instructions, of {len(kernels)} kernels of {len(PROGRAMS)} programs among them, and {done} commands change nothing")
