#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kept_table.py TABLE.csv: prints a sweep's table as docs/results keeps it: with four digits where a measure is no whole number. Digits beyond
these say nothing, and differ between libraries."""
import csv
import sys


def as_kept(value):
    text = "" if value is None else str(value)
    return text if text == "" or text.lstrip("-").isdigit() else f"{float(text):.4g}"


def rows_of(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    measures = rows[0].index("message") + 1
    return rows[:1] + [row[:measures] + [as_kept(v) for v in row[measures:]] for row in rows[1:]]


if __name__ == "__main__":
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows_of(sys.argv[1]))
