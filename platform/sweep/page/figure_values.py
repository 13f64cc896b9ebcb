# SPDX-License-Identifier: Apache-2.0
"""The numbers of an experiment's figures: ours from the sweep's table, and the papers'."""

import csv
import re
import statistics
from dataclasses import dataclass, field

NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
MEANS = {"geometric": statistics.geometric_mean, "arithmetic": statistics.fmean, "harmonic": statistics.harmonic_mean}
# The result for a value and its base; in percent for reduction.
FORMS = {
    "plain": lambda v, base: v,
    "ratio": lambda v, base: v / base,
    "speedup": lambda v, base: base / v,
    "reduction": lambda v, base: 100 * (1 - v / base),
}


def number_in(text):
    """None where the text is no number."""
    return float(text) if NUMBER.fullmatch(text) else None


@dataclass
class table_point:
    labels: list  # one per axis
    status: str  # done, failed, stopped, refused, left out
    message: str
    values: dict  # text by measure; "": the report has none

    @property
    def failed(self):
        return self.status in ("failed", "stopped")

    def number(self, measure):
        return number_in(self.values[measure]) if self.status == "done" else None


class sweep_table:
    """A sweep's table.csv. Raises ValueError where the file is none."""

    def __init__(self, file):
        with open(file, newline="", encoding="utf-8") as f:
            header, *rows = list(csv.reader(f)) or [[]]
        if "status" not in header:
            raise ValueError(f"{file}: no table of a sweep: it has no column status")
        for number, row in enumerate(rows, 1):
            if len(row) != len(header):
                raise ValueError(f"{file}: point {number} has {len(row)} cells, and the header has {len(header)}")
        n = header.index("status")
        self.measures = header[n + 2 :]
        self.points = [table_point(r[:n], r[n], r[n + 1], dict(zip(self.measures, r[n + 2 :]))) for r in rows]
        # A grid's rows have the labels of each axis in its order.
        self.axes = {name: list(dict.fromkeys(r[k] for r in rows)) for k, name in enumerate(header[:n])}
        self._by_labels = {tuple(p.labels): p for p in self.points}

    def at(self, labels):
        """The point with these labels, by axis; None: the short form does not have it."""
        return self._by_labels.get(tuple(labels[axis] for axis in self.axes))

    def text_of(self, point):
        return ", ".join(f"{axis} = {label}" for axis, label in zip(self.axes, point.labels))


@dataclass
class figure_numbers:
    x: list  # labels
    means: int = 0  # how many of them, at the end, are means over the others
    ours: list = field(default_factory=list)  # (label, a value or None for each x)
    paper: dict = field(default_factory=dict)  # (label, a value or None for each x), by label
    across: list = field(default_factory=list)  # (label, value): horizontal lines of the paper
    missing: list = field(default_factory=list)  # points of the figure without a value, and why


class value_reader:
    """Values of a figure's lines. Notes in `missing` what is not there."""

    def __init__(self, table, missing):
        self.table, self.missing = table, missing

    def value(self, line, labels):
        v = self._number(line["measure"], labels)
        form = line.get("as", "plain")
        if v is None or form == "plain":
            return v
        base = self._number(line.get("base") or line["measure"], {**labels, **line.get("base_at", {})})
        try:
            return None if base is None else FORMS[form](v, base)
        except ZeroDivisionError:
            return None

    def _number(self, measure, labels):
        point = self.table.at(labels)
        if point is None:
            return None
        v = point.number(measure)
        if v is None:
            if point.failed:
                why = point.message
            elif point.status == "refused":
                why = "refused: " + point.message
            else:
                why = f"the report has no {measure}" if point.status == "done" else point.status
            self.missing.append(f"{self.table.text_of(point)}: {why}")
        return v


def series_label(figure, line, label):
    if re.fullmatch(r"[0-9.]+", label):
        label = f"{figure['series']} = {label}"
    return label if len(figure["lines"]) == 1 else f"{line['label']}, {label}"


def mean_of(which, values):
    """Over the values that there are; the geometric and the harmonic mean over those above 0."""
    counted = [v for v in values if v is not None and (v > 0 or which == "arithmetic")]
    return MEANS[which](counted) if counted else None


def add_paper(figure, to):
    for p in figure.get("paper", []):
        if not p.get("x"):
            to.across.append((p["line"], float(p["value"])))
            continue
        values = to.paper.setdefault(p["line"], [None] * len(to.x))
        if p["x"] in to.x:
            values[to.x.index(p["x"])] = float(p["value"])


def sort_by_first(to):
    first = to.ours[0][1]
    order = sorted(range(len(to.x)), key=lambda k: (first[k] is None, first[k] or 0))
    to.x = [to.x[k] for k in order]
    to.ours = [(label, [y[k] for k in order]) for label, y in to.ours]
    to.paper = {label: [y[k] for k in order] for label, y in to.paper.items()}


def values_of(figure, table):
    """figure_numbers of a figure as the experiment's file has it (docs/experiments.md)."""
    x, series, only = figure["x"], figure.get("series"), figure.get("only")
    to = figure_numbers([label for label in table.axes[x] if not only or label in only])
    reader = value_reader(table, to.missing)
    for line in figure["lines"]:
        fixed = {**figure.get("at", {}), **line.get("at", {})}
        if any(label not in table.axes[axis] for axis, label in fixed.items()):
            continue  # the short form does not have it
        start = {**{axis: labels[0] for axis, labels in table.axes.items()}, **fixed}
        curves = [(line["label"], start)]
        if series and series not in fixed:
            curves = [(series_label(figure, line, s), {**start, series: s}) for s in table.axes[series]]
        to.ours += [(label, [reader.value(line, {**at, x: k}) for k in to.x]) for label, at in curves]
    to.missing[:] = dict.fromkeys(to.missing)
    add_paper(figure, to)
    if figure.get("sorted") == "true" and to.ours:
        sort_by_first(to)
    means = figure.get("means", [])
    to.means = len(means)
    to.x = to.x + [f"{m} mean" for m in means]
    to.ours = [(label, y + [mean_of(m, y) for m in means]) for label, y in to.ours]
    to.paper = {label: y + [None] * to.means for label, y in to.paper.items()}
    return to
