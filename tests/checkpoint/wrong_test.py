#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_test.py PWSVP ROOT: checkpoints of other runs, damaged ones and wishes that cannot be met are refused, and say why.

PWS_DAMAGED=N: so many damaged states."""
import hashlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
from command_line import fail  # noqa: E402

PWSVP, ROOT = sys.argv[1:3]
DAMAGED = int(os.environ.get("PWS_DAMAGED", "60"))
RUN = f"{ROOT}/configs/runs/two_stage_sum.yaml"
folder = tempfile.TemporaryDirectory()
out = pathlib.Path(folder.name)
FUNCTIONAL = ["--set", "machine.fidelity=functional"]


def run(*words, file=RUN, timeout=600):
    return subprocess.run([PWSVP, "run", file, "--quiet", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=timeout)


def refuses(*words, says, file=RUN, code=2):
    r = run(*words, file=file)
    if r.returncode != code:
        fail(f"{words}: exit code {r.returncode}, expected {code}\n{r.stdout}")
    for text in says if isinstance(says, list) else [says]:
        if text not in r.stdout:
            fail(f"{words}: does not say {text!r}\n{r.stdout}")


def passes(*words, file=RUN):
    r = run(*words, file=file)
    if r.returncode != 0:
        fail(f"{words}: exit code {r.returncode}\n{r.stdout}")


# ---- Wishes
file = out / "a.checkpoint"
save = ["--checkpoint", file]
for at in ("0", "x", "", "1+", "+5", "1+0", "-1", "2+-3", "1 ", "99999999999999999999", "1+1+1"):
    refuses("--checkpoint-at", at, *save, says="a launch is expected")
refuses("--checkpoint-at", "4", *save, says="the run has 2 launches")
refuses("--checkpoint-at", "3+1", *FUNCTIONAL, *save, says="the run has 2 launches")
refuses("--checkpoint-at", "1+5", *save, says=["functional fidelity alone", "machine.fidelity"])
refuses("--checkpoint-at", "1+100000000", *FUNCTIONAL, *save, says=["has not come there", "nothing is saved"])
refuses("--checkpoint-at", "1", "--checkpoint", "", says="--checkpoint: a file is expected")
refuses("--restore", "", says="--restore: a file is expected")
refuses("--checkpoint-at", "1", says="--checkpoint", code=2)
refuses(*save, says="--checkpoint-at")
refuses("--checkpoint-at", "1", "--checkpoint", out / "no" / "x", "--report", out / "no" / "x", says="same file")
refuses("--checkpoint-at", "1", "--checkpoint", "/proc/x", says="/proc/x")
if file.exists():
    fail("a checkpoint that was refused is there")
for mode in ("rtl", "lockstep"):
    refuses("--checkpoint-at", "1", *save, "--set", f"machine.cosim.mode={mode}", "--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1",
            says=["RTL", "machine.cosim.mode"])

# ---- Files
passes("--checkpoint-at", "2", *save)
good = file.read_bytes()
passes("--restore", file)
refuses("--restore", out / "none", says="cannot be read: No such file")
refuses("--restore", out, says="cannot be read")
refuses("--restore", RUN, says="is no checkpoint of pwsvp")
refuses("--restore", file, *save, "--checkpoint-at", "3", says=str(file))
other = out / "other.checkpoint"
for n in (0, 5, 17, 19, 30, 100, len(good) // 2, len(good) - 1):
    other.write_bytes(good[:n])
    refuses("--restore", other, says=["is no checkpoint"] if n < 17 else ["is damaged"])
other.write_bytes(good + b"\n")
refuses("--restore", other, says="is damaged: its checksum")
other.write_bytes(good.replace(b"pwsvp checkpoint 1\n", b"pwsvp checkpoint 2\n", 1))
refuses("--restore", other, says=["has version 2 of the format", "reads version 1"])
for place in (25, len(good) // 3, len(good) - 70, len(good) - 1):
    other.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
    refuses("--restore", other, says="is damaged")


# ---- States that are damaged, and the checksum is right: refused, or a run that ends. The first bytes are the part with the most numbers in it.
def with_checksum(contents):
    return contents + hashlib.sha256(contents).hexdigest().encode()


generator = random.Random(11)
for name, at in (("between", "2"), ("within", "1+700")):
    passes("--checkpoint-at", at, *save, *FUNCTIONAL)
    body = file.read_bytes()[:-64]
    begin = body.index(b"\n", body.index(b"\n") + 1) + 1
    outcomes = set()
    for n in range(DAMAGED):
        damaged = bytearray(body)
        for _ in range(generator.choice((1, 1, 3))):
            place = generator.randrange(begin, len(body))
            damaged[place] = generator.choice((0, 1, 0x7F, 0xFF, damaged[place] ^ (1 << generator.randrange(8))))
        if n % 10 == 0:
            damaged = damaged[:generator.randrange(begin, len(body))]
        other.write_bytes(with_checksum(bytes(damaged)))
        r = run("--restore", other, *FUNCTIONAL, "--set", "machine.limits.max_instructions=1000000")
        if r.returncode not in (0, 1, 2):
            fail(f"{name}, damaged {n}: exit code {r.returncode}\n{r.stdout}")
        outcomes.add(r.returncode)
    if 2 not in outcomes:
        fail(f"{name}: no damage has been noticed")

# ---- Other runs
passes("--checkpoint-at", "2", *save)
refuses("--restore", file, "--set", "machine.memory.l2.bank.size_kib=128", "--set", "machine.n_cu=2",
        says=["it is of another run", "machine.n_cu: it was 4, and is 2", "machine.memory.l2.bank.size_kib: it was 256, and is 128"])
refuses("--restore", file, "--set", "program.flags=[-O1]", says=["it is of another run", "program: "])
refuses("--restore", file, "--set", "arguments.0.count=1001", says="arguments.input: it was buffer of 1000 i32, and is buffer of 1001 i32")
refuses("--restore", file, "--set", "launches.0.launch.blocks=3", says=["launch 1: it was reduction(input, partial, n), grid 1024x1x1", "grid 768x1x1"])
refuses("--restore", file, "--check=races", says="a check (machine.check) has to see the run from its beginning")
refuses("--restore", file, "--checkpoint-at", "2", "--checkpoint", other, says="the run goes on before launch 2")
# What only watches may be another one, and launches to come.
passes("--restore", file, "--set", "machine.limits.max_cycles=100000", "--set", "machine.fidelity=functional")
passes("--restore", file, "--set", "arguments.0.init={constant: 3}")
passes("--restore", file, "--set", "launches.1.launch.blocks=1")
passes("--checkpoint-at", "2", *save, "--check=races,init,memory")
passes("--restore", file)
passes("--checkpoint-at", "1+400", *save, *FUNCTIONAL)
refuses("--restore", file, says=["machine.fidelity: it was functional, and is timing"])
first = file.read_bytes()
passes("--checkpoint-at", "1+400", *save, *FUNCTIONAL)
if file.read_bytes() != first:
    fail("the same run gives another checkpoint")
r = subprocess.run([PWSVP, "run", RUN, "--restore", str(file), *FUNCTIONAL, "--profile", str(out / "profile.html")], stdout=subprocess.PIPE, text=True)
if "--profile: only of what has run since the checkpoint" not in r.stdout or f"restored     {file}: in launch 1, behind 400 instructions" not in r.stdout:
    fail(r.stdout)

# ---- What the document shows
document = open(f"{ROOT}/docs/checkpoints.md").read()
commands = re.findall(r"^\$ pwsvp (.*)$", document, re.M)
for command in commands:
    r = subprocess.run([PWSVP, *[str(out / "sum") if w.startswith("out/") else w for w in command.split()]], cwd=ROOT, stdout=subprocess.PIPE, text=True)
lines = re.search(r"^\$ pwsvp run [^\n]*--restore[^\n]*\n(.*?)^```$", document, re.M | re.S).group(1).splitlines()
for line in lines:
    if line != "  ..." and line.replace("out/sum.checkpoint", str(out / "sum")) not in r.stdout.splitlines():
        fail(f"docs/checkpoints.md says {line!r}\n{r.stdout}")
print("wrong checkpoints are refused")
