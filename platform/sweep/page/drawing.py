# SPDX-License-Identifier: Apache-2.0
"""A figure as SVG, drawn by matplotlib: the same figure gives the same bytes."""

import io
import math

import matplotlib
from matplotlib.figure import Figure

# Told apart by people who do not see all colours (Okabe and Ito's palette), and by grey in print.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"]
PAPER_COLOUR = "#808080"
HATCHES = ["///", "\\\\\\", "xxx", "..."]
DASHES = ["--", ":", "-.", (0, (6, 1, 1, 1, 1, 1))]
STYLE = {
    "svg.hashsalt": "pwsvp",  # of the ids, which are random otherwise
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,
    "font.size": 11,
    "axes.edgecolor": "#404040",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#d8d8d8",
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}
MOST_LABELS = 60  # along x


def without_gaps(places, y):
    """What matplotlib's bars take: places and heights of the values that there are."""
    there = [(p, v) for p, v in zip(places, y) if v is not None]
    return [p for p, _ in there], [v for _, v in there]


def draw_stacked(ax, values):
    below = [0.0] * len(values.x)
    for k, (label, y) in enumerate(values.ours):
        heights = [v or 0.0 for v in y]
        ax.bar(range(len(below)), heights, 0.74, bottom=below, color=COLOURS[k % len(COLOURS)], label=label)
        below = [b + h for b, h in zip(below, heights)]


def draw_bars(ax, values):
    paper = list(values.paper.items())
    width = 0.8 / max(1, len(values.ours) + len(paper))
    # The paper's curve that stands for the same thing has the same colour.
    same = len(paper) == len(values.ours)
    for k, (label, y) in enumerate(values.ours + paper):
        of_paper = k - len(values.ours)
        places, heights = without_gaps([x + (k + 0.5) * width - 0.4 for x in range(len(y))], y)
        if of_paper < 0:
            look = {"color": COLOURS[k % len(COLOURS)]}
        else:
            colour = COLOURS[of_paper % len(COLOURS)] if same else PAPER_COLOUR
            look = {"facecolor": "white", "edgecolor": colour, "hatch": HATCHES[of_paper % len(HATCHES)]}
        ax.bar(places, heights, width * 0.92, label=label, **look)


def draw_lines(ax, values):
    same = len(values.paper) == len(values.ours)
    for curves, style in ((values.ours, "o-"), (values.paper.items(), "s--")):
        for k, (label, y) in enumerate(curves):
            colour = COLOURS[k % len(COLOURS)] if style == "o-" or same else PAPER_COLOUR
            ax.plot(range(len(y)), [math.nan if v is None else v for v in y], style, color=colour, markersize=5, label=label)


def add_legend(ax, values):
    """Above the figure, in the order of the table."""
    drawn = dict(zip(*reversed(ax.get_legend_handles_labels())))
    labels = [label for label, _ in [*values.ours, *values.paper.items(), *values.across] if label in drawn]
    columns = max(1, 90 // (max(map(len, labels), default=0) + 7))
    ax.legend([drawn[label] for label in labels], labels, loc="lower center", bbox_to_anchor=(0.5, 1), ncol=min(columns, max(1, len(labels))))


def add_places(ax, figure, values):
    """The labels along x; long ones at an angle."""
    every = math.ceil(len(values.x) / MOST_LABELS)
    labels = values.x[::every]
    rotated = sum(map(len, labels)) + 2 * len(labels) > 80
    ax.set_xticks(range(0, len(values.x), every), labels)
    if rotated:
        steep = len(labels) > 16
        for text in ax.get_xticklabels():
            text.set(rotation=-90 if steep else -40, ha="left", va="center" if steep else "top", rotation_mode="anchor")
    else:
        ax.set_xlabel(figure["x"])
    ax.set_xlim(-0.6, len(values.x) - 0.4)
    if values.means:
        ax.axvline(len(values.x) - values.means - 0.5, color="#404040", linestyle=":", linewidth=1)
    return max(map(len, labels)) if rotated else 0


def new_figure(**size):
    """An empty figure in the project's style."""
    matplotlib.rcdefaults()  # whatever the user's own settings are
    matplotlib.rcParams.update(STYLE)
    return Figure(layout="constrained", **size)


def svg_of(drawing):
    """As text."""
    text = io.StringIO()
    drawing.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def svg(figure, values):
    """The figure of an experiment, as text."""
    drawing = new_figure()
    ax = drawing.add_subplot()
    plot = figure.get("plot", "bars")
    {"bars": draw_bars, "stacked": draw_stacked, "lines": draw_lines}[plot](ax, values)
    for k, (label, value) in enumerate(values.across):
        ax.axhline(value, color=PAPER_COLOUR, linestyle=DASHES[k % len(DASHES)], linewidth=1.5, label=label)
    if figure.get("logarithmic") == "true":
        ax.set_yscale("log")
    else:
        ax.axhline(0, color="#404040", linewidth=0.8)
        if all(v is None or v >= 0 for _, y in values.ours for v in y):
            ax.set_ylim(bottom=0)
    ax.set_ylabel(figure.get("unit", ""))
    ax.grid(axis="y")
    longest = add_places(ax, figure, values)
    drawing.set_size_inches(8.2, 4.3 + 0.06 * longest)
    add_legend(ax, values)
    return svg_of(drawing)
