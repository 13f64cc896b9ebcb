# SPDX-License-Identifier: Apache-2.0
"""comments.py INCLUDE OUTPUT: the installed headers below INCLUDE in OUTPUT, with their comments as Doxygen takes them. The project's
comments are `//`: the one at the top of a file is the file's, and also that of the class or struct that the file is named after; one
above a declaration or behind it is the declaration's. What is included from .def files, of which Doxygen takes nothing but macros, stands in
their places. Lines keep their numbers."""

import os
import re
import sys

BEHIND = re.compile(r"^(\s*)(\S.*?)(\s+)// (.*)$")
ALONE = re.compile(r"^(\s*)//(?: (.*))?$")
ROWS = re.compile(r'^#include "(.*\.def)"$')
NO_DECLARATION = re.compile(r"^(#|\}$|(public|private|protected):|$)")


def escaped(text):
    """Nothing in it is a command, a tag or Markdown to Doxygen, but for `code`."""
    parts = re.split(r"(`[^`]*`)", text or "")
    return "".join(p if k % 2 else re.sub(r"([\\@<>&#*])", r"\\\1", p) for k, p in enumerate(parts))


def end_of_comment(lines, k):
    while k < len(lines) and ALONE.match(lines[k]):
        k += 1
    return k


def rows(path):
    return " ".join(line.strip() for line in open(path) if not ALONE.match(line.rstrip("\n")))


def converted(lines, path, include):
    licence = lines[0].startswith("// SPDX-")
    lines = lines[licence:]
    top = end_of_comment(lines, 0)
    if top == 0 or lines[top] != "#pragma once":
        sys.exit(f"{path}:1: a header begins with a comment that says what it has, and #pragma once")
    about = [escaped(ALONE.match(line).group(2)) for line in lines[:top]]
    out = [""] * licence + [f"/// \\file {path}"] + [f"/// {text}" for text in about]  # the last one instead of #pragma once
    name = os.path.splitext(os.path.basename(path))[0]
    own_class = re.compile(rf"^(class|struct) {name}\b[^;]*$")
    column, k = None, top + 1  # column: of the comment behind the line before, if there is one
    while k < len(lines):
        line = ROWS.sub(lambda m: rows(os.path.join(include, m[1])), lines[k])
        if ALONE.match(line):
            end = end_of_comment(lines, k)
            declaration = end < len(lines) and not NO_DECLARATION.match(lines[end].strip())
            for one in lines[k:end]:
                indent, text = ALONE.match(one).groups()
                if len(indent) != column:
                    column = None
                mark = "///<" if column is not None else "///" if declaration else "//"
                out.append(f"{indent}{mark} {escaped(text)}")
            column, k = None, end
            continue
        column, behind = None, BEHIND.match(line)
        if behind and not NO_DECLARATION.match(behind.group(2)):
            indent, code, space, text = behind.groups()
            if code.endswith("{"):
                line = f"{indent}/** {escaped(text)} */ {code}"
            elif code[-1] not in "(\\":
                line = f"{indent}{code}{space}///< {escaped(text)}"
                column = len(indent + code + space)
        elif own_class.match(line) and not ALONE.match(lines[k - 1]) and not lines[k - 1].startswith("template"):
            line = f"/** {' '.join(about)} */ {line}"
        out.append(line)
        k += 1
    return out


if __name__ == "__main__":
    include, output = sys.argv[1:]
    for folder, _, files in sorted(os.walk(include)):
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), include)
            if not file.endswith(".h"):
                continue
            target = os.path.join(output, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(os.path.join(include, path)) as source, open(target, "w") as out:
                out.write("\n".join(converted(source.read().split("\n"), path, include)))
