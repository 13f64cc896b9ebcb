#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# divergence_test.sh PWSVP PWSCC ROOT: HIP programs of sw/kernels/programs, split wherever pwscc can, pass their self-check under
# every scheme that joins paths at merge. Those of the DPE paper's benchmarks; with PWS_PROGRAMS_ALL=1 all of them.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
programs=(quick_sort stencil_3d ray_trace laplace_3d suffix_match photon_transport dxt_compress bfs_queue)
if [ -n "${PWS_PROGRAMS_ALL:-}" ]; then
  programs=()
  for source in "$root"/sw/kernels/programs/*.hip; do programs+=("$(basename "$source" .hip)"); done
fi
# passes FIDELITY SCHEME: ./program on the default machine with S = 3.
passes() {
  code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --set machine.divergence="$2" --set machine.spsimd_per_simd=3 \
    --fidelity "$1" --quiet --report report.json -- ./program --size small
  says out PASS
}
read -ra schemes < <(python3 "$root/tests/integration/schemes.py" "$pwsvp")
[ ${#schemes[@]} -ge 7 ] || fail "only ${#schemes[@]} schemes"
split=0
for program in "${programs[@]}"; do
  "$pwscc" --split=all -S 3 -O3 -std=c++17 "$root/sw/kernels/programs/$program.hip" -o program 2>warnings.txt ||
    { cat warnings.txt; fail "$program"; }
  for scheme in none "${schemes[@]}"; do passes functional "$scheme"; done
  passes timing dpe
  passes timing stack
  splits=$(python3 -c 'import json; print(json.load(open("report.json"))["totals"]["splits"]["value"])')
  echo "$program: $splits splits on a stack"
  [ "$splits" -eq 0 ] || split=$((split + 1))
done
[ "$split" -ge 5 ] || fail "only $split programs split"
echo PASS
