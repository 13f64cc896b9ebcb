# SPDX-License-Identifier: Apache-2.0
"""Drawings of signals over cycles, from the RTL's waveform: as a WaveDrom source, and as SVG."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../tests"))
import llvm  # noqa: E402
PERIOD = 1000  # ps: machine.clock_mhz of the default machine
LABEL, CYCLE, ROW, HIGH = 170, 46, 30, 20  # pixels


class waveform:
    """The ports of a VCD that --rtl-vcd wrote."""

    def __init__(self, path):
        self.changes, scope, names = {}, [], {}
        with open(path) as file:
            for words in map(str.split, file):
                if words[:1] == ["$scope"]:
                    scope.append(words[2])
                elif words[:1] == ["$upscope"]:
                    scope.pop()
                elif words[:1] == ["$var"] and scope == ["spsimd"]:
                    names[words[3]] = words[4]
                elif words[:1] == ["$enddefinitions"]:
                    break
            for line in file:
                if line[0] == "#":
                    time = int(line[1:])
                elif line[0] in "b01":
                    value, name = line[1:].split() if line[0] == "b" else (line[0], line[1:].strip())
                    if name in names:
                        self.changes.setdefault(names[name], []).append((time, int(value, 2)))

    def at(self, signal, cycle, before=0):
        """In this cycle, before the edge that ends it. `before`: where the waveform has not begun."""
        return next((v for t, v in reversed(self.changes[signal]) if t <= cycle * PERIOD - PERIOD // 2), before)

    def first(self, signal, after=0):
        return next((t + PERIOD // 2) // PERIOD for t, v in self.changes[signal] if v != 0 and (t + PERIOD // 2) // PERIOD >= after)


def disassembled(words):
    own = {0xBF140000: "split s{0}, s{1}", 0xBF150000: "merge"}  # sw/include/pws.inc
    if words & 0xFFFF0000 in own:
        return own[words & 0xFFFF0000].format(words & 0xFF, words >> 8 & 0xFF)
    bytes_ = " ".join(f"0x{words >> 8 * k & 0xff:02x}" for k in range(8 if words >> 32 else 4))
    said = subprocess.run([llvm.tool("llvm-mc"), "--disassemble", "--triple=amdgcn--amdhsa", "--mcpu=gfx803"], input=bytes_, capture_output=True, text=True, check=True)
    return re.sub(r"(_e32|_e64)\b", "", " ".join(said.stdout.split("//")[0].split()[1:])).strip()


def row(wave, label, signal, cycles, when=None, shown=hex, bits=None, before=0):
    """A row of WaveJSON: a wire, or with `shown` what a bus has where `when` holds. `bits`: of a bus of all contexts, those of context 0."""
    out, data, last = "", [], None
    for cycle in cycles:
        value = wave.at(signal, cycle, before)
        if bits is not None:
            value &= (1 << bits) - 1
        if shown is None:
            now = str(value & 1)
            out += "." if now == last else now
        elif when is not None and not wave.at(when, cycle):
            now = "x"
            out += "." if now == last else now
        else:
            now = shown(value)
            if now == last and not (when or "").endswith("issue_i"):  # one instruction after the other may be the same
                out += "."
            else:
                out += "="
                data.append(now)
        last = now
    return {"name": label, "wave": out, **({"data": data} if data else {})}


def svg(source):
    rows = source["signal"]
    cycles = len(source["signal"][0]["wave"])
    parts, y = [], 26

    def text(x, y, text, anchor="middle", size=11):
        parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}">{html.escape(text)}</text>')

    height = y + ROW * len(rows) + 6
    for k in range(cycles + 1):
        x = LABEL + k * CYCLE
        parts.append(f'<path d="M{x},20V{height - 4}" stroke="#dddde4" stroke-dasharray="2,3"/>')
        if k < cycles:
            text(x + CYCLE / 2, 14, f"t + {k - source['config']['t']}" if k > source["config"]["t"] else "t" if k == source["config"]["t"] else "", size=10)
    for r in rows:
        if r.get("name"):
            text(LABEL - 8, y + 15, r["name"], "end")
        data, wave, k = iter(r.get("data", [])), r.get("wave", ""), 0
        level, over = None, []
        while k < len(wave):
            end = k + 1
            while end < len(wave) and wave[end] == ".":
                end += 1
            x0, x1, top, bottom = LABEL + k * CYCLE, LABEL + end * CYCLE, y, y + HIGH
            if wave[k] in "01":
                at = top if wave[k] == "1" else bottom
                parts.append(f'<path d="M{x0},{at if level is None else level}V{at}H{x1}" fill="none" stroke="#222222"/>')
                level = at
            else:
                fill = "#e8e8ee" if wave[k] == "x" else "#dfe3f8"
                parts.append(f'<path d="M{x0},{top + HIGH / 2:g}l4,{-HIGH / 2:g}H{x1 - 4}l4,{HIGH / 2:g}l-4,{HIGH / 2:g}H{x0 + 4}z" fill="{fill}" stroke="#222222" stroke-width="0.7"/>')
                if wave[k] == "=":
                    words = next(data)
                    room = x1 - x0 - 6
                    if 5.6 * len(words) <= room:
                        text((x0 + x1) / 2, y + 14, words, size=10)
                    elif wave[end:end + 1] == "x":  # it may go on there
                        over.append((x0 + 6, y + 14, words))
                    else:
                        text((x0 + x1) / 2, y + 14, words, size=10 * room / (5.6 * len(words)))
            k = end
        for x, at, words in over:
            text(x, at, words, "start", 10)
        y += ROW
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + cycles * CYCLE + 10}" height="{height}" font-family="sans-serif" fill="#222222">\n'
            f"<title>{html.escape(source['head']['text'])}</title>\n" + '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def write(folder, name, title, t, rows):
    """`t`: how many cycles are drawn before the one that is called t."""
    source = {"signal": rows, "head": {"text": title, "tick": -t}, "config": {"hscale": 1, "t": t}}
    with open(os.path.join(folder, name + ".json"), "w") as out:
        lines = ",\n".join("  " + json.dumps(r) for r in rows)
        out.write(f'{{"signal": [\n{lines}],\n"head": {json.dumps(source["head"])}, "config": {json.dumps(source["config"])}}}\n')
    with open(os.path.join(folder, name + ".svg"), "w") as out:
        out.write(svg(source))


def rtl_timing(pwsvp, folder):
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([pwsvp, "run", os.path.join(HERE, "rtl_timing.yaml"), "--quiet", "--rtl-vcd", os.path.join(made, "r.vcd")], check=True)
        swf, child = (waveform(os.path.join(made, f"r.cu0.simd0.spsimd{k}.vcd")) for k in (2, 3))
    instruction, number, mask = disassembled, str, lambda v: f"{v:#x}"

    def find(wave, issue, words, mnemonic):
        """The first cycle in which an instruction of this name issues."""
        cycle = 0
        while True:
            cycle = wave.first(issue, cycle + 1)
            while wave.at(issue, cycle):
                if disassembled(wave.at(words, cycle)).startswith(mnemonic):
                    return cycle
                cycle += 1

    def scalar_issue(wave, cycles, of=""):
        return [row(wave, "salu_issue_i" + of, "salu_issue_i", cycles, shown=None),
                row(wave, "salu_instr_i" + of, "salu_instr_i", cycles, when="salu_issue_i", shown=instruction)]

    t = find(swf, "salu_issue_i", "salu_instr_i", "s_add_u32")
    cycles = range(t - 1, t + 14)
    from_here = swf.at("salu_pc_i", t)
    write(folder, "rtl_scalar", "Scalar instructions: a result is in its register from t + 4 on; a branch's next PC is there in t", 1,
          scalar_issue(swf, cycles) +
          [row(swf, "salu_next_pc_o", "salu_next_pc_o", cycles, when="salu_issue_i", shown=lambda v: f"+{v - from_here}"),
           row(swf, "salu_retire_o", "salu_retire_o", cycles, shown=None),
           row(swf, "pc_o", "pc_o", cycles, shown=lambda v: f"+{v - from_here}", bits=64)])

    t = find(swf, "valu_issue_i", "valu_instr_i", "v_add_u32")
    cycles = range(t - 1, t + 17)
    write(folder, "rtl_vector", "Vector instructions of 32 work-items: full rate, half rate, and a compare", 1,
          [row(swf, "valu_issue_i", "valu_issue_i", cycles, shown=None),
           row(swf, "valu_instr_i", "valu_instr_i", cycles, when="valu_issue_i", shown=instruction),
           row(swf, "valu_busy_o", "valu_busy_o", cycles, shown=None),
           row(swf, "vrf_pass_o", "vrf_pass_o", cycles, shown=number),
           row(swf, "vrf_raddr0_o", "vrf_raddr0_o", cycles, shown=number),
           row(swf, "vrf_raddr1_o", "vrf_raddr1_o", cycles, shown=number),
           row(swf, "vrf_we_o", "vrf_we_o", cycles, shown=mask),
           row(swf, "vrf_waddr_o", "vrf_waddr_o", cycles, when="vrf_we_o", shown=number),
           row(swf, "valu_retire_o", "valu_retire_o", cycles, shown=None)])

    t = find(swf, "salu_issue_i", "salu_instr_i", "split")
    cycles = range(t - 1, t + 16)

    def of_unit(wave, number_):
        unit = f", unit {number_}"
        return scalar_issue(wave, cycles, unit) + [
            row(wave, "status_o" + unit, "status_o", cycles, shown=["idle", "runs", "child", "parent"].__getitem__, bits=2),
            row(wave, "spm_o" + unit, "spm_o", cycles, shown=mask, bits=64),
            row(wave, "leave_i" + unit, "leave_i", cycles, shown=None, bits=1)]

    write(folder, "rtl_split", "A split in an SWF of 32 work-items, and the merge of both sides", 1,
          of_unit(swf, 2) +
          [row(swf, "split_child_o, unit 2", "split_child_o", cycles, when="split_child_o", shown=number),
           row(swf, "split_child_spm_o, unit 2", "split_child_spm_o", cycles, when="split_child_o", shown=mask),
           row(swf, "depth_o, unit 2", "depth_o", cycles, shown=number, bits=7),
           row(swf, "join_i, unit 2", "join_i", cycles, shown=None, bits=1),
           row(swf, "handover_valid_o, unit 2", "handover_valid_o", cycles, shown=None, bits=1),
           row(child, "begin_i, unit 3", "begin_i", cycles, shown=None, bits=1),
           row(child, "ready_o, unit 3", "ready_o", cycles, shown=None, bits=1, before=1)] + of_unit(child, 3))
