#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sensitivity.py TABLE.csv: prints what `pwsvp wcet --sensitivity --table` has written as a figure (SVG): a bar for each
change of E_kernel, those that move it most on top."""

import contextlib
import csv
import io
import sys

import other_python

# Standard output and standard error are one to pwsvp: what libraries warn of is not to get into the figure.
quiet = contextlib.redirect_stderr(io.StringIO())

with quiet:
    try:
        import drawing
    except ModuleNotFoundError as missing:
        other_python.go_on(missing.name)

MOST_BARS = 30
COLOURS = {"-": drawing.COLOURS[2], "+": drawing.COLOURS[5]}  # lower, higher


def moves_in(file):
    """What is changed, its values and the differences of E_kernel, by the largest difference."""
    things = {}
    with open(file, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            difference = int(row["difference"] or 0)
            if difference != 0:
                things.setdefault(row["name"], (row["value"], []))[1].append((row["to"], difference))
    return sorted(things.items(), key=lambda thing: -max(abs(d) for _, d in thing[1][1]))[:MOST_BARS]


def figure_of(moves):
    figure = drawing.new_figure(figsize=(8.2, 1.2 + 0.32 * max(1, len(moves))))
    ax = figure.add_subplot()
    for place, (_, (_, changes)) in enumerate(moves):
        for k, (to, difference) in enumerate(changes):
            # Two that move it the same way lie side by side.
            alike = len({d < 0 for _, d in changes}) < len(changes)
            height = 0.8 / len(changes) if alike else 0.8
            y = place + (k - (len(changes) - 1) / 2) * height if alike else place
            ax.barh(y, difference, height * 0.92, color=COLOURS["-" if difference < 0 else "+"])
            ax.annotate(to, (difference, y), (3 if difference > 0 else -3, 0), textcoords="offset points", fontsize=8,
                        va="center", ha="left" if difference > 0 else "right")
    ax.set_yticks(range(len(moves)), [f"{name} ({value})" for name, (value, _) in moves])
    ax.invert_yaxis()
    ax.axvline(0, color="#404040", linewidth=0.8)
    ax.margins(x=0.15)
    ax.set_xlabel("difference of E_kernel, cycles; at each bar the value tried")
    if not moves:
        ax.text(0.5, 0.5, "nothing moves E_kernel", transform=ax.transAxes, ha="center")
    ax.grid(axis="x")
    return drawing.svg_of(figure)


if __name__ == "__main__":
    with quiet:
        text = figure_of(moves_in(sys.argv[1]))
    sys.stdout.buffer.write(text.encode())
