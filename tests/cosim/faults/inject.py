#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A copy of rtl/ with all faults of faults.txt in it, and one at each output of the unit, of which one is chosen at run time.

Usage: inject.py RTL-FOLDER FAULTS OUTPUT-FOLDER

fault_pkg::pws_rtl_fault(), from C, is the number of the fault that is there: 0 none, 1 ... the lines of faults.txt, behind them
the outputs of spsimd.sv in their order. OUTPUT-FOLDER/faults.list has a name a line. An output's fault inverts it, all the time.
"""
import pathlib
import re
import sys


def choose(number, instead, text):
    return f"(fault_pkg::pws_rtl_fault() == 8'd{number} ? ({instead}) : ({text}))"


def outputs(source):
    """Names and types of a module's output ports."""
    header = source[source.index("module "):source.index(");\n")]
    return [(m[2], m[1].strip()) for m in re.finditer(r"^ *output (.*?) +(\w+_o),?(?: *//.*)?$", header, re.M)]


def invert_output(source, name, kind, number):
    """Renames the port's signal within the module; the port is that or its inverse."""
    head_end = source.index(");\n") + 3
    head, body = source[:head_end], source[head_end:]
    inner = name[:-2] + "_inner"
    body = re.sub(rf"\.{name}(?=,|\n)", f".{name}({inner})", body)
    body = re.sub(rf"(?<![.\w]){name}\b", inner, body)
    assign = f"  assign {name} = {choose(number, '~' + inner, inner)};\n"
    return head + f"  {kind} {inner};\n" + assign + body


def main():
    rtl, listing, out = (pathlib.Path(a) for a in sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    sources = {f.name: f.read_text() for f in rtl.glob("*.sv*")}
    ports_file = "spsimd_ports.svh"
    for whole in ("spsimd.sv", "spsimd_core.sv"):
        sources[whole] = sources[whole].replace(f'`include "{ports_file}"\n', sources[ports_file])
    ports = outputs(sources["spsimd.sv"])
    names = []
    for number, line in enumerate(listing.read_text().splitlines(), 0):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, file, expression, instead = (
            x.strip().replace(r"\|", "|") for x in re.split(r"(?<!\\)\s\|\s", line))
        names.append(name)
        found = sources[file].count(expression)
        if found != 1:
            sys.exit(f"{listing}:{number + 1}: {file} has '{expression}' {found} times")
        sources[file] = sources[file].replace(expression, choose(len(names), instead, expression))
    for port, kind in ports:
        names.append("output_" + port)
        if port == "vrf_wdata_o":  # of all lanes
            sources["valu_lane.sv"] = invert_output(sources["valu_lane.sv"], "result_o", "logic [63:0]", len(names))
        else:
            sources["spsimd_core.sv"] = invert_output(sources["spsimd_core.sv"], port, kind, len(names))
    sources["fault_pkg.sv"] = (
        "// Which fault there is.\npackage fault_pkg;\n"
        '  import "DPI-C" function byte pws_rtl_fault();\nendpackage\n')
    for name, text in sources.items():
        target = out / name
        if not target.exists() or target.read_text() != text:
            target.write_text(text)
    listed = "\n".join(names) + "\n"
    target = out / "faults.list"
    if not target.exists() or target.read_text() != listed:
        target.write_text(listed)


main()
