#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compilation units for clang-tidy: those of a unity build, with the sources in them instead of included.

    tidy_units.py COMPILE_COMMANDS SOURCE_FOLDER OUTPUT_FOLDER

Writes the units and a compile_commands.json of them to OUTPUT_FOLDER, and prints their paths. A source of the tree that
this build leaves out is a unit of its own, with the options of the others.
"""

import json
import pathlib
import re
import subprocess
import sys

FOLDERS = ("base", "hip_runtime", "models", "platform", "python", "sw")


def unit_text(file, sources):
    """The text of a unit; adds the sources that it has to `sources`."""
    text = file.read_text()
    if "Unity" not in file.parts:
        sources.add(file)
        return text

    def contents(match):
        source = pathlib.Path(match.group(1))
        sources.add(source)
        return f"\n{source.read_text()}\n"

    return re.sub(r'^#include "(/[^"]*\.cpp)"$', contents, text, flags=re.MULTILINE)


def main():
    commands, root, folder = (pathlib.Path(a) for a in sys.argv[1:])
    sources, entries = set(), []
    for entry in json.loads(commands.read_text()):
        file = pathlib.Path(entry["directory"], entry["file"])
        if not file.is_relative_to(root) or file.suffix not in (".cpp", ".cxx"):
            continue
        unit = folder / (re.sub(r"\W", "_", str(file.relative_to(root))) + ".cpp")
        if any(e["file"] == str(unit) for e in entries):
            continue  # compiled once more for other processors
        unit.write_text(unit_text(file, sources))
        entries.append(
            {"directory": entry["directory"], "file": str(unit), "command": entry["command"].replace(entry["file"], str(unit))}
        )
    tracked = subprocess.run(
        ["git", "-C", root, "ls-files", *(f"{f}/*.cpp" for f in FOLDERS)], capture_output=True, text=True, check=True
    )
    like = entries[0]
    for file in (root / f for f in tracked.stdout.split()):
        if file not in sources:
            entries.append(
                {"directory": like["directory"], "file": str(file), "command": like["command"].replace(like["file"], str(file))}
            )
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    for entry in entries:
        print(entry["file"])


if __name__ == "__main__":
    main()
