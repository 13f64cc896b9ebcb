#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# units_test.sh PWSVP ROOT: reports name what issues the instructions that they count: wavefronts, formed warps, or in functional fidelity the
# paths of a machine that forms warps.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
while read -r divergence fidelity issuer; do
  code 0 "$pwsvp" run "$root/configs/runs/two_stage_sum.yaml" --set "machine.divergence=$divergence" --set "machine.fidelity=$fidelity" --report report.json
  says out " by ${issuer}s"
  says out " $issuer instructions per second"
  json "{v['unit'] for v in (j['totals']['instructions'], j['totals']['branches'], j['totals']['branches_taken'], *j['totals']['instructions_by_unit'].values())} == {'$issuer instructions'}"
  json "j['totals'].get('ipc', {'unit': '$issuer instructions per cycle'})['unit'] == '$issuer instructions per cycle'"
  json "j['totals'].get('vector_memory_instructions', {'unit': '$issuer instructions'})['unit'] == '$issuer instructions'"
done <<'CASES'
none timing wavefront
none functional wavefront
stack timing wavefront
dwf timing warp
dwf functional path
pdom timing warp
mimd timing warp
CASES
echo PASS
