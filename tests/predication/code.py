# SPDX-License-Identifier: Apache-2.0
"""The code of kernels that pwscc wrote as assembly, held against what paper 004's figures say.

code.py MODE FILE.s REPORT.json SOURCE: MODE is p, ps or psr. Prints what is wrong; exit code 1 if anything is."""

import json
import re
import sys


class Kernel:
    """What its straight-line text has, in its order."""

    def __init__(self):
        self.instructions = []
        self.rows = {}  # block of figures.hip -> (place in the code, how often EXEC is narrowed there), for each copy

    def names(self):
        return [i.split()[0] for i in self.instructions]


def kernels(path):
    found, kernel, depth = {}, None, 0
    for raw in open(path):
        row = re.match(r"\s*; row (\d+)$", raw)
        if row and kernel:
            kernel.rows.setdefault(int(row[1]), []).append((len(kernel.instructions), depth))
        text = raw.split(";")[0].strip()
        label = re.match(r"([\w$]+):$", text)
        if label:
            depth, kernel = 0, found.setdefault(label[1], Kernel())
        elif text.startswith(".Lfunc_end") or text.startswith(".section"):
            kernel = None
        elif kernel and text and not text.startswith(".") and not text.endswith(":"):
            # s_andn2_saveexec begins the else side where the then side ends.
            # A loop narrows EXEC once for all its rounds.
            depth += text.startswith(("s_and_saveexec_b64", "s_andn2_b64 exec, exec"))
            depth -= re.match(r"s_(or|mov)_b64 exec, (exec, )?s\[", text) is not None
            kernel.instructions.append(text)
    return found


