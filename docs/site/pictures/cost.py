# SPDX-License-Identifier: Apache-2.0
"""What each scheme needs, beside what it gains: a figure of the two tables of docs/cost.md, which a test holds against what their commands
print."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../platform/sweep/page"))
import drawing

STORAGE = ["paths", "scoreboards", "instruction buffers", "scalar registers"]  # columns, in bits of a wavefront
WITHOUT = "none"  # the scheme that all are compared with


def tables(path):
    """The tables of a document: each as a dictionary of rows by their first cell, a row being a dictionary by column."""
    found, header = [], None
    for line in open(path):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if not cells:
            header = None
        elif header is None:
            header = cells
            found.append({})
        elif not set(cells[0]) <= set("-"):
            found[-1][cells[0].partition(",")[0].strip("`")] = dict(zip(header, cells))
    return found


def table_with(found, column):
    return next(t for t in found if all(column in row for row in t.values()))


def draw(document, path):
    found = tables(document)
    storage, runs = table_with(found, "scoreboards"), table_with(found, "speed-up")
    schemes = [s for s in runs if s != WITHOUT]
    places = range(len(schemes))
    figure = drawing.new_figure(figsize=(8.2, 3.6))
    bits, gain = figure.subplots(1, 2, sharey=True, width_ratios=[3, 2])
    left = [0.0] * len(schemes)
    for k, part in enumerate(STORAGE):
        widths = [float(storage[s][part]) for s in schemes]
        bits.barh(places, widths, 0.7, left=left, color=drawing.COLOURS[k], label=part)
        left = [a + b for a, b in zip(left, widths)]
    bits.set_yticks(places, schemes)
    bits.invert_yaxis()
    bits.set_xlabel("bits of storage for a wavefront")
    for k, (label, column) in enumerate([("speed-up", "speed-up"), ("energy", "of the first")]):
        colour = drawing.COLOURS[len(STORAGE) + k]
        gain.barh([p + 0.37 * k - 0.18 for p in places], [float(runs[s][column]) for s in schemes], 0.34, color=colour, label=label)
    gain.axvline(1, color="#404040", linestyle=":", linewidth=1)
    gain.set_xlabel("of no splitting")
    for ax in (bits, gain):
        ax.grid(axis="x")
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=2)
    with open(path, "w") as out:
        out.write(drawing.svg_of(figure))
