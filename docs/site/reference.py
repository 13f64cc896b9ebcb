# SPDX-License-Identifier: Apache-2.0
"""The site's pages that are made of what the tools themselves say.

reference.py PWSVP PWSCC FOLDER: writes FOLDER/machine.md, run.md, ... from `pwsvp params --json`, reports.md, functions.md
and signals.md from `pwsvp reference --json`, and commands.md from every command's --help."""

import json
import os
import re
import subprocess
import sys

from table_cells import cell


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def code(text):
    return f"`{text}`" if text else ""


def write_keys(kind, description, path):
    with open(path, "w") as out:
        out.write(f"# Keys of {kind} files\n\n{description}. The table is that of `pwsvp params`; a JSON Schema for editors: `pwsvp params --schema {kind}`.\n\n")
        out.write("Integers may be hexadecimal (0x40) or end in Ki, Mi, Gi. NAME is an element of a list, or a name of your own.\n\n")
        group = None
        for k in description_keys(kind):
            top = k["key"].split(".")[0] if "." in k["key"] else ""
            if kind in ("run", "exec") and k["key"].startswith("machine."):
                if k["key"] != "machine.base":
                    continue  # they have a page of their own
            if top != group:
                group = top
                out.write(f"\n## {code(top) if top else 'At the top'}\n\n| key | type | default | unit | range | meaning |\n|---|---|---|---|---|---|\n")
            kind_text = ", ".join(code(c) for c in k["choices"]) if k["choices"] else cell(k["type"])
            default = "**required**" if k["required"] else code(k["default"])
            out.write(f"| `{k['key']}` | {kind_text} | {default} | {cell(k['unit'] or '')} | {cell(k['range'] or '')} | {cell(k['meaning'] or '')} |\n")


def write_commands(pwsvp, pwscc, path):
    top = output_of(pwsvp, "--help")
    names = re.findall(r"^  (\w+) {2,}\S", top.split("Subcommands:")[1], re.MULTILINE)
    with open(path, "w") as out:
        out.write("# Commands\n\nWhat each command says with `--help`.\n\n## Exit codes\n\n")
        write_table(out, reference["exit-codes"]["entries"])
        for name, text in [("pwsvp", top)] + [(f"pwsvp {n}", output_of(pwsvp, n, "--help")) for n in names] + [("pwscc", output_of(pwscc, "--help"))]:
            text = re.sub(r"^Usage: \S*/", "Usage: ", text, flags=re.MULTILINE)
            out.write(f"\n## {name}\n\n```\n{text.strip()}\n```\n")


def write_table(out, entries):
    """The columns are the entries' keys; the first one is as one writes it."""
    names = list(entries[0])
    out.write("| " + " | ".join(names) + " |\n|" + "---|" * len(names) + "\n")
    for e in entries:
        out.write("| " + " | ".join(code(e[n]) if n == names[0] else cell(e[n]) for n in names) + " |\n")


def write_reports(path):
    with open(path, "w") as out:
        out.write("# Reports\n\nEvery value of the JSON reports, as `pwsvp reference` lists them. The path is what a measure of an experiment gives; `*` stands for a "
                  "name or an index. A number with a unit is an object of `value` and `unit`.\n")
        for name, part in reference.items():
            if "path" not in part["entries"][0]:
                continue
            out.write(f"\n## {part['about']}\n\n")
            write_table(out, part["entries"])


def write_part(name, title, path):
    with open(path, "w") as out:
        out.write(f"# {title}\n\n{reference[name]['about']}: `pwsvp reference {name}`.\n\n")
        write_table(out, reference[name]["entries"])


pwsvp, pwscc, folder = sys.argv[1:]
reference = json.loads(output_of(pwsvp, "reference", "--json"))
kinds = json.loads(output_of(pwsvp, "params", "--json"))


def description_keys(kind):
    return kinds[kind]["keys"]


os.makedirs(folder, exist_ok=True)
for kind, about in kinds.items():
    write_keys(kind, about["purpose"], os.path.join(folder, f"{kind}.md"))
write_reports(os.path.join(folder, "reports.md"))
write_part("functions", "Functions of expressions", os.path.join(folder, "functions.md"))
write_part("signals", "Signals of waveforms", os.path.join(folder, "signals.md"))
write_commands(pwsvp, pwscc, os.path.join(folder, "commands.md"))
