#!/usr/bin/env python3
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


ROWS = "models/isa/rows/rows_vop3.cpp"


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
if len(edits) + len(files) != blocks or len(edits) != 5 or set(files) != {"hamming.hip", "hamming.yaml"}:
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
commands = {e["file"]: e for e in json.load(open(f"{BUILD}/compile_commands.json"))}
changed = [file for file, _, _ in edits if file.endswith(".cpp")] + ["tests/isa/roundtrip_test.cpp"]
processes, objects = [], {}
for file in changed:
    entry = commands[f"{ROOT}/{file}"]
    words = shlex.split(entry["command"])
    objects[file] = f"{FOLDER}/{os.path.basename(file)}.o"
    source = f"{copy}/{file}" if os.path.exists(f"{copy}/{file}") else f"{ROOT}/{file}"
    words[words.index("-o") + 1] = objects[file]
    words[words.index("-c") + 1] = source
    if "-include" in words:  # precompiled with other flags
        at = words.index("-include")
        del words[at:at + 2]
    if words[0].endswith("ccache"):
        del words[0]
    words[1:1] = [f"-I{copy}"]
    processes.append((file, subprocess.Popen(words + ["-O0"], cwd=entry["directory"], stderr=subprocess.PIPE, text=True)))
for file, process in processes:
    _, errors = process.communicate()
    if process.returncode != 0:
        fail(f"{file} with the page's code does not compile:\n{errors}")


def link(target, output):
    """As ninja links it, with the changed objects: tests in the place of their own, the rows in front of the library that has others."""
    commands = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    line = [c for c in commands.splitlines() if f" -o {target} " in c][-1].replace(f" -o {target} ", f" {objects[ROWS]} -o {output} ")
    for file, made in objects.items():
        if file != ROWS:
            line = re.sub(rf" \S*/{re.escape(os.path.basename(file))}\.o(?= )", f" {made}", line)
    subprocess.run(line.split(" && ")[1], shell=True, check=True, cwd=BUILD)


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
