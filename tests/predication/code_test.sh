#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# code_test.sh PWSCC PWSVP ROOT: the machine code of paper 004's figures as p, ps and psr, and what it computes.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwscc=$1 pwsvp=$2 root=$3
here=$root/tests/predication
cd "$folder"
for mode in p ps psr; do
  code 0 "$pwscc" --divergence=$mode --report=$mode.json -std=c++17 -O3 "$here/figures.hip" -o $mode.s
  python3 "$here/code.py" $mode $mode.s $mode.json "$here/figures.hip" || fail "the code of --divergence=$mode"
  for fidelity in functional timing; do
    [ $fidelity = functional ] || [ $mode = p ] || continue
    code 0 "$pwscc" --divergence=$mode -std=c++17 -O3 "$here/figures.hip" -o program
    code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --fidelity $fidelity --quiet -- ./program
    says out PASS
  done
  echo "$mode: as the figures have it"
done
# What is wrong is found: a check that is lost, one that came back, a block without its mask.
wrong() {  # PYTHON that changes `text`
  python3 - "$1" <<'PYTHON'
import re, sys
text = open("p.s").read()
before = text
scope = {"re": re, "text": text}
exec(sys.argv[1], scope)
assert scope["text"] != before, sys.argv[1]
open("wrong.s", "w").write(scope["text"])
PYTHON
  ! python3 "$here/code.py" p wrong.s p.json "$here/figures.hip" >said.txt || fail "not found: $1"
}
wrong 'at = text.index("guarded_load"); text = text[:at] + re.sub(r"\n\ts_cbranch_execz [^\n]*", "", text[at:], count=1)'
wrong 'text = re.sub(r"; no check: ", "", text, count=1)'
wrong 'text = re.sub(r"\n\ts_and_saveexec_b64 [^\n]*", "", text, count=1)'

# Registers: where both sides are taken for executed, the values that one side keeps are kept through the other.
for mode in s p ps psr; do
  code 0 "$pwscc" --divergence=$mode --report=registers.$mode.json -O3 "$here/registers.hip" -o registers.s
done
python3 - <<'PYTHON' || fail "registers"
import json, sys
vgprs = {m: {k["demangled"]: k["vgprs"] for k in json.load(open(f"registers.{m}.json"))["kernels"]} for m in ("s", "p", "ps", "psr")}
print(vgprs)
s = vgprs["s"]["divergent_sides"]
sys.exit(not all(vgprs[m]["divergent_sides"] >= s + 16 for m in ("p", "ps", "psr")))
PYTHON
echo PASS
