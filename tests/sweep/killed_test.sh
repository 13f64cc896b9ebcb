#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# killed_test.sh PWSVP ROOT: a sweep of 50 points that is killed five times, at random, gives the same table as one that is not.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2

cat >"$folder/grid.yaml" <<YAML
title: Fifty points
command: run
config: $root/configs/runs/reduction.yaml
axes:
- {name: CUs, key: machine.n_cu, values: [1, 2, 3, 4, 5]}
- {name: contexts, key: machine.n_wfc, values: [1, 2, 4, 6, 10]}
- {name: schedule, key: machine.schedule, values: [oldest_first, round_robin]}
measures: {cycles: cycles, ipc: totals.ipc, pass: result.pass}
YAML
code 0 "$pwsvp" sweep "$folder/grid.yaml" --jobs 2 --output "$folder/undisturbed"
[ "$(grep -c ',done,' "$folder/undisturbed/table.csv")" -eq 50 ] || fail "not 50 points"

# A simulation that writes into the sweep's folder.
point_runs() {
  local process
  for process in /proc/[0-9]*/cmdline; do
    case "$(tr '\0' ' ' 2>/dev/null <"$process")" in *pwsvp*" --report $folder/killed"*) return 0 ;; esac
  done
  return 1
}

RANDOM=${PWS_SWEEP_SEED:-7}
for kill in 1 2 3 4 5; do
  "$pwsvp" sweep "$folder/grid.yaml" --jobs $((1 + kill % 2)) --output "$folder/killed" >"$folder/out.txt" 2>&1 </dev/null &
  sweep=$!
  # After another 2 to 6 of its 50 points, wherever it is then.
  enough=$((2 + RANDOM % 5))
  until [ "$(grep -Ec ': [0-9.]+ s' "$folder/out.txt")" -ge $enough ] || ! kill -0 $sweep 2>/dev/null; do sleep 0.01; done
  sleep 0.0$((RANDOM % 5))
  kill -KILL $sweep 2>/dev/null || fail "the sweep was over before it could be killed for the ${kill}th time"
  wait $sweep 2>/dev/null || true
  # Nothing goes on behind its back.
  if point_runs; then sleep 0.2; fi
  if point_runs; then fail "a point still runs"; fi
done
[ ! -e "$folder/killed/table.csv" ] || fail "a table before all points are there"
code 0 "$pwsvp" sweep "$folder/grid.yaml" --jobs 2 --output "$folder/killed"
tail -3 "$folder/out.txt"
grep -q ' [1-9][0-9]* of them kept' "$folder/out.txt" || fail "nothing was kept"
cmp "$folder/undisturbed/table.csv" "$folder/killed/table.csv" || fail "the tables differ"
# All of it but wall-clock time and the command.
python3 - "$folder/undisturbed/sweep.json" "$folder/killed/sweep.json" <<'PYTHON'
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
a.pop("host"), b.pop("host")
assert a == b, "sweep.json differs"
PYTHON
