#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test and holds it to its budget of processor time.

Usage: budgeted.py [--unheld] NAME COMMAND...

budgets.txt, beside this file (or the file that PWS_TEST_BUDGETS names), has a line `NAME SECONDS` for each test that takes more than
five; every other test has five. A test fails that takes more than twice its budget. The budgets are those of one machine. So a little
fixed work is measured while a test runs, and some more behind one that takes more than its budget. On a machine on which that work is
slower, be it for a while, the budget is longer by the same factor. --unheld: as in builds that are not what users run, no budget is held. PWS_TEST_TIMES names a file to which each test adds its name and its seconds; make_budgets.py makes budgets.txt of it.
"""
import os
import pathlib
import resource
import subprocess
import sys

from slowness import slowness, turn

SMALLEST = 5.0
BETWEEN_TURNS = 3.0  # seconds


def budget_of(name):
    file = os.environ.get("PWS_TEST_BUDGETS") or pathlib.Path(__file__).parent / "budgets.txt"
    for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            test, seconds = line.split()
            if test == name:
                return float(seconds)
    return SMALLEST


def run(command):
    """The command's exit status, and how slow the machine was meanwhile."""
    turns = []
    with subprocess.Popen(command) as test:
        while True:
            try:
                return test.wait(BETWEEN_TURNS), turns
            except subprocess.TimeoutExpired:
                turns.append(turn())


def main():
    arguments = sys.argv[1:]
    held = arguments[0] != "--unheld"
    if not held:
        arguments.pop(0)
    name, *command = arguments
    status, turns = run(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    if times := os.environ.get("PWS_TEST_TIMES"):
        with open(times, "a", encoding="utf-8") as file:
            file.write(f"{name} {seconds:.2f}\n")
    budget = budget_of(name)
    if status == 0 and held and seconds > 2 * budget and seconds > 2 * budget * slowness(turns):
        print(f"{name} takes {seconds:.1f} s of processor time, more than twice its budget of {budget:.1f} s"
              " (tests/budget/budgets.txt)")
        return 1
    return status if status >= 0 else 128 - status


sys.exit(main())
