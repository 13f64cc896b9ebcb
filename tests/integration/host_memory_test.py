#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""host_memory_test.py PWSVP PWSCC ROOT: what a run takes of the host's memory, and what it says where that is not enough."""
import os
import re
import resource
import subprocess
import sys
import tempfile

PWSVP, _, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
MIB = 1 << 20


def pwsvp(*arguments, limit=None, of=resource.RLIMIT_AS):
    def before():
        if limit is not None:
            resource.setrlimit(of, (limit, limit))
    p = subprocess.Popen([PWSVP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=before)
    out, err = p.stdout.read(), p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    return os.waitstatus_to_exitcode(status), out, err, usage.ru_maxrss * 1024


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


# A kernel that touches 64 elements of a buffer.
with open("run.yaml", "w") as f:
    f.write(f"""machine: {{base: {ROOT}/configs/gpu/default.yaml, memory: {{dram: {{size_mib: 4096}}}}}}
program: {{source: {ROOT}/tests/integration/data/errors.hip, kernel: good}}
launch: {{grid: 64, workgroup: 64}}
arguments: [{{name: out, type: u32, count: 64, init: {{constant: 0}}}}]
""")
HUGE = ["--set", "arguments.out.count=900Mi"]  # 3600 MiB
for command in ("run", "wcet"):
    machine = ["--set", f"machine={{base: {ROOT}/configs/gpu/predictable.yaml, memory: {{dram: {{size_mib: 4096}}}}}}"] if command == "wcet" else []
    # Compiled before, or what the compiler takes would be measured.
    for _ in range(2):
        code, _, err, small = pwsvp(command, "run.yaml", *machine)
        expect(code == 0, err)
    for init in ("{constant: 0}", "none", "{constant: 7}"):
        code, out, err, large = pwsvp(command, "run.yaml", *HUGE, *machine, "--set", f"arguments.out.init={init}")
        expect(code == 0, err + out)
        print(f"{command}, {init}: {small // MIB} MiB, with the buffer {large // MIB}")
        expect(large < small + 16 * MIB, f"{command}: a buffer of 3600 MiB with init {init} of which 256 bytes are touched costs {(large - small) // MIB} MiB")

# What a kernel finds in such a buffer, beside what it has written.
for kind, value, bits in (("u32", "none", "0x7ffadbad"), ("u32", "{constant: 0x12345678}", "0x12345678"), ("i16", "{constant: -2}", "-2"),
                          ("u8", "{constant: 200}", "200"), ("f32", "{constant: 1.5}", "1.5"), ("f64", "{constant: 1.5}", "1.5")):
    with open("filled.yaml", "w") as f:
        f.write(f"""machine: {ROOT}/configs/gpu/default.yaml
program: {{source: {ROOT}/tests/integration/data/errors.hip, kernel: good}}
launch: {{grid: 64, workgroup: 64}}
arguments: [{{name: out, type: {kind}, count: 1048579, init: {value}}}]
expect: {{out: {{first: 64, constant: {bits}}}}}
""")
    first = 64 * 4 // {"u32": 4, "f32": 4, "i16": 2, "u8": 1, "f64": 8}[kind]  # the kernel writes 64 dwords
    code, out, err, _ = pwsvp("run", "filled.yaml", "--set", f"expect.out.first={first}")
    expect(code == 0, f"{kind} {value}: {out}{err}")
    code, out, err, _ = pwsvp("run", "filled.yaml", "--set", f"expect.out.first={first - 1}")
    expect(code == 1, f"{kind} {value}: the last element that the kernel writes is as it was: {out}{err}")

# Filled with numbers, it is on the device and for a moment on the host.
RANDOM = "arguments.out.init={random: {seed: 1, max: 9}}"
code, _, err, filled = pwsvp("run", "run.yaml", "--set", "arguments.out.count=64Mi", "--set", RANDOM)
expect(code == 0 and filled < small + 600 * MIB, f"256 MiB cost {(filled - small) // MIB} MiB")

# Not enough of it: for the buffer, and for the machine behind it.
for limit, message in ((1500, "more memory than the host has"), (3000, "the host cannot map 4096 MiB")):
    code, out, err, _ = pwsvp("run", "run.yaml", "--set", "arguments.out.count=512Mi", "--set", RANDOM, limit=limit * MIB)
    expect(code == 2 and message in err, f"{limit} MiB: exit code {code}: {err}")

# A machine that no host has room for, and one that fits but not into the limit of address space or data: both numbers.
# Whatever builds machines says so, and `check` of whatever describes one.
TOO_LARGE = {"n_cu": 256, "n_simd": 16, "n_wfc": 1024, "divergence": "pws", "spsimd_per_simd": 63}
LARGE = {"n_cu": 256, "vgprs_per_simd": 4096}
with open("small.yaml", "w") as f:
    f.write("{memory: {dram: {size_mib: 64}}}")
with open("exec.yaml", "w") as f:
    f.write("{machine: small.yaml, exec: {summary: false}}")


def refused(arguments, within="", **limits):
    code, out, err, took = pwsvp(*arguments, **limits)
    said = re.search(r"the machine takes (\d+) MiB of the host's memory at least \(256 compute units of .*\), and (\d+) MiB are left(.*)", err)
    expect(code == 2 and said and int(said[1]) > int(said[2]), f"{arguments}: {code}: {out}{err}")
    expect(within in said[3], f"{arguments}: {err}")
    expect(took < 200 * MIB, f"{arguments}: {took // MIB} MiB before it is refused")
    return said[1]


def settings(machine, prefix):
    return [word for key, value in machine.items() for word in ("--set", f"{prefix}{key}={value}")]


for machine, within, limits in ((TOO_LARGE, "", {}), (LARGE, " within the limit of address space (RLIMIT_AS)", {"limit": 1100 * MIB}),
                                (LARGE, " within the limit of data (RLIMIT_DATA)", {"limit": 1000 * MIB, "of": resource.RLIMIT_DATA})):
    of_run = settings({**machine, "memory.dram.size_mib": 64}, "machine.")
    needs = {refused(command, within, **limits)
             for command in (["run", "run.yaml", *of_run], ["run", "run.yaml", *of_run, "--set", "machine.fidelity=functional"],
                             ["check", "run.yaml", *of_run], ["check", "small.yaml", *settings(machine, "")],
                             ["check", "exec.yaml", *settings(machine, "machine.")])}
    expect(len(needs) == 1, f"the same machine, and it takes {needs} MiB")
    if machine is TOO_LARGE:
        with open("run.yaml") as f:
            text = f.read()
        with open("large.yaml", "w") as f:
            f.write(f"base: {ROOT}/configs/gpu/default.yaml\n" + "".join(f"{key}: {value}\n" for key, value in machine.items()))
        with open("point.yaml", "w") as f:
            f.write(text.replace(text.splitlines()[0], "machine: large.yaml"))
        with open("experiment.yaml", "w") as f:
            f.write("{title: Large, command: run, config: point.yaml, axes: [{name: n, key: machine.n_wfc, values: [1024, 1023]}], measures: {c: cycles}}")
        refused(["check", "experiment.yaml"])
        code, _, err, _ = pwsvp("check", "experiment.yaml")
        expect("at n = 1024:" in err, err)
# Device memory that is mapped beside the machine counts in the address space.
refused(["run", "run.yaml", *settings({**LARGE, "memory.dram.size_mib": 1024}, "machine.")], "RLIMIT_AS", limit=2000 * MIB)

# Device memory beyond the host's.
with open("/proc/meminfo") as f:
    fields = {line.split(":")[0]: int(line.split()[1]) for line in f if "Total" in line}
host = (fields["MemTotal"] + fields["SwapTotal"]) // 1024
if host < 65000:
    for command in ("run", "check"):
        code, _, err, _ = pwsvp(command, "run.yaml", "--set", "machine.memory.dram.size_mib=65536")
        said = re.search(r"size_mib 65536 is more than the host's memory, (\d+) MiB with swap(.*)", err)
        expect(code == 2 and said and (int(said[1]) == host or "control group" in said[2]), f"{command}: {code}: {err} (the host has {host} MiB)")
