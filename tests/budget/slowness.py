#!/usr/bin/env python3
"""Prints how many times slower this machine is than the one for which budgets.txt was written: the least of five turns of fixed work."""
import time
import zlib

REFERENCE = 0.09  # seconds


def work():
    began = time.process_time()
    data = bytes(range(256)) * 4096
    for _ in range(4):
        data = zlib.decompress(zlib.compress(data, 6))
    total = 0
    for k in range(1_500_000):
        total = (total * 31 + k) & 0xFFFFFFFF
    return time.process_time() - began


print(f"{min(work() for _ in range(5)) / REFERENCE:.2f}")
