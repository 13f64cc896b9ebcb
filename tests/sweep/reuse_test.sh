#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# reuse_test.sh PWSVP ROOT: what decides whether a finished point is kept.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
mkdir -p runs
cp "$root/configs/gpu/small.yaml" "$root/configs/gpu/default.yaml" .
sed -e "s|^machine:.*|machine: ../small.yaml|" -e "s|\.\./\.\./sw/kernels/|../|" "$root/configs/runs/reduction.yaml" >runs/reduction.yaml
cp "$root/sw/kernels/reduction.hip" .
cat >grid.yaml <<'YAML'
title: Two points
command: run
config: runs/reduction.yaml
axes:
- {name: contexts, key: machine.n_wfc, values: [4, 10]}
measures: {cycles: cycles}
YAML
kept() { code 0 "$pwsvp" sweep grid.yaml --output sweep "${@:2}"; says out "2 points, $1 of them kept"; }
kept 0
kept 2
kept 0 --anew
kept 2
echo '# changed' >>small.yaml  # the base of the run's machine
kept 0
echo '// changed' >>reduction.hip
kept 0
# What the source includes, and what it is compiled with.
echo '#include "included.h"' >>reduction.hip
echo '// one' >included.h
kept 0
kept 2
echo '// two' >included.h
kept 0
libraries=${HIP_DEVICE_LIB_PATH:-$PWS_DEVICE_LIBRARIES}
cp -r "$libraries" libraries
export HIP_DEVICE_LIB_PATH=$folder/libraries
kept 2  # the same ones elsewhere
printf 'x' >libraries/one_more.bc
kept 0
unset HIP_DEVICE_LIB_PATH
kept 0
sed -i 's/values: \[4, 10\]/values: [4, 8]/' grid.yaml
kept 1
sed -i 's/cycles: cycles/cycles: cycles, ipc: totals.ipc/' grid.yaml
kept 0
# A result that is cut off, and one that is something else.
head -c 40 sweep/points/1/result.json >cut_off && mv cut_off sweep/points/1/result.json
echo '[]' >sweep/points/2/result.json
kept 0
kept 2
# Points that are left out.
echo 'except: [{contexts: "8"}]' >>grid.yaml
code 0 "$pwsvp" sweep grid.yaml --output sweep
says out "1 points, 1 of them kept"
grep -q '^8,left out,,,$' sweep/table.csv || { cat sweep/table.csv; fail "the point is not said to be left out"; }
# Points of another experiment's sweep that are of the same.
sed '/^except/d' grid.yaml >first.yaml
{ cat first.yaml; echo 'reuse: [nothing, first]'; } >second.yaml
code 0 "$pwsvp" sweep first.yaml --output all/first
code 0 "$pwsvp" sweep second.yaml --output all/second/
says out "2 points, 2 of them kept"
cmp all/first/table.csv all/second/table.csv || fail "another table"
rm -r all/first
code 0 "$pwsvp" sweep second.yaml --output all/second
says out "2 points, 2 of them kept"
code 0 "$pwsvp" sweep second.yaml --output all/second --anew
says out "2 points, 0 of them kept"
code 0 "$pwsvp" sweep second.yaml --output elsewhere/second
says out "2 points, 0 of them kept"
sed -i 's/values: \[4, 8\]/values: [8, 4]/' first.yaml
code 0 "$pwsvp" sweep first.yaml --output elsewhere/first
rm -r elsewhere/second
code 0 "$pwsvp" sweep second.yaml --output elsewhere/second
says out "2 points, 0 of them kept"
# The page is of the table, whatever else has gone.
rm -r sweep/points runs
code 0 "$pwsvp" report sweep --output page.html
grep -q 'Two points' page.html || fail "no title"
