# SPDX-License-Identifier: Apache-2.0
"""How many times slower this machine is than the one for which budgets.txt was written."""
import time
import zlib

REFERENCE = 0.09  # seconds of processor time


def work():
    began = time.process_time()
    data = bytes(range(256)) * 4096
    for _ in range(4):
        data = zlib.decompress(zlib.compress(data, 6))
    total = 0
    for k in range(1_500_000):
        total = (total * 31 + k) & 0xFFFFFFFF
    return time.process_time() - began


def slowness():
    """By the middle one of five turns of fixed work, which other work on the machine makes slower as it does a test; 1 at least."""
    return max(1.0, sorted(work() for _ in range(5))[2] / REFERENCE)
