#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages_test.py PWSVP PWSCC: every command, option and key is in its manual page, and groff and mandoc find nothing wrong with one."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

pwsvp, pwscc = sys.argv[1:]


def run(*command, code=0, text=None):
    r = subprocess.run(command, capture_output=True, text=True, input=text)
    assert r.returncode == code, f"{command}: {r.returncode}\n{r.stdout}{r.stderr}"
    return r


def bold(text):
    return "\\fB" + text.replace("-", "\\-") + "\\fR"


def words_of(help_text):
    """Options and positionals that a command's --help lists."""
    found = []
    for line in help_text.splitlines():
        m = re.match(r"  ((?:-\w,)?-{1,2}[\w-]+(?:,-{1,2}[\w-]+)*)\b", line)
        if m:
            found += m.group(1).split(",")
    positional = re.search(r"Positionals:\n(.*?)\n *(?:Options:|$)", help_text, re.DOTALL)
    names = [n for n in re.findall(r"^ +([A-Z-]+) ", positional.group(1), re.MULTILINE)] if positional else []
    assert names or "Positionals" not in help_text
    return found, names


def missing_in(page, options, positionals):
    return [o for o in options if bold(o) not in page] + [p for p in positionals if f"\\fI{p}\\fR".replace("-", "\\-") not in page]


pages = {name: run(pwsvp, "manual", name).stdout for name in run(pwsvp, "manual").stdout.split()}
top = run(pwsvp, "--help").stdout
commands = re.findall(r"^  (\w+) {2,}\S", top.split("Subcommands:")[1], re.MULTILINE)
assert len(commands) >= 12, commands
expected = {"pwsvp", "pwscc"} | {f"pwsvp-{c}" for c in commands} | {f"pwsvp-{k}-file" for k in ("machine", "run", "exec", "graph", "experiment", "soc", "tasks")}
assert set(pages) == expected, set(pages) ^ expected

n = 0
for name, text in [("pwsvp", top)] + [(f"pwsvp-{c}", run(pwsvp, c, "--help").stdout) for c in commands]:
    options, positionals = words_of(text)
    assert "--help" in options, name
    missing = missing_in(pages[name], options, positionals)
    assert not missing, f"{name}: {missing}"
    n += len(options) + len(positionals)
for c in commands:
    assert bold(f"pwsvp-{c}") in pages["pwsvp"], c
assert n > 60, n
own = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*(?==|, |  )", run(pwscc, "--help").stdout.split("\n\n", 2)[2]))
assert {"--split", "--report", "--lds-slot", "--keep"} <= own, own
assert not missing_in(pages["pwscc"], sorted(own) + ["-S", "-v"], [])
# An option that a page does not have is found.
assert missing_in(pages["pwsvp-run"].replace(bold("--vcd"), ""), ["--vcd"], []) == ["--vcd"]

for kind, about in json.loads(run(pwsvp, "params", "--json").stdout).items():
    page = pages[f"pwsvp-{kind}-file"]
    for k in about["keys"]:
        key = k["key"]
        if kind in ("run", "exec", "tasks") and key.startswith("machine.") and key != "machine.base":
            assert bold(key[len("machine."):]) in pages["pwsvp-machine-file"], key
        else:
            assert bold(key) in page, f"{kind}: {key}"
            at = page.index(bold(key) + "\n")
            said = page[at : page.find(".TP", at)].replace("\\-", "-").replace("\\e", "\\")
            for fact in [k["unit"], k["range"]] + k["choices"]:
                assert not fact or fact in said, f"{kind}: {key}: not {fact}: {said}"

for name, text in pages.items():
    assert text.isascii(), name
    r = run("groff", "-man", "-Tutf8", "-ww", text=text)
    assert r.stderr == "" and len(r.stdout) > 500, f"{name}: {r.stderr}"
    if shutil.which("mandoc"):
        r = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=text, capture_output=True, text=True)
        assert r.returncode == 0, f"{name}: {r.stdout}{r.stderr}"
# What stands at the beginning of a line or has a backslash is printed as it is.
assert "\n.0" not in "".join(pages.values()) and not re.search(r"\n'", "".join(pages.values()))

with tempfile.TemporaryDirectory() as folder:
    run(pwsvp, "manual", "--output", folder)
    written = {f.name: f.read_text() for f in Path(folder).glob("man*/*")}
    assert {n.rsplit(".", 1)[0]: t for n, t in written.items()} == pages
    assert (Path(folder) / "man5" / "pwsvp-run-file.5").exists() and (Path(folder) / "man1" / "pwsvp-run.1").exists()
    Path(folder, "file").write_text("")
    run(pwsvp, "manual", "--output", folder + "/file", code=2)
assert "did you mean pwsvp-run?" in run(pwsvp, "manual", "pwsvp-rum", code=2).stderr
run(pwsvp, "manual", "pwsvp", "--output", "/nowhere", code=2)
run(pwsvp, "completion", "ksh", code=2)
print(f"{len(pages)} pages, {n} options of pwsvp")
