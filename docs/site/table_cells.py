# SPDX-License-Identifier: Apache-2.0
"""What stands in the cells of tables, written so that Python-Markdown shows it as GitHub does.

table_cells.py FOLDER: in all Markdown pages in FOLDER. A bar that does not end a cell has a backslash in front of it. Outside of code
Python-Markdown knows that; in code, where a bar ends no cell for it, it would show the backslash."""

import pathlib
import re
import sys

CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def cell(text):
    """Text as a table takes it: what would mean something there is written as the number of its character."""
    return re.sub(r"[|\\*<>&\[\]`]|(?<!\w)_|_(?!\w)", lambda c: f"&#{ord(c.group())};", text)


def shown(line):
    return CODE.sub(lambda code: code.group(0).replace("\\|", "|"), line)


def rewrite(page):
    fenced = False
    lines = page.read_text().split("\n")
    for k, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.lstrip().startswith("|"):
            lines[k] = shown(line)
    page.write_text("\n".join(lines))


if __name__ == "__main__":
    for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
        rewrite(path)
