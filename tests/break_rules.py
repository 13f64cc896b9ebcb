#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks rules of the code one at a time, and asks its tests whether they notice.

break_rules.py LIST --check            each rule's text is in its file once (seconds; a test does this)
break_rules.py LIST [--in FOLDER] [--only TEXT] [--jobs N]
                                       breaks each in a clone of the commit, builds and runs the rule's tests

LIST is a YAML file of the repository:
  program: a test program
  rules:   what is broken, one after the other
  - rule:  what holds
    file:  where; from, to: the text that says it, once in the file, and what it becomes
    tests: of the program (a GoogleTest filter), one of which has to fail
    program: another one than above

FOLDER (/tmp/broken_rules if not given) keeps the clone and its build for the next time. TEXT: of the rules to break.
Exit code 0: every broken rule was caught.
"""

import argparse
import pathlib
import subprocess
import sys
import time

import yaml


def run(command, cwd, timeout=None):
    try:
        return subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(command, 124, stdout="[  FAILED  ] not ended after %d s" % e.timeout)


def text_of(rule, which):
    return rule[which].rstrip("\n")


def check(root, rules):
    wrong = 0
    for rule in rules:
        found = (root / rule["file"]).read_text().count(text_of(rule, "from"))
        if found != 1 or rule["from"] == rule["to"]:
            print(f"{rule['file']}: {found} times: {text_of(rule, 'from')}")
            wrong += 1
    print(f"{len(rules)} rules, {wrong} whose text is not in its file once")
    return wrong


def build(folder, programs, jobs):
    parallel = ["--parallel", str(jobs)] if jobs else []
    return run(["cmake", "--build", "build", *parallel, "--target", *programs], folder)


def clone(root, folder, programs, jobs):
    if not (folder / ".git").exists():
        subprocess.run(["git", "clone", "-q", str(root), str(folder)], check=True)
    commit = run(["git", "rev-parse", "HEAD"], root).stdout.strip()
    for command in (["git", "fetch", "-q", "origin", "HEAD"], ["git", "checkout", "-q", "-f", "--detach", commit]):
        subprocess.run(command, cwd=folder, check=True)
    for done in (run(["cmake", "--preset", "release"], folder), build(folder, programs, jobs)):
        if done.returncode != 0:
            sys.exit(done.stdout[-4000:])


def break_one(folder, rule, jobs):
    """What noticed it, or None."""
    file = folder / rule["file"]
    whole = file.read_text()
    file.write_text(whole.replace(text_of(rule, "from"), text_of(rule, "to")))
    try:
        built = build(folder, [rule["program"]], jobs)
        if built.returncode != 0:
            errors = [line for line in built.stdout.splitlines() if "error" in line]
            return "does not compile: " + (errors or ["?"])[0], False
        # A broken rule may send a run round for ever.
        tested = run(["build/bin/" + rule["program"], "--gtest_filter=" + rule["tests"], "--gtest_fail_fast"], folder, timeout=900)
        failed = [line for line in tested.stdout.splitlines() if line.startswith("[  FAILED  ]")]
        if tested.returncode == 0:
            return "not caught", False
        return (failed or [f"exit code {tested.returncode}"])[0].replace("[  FAILED  ] ", ""), True
    finally:
        file.write_text(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--in", dest="folder", type=pathlib.Path, default=pathlib.Path("/tmp/broken_rules"))
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int)
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    given = yaml.safe_load(arguments.list.read_text())
    rules = [{"program": given["program"], **rule} for rule in given["rules"]]
    wrong = check(root, rules)
    if arguments.check or wrong:
        return 1 if wrong else 0
    rules = [r for r in rules if arguments.only in r["rule"]]
    clone(root, arguments.folder, sorted({r["program"] for r in rules}), arguments.jobs)
    missed = 0
    for rule in rules:
        began = time.monotonic()
        by, caught = break_one(arguments.folder, rule, arguments.jobs)
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {rule['rule']}: {by} ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{len(rules)} rules broken, {len(rules) - missed} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
