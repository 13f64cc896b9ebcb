#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py PWSVP ROOT [--runs N] [--most N] [TABLE...]: the tables of docs/performance.md of how time and memory grow: with work-items, compute
units, contexts and threads.

Each row has the wall-clock time of a run as its report has it (the launch alone: neither compiling nor filling buffers), per wavefront instruction,
as a ratio of the table's first row, the median of N runs, with the rows' runs in turn; and the most memory that the process had, less what a machine
with a launch of one workgroup has.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

RUN = {
    "matrix_multiply": ("launch: {{grid: [{0}, {0}], workgroup: [16, 16]}}\n"
                        "arguments:\n"
                        "  - {{name: a, type: f32, count: {1}, init: {{constant: 2}}}}\n"
                        "  - {{name: b, type: f32, count: {1}, init: {{constant: 1}}}}\n"
                        "  - {{name: c, type: f32, count: {1}}}\n"
                        "  - {{name: n, type: u32, value: {0}}}\n"),
    "vector_add": ("launch: {{grid: [{0}], workgroup: [256]}}\n"
                   "arguments:\n"
                   "  - {{name: a, type: f32, count: {0}, init: {{constant: 1}}}}\n"
                   "  - {{name: b, type: f32, count: {0}, init: {{constant: 2}}}}\n"
                   "  - {{name: c, type: f32, count: {0}}}\n"
                   "  - {{name: n, type: u32, value: {0}}}\n"),
}

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("pwsvp")
p.add_argument("root")
p.add_argument("tables", nargs="*", help="work_items, units, contexts, threads; without them: all")
p.add_argument("--runs", type=int, default=3)
p.add_argument("--most", type=int, default=10 ** 8, help="work-items of a run of functional fidelity, and a tenth of that in timing")
o = p.parse_intermixed_args()
pwsvp, root = os.path.abspath(o.pwsvp), os.path.abspath(o.root)


def size_of(kernel, work_items):
    """Its only number: edge of a square matrix in tiles of 16, or elements."""
    return max(16, round(work_items ** 0.5 / 16) * 16) if kernel == "matrix_multiply" else -(-work_items // 256) * 256


class point:
    """A row: a kernel, so many work-items, and what is set."""

    def __init__(self, title, kernel, work_items, *sets):
        self.title, self.sets, self.times = title, sets, []
        n = size_of(kernel, work_items)
        self.file = f"{kernel}_{n}.yaml"
        with open(self.file, "w") as f:
            f.write(f"machine: {root}/configs/gpu/default.yaml\nprogram: {{source: {root}/sw/kernels/{kernel}.hip, kernel: {kernel}}}\n" + RUN[kernel].format(n, n * n))
        self.memory = None

    def run(self):
        words = [pwsvp, "run", self.file, "--quiet", "--report", "report.json"]
        for s in ("machine.limits.max_cycles=0", "machine.limits.max_instructions=0", *self.sets):
            words += ["--set", s]
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{words}: exit code {child.returncode}\n{said}")
        report = json.load(open("report.json"))
        self.instructions = report["totals"]["instructions"]["value"]
        self.times.append(report["host"]["wall_clock"]["value"] / self.instructions)
        self.memory = used.ru_maxrss if self.memory is None else min(self.memory, used.ru_maxrss)

    def time(self):
        return statistics.median(self.times)


FUNCTIONAL, TIMING = "machine.fidelity=functional", "machine.fidelity=timing"
POWERS = [10 ** k for k in range(3, 9)]


def work_items():
    for fidelity, most in ((FUNCTIONAL, o.most), (TIMING, o.most // 10)):
        for kernel, part in (("matrix_multiply", 100), ("vector_add", 1)):  # a matrix of 10^8 elements is 10^12 multiplications
            yield f"{kernel}, {fidelity.split('=')[1]}, work-items", [point(f"{n:,}", kernel, n, fidelity) for n in POWERS if n <= most // part]


def units():
    for fidelity, n in ((FUNCTIONAL, 10 ** 6), (TIMING, 250000)):
        yield f"matrix_multiply, {fidelity.split('=')[1]}, compute units", [point(str(u), "matrix_multiply", n, fidelity, f"machine.n_cu={u}") for u in (1, 4, 16, 64, 256)]


def contexts():
    for kernel, n in (("matrix_multiply", 250000), ("vector_add", 10 ** 6)):
        yield f"{kernel}, timing, contexts of a SIMD unit", [point(str(c), kernel, n, TIMING, f"machine.n_wfc={c}", "machine.vgprs_per_simd=1024", "machine.sgprs_per_simd=4096")
                                                             for c in (1, 2, 5, 10, 20, 40)]


def threads():
    for kernel, n in (("matrix_multiply", 10 ** 6), ("vector_add", 10 ** 7)):
        yield f"{kernel}, functional, 64 compute units, threads", [point(str(t), kernel, n, FUNCTIONAL, "machine.n_cu=64", f"machine.threads={t}")
                                                                   for t in (1, 2, 4, 8, 16, 32) if t <= 2 * os.cpu_count()]


def compiled(row):
    """Its kernel is in the cache: the compiler's memory would count."""
    row.run()
    row.times, row.memory = [], None


def table(title, rows):
    compiled(rows[0])
    for _ in range(o.runs):
        for r in rows:
            r.run()
    what = title.rsplit(", ", 1)
    print(f"{what[0]}:\n\n| {what[1]} | wavefront instructions | time per instruction | memory, MiB |\n|---:|---:|---:|---:|")
    for r in rows:
        print(f"| {r.title} | {r.instructions:,} | {r.time() / rows[0].time():.2f} | {(r.memory - least.memory) / 1024:.0f} |")
    print(flush=True)


ALL = {"work_items": work_items, "units": units, "contexts": contexts, "threads": threads}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    least = point("", "vector_add", 256, FUNCTIONAL, "machine.n_cu=1")
    compiled(least)
    least.run()
    for name in o.tables or ALL:
        for title, rows in ALL[name]():
            table(title, rows)
