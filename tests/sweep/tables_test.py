#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tables_test.py PWSVP ROOT some|all: the tables in docs/results are those of today's code. Of each table those points run again that take least
time: of the last axis one for each of its values, each of another program or whatever the first axis has. Their values have to be the same.
`some`: one point of a few tables. All tables are in the form in which they are kept. With another compiler than that of the tables the points
run, and hold what they expect; their values are not compared."""
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

PWSVP, ROOT, WHICH = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
sys.dont_write_bytecode = True
sys.path[:0] = [f"{ROOT}/platform", f"{ROOT}/tests"]
from kept_table import as_kept, rows_of as kept_rows_of
from llvm import is_of_documents

SOME = ["table2", "fig11", "dpe-fig10"]
COST = ["cycles", "observed"]  # measures that a point's time grows with
MOST_CYCLES = 1_000_000  # of a point that runs again, if its table has cheaper ones


def rows_of(path):
    """The header, and the rows in the order of the points, whose numbers begin with 1."""
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    return rows[0], rows[1:]


def chosen(header, rows):
    axes = header.index("status")
    cost = next((header.index(c) for c in COST if c in header), None)
    price = lambda n: float(rows[n][cost]) if cost is not None else 0
    done = sorted((n for n in range(len(rows)) if rows[n][axes] == "done"), key=price)
    if WHICH == "some":
        return done[:1]
    cheapest, first_values = {}, set()
    for again in (False, True):  # where the first axis has too few cheap values for that, some come again
        for n in done:
            first, last = rows[n][0], rows[n][axes - 1]
            if last not in cheapest and (again or first not in first_values and price(n) <= MOST_CYCLES):
                cheapest[last] = n
                first_values.add(first)
    return sorted(n for n in cheapest.values() if n == done[0] or price(n) <= MOST_CYCLES)


def sweep(experiment, folder, *options):
    r = subprocess.run([PWSVP, "sweep", experiment, "--output", folder, *options], cwd=ROOT, stdin=subprocess.DEVNULL,
                       capture_output=True, text=True)
    return r.returncode, r.stdout + r.stderr


def main():
    wrong = []
    tables = sorted(glob.glob(f"{ROOT}/docs/results/*.csv"))
    assert tables
    with tempfile.TemporaryDirectory() as folder:
        for table in tables:
            name = os.path.splitext(os.path.basename(table))[0]
            header, rows = rows_of(table)
            if kept_rows_of(table) != [header, *rows]:
                wrong.append(f"{name}: it is not as platform/kept_table.py prints it")
            if WHICH == "some" and name not in SOME:
                continue
            # Named as by results.sh: the names of sources with marks are in the code object, in front of the code.
            experiment, output = f"configs/experiments/{name}.yaml", f"{folder}/{name}"
            numbers = chosen(header, rows)
            if not numbers:
                wrong.append(f"{name}: the table has no finished point")
                continue
            points = ",".join(str(n + 1) for n in numbers)
            code, said = sweep(experiment, output, "--point", points)
            if code != 0:
                wrong.append(f"{name}, points {points}: exit code {code}\n{said}")
                continue
            first = header.index("message") + 1  # measure
            for n in numbers:
                with open(f"{output}/points/{n + 1}/result.json") as f:
                    values = json.load(f)["values"]
                if len(values) != len(header) - first:
                    wrong.append(f"{name}: the table has other columns than the experiment")
                    break
                for column, then, now in zip(header[first:], rows[n][first:], values):
                    if is_of_documents() and as_kept(then) != as_kept(now):
                        at = ", ".join(rows[n][:header.index("status")])
                        wrong.append(f"{name} ({at}): {column} is {then} in docs/results and {now} now")
            print(f"{name}: points {points}")
    if wrong:
        sys.exit("FAILED\n" + "\n".join(wrong) + "\nplatform/results.sh --run NAME makes a table again")
    print("PASS" if is_of_documents() else "PASS: the points run; their values are of another compiler's code, and are not compared")


main()
