#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py EXPERIMENT.yaml TABLE.csv: prints a sweep as one HTML page that needs nothing else, which `pwsvp report`
writes: figures, tables, the papers' values. Where sweep.json and points/ are beside the table, as in a sweep's folder,
it has the units, configuration and command, and what failed points said."""

import base64
import contextlib
import io
import json
import math
import pathlib
import sys

import other_python

# Standard output and standard error are one to pwsvp: what libraries warn of is not to get into the page.
quiet = contextlib.redirect_stderr(io.StringIO())

with quiet:
    try:
        import jinja2
        import yaml

        import drawing
        from figure_values import number_in, sweep_table, values_of
    except ModuleNotFoundError as missing:
        other_python.go_on(missing.name)


def shown(number):
    return f"{number:.0f}" if abs(number) >= 1000 and number == math.floor(number) else f"{number:.4g}"


def cell(value):
    """A cell of a table: a number, a text that may be one, or nothing."""
    number = number_in(value) if isinstance(value, str) else value
    return "–" if value in (None, "") else value if number is None else shown(number)


def status_text(point):
    return f"{point.status}: {point.message}" if point.failed or point.status == "refused" else point.status


def experiment_in(file):
    """Its keys, all scalars as text: labels are what the file has. `about` may be that of the experiment which it is like."""
    keys = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)
    if "about" not in keys and "like" in keys:
        keys["about"] = experiment_in(file.parent / f"{keys['like']}.yaml").get("about", "")
    return keys


def margins(rule, table):
    """How far a rule was from failing."""
    pairs = [(p.number(rule["measure"]), p.number(rule["at_most"])) for p in table.points]
    pairs = [(a, b) for a, b in pairs if a is not None and b is not None]
    ratios = [b / a for a, b in pairs if a > 0]
    return {**rule, "good": sum(a <= b for a, b in pairs), "points": len(pairs), "ratios": ratios}


def figure_in(figure, table):
    values = values_of(figure, table)
    image = None
    if any(v is not None for _, y in values.ours for v in y):
        image = base64.b64encode(drawing.svg(figure, values).encode()).decode()
    return {**figure, "values": values, "image": image}


def sweep_in(file):
    """What sweep.json has besides the table; empty where there is none."""
    try:
        return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}
    except (TypeError, ValueError) as error:
        raise ValueError(f"{file}: {error}") from error


def logs_in(folder, table):
    """What the commands of failed points said, by number."""
    files = {n: folder / str(n) / "log.txt" for n, p in enumerate(table.points, 1) if p.failed}
    return {n: f.read_text(encoding="utf-8", errors="replace") if f.exists() else "" for n, f in files.items()}


def page_of(file, table_file):
    table = sweep_table(table_file)
    experiment = experiment_in(file)
    sweep = sweep_in(table_file.parent / "sweep.json")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.ChainableUndefined)
    environment.filters.update(cell=cell, status=status_text)
    return environment.get_template("page.html").render(
        experiment=experiment, text=file.read_text(encoding="utf-8"), table=table, sweep=sweep,
        logs=logs_in(table_file.parent / "points", table),
        units={m["name"]: m["unit"] for m in sweep.get("measures", [])},
        rules=[margins(rule, table) for rule in experiment.get("holds", [])],
        figures=[figure_in(f, table) for f in experiment.get("figures", [])],
        counts={s: sum(p.status == s for p in table.points) for s in ("refused", "left out")})


if __name__ == "__main__":
    try:
        with quiet:
            text = page_of(*map(pathlib.Path, sys.argv[1:]))
        sys.stdout.buffer.write(text.encode())
    except KeyError as error:
        sys.exit(f"{sys.argv[2]}: it has no column {error}, which {sys.argv[1]} names")
    except (OSError, ValueError) as error:
        sys.exit(str(error))
