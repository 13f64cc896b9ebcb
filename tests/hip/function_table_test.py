#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""function_table_test.py CXX ROOT [FOLDER]: docs/hip-functions.md has every function of HIP's headers of 5.2 and of 5.7, each with a test
that shows what it says of it, and every error code of the headers is provoked by a conformance program or has its reason there. The headers
are those that are installed, or in FOLDER/hip; what the other version declares is in declared_functions.txt, which is held against these.

works, different: the test's source calls it; different says what. refused: the test has it among those that give
hipErrorNotSupported. absent: the test has it among those that no library has."""
import pathlib
import re
import subprocess
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
folder = ["-isystem", sys.argv[3]] if len(sys.argv) > 3 else []
problems = []

# ---- what the headers declare
include = "#include <hip/hip_version.h>\nVERSION HIP_VERSION_MAJOR HIP_VERSION_MINOR\n"
include += "#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n#include <hip/hip_ext.h>\n"
text = subprocess.run([compiler, "-E", "-D__HIP_PLATFORM_AMD__", *folder, "-x", "c++", "-"], input=include, capture_output=True, text=True,
                      check=True).stdout
version = ".".join(re.search(r"^VERSION (\d+) (\d+)$", text, re.M).groups())
lines, ours = [], False
for line in text.splitlines():
    if marker := re.match(r'# \d+ "([^"]*)"', line):
        ours = "/hip/" in marker.group(1)
    elif ours:
        lines.append(line)
text = "\n".join(lines)
kind = r"(?:hipError_t|hiprtcResult|int|const char\s*\*|hipChannelFormatDesc|void)"
declared = set(re.findall(rf"^[^(\n=;]*?\b{kind}\s+\*?((?:hip|hiprtc)[A-Z_]\w*)\s*\(", text, re.M))
codes = set(re.findall(r"\b(hip(?:Success|Error\w+))\s*=\s*\d+", text))
if len(declared) < 390 or len(codes) < 70:
    sys.exit(f"FAILED: {len(declared)} functions and {len(codes)} error codes found in the headers")

# ---- what the other version's headers declare
every, of_version = set(), set()
for line in (root / "tests/hip/declared_functions.txt").read_text().splitlines():
    name, *only = line.split() if not line.startswith("#") else [""]
    if name:
        every.add(name)
        if only in ([], [version]):
            of_version.add(name)
problems += [f"{name} is declared, and not for {version} in declared_functions.txt" for name in sorted(declared - of_version)]
problems += [f"{name} is in declared_functions.txt, and not declared by {version}" for name in sorted(of_version - declared)]
declared = every

# ---- what the table says
sources = {p.parent.name + "/" + p.stem: p.read_text() for folder in ("conformance", "programs")
           for p in (root / "tests/hip" / folder).glob("*.hip")}
table = {}
for line in (root / "docs/hip-functions.md").read_text().splitlines():
    if not (row := re.match(r"\| `(\w+)` \| (\w+) \| `?([\w/]*)`? \| (.*?) ?\|$", line)):
        continue
    name, state, test, note = row.groups()
    if name in table:
        problems.append(f"{name} is there twice")
    table[name] = state
    if test not in sources:
        problems.append(f"{name}: there is no test {test!r}")
        continue
    called = re.search(rf"\b{name}\s*(?:<[^()]*>)?\(|\"{name}\"", sources[test]) or f"SPT({name.removesuffix('_spt')})" in sources[test]
    in_list = f'"{name}"' in sources[test] or f"CASE({name})" in sources[test]
    if state == "different" and not note:
        problems.append(f"{name}: what is different?")
    if state in ("works", "different") and not called:
        problems.append(f"{name}: {test} does not call it")
    if state in ("refused", "absent") and not in_list:
        problems.append(f"{name}: {test} does not have it in its list")
    if state not in ("works", "different", "refused", "absent"):
        problems.append(f"{name}: {state!r} is no state")
problems += [f"{name} has no row" for name in sorted(declared - set(table))]
problems += [f"{name} is in no header" for name in sorted(set(table) - declared)]
refused = {n for n in re.findall(r"PWS_UNSUPPORTED(?:_COMPILER)?\((\w+)\)", (root / "hip_runtime/unsupported.inc").read_text())}
problems += [f"{name} is refused by the library, and {table[name]} in the table" for name in sorted(refused)
             if table.get(name, "refused") != "refused"]

# ---- error codes
conformance = "".join(text for name, text in sources.items() if name.startswith("conformance/"))
errors = sources["conformance/errors"]
without = " ".join(re.findall(r"^//   (.*)$", errors, re.M))
impossible = {code for names in re.findall(r"((?:hipError\w+,\s*)*hipError\w+):", without) for code in names.replace(",", " ").split()}
older_names = {"hipErrorMemoryAllocation", "hipErrorInitializationError", "hipErrorMapBufferObjectFailed", "hipErrorInvalidResourceHandle"}
for code in sorted(codes - older_names - {"hipSuccess"}):
    provoked = re.search(rf"(?:GIVES|refused|comes_of)\(\s*{code}\b|EXPECT\((?:hipGetLastError\(\)|code) == {code}\b", conformance)
    if bool(provoked) == (code in impossible):
        problems.append(f"{code} is " + ("provoked, and said to be impossible" if provoked else "neither provoked nor has a reason"))
    if not re.search(rf"DO\([\s\\]*{code}[\s\\]*\)", errors):
        problems.append(f"{code}: nobody asks for its name")

for p in problems:
    print("FAILED:", p)
states = list(table.values())
print(f"{len(declared)} functions: " + ", ".join(f"{states.count(s)} {s}" for s in ("works", "different", "refused", "absent")),
      f"{len(codes)} error codes", sep="; ")
sys.exit(1 if problems else 0)
