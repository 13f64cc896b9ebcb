# SPDX-License-Identifier: Apache-2.0
"""draw.py PWSVP FOLDER: the documents' pictures, in FOLDER, of what runs wrote: one_wavefront.svg and timeline.svg of --timeline, figure.svg
of the tutorial's report, streams.svg of the timelines of two_streams.hip with one hardware queue and with two, rtl_*.svg with their
WaveDrom sources of the RTL's waveform (waves.py), cost.svg of the tables in docs/cost.md (cost.py)."""

import base64
import html
import json
import os
import re
import subprocess
import sys
import tempfile

import cost
import waves

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../.."))
PWS = ["--set", "program.split=marked", "--set", "machine.divergence=pws", "--set", "machine.spsimd_per_simd=1"]
ALL = (1 << 64) - 1
LEFT, WIDTH = 150, 680  # of the time axis, in pixels


def in_cycles(events):
    """The events of a timeline with times in cycles."""
    return [dict(e, ts=e["args"]["cycle"], dur=e["args"]["cycles"]) if e["ph"] == "X" else e for e in events]


def run(pwsvp, config, *options):
    """The slices of a run by context, as (begin, end, lanes), and its cycles."""
    with tempfile.TemporaryDirectory() as folder:
        timeline, report = os.path.join(folder, "t.json"), os.path.join(folder, "r.json")
        subprocess.run([pwsvp, "run", config, "--quiet", "--timeline", timeline, "--report", report, *options], check=True)
        events = in_cycles(json.load(open(timeline))["traceEvents"])
        cycles = json.load(open(report))["cycles"]["value"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    contexts = {}
    for e in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["tid"], e["ts"])):
        slices = contexts.setdefault(names[e["tid"]], [])
        lanes = int(e["args"]["lanes"], 16)
        if slices and slices[-1][2] == lanes and slices[-1][1] == e["ts"]:
            slices[-1][1] += e["dur"]
        else:
            slices.append([e["ts"], e["ts"] + e["dur"], lanes])
    return contexts, cycles


def runs_of_bits(lanes):
    """(first, count) of each run of ones, from bit 0 on."""
    return [(m.start(), m.end() - m.start()) for m in re.finditer("1+", f"{lanes:064b}"[::-1])]


