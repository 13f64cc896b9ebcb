#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slurm_test.sh PWSVP ROOT: configs/experiments/Snakefile with its Slurm profile on a Slurm of one node. Exit code 77: snakemake or
# Slurm is not installed, or does not start.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2 here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v snakemake >/dev/null || { echo "skipped: snakemake is not installed"; exit 77; }
cd "$folder"
export XDG_CACHE_HOME=$folder/cache
cat >grid.yaml <<YAML
title: Points
command: graph
config: $root/configs/graphs/figure8.yaml
axes:
- {name: S, key: S, values: [0, 1]}
- {name: d, key: d, values: [1, 41]}
except: [{S: "1", d: "1"}]
measures: {bound: bounds.pws.E_kernel, none: bounds.none.E_kernel}
holds: [{measure: none, at_most: bound}]
YAML
# on_slurm EXPERIMENT FOLDER: as configs/experiments/slurm has it, but for the wait for files, which one machine need not do.
on_slurm() {
  snakemake --profile "$root/configs/experiments/slurm" --latency-wait 3 --snakefile "$root/configs/experiments/Snakefile" \
    --config pwsvp="$pwsvp" experiment="$1" folder="$2"
}
source "$here/slurm_here.sh"
start_slurm

# The same table as here, also of points that fail, which are said. In a folder with a blank.
code 1 "$pwsvp" sweep grid.yaml --output here
code 1 on_slurm grid.yaml "the re"
says out "S = 1, d = 41: FAILED: none 100 is above bound 92"
cmp here/table.csv "the re/table.csv" || fail "another table"

# A program that goes on until it may stop: its job is cancelled, and the next call runs that point.
cat >waits.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <unistd.h>
int main() {
  while (access("go", F_OK) != 0) usleep(20000);
  return hipFree(nullptr);
}
HIP
cat >waits.yaml <<YAML
title: A program that waits
command: exec
config: $root/configs/gpu/small.yaml
set: {program.source: waits.hip}
axes: [{name: CUs, key: machine.n_cu, values: [1]}]
measures: {launches: launches}
YAML
on_slurm waits.yaml waits >cancelled.txt 2>&1 </dev/null &
waiting=$!
for _ in $(seq 600); do
  if [ -d waits/points/1 ]; then break; fi
  kill -0 $waiting 2>/dev/null || { cat cancelled.txt; fail "it is over already"; }
  sleep 0.05
done
scancel --user="$(id -un)" --name=point
wait $waiting && fail "a job that is cancelled is no failure"
grep -q "CUs = 1: FAILED: not run" cancelled.txt || { cat cancelled.txt; fail "the point is not said"; }
touch go
code 0 on_slurm waits.yaml waits
grep -q '^1,done,,0$' waits/table.csv || { cat waits/table.csv; fail "the point that was cancelled"; }
echo PASS
