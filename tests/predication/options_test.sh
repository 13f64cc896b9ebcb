#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# options_test.sh PWSCC PWSVP ROOT: --divergence and program.divergence, used rightly and wrongly; without them the code is what it was.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwscc=$1 pwsvp=$2 root=$3
cd "$folder"
kernel=$root/sw/kernels/divergent_break.hip
refused() {  # MESSAGE OPTION...
  local message=$1
  shift
  code 2 "$pwscc" "$@" -O3 -std=c++17 "$kernel" -o k.hsaco
  says err "$message"
  [ ! -e k.hsaco ] || fail "$*: wrote a file"
}
refused "--divergence=x: not none, s, p, ps or psr" --divergence=x
refused "--divergence=: not none, s, p, ps or psr" --divergence=
refused "--divergence=P: not none, s, p, ps or psr" --divergence=P
refused "--divergence=s together with --split=none: a divergence stack needs split and merge at all branches" --divergence=s --split=none
refused "--divergence=s together with --split=marked" --split=marked --divergence=s
for mode in p ps psr; do
  for split in all marked auto; do
    refused "--divergence=$mode together with --split=$split: predicated sides run one after the other on one path" --split=$split --divergence=$mode
  done
done
code 2 "$pwscc" --divergence=p "$root/sw/kernels/two_branches.s" -o k.hsaco
says err "assembly is not predicated: --divergence=p is for HIP"

# s is what --split=all is with room for every path, none is nothing.
same() {  # FILE FILE
  cmp "$1" "$2" || fail "$1 and $2 differ"
}
compile() { code 0 "$pwscc" -O3 -std=c++17 "$@"; }
compile --divergence=s "$kernel" -o s.s
compile --split=all -S 63 "$kernel" -o all.s
same s.s all.s
compile --divergence=s -S 2 "$kernel" -o s2.s
compile --split=all -S 2 "$kernel" -o all2.s
same s2.s all2.s
compile --split=none "$kernel" -o none.s
compile --divergence=none --split=none "$kernel" -o none2.s
same none.s none2.s
# With a report the code is the same: the plugin that counts changes nothing.
compile --split=none --report=r.json "$kernel" -o counted.s
same none.s counted.s
compile "$kernel" -o plain.hsaco
compile --report=r.json "$kernel" -o counted.hsaco
same plain.hsaco counted.hsaco
# The same bytes every time.
compile --divergence=p "$kernel" -o p1.s
compile --divergence=p "$kernel" -o p2.s
same p1.s p2.s
cmp -s p1.s none.s && fail "--divergence=p changes nothing"
compile --divergence=psr --report "$kernel" -o r.s
says err "divergence: psr"
says err "  BB   R   L  Br  SBU  RBU   LC missed  VGPRs  SGPRs  masks  kernel"

# Run files.
run=$root/configs/runs/divergent_break.yaml
for mode in s p ps psr none; do code 0 "$pwsvp" run "$run" --set=program.divergence=$mode --quiet; done
code 2 "$pwsvp" run "$run" --set=program.divergence=x --quiet
says err "program.divergence"
code 2 "$pwsvp" run "$run" --set=program.divergence=p --set=program.split=all --quiet
says err "does not go with split: all, but with none"
code 2 "$pwsvp" run "$run" --set=program.divergence=s --set=program.split=auto --quiet
says err "does not go with split: auto, but with all"
code 2 "$pwsvp" run "$root/configs/runs/two_branches.yaml" --set=program.divergence=ps --quiet
says err "code is compiled for it from HIP"

# Experiments, of programs and of runs.
cat >codes.yaml <<YAML
title: Codes
command: exec
config: $root/configs/gpu/default.yaml
set: {program.source: $root/sw/kernels/programs/pathfinder.hip, program.arguments: [--size, small]}
axes:
- {name: code, key: program.divergence, values: [none, s, p, ps, psr]}
measures: {cycles: cycles}
YAML
code 0 "$pwsvp" sweep codes.yaml
[ "$(python3 -c 'import csv,glob; print(sum(1 for _ in csv.reader(open(glob.glob("out/codes/*.csv")[0]))))')" -eq 6 ] || fail "not five points"
sed 's/key: program.divergence/key: program.divergense/' codes.yaml >wrong.yaml
code 2 "$pwsvp" sweep wrong.yaml
says err "program.divergense: unknown key; known for command exec: program.source, program.split, program.divergence"
sed 's/{program.source/{program.split: all, program.source/' codes.yaml >both.yaml
code 2 "$pwsvp" sweep both.yaml
says err "at code = p"
says err "--divergence=p together with --split=all"
echo PASS