class drawing:
    def __init__(self, cycles):
        self.parts, self.y, self.scale = [], 0, WIDTH / cycles

    def text(self, x, y, text, anchor="start", size=13, weight="normal"):
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">{html.escape(text)}</text>')

    def box(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" fill="{fill}"/>')

    def title(self, text, cycles):
        self.y += 22
        self.text(8, self.y, text, weight="bold")
        self.text(LEFT + WIDTH, self.y, f"{cycles} cycles", "end", weight="bold")
        self.y += 8

    def row(self, name, slices, height, colour_of):
        """A slice has its active work-items as coloured lines, from work-item 0 at the top."""
        self.text(LEFT - 8, self.y + height / 2 + 4, name, "end", size=min(13, height))
        self.box(LEFT, self.y, WIDTH, height, "#f0f0f4")
        for begin, end, lanes in slices:
            for first, count in runs_of_bits(lanes):
                self.box(LEFT + begin * self.scale, self.y + first * height / 64, (end - begin) * self.scale, count * height / 64, colour_of(lanes))
        self.y += height + 3

    def axis(self, cycles):
        step = next(s for s in (500, 1000, 2000, 5000, 10000) if cycles / s <= 10)
        for at in range(0, cycles + 1, step):
            x = LEFT + at * self.scale
            self.box(x, self.y, 1, 5, "#555555")
            self.text(x, self.y + 18, str(at), "middle", size=11)
        self.text(LEFT - 8, self.y + 18, "cycle", "end", size=11)
        self.y += 26

    def write(self, path, about):
        with open(path, "w") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{self.y}" font-family="sans-serif" fill="#222222">\n'
                      f"<title>{html.escape(about)}</title>\n" + '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def one_wavefront(pwsvp, path):
    config = os.path.join(HERE, "one_wavefront.yaml")
    before, longest = run(pwsvp, config)
    after, shorter = run(pwsvp, config, *PWS)
    d = drawing(longest)
    colours = {ALL: "#3949ab", ALL >> 32: "#ef8a17", ALL >> 32 << 32: "#2a9d6f"}
    d.title("A branch on a GPU as usual: one side, then the other", longest)
    d.row("SIMD unit", before["simd0.wf0"], 64, colours.__getitem__)
    d.title("The wavefront split: both sides at a time", shorter)
    d.row("SIMD unit", after["simd0.wf0"], 64, colours.__getitem__)
    d.row("SpSIMD unit", after["simd0.spsimd2.swf0"], 64, colours.__getitem__)
    d.axis(longest)
    d.write(path, "The active work-items of one wavefront over time, without and with splitting")


def timeline(pwsvp, path):
    contexts, cycles = run(pwsvp, os.path.join(ROOT, "docs/tutorial/sides.yaml"), *PWS)
    d = drawing(cycles)
    d.title("docs/tutorial/sides.yaml, split: compute unit 0", cycles)
    for name, slices in contexts.items():
        if name.startswith("simd0."):
            d.row(name[6:], slices, 24, lambda lanes: "#3949ab" if lanes == ALL else "#ef8a17")
    d.axis(cycles)
    d.write(path, "The active work-items of a compute unit's contexts over time")


def streams(pwsvp, path):
    one_cu = [f"--set=machine.{key}" for key in ("n_cu=1", "n_simd=2", "n_wfc=4", "valu_lanes=64")] + ["--fidelity", "timing", "--quiet"]
    config, source = os.path.join(ROOT, "configs/gpu/default.yaml"), os.path.join(HERE, "two_streams.hip")
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        program, trace = os.path.join(folder, "two_streams"), os.path.join(folder, "t.json")
        subprocess.run([os.path.join(os.path.dirname(pwsvp), "pwscc"), "-O3", source, "-o", program, "-lamdhip64"], check=True)
        for queues in (1, 2):
            subprocess.run([pwsvp, "exec", config, *one_cu, "--set", f"machine.hardware_queues={queues}", "--timeline", trace, "--", program], check=True)
            shown.append([e for e in in_cycles(json.load(open(trace))["traceEvents"]) if e["ph"] in "MX"])
    last = max(e["ts"] + e["dur"] for events in shown for e in events if e["ph"] == "X")
    d = drawing(last)
    for queues, events in enumerate(shown, 1):
        slices = sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["tid"], e["ts"]))
        d.title(f"machine.hardware_queues: {queues}", max(e["ts"] + e["dur"] for e in slices))
        for name in (e for e in events if e["name"] == "thread_name"):
            d.box(LEFT, d.y, WIDTH, 14, "#f0f0f4")
            d.text(LEFT - 8, d.y + 11, name["args"]["name"], "end", size=11)
            groups = {}  # of the context: launch and workgroup, and when it was there
            for e in slices:
                if e["tid"] == name["tid"]:
                    span = groups.setdefault((e["args"]["launch"], e["args"]["workgroup"]), [e["ts"], 0])
                    span[1] = e["ts"] + e["dur"]
            for (launch, _), (begin, end) in groups.items():
                d.box(LEFT + begin * d.scale, d.y + 1, (end - begin) * d.scale, 12, ["#3949ab", "#ef8a17"][launch - 1])
            d.y += 16
        d.y += 4
    d.axis(last)
    d.write(path, "Two launches in two streams, on one compute unit with one hardware queue and with two")


def figure(pwsvp, path):
    with tempfile.TemporaryDirectory() as folder:
        for command in (["sweep", os.path.join(ROOT, "docs/tutorial/shares.yaml"), "--output", folder], ["report", folder]):
            subprocess.run([pwsvp, *command], check=True, stdout=subprocess.DEVNULL)
        page = open(os.path.join(folder, "report.html")).read()
    with open(path, "wb") as out:
        out.write(base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', page)[1]))


pwsvp, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
os.makedirs(folder, exist_ok=True)
one_wavefront(pwsvp, os.path.join(folder, "one_wavefront.svg"))
timeline(pwsvp, os.path.join(folder, "timeline.svg"))
streams(pwsvp, os.path.join(folder, "streams.svg"))
figure(pwsvp, os.path.join(folder, "figure.svg"))
cost.draw(os.path.join(ROOT, "docs/cost.md"), os.path.join(folder, "cost.svg"))
waves.rtl_timing(pwsvp, folder)
