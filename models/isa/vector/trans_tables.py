#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of the single-precision transcendentals, for the model and the RTL.

  trans_tables.py HEADER MODULE   writes the C++ header and the SystemVerilog module

A function on a segment is c0 + c1 z + c2 z^2, z in [0, 1) the place in the segment. Arithmetic is in integers, as
lane_transcendental.h describes: z has 23 bits, the square's z its upper 15, c0 counts units of the result's last place
and c1 and c2 halves of them. Coefficients are positive; signs are the function's. c2 is that of the quadratic through
the Chebyshev nodes, rounded; c1 is fitted to what is left; c0 puts the errors of the integer arithmetic in the middle,
but where the function has to be exact at the segment's beginning.
"""
import math
import sys

Z_BITS = 23
SQUARE_BITS = 15


class Function:
    def __init__(self, name, comment, unit_bits, slope, curve, exact_first):
        self.name, self.comment, self.unit_bits = name, comment, unit_bits
        self.slope, self.curve, self.exact_first = slope, curve, exact_first  # signs of c1 and c2
        self.segments = []  # functions of z

    def add(self, count, value):
        """`count` segments: value(k, z)"""
        for k in range(count):
            self.segments.append(lambda z, k=k: value(k, z) * 2.0**self.unit_bits)


def log2_ratio(m):
    """log2(m) / (m - 1)"""
    return math.log1p(m - 1) / math.log(2) / (m - 1) if m != 1 else 1 / math.log(2)


def sine_ratio(q):
    """sin(2 pi q) / q"""
    return math.sin(2 * math.pi * q) / q if q != 0 else 2 * math.pi


def functions():
    exp2 = Function("exp2", "2^f, f in [0, 1): 128 segments", 30, 1, 1, True)
    exp2.add(128, lambda k, z: 2.0 ** ((k + z) / 128))
    log2 = Function("log2", "log2(m) / (m - 1): 128 segments of m in [1, 3/2), 64 in [3/4, 1)", 29, -1, 1, False)
    log2.add(128, lambda k, z: log2_ratio(1 + (k + z) / 256))
    log2.add(64, lambda k, z: log2_ratio(0.75 + (k + z) / 256))
    sine = Function("sine", "sin(2 pi q) / q: 64 segments of q in [0, 1/8), 128 in [1/8, 1/4)", 28, -1, -1, False)
    sine.add(64, lambda k, z: sine_ratio((k + z) / 512))
    sine.add(128, lambda k, z: sine_ratio(0.125 + (k + z) / 1024))
    return [exp2, log2, sine]


def evaluate(c, d, slope, curve):
    """The integer arithmetic; d is z in units of 2^-23."""
    square = c[2] * (d >> (Z_BITS - SQUARE_BITS)) >> SQUARE_BITS
    t = c[1] + square if slope == curve else c[1] - square
    rest = t * d >> (Z_BITS + 1)
    return c[0] + rest if slope > 0 else c[0] - rest


def fit(f, segment, exact):
    # Second divided difference at the three Chebyshev nodes of [0, 1].
    nodes = [0.5 + 0.5 * math.cos(math.pi * (2 * k + 1) / 6) for k in range(3)]
    v = [segment(z) for z in nodes]
    first = (v[1] - v[0]) / (nodes[1] - nodes[0])
    second = (v[2] - v[1]) / (nodes[2] - nodes[1])
    c2 = round(f.curve * 2 * (second - first) / (nodes[2] - nodes[0]))
    # What is left is linear but for the cubic term, which is nothing at the three nodes.
    rest = [y - f.curve * c2 / 2 * z * z for y, z in zip(v, nodes)]
    c1 = round(f.slope * 2 * (rest[2] - rest[0]) / (nodes[2] - nodes[0]))
    c0 = round(segment(0.0))
    if not exact:
        samples = [min((k << Z_BITS) // 256 + 77 * k % 32768, (1 << Z_BITS) - 1) for k in range(257)]
        errors = [evaluate((c0, c1, c2), d, f.slope, f.curve) - segment(d / (1 << Z_BITS)) for d in samples]
        c0 -= round((max(errors) + min(errors)) / 2)
    assert 0 <= c0 < 1 << 31 and 0 <= c1 < 1 << 25 and 0 <= c2 < 1 << 17
    return c0, c1, c2


def rows_of(f):
    return [fit(f, s, f.exact_first and k == 0) for k, s in enumerate(f.segments)]


def header(tables):
    out = ["// Written by trans_tables.py: coefficients of the transcendentals' segments (lane_transcendental.h).",
           "#pragma once", "", "#include <cstdint>", "", "namespace pws::isa::trans_table {", ""]
    first = 0
    for f, rows in tables:
        out += [f"// {f.comment}", f"constexpr uint32_t {f.name}_first = {first};"]
        first += len(rows)
    out += ["", f"constexpr uint32_t size = {first};", "// clang-format off"]
    for n in range(3):
        out.append(f"alignas(64) constexpr uint32_t c{n}[size] = {{")
        numbers = [f"{row[n]}" for _, rows in tables for row in rows]
        for k in range(0, len(numbers), 8):
            out.append("    " + ", ".join(numbers[k:k + 8]) + ",")
        out.append("};")
    return "\n".join(out + ["// clang-format on", "", "}  // namespace pws::isa::trans_table", ""])


def module(tables):
    out = ["// Coefficients of the transcendentals' segments: c0 + c1 z + c2 z^2 (valu_trans_segment.sv). Combinational.",
           "// Written by trans_tables.py, together with the reference model's table.", "module valu_trans_table (",
           "  input  logic        en_i,   // 0: all outputs are 0", "  input  logic [8:0]  row_i,", "  output logic [30:0] c0_o,",
           "  output logic [24:0] c1_o,", "  output logic [16:0] c2_o", ");", ""]
    out += ["  always_comb begin", "    {c0_o, c1_o, c2_o} = '0;", "    if (en_i) begin", "      unique case (row_i)"]
    first = 0
    for f, rows in tables:
        out.append(f"        // {f.comment}")
        for row in rows:
            out.append(f"        9'd{first}: {{c0_o, c1_o, c2_o}} = {{31'd{row[0]}, 25'd{row[1]}, 17'd{row[2]}}};")
            first += 1
    return "\n".join(out + ["        default: ;", "      endcase", "    end", "  end", "", "endmodule", ""])


def main():
    tables = [(f, rows_of(f)) for f in functions()]
    for path, text in zip(sys.argv[1:3], (header(tables), module(tables))):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write("// SPDX-License-Identifier: Apache-2.0\n" + text)


main()
