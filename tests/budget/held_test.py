#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A test that takes more than twice its budget fails and says so; what a test says otherwise stays, and its time is written."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
A_WHILE = "import time\nwhile time.process_time() < 0.5: pass\n"
os.chdir(tempfile.mkdtemp())
pathlib.Path("budgets").write_text("# name, seconds\nsmall 0.02\nlarge 1000\n", encoding="utf-8")


def run(*arguments):
    environment = dict(os.environ, PWS_TEST_BUDGETS="budgets", PWS_TEST_TIMES="times")
    return subprocess.run([sys.executable, HERE / "budgeted.py", *arguments], env=environment, capture_output=True, text=True)


def expect(arguments, code, said=""):
    r = run(*arguments)
    if r.returncode != code or said not in r.stdout or (not said and r.stdout):
        sys.exit(f"{arguments}: code {r.returncode}, and {code} is expected; printed\n{r.stdout}{r.stderr}")


LONG = (sys.executable, "-c", A_WHILE)
expect(("small", *LONG), 1, "small takes 0.")
expect(("small", *LONG), 1, "more than twice its budget of 0.0 s (tests/budget/budgets.txt)")
expect(("large", *LONG), 0)
expect(("in_no_list", *LONG), 0)  # five seconds
expect(("--unheld", "small", *LONG), 0)
# On the clock it may take any time.
expect(("small", "sleep", "2"), 0)
# Processes that the test starts count.
expect(("small", "sh", "-c", f"{sys.executable} -c '{A_WHILE}'; true"), 1, "small takes")
# What fails fails as before.
expect(("small", "sh", "-c", "exit 3"), 3)
expect(("small", "sh", "-c", "kill -9 $$"), 128 + 9)
names = [line.split()[0] for line in pathlib.Path("times").read_text(encoding="utf-8").splitlines()]
if names != ["small", "small", "large", "in_no_list", "small", "small", "small", "small", "small"]:
    sys.exit(f"times of {names}")
print("PASS")