def main():
    mode, assembly, report_file, source = sys.argv[1:]
    report = json.load(open(report_file))

    def line_of(comment):
        return next(n for n, text in enumerate(open(source), 1) if text.rstrip().endswith(comment))

    code = {}
    for name, kernel in kernels(assembly).items():
        mangled = re.match(r"_Z(\d+)(\w+)", name)
        if mangled:
            code[mangled[2][: int(mangled[1])]] = kernel
    table = {re.split(r"[(<]", k["demangled"])[0]: k for k in report["kernels"]}
    checks = {}
    for c in report["checks"]:
        checks.setdefault(re.split(r"[(<]", c["demangled"])[0], []).append(c)
    wrong = []

    def expect(condition, what):
        if not condition:
            wrong.append(what)

    def branches(kernel):
        return [n for n in code[kernel].names() if n.startswith("s_cbranch")]

    def once(kernel, row):
        """The one place of a block, and its masks."""
        at = code[kernel].rows.get(row, [])
        expect(len(at) == 1, f"{kernel}: block {row} is {len(at)} times in the code")
        return at[0] if at else (0, -1)

    def masked(kernel, depths):
        for row, depth in depths.items():
            got = once(kernel, row)[1]
            expect(got == depth, f"{kernel}: block {row} is under {got} masks, not {depth}")

    def counts(kernel, uniform, run_time, loop):
        k = table[kernel]
        got = (k["uniform_branches"], k["checks"], k["loop_branches"], k["other_branches"])
        expect(got == (uniform, run_time, loop, 0), f"{kernel}: SBU, RBU, LC, other are {got}, not {(uniform, run_time, loop, 0)}")
        # The table is of the code that is there.
        expect(sum(got) == len(branches(kernel)), f"{kernel}: {branches(kernel)} in the code, {got} in the table")

    def in_table(kernel, **columns):
        for name, value in columns.items():
            expect(table[kernel][name] == value, f"{kernel}: {name} is {table[kernel][name]}, not {value}")

    psr = mode == "psr"
    # Figure 4: both sides masked, in one straight line; with checks around both.
    masked("fig4", {2: 1, 3: 1, 4: 0})
    counts("fig4", 0, 2 if psr else 0, 0)
    in_table("fig4", ir_blocks=4, ir_regions=1, ir_loops=0, ir_branches=1)

    # Figure 5a: P1 around P2.
    nested = {1: 0, 4: 1, 6: 2, 5: 2, 7: 1, 3: 1, 8: 0}
    masked("fig5a", nested)
    counts("fig5a", 0, 4 if psr else 0, 0)
    in_table("fig5a", ir_blocks=7, ir_regions=2, ir_loops=0, ir_branches=2)
    # With a P1 that is proved uniform only P2's sides have masks, and P1's branch stays; p knows nothing of it.
    if mode == "p":
        masked("fig5a_uniform", nested)
        counts("fig5a_uniform", 0, 0, 0)
    else:
        masked("fig5a_uniform", {1: 0, 4: 0, 6: 1, 5: 1, 7: 0, 3: 0, 8: 0})
        expect(table["fig5a_uniform"]["uniform_branches"] >= 1, "fig5a_uniform: P1's branch is gone")
        expect(table["fig5a_uniform"]["checks"] == (2 if psr else 0), "fig5a_uniform: checks")

    # Figure 5c: the loop mask is narrowed, and the loop ends when it is empty; behind it the exits are told apart by masks.
    in_table("fig5c", ir_loops=1, uniform_branches=0, loop_branches=1)
    expect(any(i.startswith("s_andn2_b64 exec, exec,") for i in code["fig5c"].instructions), "fig5c: no loop mask")
    at = [once("fig5c", row)[0] for row in (5, 6, 9, 10, 12)]
    expect(max(at[:2]) < min(at[2:]), f"fig5c: blocks at {at}")
    masked("fig5c", {9: 1, 10: 1, 12: 1})
    if not psr:
        in_table("fig5c", checks=0)

    # Figure 8: N4 is one place behind both N2 and N3 and before N5, so those from N2 and N3 run it together.
    n2, n3, n4, n5 = (once("fig8", row)[0] for row in (2, 3, 4, 5))
    expect(max(n2, n3) < n4 < n5, f"fig8: N2 to N5 stand at {n2}, {n3}, {n4}, {n5}")
    masked("fig8", {2: 1, 3: 1, 4: 1, 5: 0})
    counts("fig8", 0, 3 if psr else 0, 0)

    # Figure 9: a loop that takes one function at a time, and calls it with those that want it.
    names = code["fig9"].names()
    for needed in ("v_readfirstlane_b32", "s_swappc_b64", "s_and_saveexec_b64"):
        expect(needed in names, f"fig9: no {needed}")
    in_table("fig9", loop_branches=1, checks=1)
    expect(psr or "a called function" in checks["fig9"][0]["reason"], f"fig9: the check: {checks['fig9']}")

    # A loop with continue, break and return: one loop branch, all else masked.
    in_table("loops", uniform_branches=0, loop_branches=1)
    for row in (6, 7, 8):
        once("loops", row)
    if not psr:
        in_table("loops", checks=0)

    # Conditions that are proved uniform. What cannot run with nothing active keeps its check in p, with place and reason.
    if mode == "p":
        counts("uniform", 0, 0, 1)
        counts("divide", 0, 0, 0)
        counts("guarded_load", 0, 1, 0)
        check = checks["guarded_load"][0]
        expect(check["kept"] and check["line"] == line_of("// the load"), f"guarded_load: {check}")
        expect("s_load_dword" in check["reason"] and check["reason"].endswith("a scalar load whose address may be invalid"),
               f"guarded_load: {check}")
        counts("synchronise", 0, 1, 0)
        expect("barrier" in checks["synchronise"][0]["reason"], f"synchronise: {checks['synchronise']}")
    else:
        for kernel in ("uniform", "divide", "guarded_load", "synchronise"):
            expect(table[kernel]["uniform_branches"] >= 1, f"{kernel}: no uniform branch is left")
            in_table(kernel, checks=1 if psr and kernel == "uniform" else 0)

    # A uniform condition that the compiler does not see is in the report, in every mode; p makes it miss the others too.
    missed = table["missed"]["missed_uniform"]
    expect([m["line"] for m in missed] == [line_of("// the missed one")] and missed[0]["origin"] == "scalar"
           and missed[0]["instruction"].startswith("s_and_saveexec_b64"), f"missed: {missed}")
    for kernel in ("fig4", "fig5a", "fig8", "loops"):
        in_table(kernel, missed_uniform_branches=0)
    in_table("fig5a_uniform", missed_uniform_branches=1 if mode == "p" else 0)
    for name, k in table.items():
        expect(k["missed_uniform_branches"] == len(k["missed_uniform"]), f"{name}: {k['missed_uniform']}")

    # The report has what is taken out of every kernel and what stays, and psr keeps what its rule says.
    for name, k in table.items():
        mine = checks.get(name, [])
        expect(k["checks"] == sum(c["kept"] for c in mine), f"{name}: {k['checks']} checks in the code, others in the report")
        for c in mine:
            long_side = c["single_entry_exit"] and (c["instructions"] > 3 or c["blocks"] > 2)
            expect(c["by_rule"] == (psr and long_side), f"{name}: by_rule of {c}")
            expect(c["kept"] == (c["by_rule"] or c["reason"] != ""), f"{name}: kept without a reason: {c}")
    for w in wrong:
        print(w)
    sys.exit(1 if wrong else 0)


main()
