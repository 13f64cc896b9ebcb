#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""own_instruction_test.py BUILD ROOT: docs/own_instructions.md, followed: its pieces of code put where it says into a copy of the files that it names,
those compiled and linked with the rest of the build, the tests of instructions and the page's program run with that. BUILD has pwsvp, pwscc and
test_isa."""
import atexit
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

BUILD, ROOT = (os.path.abspath(a) for a in sys.argv[1:3])
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
PAGE = open(f"{ROOT}/docs/own_instructions.md").read()
ENVIRONMENT = dict(os.environ, PWSVP_HOME=f"{FOLDER}/home")
LEVELS = f"{BUILD}/levels/lane_levels.def"
if os.path.exists(LEVELS):  # the row is compiled for the lowest level alone
    ENVIRONMENT["PWSVP_PROCESSOR"] = re.search(r'base, "([^"]*)"', open(LEVELS).read()).group(1)


def fail(what):
    sys.exit(f"FAILED: {what}")


def run(command, code=0, says=(), cwd=FOLDER):
    r = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT)
    if r.returncode != code:
        fail(f"{command}: exit code {r.returncode}\n{r.stdout[-4000:]}{r.stderr[-4000:]}")
    for words in says:
        if words not in r.stdout + r.stderr:
            fail(f"{command} does not say {words!r}:\n{r.stdout}{r.stderr}")
    return r.stdout


# ---- The page's pieces of code, each with the place that the sentence in front of it names.
EDIT = re.compile(r"In\s+`([^`]+)`,\s+below\s+the\s+line\s+with\s+`([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
NEW_FILE = re.compile(r"In\s+a\s+new\s+file\s+`([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
edits, files = EDIT.findall(PAGE), dict(NEW_FILE.findall(PAGE))
blocks = len(re.findall(r"^```(?:cpp|asm|yaml)$", PAGE, re.MULTILINE))
if len(edits) + len(files) != blocks or len(edits) != 4 or set(files) != {"hamming.hip", "hamming.yaml"}:
    fail(f"{blocks} pieces of code, of them {len(edits)} with a place in the sources and {sorted(files)}")

copy = f"{FOLDER}/copy"
for file, line, code in edits:
    place = f"{copy}/{file}"
    if not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(f"{ROOT}/{file}", place)
    lines = open(place).read().splitlines(keepends=True)
    found = [k for k, text in enumerate(lines) if line in text]
    if len(found) != 1:
        fail(f"{file} has {len(found)} lines with {line}")
    lines.insert(found[0] + 1, code)
    open(place, "w").write("".join(lines))
for file, code in files.items():
    open(f"{FOLDER}/{file}", "w").write(code)
with open(f"{FOLDER}/hamming.bin", "wb") as f:
    for i in range(1000):
        d = bin(i ^ 3 * i).count("1")
        f.write(struct.pack("<I", d if i % 2 == 0 else bin(d + i).count("1") + i))

# ---- Built: the changed sources, without optimisation, and the rest as it is. Test sources that include the changed header are changed with it.
commands = {}  # of what is compiled for several levels, that for the lowest
for entry in json.load(open(f"{BUILD}/compile_commands.json")):
    commands.setdefault(entry["file"], entry)
changed = [file for file, _, _ in edits if file.endswith(".cpp")] + ["tests/isa/roundtrip_test.cpp"]


def in_copy(path):
    """A file's changed form, if it has one."""
    changed_form = f"{copy}/{os.path.relpath(path, ROOT)}"
    return changed_form if os.path.exists(changed_form) else path


INCLUDED = re.compile(r'(?<=#include ")[^"]*(?=")')
batches = {path: open(path).read() for path in commands if "/Unity/" in path}
compiled = {}  # by what the build compiles: a source, or a batch of them
for file in changed:
    path = f"{ROOT}/{file}"
    if path in commands:
        compiled[path] = in_copy(path)
        continue
    batch = next((b for b, text in batches.items() if path in INCLUDED.findall(text)), None)
    if batch is None:
        fail(f"the build compiles no {file}")
    compiled[batch] = f"{FOLDER}/batch_{len(compiled)}.cxx" if batch not in compiled else compiled[batch]
    open(compiled[batch], "w").write(INCLUDED.sub(lambda m: in_copy(m[0]), batches[batch]))
processes, objects = [], {}  # objects: of those of the build, the changed ones
for path, source in compiled.items():
    words = shlex.split(commands[path]["command"])
    at = words.index("-o") + 1
    words[at], of_the_build = f"{FOLDER}/{len(objects)}.o", words[at]
    objects[of_the_build] = words[at]
    words[words.index("-c") + 1] = source
    if words[0].endswith("ccache"):
        del words[0]
    words[1:1] = [f"-I{copy}"]
    processes.append((source, subprocess.Popen(words + ["-O0"], cwd=commands[path]["directory"], stderr=subprocess.PIPE, text=True)))
for source, process in processes:
    _, errors = process.communicate()
    if process.returncode != 0:
        fail(f"{source} with the page's code does not compile:\n{errors}")


def link(target, output):
    """As ninja links it, with the changed objects: in the place of the build's, or in front of the library that has those."""
    commands = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    line = [c for c in commands.splitlines() if f" -o {target} " in c][-1].split(" && ")[1]
    in_front = []
    for of_the_build, made in objects.items():
        library = "/lib" + re.search(r"CMakeFiles/(.*?)\.dir/", of_the_build)[1] + ".a"
        if f" {of_the_build} " in line:
            line = line.replace(f" {of_the_build} ", f" {made} ")
        elif library in line:
            in_front.append(made)
    line = line.replace(f" -o {target} ", f" {' '.join(in_front)} -o {output} ")
    subprocess.run(line, shell=True, check=True, cwd=BUILD)


home = f"{FOLDER}/home"
os.makedirs(f"{home}/bin")
os.symlink(f"{BUILD}/lib", f"{home}/lib")
shutil.copytree(f"{BUILD}/include", f"{home}/include")
shutil.copy(f"{copy}/sw/include/pws.inc", f"{home}/include/pwsvp/pws.inc")
test_isa = run(["ninja", "-C", BUILD, "-t", "query", "test_isa"]).split()
test_isa = next(w for w in test_isa if w.endswith("/test_isa"))
link("bin/pwsvp", f"{home}/bin/pwsvp")
link(test_isa, f"{FOLDER}/test_isa")

# ---- The tests of instructions know it and it passes them.
run([f"{FOLDER}/test_isa", "--gtest_filter=roundtrip.*:opcode_space.*:operation.*:rows/vector_row.*v_hamming_u32:vector_rows.*"], says=["] rows/vector_row.matches_its_reference/v_hamming_u32 (", "[  PASSED  ]"])

# ---- The program.
pwsvp = f"{home}/bin/pwsvp"
shown = re.findall(r"^\$ (pwsvp .*)$", PAGE, re.MULTILINE)
if len(shown) != 4:
    fail(f"the page has {len(shown)} commands")
for command in shown:
    words = shlex.split(command)
    run([pwsvp] + words[1:], says=["PASS"] if words[1] == "run" else ["v_hamming_u32 v"])
# A machine without the row stops at it, by its words.
r = subprocess.run([f"{BUILD}/bin/pwsvp", "run", "hamming.yaml"], capture_output=True, text=True, cwd=FOLDER, env=ENVIRONMENT)
if r.returncode != 1 or "illegal instruction 0xd2f000" not in r.stdout + r.stderr:
    fail(f"without the row: {r.returncode}\n{r.stdout}{r.stderr}")
print("PASS")
