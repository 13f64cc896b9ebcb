# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share. They run in the project's root, with BUILD in the environment."""
import functools
import json
import os
import subprocess
import tempfile

import pwsvp

BUILD = os.environ["BUILD"]
MACHINE = "configs/gpu/small.yaml"


@functools.lru_cache(None)
def code():
    return pwsvp.compile("tests/python/kernels.hip")


def command(*words, expect=0):
    """What pwsvp prints on standard error, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([os.path.join(BUILD, "bin/pwsvp"), *words, "--report", report], capture_output=True,
                              text=True, check=False)
        assert done.returncode == expect, (done.returncode, done.stderr)
        if not os.path.exists(report):
            return done.stderr, None
        with open(report, encoding="utf-8") as file:
            return done.stderr, json.load(file)
