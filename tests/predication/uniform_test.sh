#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# uniform_test.sh PWSCC ROOT: which uniform branches the kernels of sw/kernels keep: none with p; with ps and psr those of clang's own
# code, told as for these not to copy code. And which checks: with psr those of its rule, else those that have a reason. Some
# programs; with PWS_PREDICATION_ALL=1 all.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwscc=$1 root=$2
cd "$folder"
sources=("$root"/sw/kernels/{reduction,matrix_multiply,needleman_wunsch,divergent_break}.hip "$root"/sw/kernels/programs/{bfs,srad}.hip)
[ -z "${PWS_PREDICATION_ALL:-}" ] || sources=("$root"/sw/kernels/*.hip "$root"/sw/kernels/programs/*.hip)
for source in "${sources[@]}"; do
  code 0 "$pwscc" --split=none -mllvm -tail-dup-placement=0 --report=none.json -O3 -std=c++17 "$source" -o k.s
  for mode in p ps psr; do
    code 0 "$pwscc" --divergence=$mode --report=$mode.json -O3 -std=c++17 "$source" -o k.s
  done
  python3 - "$(basename "$source")" <<'PYTHON' || fail "$source"
import json, sys
table = {m: {k["function"]: k for k in json.load(open(m + ".json"))["kernels"]} for m in ("none", "p", "ps", "psr")}
wrong = 0
for mode in ("p", "ps", "psr"):
    for c in json.load(open(mode + ".json"))["checks"]:
        by_rule = mode == "psr" and c["single_entry_exit"] and (c["instructions"] > 3 or c["blocks"] > 2)
        if c["by_rule"] != by_rule or c["kept"] != (by_rule or c["reason"] != ""):
            wrong += 1
            print("  ", mode, c)
for name, own in table["none"].items():
    p, ps, psr = (table[m][name] for m in ("p", "ps", "psr"))
    checks = [
        (p["uniform_branches"] == 0, "p has uniform branches"),
        (ps["uniform_branches"] == own["uniform_branches"], "ps does not have clang's uniform branches"),
        (psr["uniform_branches"] == own["uniform_branches"], "psr does not have clang's uniform branches"),
        (ps["checks"] <= psr["checks"], "ps has more checks than psr"),
        (all(k["other_branches"] == 0 for k in (own, p, ps, psr)), "branches of no class"),
        (all(k["ir_branches"] == own["ir_branches"] for k in (p, ps, psr)), "the source's branches changed"),
    ]
    print(f"{sys.argv[1]} {own['demangled']}: uniform {own['uniform_branches']} {p['uniform_branches']} {ps['uniform_branches']} "
          f"{psr['uniform_branches']}, checks {own['checks']} {p['checks']} {ps['checks']} {psr['checks']}, loop "
          f"{own['loop_branches']} {p['loop_branches']} {ps['loop_branches']} {psr['loop_branches']}")
    for good, what in checks:
        if not good:
            wrong += 1
            print("  ", what)
sys.exit(1 if wrong or not table["none"] else 0)
PYTHON
done
echo PASS
