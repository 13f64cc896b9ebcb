#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# uniformity_test.sh PWSVP PWSCC ROOT: no branch of the project's runs and HIP programs is ever measured divergent although it is proved
# uniform in every run. Some of both; with PWS_PROGRAMS_ALL=1 all of them.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
runs=(bfs_step divergent_break histogram matrix_multiply_tiled odd_even_loop reduction spiking_neuron synthetic)
programs=(bfs bplus_tree needleman_wunsch ray_trace)
if [ -n "${PWS_PROGRAMS_ALL:-}" ]; then
  runs=() programs=()
  for file in "$root"/configs/runs/*.yaml; do runs+=("$(basename "$file" .yaml)"); done
  for source in "$root"/sw/kernels/programs/*.hip; do programs+=("$(basename "$source" .hip)"); done
fi
total() { python3 -c "import json; j=json.load(open('report.json'))['branch_uniformity']; print($1)"; }
proved=0 diverged=0
for name in "${runs[@]}"; do
  code 0 "$pwsvp" run "$root/configs/runs/$name.yaml" --set machine.fidelity=functional --set machine.cosim.mode=model \
    --set machine.trace.branch_uniformity=true --report report.json
  says out "always uniform"
  [ "$(total "j['contradictions']['value']")" = 0 ] || { cat out.txt; fail "$name: divergent although proved uniform"; }
  proved=$((proved + $(total "j['proved_uniform']['value']")))
  diverged=$((diverged + $(total "sum(b['divergent'] != 0 for b in j['each'])")))
done
for program in "${programs[@]}"; do
  "$pwscc" --split=none -O3 -std=c++17 "$root/sw/kernels/programs/$program.hip" -o program 2>warnings.txt ||
    { cat warnings.txt; fail "$program"; }
  code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --set machine.trace.branch_uniformity=true --fidelity functional --report report.json \
    -- ./program --size small
  [ "$(total "j['totals']['contradictions']['value']")" = 0 ] || { cat err.txt; fail "$program: divergent although proved uniform"; }
  # Occupancy in the totals: of the kernels, however often each is launched.
  python3 - <<'PYTHON' || fail "$program: totals.occupancy"
import json
j = json.load(open("report.json"))
shares = {}
for launch in j["per_launch"]:
    shares.setdefault(launch["kernel"], []).append(launch["occupancy"]["share"]["value"])
kernels = [sum(s) / len(s) for s in shares.values()]
wanted = {"mean": sum(kernels) / len(kernels), "least": min(kernels), "most": max(kernels)}
got = {k: j["totals"]["occupancy"][k + "_of_kernels"]["value"] for k in wanted}
assert all(abs(got[k] - wanted[k]) < 1e-9 and 0 < got[k] <= 1 for k in wanted), (got, wanted)
PYTHON
  proved=$((proved + $(total "j['totals']['proved_uniform']['value']")))
  diverged=$((diverged + $(total "sum(b['divergent'] != 0 for k in j['kernels'] for b in k['each'])")))
done
[ "$proved" -gt 20 ] || fail "$proved branches proved uniform"
[ "$diverged" -gt 20 ] || fail "$diverged branches diverged"
echo "$proved branches proved uniform, $diverged others diverged"
echo PASS
