# SPDX-License-Identifier: Apache-2.0
"""undocumented.py WARNINGS: what Doxygen's warnings say is wrong in the headers, as FILE:LINE: message; exit code 1 if there is anything.

A declaration without a comment is wrong, except where its name and type say it all: members that are data, constructors, operators,
what overrides, and functions without arguments that change nothing. The machine's inside is installed because the classes that users
have to do with hold it: there, only classes and enums have to say what they are; the executors of instructions are all templates."""

import re
import sys

INSIDE = re.compile(r"models/(compute_unit/(?!compute_unit|statistics|execution_observer)|check|context|divergence|flow|formation|isa)/?|platform/config/")
EXECUTORS = re.compile(r"models/(isa/(scalar|vector|memory)|check)/")
MEMBER = re.compile(r"(?:Member|Compound) (?P<text>.*?)(?: \((?P<kind>[\w ]+)\) of \w+ (?P<of>.*))? is not documented\.$")


def says_it_all(kind, text, of):
    name = re.match(r"~?(\w*)(operator)?", text)
    return (kind in ("variable", "friend", "typedef", "macro definition") or name[2] or name[1] == "operator" or name[0].startswith("~")
            or name[1] == of.split("::")[-1].split("<")[0] or name[1].endswith("_error") or " override" in text or "=default" in text or " -> " in text
            or name[1] == "enumerators" or re.search(r"\(\) (const|noexcept)", text))


found = set()
for line in open(sys.argv[1]):
    place = re.match(r".*?(pwsvp/(\S+?):(\d+)): warning: (.*)", line)
    if not place:
        found.add(("", 0, line.rstrip()))
        continue
    _, path, number, message = place.groups()
    member = MEMBER.match(message)
    if member:
        kind = member["kind"]
        if EXECUTORS.match(path) or kind and (says_it_all(kind, member["text"], member["of"]) or INSIDE.match(path) and kind == "function"):
            continue
    found.add((path, int(number), message))
for path, number, message in sorted(found):
    print(f"{path}:{number}: {message}" if path else message)
sys.exit(1 if found else 0)
