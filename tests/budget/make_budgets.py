#!/usr/bin/env python3
"""Writes budgets.txt from what tests took: make_budgets.py TIMES SLOWNESS, the file and the number of tests/run.sh's last lines."""
import math
import pathlib
import sys

times, slowness = sys.argv[1], max(1.0, float(sys.argv[2]))
most = {}
for line in open(times, encoding="utf-8"):
    name, seconds = line.split()
    most[name] = max(most.get(name, 0.0), float(seconds) / slowness)
lines = ["# Processor time of tests, in seconds: name, budget. A test that is not here has five. Made by make_budgets.py."]
lines += [f"{name} {math.ceil(seconds)}" for name, seconds in sorted(most.items()) if seconds > 5]
(pathlib.Path(__file__).parent / "budgets.txt").write_text("\n".join(lines) + "\n")
