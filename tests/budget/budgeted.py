#!/usr/bin/env python3
"""Runs a test and holds it to its budget of processor time.

Usage: budgeted.py NAME COMMAND...

budgets.txt, beside this file, has a line `NAME SECONDS` for each test that takes more than five; every other test has five. A test fails
that takes more than twice its budget, on the machine for which they were written: PWS_TEST_SLOWNESS says how many times slower this one
is (tests/run.sh --budgets measures it). Without PWS_TEST_SLOWNESS nothing is held. PWS_TEST_TIMES names a file to which each test adds its name
and its seconds; make_budgets.py makes budgets.txt of it.
"""
import os
import pathlib
import resource
import subprocess
import sys

SMALLEST = 5.0


def budget_of(name):
    for line in (pathlib.Path(__file__).parent / "budgets.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            test, seconds = line.split()
            if test == name:
                return float(seconds)
    return SMALLEST


def main():
    name, command = sys.argv[1], sys.argv[2:]
    slowness, times = os.environ.get("PWS_TEST_SLOWNESS"), os.environ.get("PWS_TEST_TIMES")
    if slowness is None and times is None:
        os.execvp(command[0], command)
    status = subprocess.run(command, check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    if times is not None:
        with open(times, "a", encoding="utf-8") as file:
            file.write(f"{name} {seconds:.2f}\n")
    if status == 0 and slowness is not None:
        budget = budget_of(name) * max(1.0, float(slowness))
        if seconds > 2 * budget:
            print(f"{name} takes {seconds:.1f} s of processor time, more than twice its budget of {budget:.1f} s"
                  " (tests/budget/budgets.txt)")
            return 1
    return status if status >= 0 else 128 - status


sys.exit(main())
