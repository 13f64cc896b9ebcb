#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# refused_test.sh PWSVP ROOT: bad experiments are refused with their places, and failed points are reported beside the good ones.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"

cat >bad.yaml <<YAML
title: Everything wrong
command: rum
config: $root/configs/runs/reduction.yaml
axis: []
axes:
- {name: a, key: machine.n_cu, values: [1, 1]}
- {name: a, points: {x: {}, y: {}}}
- {name: b, key: machine.n_cu}
- {file: ../elsewhere.yaml}
measures: {cycles: cycles, a: totals.ipc}
holds:
- {measure: cycels, at_most: cycles}
small: {axes: {c: ["1"], a: ["7"]}, except: [{a: w}]}
figures:
- {title: t, x: z, lines: [{label: l, measure: cycles, as: speedy, base_at: {a: q}}]}
- {title: t, x: a, only: ["1", w], means: [median], lines: [{label: l, measure: cycles}]}
YAML
code 2 "$pwsvp" sweep bad.yaml
for text in \
  "bad.yaml:2:10: command: 'rum' is not one of run, wcet, exec, graph, reconvergence; did you mean run?" \
  "bad.yaml:4:1: axis: unknown key; did you mean axes?" \
  "bad.yaml:6:44: axes.0.values: '1' is there twice" \
  "bad.yaml:7:3: axes.1: there is an axis 'a' already" \
  "bad.yaml:8:3: axes.2: give either key and values, or points" \
  "bad.yaml:9:10: axes.3.file: must be in the experiment's own folder" \
  "bad.yaml:10:28: measures.a: an axis has that name" \
  "bad.yaml:12:13: holds.0.measure: 'cycels' is no measure; did you mean cycles?" \
  "figures.0: 'l' needs a point of axis a" \
  "small.axes.c: 'c' is no axis" \
  "small.axes.a: '7' is no point of axis a" \
  "small.except.0.a: 'w' is no point of axis a" \
  "figures.0.x: 'z' is no axis" \
  "figures.1.only: 'w' is no point of axis a" \
  "figures.1.means: 'median' is not one of geometric, arithmetic, harmonic" \
  "figures.0.lines.0.as: 'speedy' is not one of" \
  "figures.0.lines.0.base_at.a: 'q' is no point of axis a"; do
  says err "$text"
done

# A key that the point's own configuration does not know: found before anything runs.
cat >key.yaml <<YAML
title: A wrong key
command: run
config: $root/configs/runs/reduction.yaml
axes:
- {name: CUs, key: machine.n_cus, values: [1, 2]}
measures: {cycles: cycles}
YAML
code 2 "$pwsvp" sweep key.yaml
says err "key.yaml: at CUs = 1:"
says err "machine.n_cus: unknown key; did you mean n_cu?"
[ ! -e out ] || fail "a folder for a sweep that was refused"
code 2 "$pwsvp" sweep nothing.yaml
says err "nothing.yaml"
code 2 "$pwsvp" report .
says err "table.csv: not there"
code 2 "$pwsvp" sweep key.yaml --jobs 0

# A program that does not compile, one that fails its check, one that is killed, and a good one.
cat >good.hip <<'HIP'
int main() { return 0; }
HIP
cat >wrong.hip <<'HIP'
#include <cstdio>
int main() {
  std::printf("machine: cannot do this\nsum: got 1, expected 2\nFAIL\n");
  return 1;
}
HIP
cat >dies.hip <<'HIP'
#include <csignal>
int main() { return std::raise(SIGKILL); }
HIP
echo 'int main() { return x; }' >broken.hip
cat >fail.yaml <<YAML
title: Programs that fail
command: exec
config: $root/configs/gpu/small.yaml
axes:
- name: program
  points:
    broken: {program.source: broken.hip}
    wrong: {program.source: wrong.hip}
    dies: {program.source: dies.hip}
    good: {program.source: good.hip}
measures: {launches: launches, branches: compiler.totals.branches}
figures:
- title: Launches
  x: program
  lines: [{label: ours, measure: launches}]
YAML
printf '#include <hip/hip_runtime.h>\n%s\n%s\n' \
  "__global__ void sides(int* p) { if (p[threadIdx.x] != 0) p[threadIdx.x] *= 3; else atomicAdd(p + 7, 1); }" \
  "$(sed 's/return 0;/return hipFree(nullptr);/' good.hip)" >good.hip
code 1 "$pwsvp" sweep fail.yaml --output failed
says out "4 points, 0 of them kept from before, 3 failed"
says out "program = wrong: FAILED: exit code 1: sum: got 1, expected 2"
says out "program = dies: FAILED: ended by signal 9"
says out "use of undeclared identifier 'x'"
grep -q '^good,done,,0,2$' failed/table.csv || { cat failed/table.csv; fail "the good point is not in the table"; }
code 0 "$pwsvp" report failed
grep -q 'Not in the figure' failed/report.html || fail "the page does not say what is missing"
# Failed points run again, good ones do not.
code 1 "$pwsvp" sweep fail.yaml --output failed
says out "4 points, 1 of them kept from before, 3 failed"

# What the experiment expects to be refused is no failure, and does not run again.
sed '/^command:/a refusal: "cannot do"' fail.yaml >refusal.yaml
code 1 "$pwsvp" sweep refusal.yaml --output refusal
says out "4 points, 0 of them kept from before, 2 failed, 1 refused"
says out "program = wrong: refused: machine: cannot do this"
grep -q '^wrong,refused,' refusal/table.csv || { cat refusal/table.csv; fail "the refused point is not in the table"; }
code 1 "$pwsvp" sweep refusal.yaml --output refusal
says out "4 points, 2 of them kept from before, 2 failed, 1 refused"
code 0 "$pwsvp" report refusal
grep -q '2 of them failed, 1 refused' refusal/report.html || fail "the page does not count refused points"

# A rule that does not hold is a failure.
sed -e 's/^measures:.*/measures: {cycles: cycles, workgroups: totals.workgroups}\nholds: [{measure: cycles, at_most: workgroups}]/' -e 's/n_cus/n_cu/' \
  key.yaml >rule.yaml
code 1 "$pwsvp" sweep rule.yaml --output rule
says out "is above workgroups"

# Two at a time in one folder.
mkdir -p busy
code 2 flock busy/lock "$pwsvp" sweep rule.yaml --output busy
says err "another sweep is running there"
# A folder that cannot be, and a damaged file in one that was good.
touch file
code 2 "$pwsvp" sweep rule.yaml --output file/x
echo '{"points": [' >failed/sweep.json
code 2 "$pwsvp" report failed
says err "sweep.json"
