#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A test that takes more than twice its budget fails and says so; what a test says otherwise stays, and its time is written."""
import os
import pathlib
import shutil
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

# A machine that is slow while the test runs, and not behind it: samples were taken meanwhile, and they count.
sys.path.insert(0, str(HERE))
from slowness import slowness, turn  # noqa: E402

if not slowness([1000.0, 3000.0]) == 2000.0 or not 1 <= slowness() < 1000 or not slowness([0.0]) >= 1 or turn() <= 0:
    sys.exit("slowness is not what was measured")
os.mkdir("slow")
shutil.copy(HERE / "budgeted.py", "slow/budgeted.py")
pathlib.Path("slow/slowness.py").write_text("def turn():\n    return 1000.0\ndef slowness(during):\n    return 1000.0 if during and set(during) == {1000.0} else 1.0\n", encoding="utf-8")
slow = subprocess.run([sys.executable, "slow/budgeted.py", "small", "sh", "-c", f"sleep 3.5; {sys.executable} -c '{A_WHILE}'"], env=dict(os.environ, PWS_TEST_BUDGETS="budgets"),
                      capture_output=True, text=True)
if slow.returncode != 0:
    sys.exit(f"a machine that is slow while a test runs: code {slow.returncode}; printed\n{slow.stdout}{slow.stderr}")
names = [line.split()[0] for line in pathlib.Path("times").read_text(encoding="utf-8").splitlines()]
if names != ["small", "small", "large", "in_no_list", "small", "small", "small", "small", "small"]:
    sys.exit(f"times of {names}")
print("PASS")
