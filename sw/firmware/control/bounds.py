# SPDX-License-Identifier: Apache-2.0
"""bounds.py FILE.h REPORT.json...: a C header with the bounds that pwsvp wcet has computed of kernels, E_kernel in cycles of the GPU:
FILTER_BOUND_SPLIT (with PWS), FILTER_BOUND_UNSPLIT."""

import json
import sys

output, *reports = sys.argv[1:]
lines = ["// Made by bounds.py of what pwsvp wcet says.", "#ifndef BOUNDS_H", "#define BOUNDS_H"]
for path in reports:
    with open(path) as file:
        report = json.load(file)
    name = report["run"]["kernel"].upper()
    for scheme, word in (("pws", "SPLIT"), ("none", "UNSPLIT")):
        lines.append(f"#define {name}_BOUND_{word} {report['bounds'][scheme]['E_kernel']['value']}UL")
lines.append("#endif")
with open(output, "w") as out:
    out.write("\n".join(lines) + "\n")
