# SPDX-License-Identifier: Apache-2.0
"""How many times slower this machine is than the one for which budgets.txt was written."""
import time
import zlib

REFERENCE = 0.09  # seconds of processor time
TURNS = 4         # of which the work consists


def turn():
    """How many times longer a turn takes than on that machine."""
    began = time.process_time()
    zlib.decompress(zlib.compress(bytes(range(256)) * 4096, 6))
    total = 0
    for k in range(375_000):
        total = (total * 31 + k) & 0xFFFFFFFF
    return (time.process_time() - began) * TURNS / REFERENCE


def slowness(during=()):
    """By the middle one of five pieces of fixed work, which other work on the machine makes slower as it does a test; 1 at least. `during`:
    turns that were taken while the test ran. Where they took longer than that in the mean, that counts."""
    after = sorted(sum(turn() for _ in range(TURNS)) / TURNS for _ in range(5))[2]
    return max(1.0, after, sum(during) / len(during) if during else 0.0)
