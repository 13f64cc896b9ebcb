#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# measures_test.sh PWSVP ROOT: a measure that no report of the command can have is refused before anything runs, with its
# place and a suggestion; one that some report can have is not.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"

# experiment COMMAND CONFIG MEASURES
experiment() {
  cat >e.yaml <<YAML
title: Measures
command: $1
config: $root/$2
set: ${4:-"{}"}
axes: [{name: a, points: {one: {}}}]
measures: {$3}
YAML
}
refused() {
  code 2 "$pwsvp" check e.yaml
  says err "$1"
  code 2 "$pwsvp" sweep e.yaml
  says err "$1"
  [ ! -e out ] || fail "it has begun all the same"
}
run=configs/runs/reduction.yaml graph=configs/graphs/figure8.yaml program='{program.source: '$root/sw/kernels/programs/nearest_neighbour.hip'}'
experiment run $run "c: cycels"
refused "e.yaml:6:15: measures.c: 'cycels' is in no such report; did you mean cycles?"
experiment run $run "c: cycles, m: totals.l2.raeds"
refused "e.yaml:6:26: measures.m: 'totals.l2.raeds' is in no such report; did you mean totals.l2.reads?"
experiment run $run "c: totals.dram"
refused "'totals.dram' is no single value; below it are totals.dram.reads, totals.dram.writes, totals.dram.row_hits, totals.dram.row_conflicts, totals.dram.row_hit_rate, ..."
experiment run $run "c: totals.lds"
refused "below it are totals.lds.conflict_cycles"
experiment run $run "c: run.grid"
refused "'run.grid' is a list; one of its values: run.grid.value.0"
experiment run $run "c: splits"
refused "did you mean totals.splits?"
experiment run $run "c: qqqqqqqqqqqq"
refused "is in no such report; pwsvp reference lists what is"
# Names that are free stay as they are; an index is a number.
experiment run $run "c: cosim.by_the_modell.v_sqrt_f64_e32"
refused "did you mean cosim.by_the_model.v_sqrt_f64_e32?"
experiment run $run "c: run.grid.value.x"
refused "is in no such report"
# Another command's, and pwscc's where there is none.
experiment run $run "c: bounds.pws.E_kernel"
refused "is in no such report"
experiment graph $graph "c: compiler.totals.split"
refused "compiler.PATH is for command exec"
experiment exec configs/gpu/default.yaml "c: compiler.all_kernels.most_vgpr" "$program"
refused "did you mean compiler.all_kernels.most_vgprs?"
experiment wcet $run "c: observed.cylces"
refused "did you mean observed.cycles?"
experiment reconvergence $run "c: times.best"
refused "did you mean times.best_order?"
# All at once.
experiment run $run "c: cycels, d: ipx"
refused "measures.c"
refused "measures.d"

# What a report can have: with a value or its parts, of a scheme that this machine has not.
experiment run $run "c: cycles, v: cycles.value, u: cycles.unit, x: run.grid.value.0, s: totals.spsimd.2.swfs, t: result.expect.0.text"
code 0 "$pwsvp" check e.yaml
experiment graph $graph "k: F.BB3, n: S_B.0"
code 0 "$pwsvp" check e.yaml

# Points that count other things under one name: the measure has both units, and each point its own.
cat >units.yaml <<YAML
title: Units
command: run
config: $root/$run
axes: [{name: scheme, key: machine.divergence, values: [none, pdom]}]
measures: {n: totals.instructions, cycles: cycles}
YAML
code 0 "$pwsvp" sweep units.yaml --output units
python3 - <<'PY' || fail "the units of a sweep whose points differ in them"
import json
sweep = json.load(open("units/sweep.json"))
assert [m["unit"] for m in sweep["measures"]] == ["wavefront instructions | warp instructions", "cycles"], sweep["measures"]
assert [p["units"] for p in sweep["points"]] == [{"n": "wavefront instructions"}, {"n": "warp instructions"}], sweep["points"]
PY
echo PASS
