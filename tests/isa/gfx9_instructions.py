#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs for gfx900 or gfx906 consist of, and what of that the machine has: the tables of docs/gfx9.md. On demand: it takes minutes.

gfx9_instructions.py [--target gfx906] [--part NAME]... [--list N] BUILD

BUILD is a build folder; its libraries list the machine's own instructions. Each part is a set of code objects:
  rocrand, rocsparse   those for the target in Debian's librocrand.so.1 and librocsparse.so.0
  rocprim              tests/hip/libraries/rocprim_*.hip, which instantiate its headers
  programs             sw/kernels/*.hip and tests/hip/programs/*.hip
They are disassembled by llvm-objdump. Instructions are counted as they stand in the code (not as they are executed). Each distinct form, which
is the text with its numbers left out, is represented by up to eight texts. A text is assembled for gfx803 by llvm-mc, and belongs to

  same        gfx803 has it, in the same words: the machine's decoder takes it as it is
  renamed     gfx803 has it by another name (RENAMED), in the same words
  encoding    gfx803 has it, by this name or another one, in other words
  new         gfx803 has no such instruction, or not with these operands

The machine has an instruction of the first three if its mnemonic is among the machine's rows; without is counted apart, as refused."""
import argparse
import collections
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/tests")
LLVM = os.environ.get("PWS_LLVM_BIN") or next(f for f in (f"/usr/lib/llvm-{n}/bin" for n in range(15, 20)) if os.path.exists(f"{f}/clang++"))
LIBRARIES = {"rocrand": "/usr/lib/x86_64-linux-gnu/librocrand.so.1", "rocsparse": "/usr/lib/x86_64-linux-gnu/librocsparse.so.0"}
SOURCES = {"rocprim": ["tests/hip/libraries/rocprim_*.hip"], "programs": ["sw/kernels/*.hip", "tests/hip/programs/*.hip"]}
# gfx9 gave add with carry a new name, and the old one to an add without, which is new. 16-bit instructions that gfx9 has twice have gfx803's
# behaviour below the name with legacy.
RENAMED = {f"v_{op}_co_u32": f"v_{op}_u32" for op in ("add", "sub", "subrev", "addc", "subb", "subbrev")}
RENAMED.update({f"v_{op}_legacy_{t}": f"v_{op}_{t}" for op, t in (("mad", "f16"), ("mad", "u16"), ("mad", "i16"), ("fma", "f16"), ("div_fixup", "f16"))})
# New instructions by kind; the first that an example fits.
KINDS = (("global memory by `global_*`", r"global_"), ("scratch by `scratch_*`", r"scratch_"), ("FLAT with an offset", r"flat_"),
         ("SDWA with a scalar source, or a compare to any SGPRs", r"\w+_sdwa "), ("SMEM with a negative offset", r"s_\w*load_\w+ "),
         ("add and subtract without carry", r"v_(add|sub|subrev)_u32"), ("`v_fmac_f32`", r"v_fmac_f32"), ("`s_mul_hi_*`", r"s_mul_hi"),
         ("three-operand integers (`v_add3_u32`, `v_lshl_or_b32`, ...)", r"v_(add3|add_lshl|lshl_or|lshl_add|xad|and_or|or3)_|v_(min|max|med)3_.16"),
         ("packed and mixed 16-bit arithmetic (VOP3P)", r"v_(pk|fma_mix|mad_mix|dot)"), ("halves of registers (`d16`)", r"\w*d16"), ("other", r""))
SAMPLES = 8
CLASSES = ("same", "renamed", "encoding", "new")
SUFFIX = re.compile(r"_(e32|e64|sdwa|dpp)$")


def code_objects(path, target):
    """Code objects for the target in a library: those of each bundle that clang has put in."""
    data = open(path, "rb").read()
    magic, at = b"__CLANG_OFFLOAD_BUNDLE__", 0
    while (at := data.find(magic, at)) >= 0:
        entry = at + len(magic) + 8
        for _ in range(struct.unpack_from("<Q", data, at + len(magic))[0]):
            offset, size, length = struct.unpack_from("<QQQ", data, entry)
            name = data[entry + 24 : entry + 24 + length].decode()
            entry += 24 + length
            if name.split("--")[-1].split(":")[0] == target:
                yield data[at + offset : at + offset + size]
        at += len(magic)


def compiled(patterns, target, folder):
    for source in sorted(sum((glob.glob(f"{ROOT}/{p}") for p in patterns), [])):
        output = f"{folder}/{os.path.basename(source)}.hsaco"
        command = [f"{LLVM}/clang++", "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "--no-gpu-bundle-output", "-std=c++17", "-O3", "-w", "--rocm-path=/usr", "--hip-version=5.2.0",
                   f"--hip-device-lib-path={device_libraries()}", f"-I{ROOT}/sw/include", f"-I{ROOT}/tests/hip/programs", source, "-o", output]
        r = subprocess.run(command, capture_output=True, text=True)
        if r.returncode != 0:
            print(f"note: {os.path.relpath(source, ROOT)} is left out: {r.stderr.strip().splitlines()[0]}", file=sys.stderr)
            continue
        yield open(output, "rb").read()


def device_libraries():
    if os.environ.get("PWS_DEVICE_LIBRARIES"):
        return os.environ["PWS_DEVICE_LIBRARIES"]
    version = re.search(r"llvm-(\d+)", LLVM)[1]
    own = f"/usr/lib/llvm-{version}/lib/clang/{version}/amdgcn/bitcode"
    return own if os.path.isdir(own) else "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"


class forms:
    """How often each form of an instruction stands in code, with texts of some of them."""

    def __init__(self):
        self.count, self.samples = collections.Counter(), collections.defaultdict(set)
        self.objects = self.bytes = 0

    def add(self, code, target, folder):
        path = f"{folder}/object"
        with open(path, "wb") as f:
            f.write(code)
        self.objects, self.bytes = self.objects + 1, self.bytes + len(code)
        run = subprocess.Popen([f"{LLVM}/llvm-objdump", "-d", f"--mcpu={target}", path], stdout=subprocess.PIPE, text=True)
        numbers, count, samples = re.compile(r"0x[0-9a-f]+|\d+").sub, self.count, self.samples
        for line in run.stdout:
            text, _, words = line.partition("//")
            if line[0] != "\t" or not words or words.endswith(": 00000000\n"):  # a function's name; zeros between functions
                continue
            text = text.strip()
            # The mnemonic's own numbers are part of the form.
            name, _, rest = text.partition(" ")
            form = f"{name} {numbers('N', rest)}"
            count[form] += 1
            if len(samples[form]) < SAMPLES:
                samples[form].add(text)
        if run.wait() != 0:
            sys.exit(f"llvm-objdump: code {run.returncode}")


def assemble(texts, target):
    """{text: bytes in hexadecimal, or None where the target has no such instruction}"""
    mc = [f"{LLVM}/llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-show-encoding"]
    texts = list(texts)
    r = subprocess.run(mc, input="\n".join(texts) + "\n", capture_output=True, text=True)
    wrong = {int(n) - 1 for n in re.findall(r"^<stdin>:(\d+):\d+: error", r.stderr, re.MULTILINE)}
    good = [t for k, t in enumerate(texts) if k not in wrong]
    r = subprocess.run(mc, input="\n".join(good) + "\n", capture_output=True, text=True, check=True)
    encodings = [re.sub(r"0x|,", "", e) for e in re.findall(r"encoding: \[([^\]]*)\]", r.stdout)]
    assert len(encodings) == len(good), f"{len(good)} instructions, {len(encodings)} encodings"
    return {**dict.fromkeys(texts), **dict(zip(good, encodings))}


def old_name(text):
    name, _, rest = text.partition(" ")
    suffix = SUFFIX.search(name)
    bare = SUFFIX.sub("", name)
    return f"{RENAMED[bare]}{suffix[0] if suffix else ''} {rest}" if bare in RENAMED else None


def machine_mnemonics(build, folder):
    """The machine's rows, and the instructions that it refuses by name."""
    source = """#include <cstdio>
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/refused_names.h"
int main() {
  for (const auto* r : pws::isa::all_rows()) std::printf("row %s\\n", r->mnemonic);
  for (const auto& n : pws::isa::refused_names()) std::printf("refused %s\\n", n.mnemonic);
}
"""
    with open(f"{folder}/rows.cpp", "w") as f:
        f.write(source)
    subprocess.run(["g++", "-std=c++17", f"-I{ROOT}", f"{folder}/rows.cpp", "-o", f"{folder}/rows", "-Wl,--start-group", *glob.glob(f"{build}/lib/libpws_models_isa*.a"),
                    *glob.glob(f"{build}/lib/libpws_base*.a"), "-Wl,--end-group", "-lfmt", "-lz"], check=True)
    lines = subprocess.run([f"{folder}/rows"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {l.split()[1] for l in lines if l.startswith("row ")}


def classified(found, rows, target):
    """Counts by class and, of what is not `same`, by class and mnemonic."""
    texts = set().union(*found.samples.values())
    older = {t: o for t in texts if (o := old_name(t))}
    # Both by the assembler: what it makes shorter than it stands in the code is no difference of the processors.
    words, own_words = assemble(sorted(texts | set(older.values())), "gfx803"), assemble(sorted(texts), target)

    def kind(text):
        own = own_words[text]
        if text in older:
            then = words[older[text]]
            return ("new" if then is None else "renamed" if then == own else "encoding"), older[text]
        if words[text] is None:
            return "new", text
        return ("same" if words[text] == own else "encoding"), text

    classes, names, refused, example = collections.Counter(), collections.Counter(), collections.Counter(), {}
    for form, n in found.count.items():
        some = found.samples[form]
        for text in sorted(some):
            which, text_there = kind(text)
            share = n / len(some)
            classes[which] += share
            name = SUFFIX.sub("", text.split()[0])
            if which != "same":
                names[which, name] += share
                example.setdefault((which, name), text)
            there = SUFFIX.sub("", text_there.split()[0])
            if which != "new" and there not in rows and not any(there + s in rows for s in ("_e32", "_e64")):
                refused[name] += share
    return classes, names, refused, example


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="gfx906")
    parser.add_argument("--part", action="append", choices=[*LIBRARIES, *SOURCES])
    parser.add_argument("--list", type=int, default=1000, help="at most so many instructions of each class")
    parser.add_argument("build")
    o = parser.parse_args()
    totals, lists = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        rows = machine_mnemonics(o.build, folder)
        print(f"The machine has {len(rows)} mnemonics. Target: {o.target}, {os.path.basename(os.path.dirname(LLVM))}.\n")
        for part in o.part or [*LIBRARIES, *SOURCES]:
            found = forms()
            for code in code_objects(LIBRARIES[part], o.target) if part in LIBRARIES else compiled(SOURCES[part], o.target, folder):
                found.add(code, o.target, folder)
            if not found.count:
                sys.exit(f"{part}: no code for {o.target}")
            totals[part] = (found, *classified(found, rows, o.target))
    print("| part | code objects | MiB | instructions | forms | mnemonics | " + " | ".join(f"{c}, %" for c in CLASSES) + " | refused, % |")
    print("|---|" + "---:|" * (6 + len(CLASSES)))
    for part, (found, classes, _, refused, _) in totals.items():
        n = sum(found.count.values())
        mnemonics = {SUFFIX.sub("", form.split()[0]) for form in found.count}
        print(f"| {part} | {found.objects} | {found.bytes / 2**20:.1f} | {n} | {len(found.count)} | {len(mnemonics)} | "
              + " | ".join(f"{100 * classes[c] / n:.2f}" for c in CLASSES) + f" | {100 * sum(refused.values()) / n:.2f} |")
    for c in CLASSES[1:]:
        parts = list(totals)
        by_name = collections.defaultdict(dict)
        for part in parts:
            for (which, name), n in totals[part][2].items():
                if which == c:
                    by_name[name][part] = n
        print(f"\n{c}: {len(by_name)} instructions\n\n| instruction | " + " | ".join(parts) + " | for example |\n|---|" + "---:|" * len(parts) + "---|")
        for name, counts in sorted(by_name.items(), key=lambda e: (-sum(e[1].values()), e[0]))[: o.list]:
            example = next(totals[p][4][c, name] for p in parts if p in counts)
            print(f"| `{name}` | " + " | ".join(f"{counts.get(p, 0):.0f}" for p in parts) + f" | `{example}` |")
    print("\nnew, by kind\n\n| kind | " + " | ".join(f"{p} | %" for p in totals) + " |\n|---|" + "---:|---:|" * len(totals))
    by_kind = collections.defaultdict(collections.Counter)
    for part, (found, _, names, _, example) in totals.items():
        for (which, name), n in names.items():
            if which == "new":
                by_kind[next(k for k, pattern in KINDS if re.match(pattern, example[which, name]))][part] += n
    for kind in sorted(by_kind, key=lambda k: -sum(by_kind[k].values())):
        print(f"| {kind} | " + " | ".join(f"{by_kind[kind][p]:.0f} | {100 * by_kind[kind][p] / sum(totals[p][0].count.values()):.2f}" for p in totals) + " |")
    refused = {name for t in totals.values() for name in t[3]}
    print(f"\nrefused: {', '.join(sorted(refused)) or 'none'}")


main()
