#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""registers_test.py PWSVP ROOT COMPILER: docs/registers.md is what pwsvp says of the registers. The C header for drivers compiles without a
warning as C99, for firmware too, and as C++. Each of its macros has the value that the table has, and there are no others."""
import json
import os
import re
import subprocess
import sys
import tempfile

PWSVP, ROOT, COMPILER = sys.argv[1:]
os.chdir(tempfile.mkdtemp())


def fail(text):
    sys.exit(f"FAILED: {text}")


def run(*command, code=0):
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode != code:
        fail(f"{command}: exit code {r.returncode}, expected {code}\n{r.stdout}{r.stderr}")
    return r.stdout if code == 0 else r.stderr


def reference(*options):
    return run(PWSVP, "reference", "registers", *options)


if reference("--markdown") != open(f"{ROOT}/docs/registers.md").read():
    fail("docs/registers.md: run pwsvp reference registers --markdown > docs/registers.md")

header = reference("--c-header")
open("gpu_registers.h", "w").write(header)
entries = json.loads(reference("--json"))["registers"]["entries"]

# What each macro has to be, by the table: an expression of C, and its value.
expected = {"PWSGPU_QUEUE_COUNT": 256, "PWSGPU_SIZE": 0x1000 + 256 * 0x100}
macros = {"PWSVP_GPU_REGISTERS_H", "PWSGPU_QUEUE_COUNT", "PWSGPU_SIZE"}
for e in entries:
    name = "PWSGPU_" + e["register"].replace(".", "_").upper()
    if e["offset"]:
        macros.add(name)
        variables = [v for v in ("queue", "word") if v in e["offset"]]
        for queue, word in ((0, 0), (255, 2)):
            arguments = f"({', '.join(str({'queue': queue, 'word': word}[v]) + ' + 0' for v in variables)})" if variables else ""
            expected[name + arguments] = eval(e["offset"], {"queue": queue, "word": word})
        if "word" in variables:
            macros.add(f"{name}_WORDS")
        if e["reset"] != "configured":
            macros.add(f"{name}_RESET")
            expected[f"{name}_RESET"] = int(e["reset"], 0)
    elif e["bits"]:
        high, _, low = e["bits"].split()[1].partition(":")
        low = int(low or high)
        macros |= {f"{name}_SHIFT", f"{name}_MASK"}
        expected[f"{name}_SHIFT"] = low
        expected[f"{name}_MASK"] = (1 << int(high) + 1) - (1 << low)
    else:
        macros.add(name)
        expected[name] = int(e["value"])

defined = set(re.findall(r"^#define (\w+)", header, re.M))
if defined != macros:
    fail(f"macros of the header and of the table: {sorted(defined ^ macros)}")

lines = "\n".join(f'  printf("{e} = %llu\\n", (unsigned long long)({e}));' for e in expected)
program = f'#include <stdio.h>\n#include "gpu_registers.h"\n#include "gpu_registers.h"\n\nint main(void) {{\n{lines}\n  return 0;\n}}\n'
open("program.c", "w").write(program)
strict = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wundef")
for language in (("-x", "c", "-std=c99"), ("-x", "c++", "-std=c++17")):
    run(COMPILER, *language, *strict, "program.c", "-o", "program")
    said = dict(line.split(" = ") for line in run("./program").splitlines())
    for expression, value in expected.items():
        if int(said[expression]) != value:
            fail(f"{expression}: {said[expression]} in the header, {value} in the table")
# Firmware without a C library, and the preprocessor alone.
open("firmware.c", "w").write(
    '#include "gpu_registers.h"\n#if PWSGPU_QUEUE_COUNT != 256u || PWSGPU_ID_RESET >> PWSGPU_ID_DEVICE_SHIFT != 1\n#error "values"\n#endif\n'
    "typedef volatile unsigned long long gpu_register;\n"
    "int start(unsigned char *gpu, unsigned queue, unsigned long long packet);\n"
    "int start(unsigned char *gpu, unsigned queue, unsigned long long packet) {\n"
    "  if (*(gpu_register *)(void *)(gpu + PWSGPU_STATUS) & PWSGPU_STATUS_HALTED_MASK) return -1;\n"
    "  *(gpu_register *)(void *)(gpu + PWSGPU_QUEUE_DOORBELL(queue)) = packet;\n  return 0;\n}\n")
run(COMPILER, "-x", "c", "-std=c99", *strict, "-ffreestanding", "-nostdinc", "-c", "firmware.c", "-o", "firmware.o")

for options, text in ((("reference", "--c-header"), "--c-header is for `pwsvp reference registers` alone"),
                      (("reference", "signals", "--markdown"), "--markdown is for `pwsvp reference registers` alone"),
                      (("reference", "registers", "--c-header", "--json"), "excludes"),
                      (("reference", "registers", "--markdown", "--c-header"), "excludes"),
                      (("reference", "registers", "--markdown", "--json"), "excludes")):
    said = run(PWSVP, *options, code=2)
    if text not in said:
        fail(f"{options}: {said}")
print(f"{len(entries)} entries, {len(expected)} values of macros")
