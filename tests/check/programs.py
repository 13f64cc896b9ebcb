# SPDX-License-Identifier: Apache-2.0
"""HIP programs of sw/kernels/programs and tests/hip/programs, with all checks: what the scripts of this folder have in common."""
import os
import re
import subprocess

CHECK = "--check=waits,races,init,coherence,sync,memory,streams"


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **more)


def says(source):
    """What the head of a program says of it: `// key: value`."""
    with open(source) as f:
        lines = [next(f, "") for _ in range(8)]
    return dict(m.groups() for m in (re.match(r"// (\w+): *(.*)", line) for line in lines) if m)


def flags(root, source):
    """What it is compiled with, from any folder."""
    return ["-I" + os.path.join(root, f[2:]) if f.startswith("-I") else f for f in says(source).get("flags", "").split()]
