# SPDX-License-Identifier: Apache-2.0
"""What the tests of `pwsvp debug` share: scripted sessions, and what a run says of itself."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
from command_line import fail  # noqa: E402
from schemes import ON_SPSIMD, all_schemes  # noqa: E402

PWSVP, ROOT = sys.argv[1:3]


def config(name):
    return f"{ROOT}/configs/runs/{name}.yaml"


def debug(file, commands, sets=(), code=0):
    """What a session has printed: the answer to each command, in order, and before them the beginning. `code` None: any."""
    words = [PWSVP, "debug", file]
    for s in sets:
        words += ["--set", s]
    for c in commands:
        words += ["-ex", c]
    r = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if code is not None and r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, expected {code}\n{r.stdout}")
    answers = re.split(r"^\(pwsvp\) .*\n", r.stdout, flags=re.M)
    return answers


def says(answer, *texts):
    for t in texts:
        if t not in answer:
            fail(f"does not say {t!r}:\n{answer}")


def summary(text):
    """What a run says of itself, without what depends on the host."""
    return [l for l in text.splitlines() if re.match(r"  \w|PASS|FAIL", l) and not l.startswith("  host")]


def run(file, sets=()):
    words = [PWSVP, "run", file]
    for s in sets:
        words += ["--set", s]
    r = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = summary(r.stdout)
    if not any(l.startswith("  instructions") for l in found):
        fail(f"{words}:\n{r.stdout}")
    return found


def of_scheme(scheme):
    """The machine on which a scheme has what it needs."""
    sets = [f"machine={ROOT}/configs/gpu/default.yaml", f"machine.divergence={scheme}"]
    if scheme in ON_SPSIMD:
        sets.append("machine.spsimd_per_simd=2")
    return sets


SCHEMES = all_schemes(PWSVP)
FIDELITIES = ("machine.fidelity=timing", "machine.fidelity=functional")


# Functions that kernels of tests begin with: one that is called, of lines 2 to 5, and one that is inlined, of line 6.
FUNCTIONS = """#include <hip/hip_runtime.h>
__device__ __attribute__((noinline)) int twice(int x) {
  int y = x * 3;
  return y - x;
}
__device__ inline int plus(int x) { return x + 5; }
"""
