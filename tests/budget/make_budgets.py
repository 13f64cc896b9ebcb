#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes budgets.txt: make_budgets.py TIMES..., the files test-times.txt of one or more runs. The longest time of each test counts.

A test that compiles kernels takes longest where none has been compiled yet: one of the runs is to be the first in its folder."""
import math
import pathlib
import sys

from slowness import slowness

longest = {}
for file in sys.argv[1:]:
    for line in open(file, encoding="utf-8"):
        name, seconds = line.split()
        longest[name] = max(longest.get(name, 0.0), float(seconds))
here = slowness()
lines = ["# Processor time of tests, in seconds: name, budget. A test that is not here has five. Made by make_budgets.py."]
lines += [f"{name} {math.ceil(seconds / here)}" for name, seconds in sorted(longest.items()) if seconds / here > 5]
(pathlib.Path(__file__).parent / "budgets.txt").write_text("\n".join(lines) + "\n")
