#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HIP programs that were built elsewhere, as on another release of Debian, on this build's library. On demand.

foreign_programs.py BUILD PROGRAMS [-R EXPRESSION]

PROGRAMS is the folder tests/hip of another build. Runs each test hip.NAME.functional of BUILD with the program of that folder. Programs that ask for a
newer C or C++ library than this machine's are counted apart, with the versions that they ask for. Exit code 1 if another one did not pass."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("build")
arguments.add_argument("programs")
arguments.add_argument("-R", metavar="EXPRESSION", default="", help="only tests with such names")
given = arguments.parse_args()
build, programs = os.path.realpath(given.build), os.path.realpath(given.programs)
own = f"{build}/tests/hip/"
listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-R", r"^hip\..*\.functional$"], check=True, capture_output=True).stdout)


def run(test):
    """(name, what became of it, its output)"""
    name = test["name"]
    command = [word.replace(own, programs + "/") for word in test["command"]]
    missing = [word for word in command if word.startswith(programs + "/") and not os.path.exists(word)]
    if missing:
        return name, "not there", missing[0]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    output = done.stdout + done.stderr
    # First, because one that is expected to fail would do so too.
    newer = sorted(set(re.findall(r"version `((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found", output)))
    if newer:
        return name, f"asks for {', '.join(newer)}", ""
    return name, "passed" if done.returncode == 0 else "failed", output


tests = [t for t in listed["tests"] if t.get("command") and re.search(given.R, t["name"])]
if not tests:
    sys.exit("foreign_programs.py: no such test")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(run, tests))
counts = collections.Counter(kind for _, kind, _ in results)
for name, kind, output in results:
    if kind == "failed":
        print(f"{name}: {kind}\n" + "".join(f"  {line}\n" for line in output.splitlines()[-20:]), end="")
    elif kind != "passed":
        print(f"{name}: {kind} {output}".rstrip())
print(f"{len(results)} programs: " + ", ".join(f"{n} {kind}" for kind, n in counts.most_common()))
sys.exit(1 if counts["failed"] else 0)
