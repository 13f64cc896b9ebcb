#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Directed cases of wait_effects.py. In each program one wait is marked by `?`, with what is left of it behind; `!` marks what may use
its operation too early, if anything does. `x N`: executed N times, else 4. Branches name labels, and functions are labels with a star."""
import re
import sys

from wait_effects import effects

CASES = {
    "a load is used": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v4, v1 !",
    "written is used too": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v1, v4 !",
    "another register": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v4, v3",
    "another wait comes first": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_waitcnt vmcnt(0)\n v_mov_b32_e32 v4, v1",
    "the other counter's does not count": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_waitcnt lgkmcnt(0)\n v_mov_b32_e32 v4, v1 !",
    "nothing was under way": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0)\n s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v4, v1",
    "the older of two": "flat_load_dword v1, v[2:3]\n flat_load_dword v5, v[2:3]\n s_waitcnt vmcnt(1) ? vmcnt(2)\n v_mov_b32_e32 v4, v1 !",
    "the younger of two was never waited for": "flat_load_dword v1, v[2:3]\n flat_load_dword v5, v[2:3]\n s_waitcnt vmcnt(1) ? vmcnt(2)\n"
                                               " s_waitcnt vmcnt(0)\n v_mov_b32_e32 v4, v5",
    "the younger of two is none of its business": "flat_load_dword v1, v[2:3]\n flat_load_dword v5, v[2:3]\n s_waitcnt vmcnt(1) ?\n"
                                                  " v_mov_b32_e32 v4, v5",
    "a store counts": "flat_load_dword v1, v[2:3]\n flat_store_dword v[2:3], v6\n s_waitcnt vmcnt(1) ?\n v_mov_b32_e32 v4, v1 !",
    "fifteen later ones": "flat_load_dword v1, v[2:3]\n" + " flat_store_dword v[2:3], v6\n" * 15 + " s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v4, v1",
    "fourteen later ones": "flat_load_dword v1, v[2:3]\n" + " flat_store_dword v[2:3], v6\n" * 14 + " s_waitcnt vmcnt(0) ?\n v_mov_b32_e32 v4, v1 !",
    "in order: overwritten": "ds_read_b32 v1, v2\n s_waitcnt lgkmcnt(0) ?\n ds_read_b32 v1, v3",
    "in order: an address": "ds_read_b32 v1, v2\n s_waitcnt lgkmcnt(0) ?\n ds_read_b32 v5, v1 !",
    "in order: an address of a write": "ds_read_b32 v1, v2\n s_waitcnt lgkmcnt(0) ?\n ds_write_b32 v1, v5 !",
    "not in order: of another kind": "ds_read_b32 v1, v2\n s_waitcnt lgkmcnt(0) ?\n flat_load_dword v1, v[2:3] !",
    "scalars in any order": "s_load_dword s1, s[2:3], 0x0\n s_load_dword s5, s[2:3], 0x4\n s_waitcnt lgkmcnt(0) ? lgkmcnt(1)\n s_mov_b32 s4, s1 !",
    "a scalar makes LDS wait longer": "ds_read_b32 v1, v2\n s_load_dword s1, s[2:3], 0x0\n s_waitcnt lgkmcnt(0) ?\n ds_read_b32 v6, v2\n"
                                      " s_waitcnt lgkmcnt(1)\n v_mov_b32_e32 v4, v1 !",
    "also LDS that comes later": "s_load_dword s1, s[2:3], 0x0\n s_waitcnt lgkmcnt(0) ?\n ds_read_b32 v1, v2\n ds_read_b32 v6, v2\n"
                                 " s_waitcnt lgkmcnt(1)\n v_mov_b32_e32 v4, v1 !",
    "vcc": "s_load_dwordx2 vcc, s[2:3], 0x0\n s_waitcnt lgkmcnt(0) ?\n s_cbranch_vccz end !\nend: s_nop 0",
    "a barrier": "ds_write_b32 v1, v2\n s_waitcnt lgkmcnt(0) ?\n s_barrier !",
    "a barrier, without LDS": "flat_store_dword v[2:3], v6\n s_waitcnt vmcnt(0) ?\n s_barrier",
    "a store is told of": "flat_store_dword v[2:3], v6\n s_waitcnt vmcnt(0) ?\n flat_atomic_add v[4:5], v7 !",
    "an atomic is not": "flat_atomic_add v[2:3], v6\n s_waitcnt vmcnt(0) ?\n flat_atomic_add v[4:5], v7",
    "on one side of a branch": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_cbranch_scc0 use\n s_waitcnt vmcnt(0) x 2\n"
                               "use: v_mov_b32_e32 v4, v1 !",
    "a branch that is never taken": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_cbranch_scc0 use\n s_waitcnt vmcnt(0)\n"
                                    "use: v_mov_b32_e32 v4, v1",
    "code that is never executed": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_cbranch_scc0 end\n v_mov_b32_e32 v4, v1 x 0\nend: s_nop 0",
    "around a loop": "loop: v_mov_b32_e32 v4, v1 !\n flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_cbranch_scc0 loop\n s_nop 0 x 1",
    "the other side of a loop waits": "loop: s_waitcnt vmcnt(0)\n v_mov_b32_e32 v4, v1\n flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n"
                                      " s_cbranch_scc0 loop\n s_nop 0 x 1",
    "in a function that is called": "flat_load_dword v1, v[2:3]\n s_getpc_b64 s[4:5]\n s_add_u32 s4, s4, f@s[4:5]\n s_addc_u32 s5, s5, 0\n"
                                    " s_waitcnt vmcnt(0) ?\n s_swappc_b64 s[30:31], s[4:5]\n s_endpgm\n*g: v_mov_b32_e32 v4, v2\n"
                                    " s_setpc_b64 s[30:31]\n*f: v_mov_b32_e32 v4, v1 !\n s_setpc_b64 s[30:31]",
    "in a function that is not called": "flat_load_dword v1, v[2:3]\n s_getpc_b64 s[4:5]\n s_add_u32 s4, s4, g@s[4:5]\n s_addc_u32 s5, s5, 0\n"
                                        " s_waitcnt vmcnt(0) ?\n s_swappc_b64 s[30:31], s[4:5]\n s_endpgm\n*g: v_mov_b32_e32 v4, v2\n"
                                        " s_setpc_b64 s[30:31]\n*f: v_mov_b32_e32 v4, v1\n s_setpc_b64 s[30:31]",
    "in any function": "flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_swappc_b64 s[30:31], vcc\n s_endpgm\n"
                       "*f: v_mov_b32_e32 v4, v1 !\n s_setpc_b64 s[30:31]",
    "behind a return": "s_swappc_b64 s[30:31], vcc\n v_mov_b32_e32 v4, v1 !\n s_endpgm\n"
                       "*f: flat_load_dword v1, v[2:3]\n s_waitcnt vmcnt(0) ?\n s_setpc_b64 s[30:31]",
}


class instruction:
    def __init__(self, address, text):
        self.address, self.text, self.mnemonic = address, text, text.split()[0]


def program(source):
    """(code, issues, functions, the wait, what is left of it, the use)"""
    labels, lines, functions = {}, [], []
    for n, line in enumerate(source.split("\n") + (["s_endpgm"] if "s_endpgm" not in source else [])):
        m = re.match(r"(\*?)(?:(\w+):)?\s*(.*?)\s*(!?)(?: x (\d+))?$", line)
        if m.group(2):
            labels[m.group(2)] = 4 * n
        if m.group(1):
            functions.append(4 * n)
        lines.append(m.groups()[2:])
    code, issues, at, left, use = [], {}, None, {}, None
    for n, (text, uses, count) in enumerate(lines):
        text, is_wait, more = text.partition("?")
        if is_wait:
            at, left = n, {c: int(k) for c, k in re.findall(r"(\w+)\((\d+)\)", more)}
        if uses:
            use = n
        text = re.sub(r"(s_c?branch\w*) (\w+)", lambda m: f"{m.group(1)} {(labels[m.group(2)] - 4 * n - 4) // 4 % 65536}", text.strip())
        # The distance from behind the s_getpc_b64, which is in front.
        text = re.sub(r"(\w+)@s\[4:5\]", lambda m: hex(labels[m.group(1)] - 4 * n), text)
        code.append(instruction(4 * n, text))
        issues[4 * n] = int(count or 4)
    return code, {a: n for a, n in issues.items() if n}, functions, at, left, use


failed = 0
for name, source in CASES.items():
    code, issues, functions, at, left, use = program(source)
    found = effects(code, issues, [0], functions).use_too_early(at, left)
    if (found[1] if found else None) != use:
        failed += 1
        print(f"FAILED: {name}: {found}, expected a use at {use}")
    if code[use or 0].mnemonic == "s_barrier" and effects(code, issues, [0], functions, {0}).use_too_early(at, left) is not None:
        failed += 1
        print(f"FAILED: {name}: of a lone wavefront")
print(f"{len(CASES)} cases, {failed} failed")
sys.exit(1 if failed else 0)
