#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The divergence schemes, as `pwsvp params` lists them: a new one is in the tests that are about all of them.

schemes.py PWSVP: prints those that act at split and merge."""
import functools
import json
import subprocess
import sys

FORMING_WARPS = ("pdom", "naive", "dwf", "mimd")
ON_SPSIMD = ("pws", "pws-mode", "dws")  # do something with machine.spsimd_per_simd only


@functools.lru_cache(maxsize=None)
def all_schemes(pwsvp):
    schema = subprocess.run([pwsvp, "params", "--schema", "machine"], stdout=subprocess.PIPE, check=True).stdout
    return tuple(json.loads(schema)["properties"]["divergence"]["enum"])


def at_split_and_merge(pwsvp):
    others = ("none", "pws-mode", *FORMING_WARPS)
    return tuple(s for s in all_schemes(pwsvp) if s not in others)


if __name__ == "__main__":
    print(*at_split_and_merge(sys.argv[1]))
