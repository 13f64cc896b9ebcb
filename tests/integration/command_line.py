# SPDX-License-Identifier: Apache-2.0
"""What the tests of commands share: calling them, and what they have to say."""
import subprocess
import sys


def fail(text):
    sys.exit(f"FAILED: {text}")


def call(*command, code=0, says=(), stdout=subprocess.PIPE):
    """The process, which ended with `code` and said all of `says`. `stdout`: where that goes, if it is not looked at."""
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True)
    said = (r.stdout or "") + r.stderr
    if r.returncode != code:
        fail(f"{command}: exit code {r.returncode}, expected {code}\n{said}")
    for text in says:
        if text not in said:
            fail(f"{command}: does not say {text!r}:\n{said}")
    return r


def said_by(*command, code=0, says=()):
    r = call(*command, code=code, says=says)
    return r.stdout + r.stderr


def write(name, text):
    with open(name, "w") as f:
        f.write(text)
