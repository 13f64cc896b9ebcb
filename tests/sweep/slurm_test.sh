#!/usr/bin/env bash
# slurm_test.sh PWSVP ROOT: pwsvp sweep --slurm on a Slurm of one node. Exit code 77: it is not installed, or does not start.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2 here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$folder"
cat >grid.yaml <<YAML
title: Points
command: graph
config: $root/configs/graphs/figure8.yaml
axes:
- {name: S, key: S, values: [0, 1, 2, 3]}
- {name: d, key: d, values: [1, 41]}
except: [{S: "3", d: "1"}]
measures: {bound: bounds.pws.E_kernel, none: bounds.none.E_kernel}
YAML
on_slurm() { "$pwsvp" sweep "$1" --output "$2" --slurm "${@:3}"; }

# Without Slurm.
code 2 env PATH=/nowhere "$pwsvp" sweep grid.yaml --output none --slurm
says err "scontrol is not there: --slurm needs Slurm (Debian: slurm-client)"
code 2 "$pwsvp" sweep grid.yaml --output none --partition all
code 2 "$pwsvp" sweep grid.yaml --output none --slurm --list
code 2 "$pwsvp" sweep grid.yaml --output none --cancel

code 0 "$pwsvp" sweep grid.yaml --output here
source "$here/slurm_here.sh"
start_slurm 3

# Seven points in at most three tasks: the same table as here. In a folder with blanks and a %.
there="the re %a/it's"
code 0 on_slurm grid.yaml "$there" --partition all --jobs 2
says out "7 points in 3 tasks"
says out "7 points, 7 of them kept from before, 0 failed"
cmp here/table.csv "$there/table.csv" || fail "another table"
diff "$there/slurm/points" - <<<$'1-3\n4-6\n8' || fail "the tasks' points"
[ ! -e "$there/slurm/job" ] || fail "a job that is over is noted"
# Everything is there: no job.
code 0 on_slurm grid.yaml "$there"
if grep -q "slurm job" out.txt; then fail "a job for nothing"; fi
# Of two points there is nothing.
rm -r "$there/points/2" "$there/points/8"
code 0 on_slurm grid.yaml "$there" --partition other --sbatch=--time=5
says out "2 points in 2 tasks"
cmp here/table.csv "$there/table.csv" || fail "another table, resumed"
code 2 on_slurm grid.yaml "$there" --anew --partition nowhere
says err "sbatch: "
says err "invalid partition"
code 2 on_slurm grid.yaml "$there" --cancel
says err "no job of this sweep is in the queue"
code 0 on_slurm grid.yaml "$there"
cmp here/table.csv "$there/table.csv" || fail "another table, after a job that was refused"

# Points that fail are named with their reasons.
sed 's/^measures:.*/&\nholds: [{measure: none, at_most: bound}]/' grid.yaml >fails.yaml
code 1 on_slurm fails.yaml fails
code 1 "$pwsvp" sweep fails.yaml --output fails_here
grep -q 'S = 1, d = 1: FAILED: none [0-9]* is above bound' "$folder/out.txt" || fail "the reason is not said"
cmp fails/table.csv fails_here/table.csv || fail "another table of points that fail"

# Programs that go on until they may stop.
cat >waits.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <unistd.h>
int main() {
  while (access("go", F_OK) != 0) usleep(20000);
  void* p;
  return hipMalloc(&p, 4) == hipSuccess ? 0 : 1;
}
HIP
cat >waits.yaml <<YAML
title: Programs that wait
command: exec
config: $root/configs/gpu/small.yaml
set: {program.source: waits.hip}
axes: [{name: CUs, key: machine.n_cu, values: [1, 2]}]
measures: {launches: launches}
YAML
trap 'touch "$folder/go"; kill ${waiting:-} 2>/dev/null || true; stop_slurm; rm -rf "$folder"' EXIT
# begin WORDS: pwsvp waits for the job, which has come to these words.
begin() {
  "$pwsvp" sweep waits.yaml --output waits --slurm >waiting.txt 2>&1 </dev/null &
  waiting=$!
  for _ in $(seq 600); do
    if grep -q "$1" waiting.txt; then return; fi
    kill -0 $waiting 2>/dev/null || break
    sleep 0.1
  done
  cat waiting.txt
  fail "it does not say: $1"
}
job() { cat waits/slurm/job; }
begin "tasks: 2 running; 0 of 2 points there"
# The one who waits goes away; the job goes on, and the next call waits for it.
kill -KILL $waiting
wait $waiting 2>/dev/null || true
first=$(job)
begin "slurm job $first: it is in the queue already"
[ "$(job)" = "$first" ] || fail "another job"
# One of its tasks ends without a result.
scancel "${first}_2"
touch go
wait $waiting && fail "a task without a result is no failure"
grep -q "CUs = 2: FAILED: Slurm task 2 CANCELLED: .*CANCELLED" waiting.txt || { cat waiting.txt; fail "the reason of the task"; }
grep -q '^1,done,,0$' waits/table.csv || { cat waits/table.csv; fail "the other point"; }
rm go
# Only that point runs again; the job is cancelled.
begin "1 points in 1 tasks"
code 0 on_slurm waits.yaml waits --cancel
says out "cancelled"
wait $waiting && fail "a job that is cancelled is no failure"
grep -q "CUs = 2: FAILED: Slurm task 1 CANCELLED" waiting.txt || { cat waiting.txt; fail "the reason of the job"; }
touch go
code 0 on_slurm waits.yaml waits
says out "2 points, 2 of them kept"

# A controller that is gone.
kill "$(cat "$slurm/slurmctld.pid")"
for _ in $(seq 100); do scontrol ping 2>/dev/null | grep -q DOWN && break; sleep 0.1; done
code 2 on_slurm grid.yaml gone
says err "Slurm does not answer: "
echo PASS
