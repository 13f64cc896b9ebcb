#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_ci.py [--shell COMMAND] [BUILD]: runs the jobs of docs/examples/ci as far as a shell can: each line of the scripts of github.yml and
gitlab-ci.yml, in a copy of the project, in the order and with the conditions that the services have. The project passes, and leaves the JUnit
file, the coverage and the artifacts that the jobs name. With a barrier left out, and with a wrong sum, the job fails, JUnit says why, and the
artifacts are there all the same.

BUILD: a build folder whose programs are taken. --shell COMMAND: in front of `bash`, for jobs in a container that has the programs: {folder} in
it is the project's folder."""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLE = f"{ROOT}/docs/examples/ci"
BARRIER = "    __syncthreads();\n"
MUTANTS = {"a barrier is left out": (BARRIER, "", "__syncthreads) between the two"), "a sum is wrong": ("pixels[i] : 0", "pixels[i] : 1", "the sum of")}


def fail(text):
    sys.exit(f"FAILED: {text}")


def known(what, node, keys):
    if set(node) - set(keys):
        fail(f"{what}: this test does not know what {sorted(set(node) - set(keys))} does")


class runner:
    """One run of a job in its own copy of the project; what it prints is kept."""

    def __init__(self, folder, variables, shell, build):
        self.folder, self.shell, self.log, self.failed = folder, [w.replace("{folder}", folder) for w in shell], "", False
        self.variables = variables
        self.environment = {**os.environ}
        for name in ("CXX", "HIPCXX", "REPORTS", "LD_LIBRARY_PATH"):
            self.environment.pop(name, None)
        if build:
            self.environment["PATH"] = f"{build}/bin:{os.environ['PATH']}"
            self.environment["CMAKE_TOOLCHAIN_FILE"] = f"{build}/cmake/pwsvp-hip.cmake"

    def run(self, script):
        settings = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in self.variables.items())
        r = subprocess.run([*self.shell, "bash", "-e", "-o", "pipefail", "-c", settings + script], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log += r.stdout
        return r.returncode == 0


def github(folder, *how):
    workflow = yaml.safe_load(open(f"{EXAMPLE}/github.yml"))
    known("github.yml", workflow, ["name", True, "jobs"])  # True: the word "on"
    artifacts = []
    (name, job), = workflow["jobs"].items()
    known(name, job, ["runs-on", "container", "env", "steps"])
    r = runner(folder, {k: v.replace("${{ github.workspace }}", folder) for k, v in job["env"].items()}, *how)
    if job["steps"][0] != {"uses": "actions/checkout@v4"}:
        fail("github.yml: the first step is not the checkout")
    for step in job["steps"][1:]:
        known(name, step, ["name", "run", "if", "uses", "with"])
        if step.get("if") not in (None, "success() || failure()"):
            fail(f"github.yml: this test does not know when {step['if']} is true")
        if r.failed and "if" not in step:
            continue
        if "run" in step:
            r.failed |= not r.run(step["run"])
        elif step["uses"] == "actions/upload-artifact@v4":
            artifacts += step["with"]["path"].split()
        else:
            fail(f"github.yml: this test does not know {step['uses']}")
    return r, artifacts, "reports/tests.xml", None


def gitlab(folder, *how):
    (name, job), = yaml.safe_load(open(f"{EXAMPLE}/gitlab-ci.yml")).items()
    known(name, job, ["image", "variables", "script", "after_script", "coverage", "artifacts"])
    known("artifacts", job["artifacts"], ["when", "paths", "reports"])
    r = runner(folder, {k: v.replace("$CI_PROJECT_DIR", folder) for k, v in job["variables"].items()}, *how)
    r.failed = not r.run("\n".join(job["script"]))
    r.run("\n".join(job["after_script"]))  # whose failure does not fail the job
    if r.failed and job["artifacts"]["when"] != "always":
        fail("gitlab-ci.yml: a job that fails has no artifacts")
    junit = job["artifacts"]["reports"]["junit"]
    return r, [*job["artifacts"]["paths"], junit], junit, job["coverage"].strip("/")


def check(service, mutant, options):
    folder = tempfile.mkdtemp(dir=options.folder)
    shutil.rmtree(folder)
    shutil.copytree(EXAMPLE, folder)
    what = f"{service.__name__}: {mutant or 'unchanged'}"
    if mutant:
        before, after, finding = MUTANTS[mutant]
        path = f"{folder}/image_statistics.hip"
        text = open(path).read()
        if text.count(before) != 1:
            fail(f"{what}: {before!r} stands {text.count(before)} times in the source")
        with open(path, "w") as f:
            f.write(text.replace(before, after))
    r, artifacts, junit, coverage = service(folder, options.shell, options.build)
    if r.failed != bool(mutant):
        fail(f"{what}: the job {'failed' if r.failed else 'passed'}\n{r.log}")
    for path in artifacts:
        path = f"{folder}/{path}"
        if not os.path.exists(path) or (os.path.isdir(path) and not os.path.exists(f"{path}/index.html")):
            fail(f"{what}: there is no {path}\n{r.log}")
    cases = {c.get("name"): c for c in xml.parse(f"{folder}/{junit}").getroot().iter("testcase")}
    wrong = {name for name, c in cases.items() if c.find("failure") is not None}
    expected = {"sum.short", "sum.long"} if mutant else set()
    if set(cases) != {"histogram", "sum.short", "sum.long"} or wrong != expected:
        fail(f"{what}: JUnit has {sorted(cases)}, of which failed: {sorted(wrong)}\n{r.log}")
    for name in wrong:
        if finding not in cases[name].findtext("system-out"):
            fail(f"{what}: JUnit's output of {name} does not say {finding}: {cases[name].findtext('system-out')}")
    # Each file is the project's own, and each line of the kernels ran: the histogram's tests have all sizes.
    record = open(f"{folder}/reports/kernels.info").read()
    sources = set(re.findall(r"^SF:(.*)$", record, re.MULTILINE))
    lines = re.findall(r"^DA:\d+,(\d+)", record, re.MULTILINE)
    if sources != {f"{folder}/image_statistics.hip"} or len(lines) < 8 or "0" in lines:
        fail(f"{what}: the coverage has {sources}, {lines}")
    if coverage and not re.search(coverage, r.log):
        fail(f"{what}: nothing in the output is the coverage: {coverage}\n{r.log}")
    print(f"{what}: {'fails' if r.failed else 'passes'}, as expected; {len(cases)} tests, {len(lines)} lines of kernels, {len(artifacts)} artifacts")


def check_page():
    """What the page shows of the project's files is in them."""
    blocks = re.findall(r"^```(sh|yaml)\n(.*?)^```$", open(f"{ROOT}/docs/ci.md").read(), re.MULTILINE | re.DOTALL)
    for kind, text in blocks:
        file = {"sh": "ci/on_model.sh", "yaml": "gitlab-ci.yml"}[kind]
        lines = [line.strip() for line in open(f"{EXAMPLE}/{file}")]
        for line in text.splitlines():
            if line.strip() not in lines:
                fail(f"docs/ci.md: {file} has no line {line.strip()}")
    if {kind for kind, _ in blocks} != {"sh", "yaml"}:
        fail("docs/ci.md shows neither script nor job")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shell", type=shlex.split, default=[])
    parser.add_argument("build", nargs="?")
    options = parser.parse_args()
    check_page()
    if options.build:
        options.build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory() as options.folder:
        for service in (github, gitlab):
            for mutant in (None, *MUTANTS):
                check(service, mutant, options)
    print("PASS")


main()
