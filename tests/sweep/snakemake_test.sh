#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# snakemake_test.sh PWSVP ROOT: configs/experiments/Snakefile gives the table that the sweep gives, goes on where it was stopped,
# and says which points fail. Exit code 77: no snakemake.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
command -v snakemake >/dev/null || { echo "skipped: snakemake is not installed"; exit 77; }
cd "$folder"
export XDG_CACHE_HOME=$folder/cache
cat >grid.yaml <<YAML
title: Points
command: graph
config: $root/configs/graphs/figure8.yaml
axes: [{name: S, key: S, values: [0, 1, 2]}]
small: {axes: {S: ["0", "2"]}}
measures: {bound: bounds.pws.E_kernel}
YAML
options=
# make EXPERIMENT FOLDER WORDS...
make() {
  # shellcheck disable=SC2086
  snakemake --cores 2 --keep-going --snakefile "$root/configs/experiments/Snakefile" \
    --config pwsvp="$pwsvp" experiment="$1" folder="$2" $options "${@:3}"
}
# ran N: so many points ran.
ran() { [ "$(grep -c '^rule point:' err.txt || true)" -eq "$1" ] || { cat err.txt; fail "not $1 points ran"; }; }
code 0 "$pwsvp" sweep grid.yaml --output whole
code 0 make grid.yaml made
cmp made/table.csv whole/table.csv || fail "another table"
code 0 make grid.yaml made
ran 0
# A point is gone: it runs again, alone.
rm -r made/points/2
code 0 make grid.yaml made
ran 1
cmp made/table.csv whole/table.csv || fail "another table afterwards"
# What pwsvp sweep has finished does not run again. The small form, in a folder with a blank.
code 0 "$pwsvp" sweep grid.yaml --small --output "sm all"
cp "sm all/table.csv" small.csv
rm "sm all/table.csv"
options=options=--small
code 0 make grid.yaml "sm all"
options=
ran 0
cmp "sm all/table.csv" small.csv || fail "another table of the small form"
# Without a folder it is the sweep's own, also of the small form; the experiment is not optional.
code 0 snakemake --cores 1 --snakefile "$root/configs/experiments/Snakefile" --config pwsvp="$pwsvp" experiment=grid.yaml options=--small
cmp out/grid-small/table.csv small.csv || fail "another table in the sweep's own folder"
code 1 snakemake --cores 1 --snakefile "$root/configs/experiments/Snakefile" --config pwsvp="$pwsvp"
says err "which experiment? --config experiment=FILE.yaml"
# With other settings all points run again.
sed 's/bounds.pws/bounds.dws/' grid.yaml >other.yaml
code 0 make other.yaml made
ran 3
code 0 "$pwsvp" sweep other.yaml --output other
cmp made/table.csv other/table.csv || fail "a table of other settings"

# Points that fail: the others run, and the table says why. They run again.
sed 's/^measures:.*/measures: {bound: bounds.pws.E_kernel, none: bounds.none.E_kernel}\nholds: [{measure: none, at_most: bound}]/' grid.yaml >fails.yaml
code 1 make fails.yaml failed
says out "S = 1: FAILED: none 60 is above bound 52"
code 1 "$pwsvp" sweep fails.yaml --output fails
cmp failed/table.csv fails/table.csv || fail "another table of points that fail"
code 1 make fails.yaml failed
ran 2

# It is killed while a point runs: the next call runs that point, and only that.
cat >waits.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <unistd.h>
int main(int n, char** v) {
  while (n > 1 && access("go", F_OK) != 0) usleep(20000);
  return hipFree(nullptr);
}
HIP
cat >waits.yaml <<YAML
title: A program that waits at one point
command: exec
config: $root/configs/gpu/small.yaml
set: {program.source: waits.hip}
axes: [{name: waits, points: {no: {}, yes: {program.arguments: [x]}}}]
measures: {launches: launches}
YAML
export -f make
export pwsvp root
setsid bash -c "make waits.yaml waits" >killed.txt 2>&1 </dev/null &
making=$!
trap 'kill -KILL -- -$making 2>/dev/null || true; rm -rf "$folder"' EXIT
for _ in $(seq 600); do
  if [ -e waits/points/1/finished ] && [ -d waits/points/2 ]; then break; fi
  kill -0 $making 2>/dev/null || { cat killed.txt; fail "it is over already"; }
  sleep 0.05
done
kill -KILL -- -$making
wait $making 2>/dev/null || true
[ ! -e waits/points/2/finished ] || fail "it was over before it was killed"
touch go
code 0 make waits.yaml waits --unlock
code 0 make waits.yaml waits --rerun-incomplete
ran 1
grep -q '^yes,done,,0$' waits/table.csv || { cat waits/table.csv; fail "the point that was killed"; }
echo PASS
