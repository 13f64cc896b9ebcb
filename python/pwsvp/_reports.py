# SPDX-License-Identifier: Apache-2.0
"""Runs and bounds of whole run files, and what reports have."""
import contextlib
import json
from typing import Any, Iterator, Mapping, Optional

from . import _core
from ._config import Config, Overrides, Path, cycles_of, outputs_of, overrides_of, source_of


def _flat(tree: "Mapping[str, Any]", path: str = "") -> "Iterator[tuple[str, Any, str]]":
    for key, value in tree.items():
        name = f"{path}.{key}" if path else key
        if not isinstance(value, dict):
            yield name, value, ""
        elif set(value) == {"value", "unit"}:
            yield name, value["value"], value["unit"]
        else:
            yield from _flat(value, name)


class _Counted(dict):  # type: ignore[type-arg]
    """A report: the dict that the JSON file would have."""

    def _counters(self) -> "Mapping[str, Any]":
        raise NotImplementedError

    @property
    def counters(self) -> "dict[str, Any]":
        """What was counted, by name; parts of a name are joined by dots."""
        return {name: value for name, value, _ in _flat(self._counters())}

    @property
    def units(self) -> "dict[str, str]":
        """Their units, by name."""
        return {name: unit for name, _, unit in _flat(self._counters())}

    @property
    def cycles(self) -> Optional[int]:
        """All launches together; None in functional fidelity."""
        of = self.get("run", self)
        return self["cycles"]["value"] if "cycles" in self and of.get("fidelity") == "timing" else None


class Launch(_Counted):
    """What a launch came to: the dict is what reports have of it."""

    def _counters(self) -> "Mapping[str, Any]":
        return self["counters"]

    def __repr__(self) -> str:
        return f"<pwsvp.Launch {self['kernel']}: {self.cycles} cycles>"


class Report(_Counted):
    """The report of a run, or of bounds, as --report writes it. `text` is what the command prints."""

    def __init__(self, report: "Mapping[str, Any]", text: str) -> None:
        super().__init__(report)
        self.text = text

    def _counters(self) -> "Mapping[str, Any]":
        return self.get("totals", {})

    @property
    def passed(self) -> bool:
        """It ran to its end, and holds what is expected."""
        return bool(self["result"]["pass"])

    def __repr__(self) -> str:
        return f"<pwsvp.Report of {self.text.splitlines()[0] if self.text else 'nothing'}>"


@contextlib.contextmanager
def raising() -> "Iterator[None]":
    """RuntimeFault gets its report as a dict; empty: there is none."""
    try:
        yield
    except _core.RuntimeFault as e:
        e.report = json.loads(e.report_text) if e.report_text else {}
        raise


def run(config: Config, *, set: Overrides = None, check: bool = True, stats_every: Optional[int] = None,
        **outputs: Path) -> Report:
    """Runs a run file, or a dict of what one has, on a machine of its own, as `pwsvp run` does.

    `set` is --set, and files to write are given by name: report="x.json", vcd="x.vcd". A run that fails, or whose
    buffers do not hold what is expected, raises RuntimeFault; with check=False its report says so.
    """
    with raising():
        return _report(_core.run(*source_of(config), overrides_of(set), outputs_of(outputs), cycles_of(stats_every), check))


def wcet(config: Config, *, set: Overrides = None, observe: bool = False) -> Report:
    """Bounds the worst-case execution time of a run file's launches, as `pwsvp wcet` does.

    With `observe` they run too: a run that takes longer than its bound raises RuntimeFault.
    """
    with raising():
        return _report(_core.wcet(*source_of(config), overrides_of(set), observe))


def _report(made: "tuple[str, str]") -> Report:
    return Report(json.loads(made[0]), made[1])


def counters(*reports: "Launch | Report", names: "Optional[list[str]]" = None) -> Any:
    """A pandas frame: a row for each counter with its unit, a column for each report. Needs pandas."""
    try:
        import pandas
    except ImportError:
        raise ImportError("pwsvp.counters needs pandas (Debian: python3-pandas); without it there is .counters, a dict") from None
    if names is None:
        names = [str(n) for n in range(len(reports))] if len(reports) != 1 else ["value"]
    if len(names) != len(reports):
        raise _core.InputError(f"{len(names)} names for {len(reports)} reports")
    units: "dict[str, str]" = {}
    for report in reports:
        units.update(report.units)
    columns = {"unit": pandas.Series(units, dtype=object)}
    for name, report in zip(names, reports):
        columns[name] = pandas.Series(report.counters, dtype=object)
    return pandas.DataFrame(columns, index=list(units))
