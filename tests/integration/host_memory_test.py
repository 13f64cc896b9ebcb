#!/usr/bin/env python3
"""host_memory_test.py PWSVP PWSCC ROOT: what a run takes of the host's memory, and what it says where that is not enough."""
import os
import resource
import subprocess
import sys
import tempfile

PWSVP, _, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
MIB = 1 << 20


def pwsvp(*arguments, limit=None):
    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
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
code, _, err, small = pwsvp("run", "run.yaml")
expect(code == 0, err)
code, _, err, large = pwsvp("run", "run.yaml", "--set", "arguments.out.count=900Mi")  # 3600 MiB
expect(code == 0, err)
expect(large < small + 100 * MIB, f"a buffer of 3600 MiB of which 256 bytes are touched costs {(large - small) // MIB} MiB")

# Filled, it is on the device and for a moment on the host.
code, _, err, filled = pwsvp("run", "run.yaml", "--set", "arguments.out.count=64Mi", "--set", "arguments.out.init={constant: 1}")
expect(code == 0 and filled < small + 600 * MIB, f"256 MiB cost {(filled - small) // MIB} MiB")

# Not enough of it: for the buffer, and for the machine behind it.
for limit, message in ((1500, "more memory than the host has"), (3000, "the host cannot map 4096 MiB")):
    code, out, err, _ = pwsvp("run", "run.yaml", "--set", "arguments.out.count=512Mi", "--set", "arguments.out.init={constant: 1}",
                              limit=limit * MIB)
    expect(code == 2 and message in err, f"{limit} MiB: exit code {code}: {err}")

# Device memory beyond the host's.
with open("/proc/meminfo") as f:
    fields = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in f if "Total" in line}
host = fields["MemTotal"] + fields["SwapTotal"]
if host < 65000:
    for command in ("run", "check"):
        code, _, err, _ = pwsvp(command, "run.yaml", "--set", "machine.memory.dram.size_mib=65536")
        expect(code == 2 and "size_mib 65536 is more than the host's memory, " in err and f" {host // 100}" in err,
               f"{command}: {code}: {err} (the host has {host} MiB)")
