#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# auto_splits_test.sh PWSVP PWSCC ROOT: no HIP program has a longer bound with pwscc --split=auto than without splitting, although it
# is compiled before its launches are known; and none of its launches has, but for those named below. A few programs, those where
# it was once longer among them, with S = 3; with PWS_WCET_ALL=1 all of sw/kernels/programs, with S = 1, 3 and 7.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"
programs=(stencil_3d bitonic_sort lavamd) contexts=(3)
if [ -n "${PWS_WCET_ALL:-}" ]; then
  programs=() contexts=(1 3 7)
  for source in "$root"/sw/kernels/programs/*.hip; do programs+=("$(basename "$source" .hip)"); done
fi
# bounds NAME SETTING...: bounds every launch of ./NAME; report in NAME.json.
bounds() {
  local name=$1
  shift
  code 0 "$pwsvp" exec "$root/configs/gpu/predictable.yaml" --set machine.memory.instruction_cache.size_kib=64 "$@" \
    --wcet --fidelity functional --quiet --report "$name.json" -- "./$name" --size small
}
splits=0
for program in "${programs[@]}"; do
  source=$root/sw/kernels/programs/$program.hip
  "$pwscc" --split=none -O3 -std=c++17 "$source" -o none
  bounds none --set machine.divergence=none
  for s in "${contexts[@]}"; do
    "$pwscc" --split=auto -S "$s" -O3 -std=c++17 --report=report.txt "$source" -o auto 2>warnings.txt || { cat warnings.txt; fail "$program"; }
    bounds auto --set machine.divergence=pws --set "machine.spsimd_per_simd=$s"
    grep -q " split " report.txt && splits=$((splits + 1))
    python3 - "$program" "$s" <<'PYTHON' || fail "$program with S = $s has longer bounds than without splitting"
import json, sys
none, auto = (json.load(open(f))["per_launch"] for f in ("none.json", "auto.json"))
value = lambda launch, scheme, field="E_kernel": launch["wcet"][scheme][field]["value"]
assert len(none) == len(auto) > 0
splitting = lambda a: value(a, "pws", "D_S") * value(a, "pws", "split_and_merge_of_E_WF")
pairs = [(value(n, "none"), value(a, "pws"), splitting(a), n["kernel"]) for n, a in zip(none, auto)]
# auto weighs a kernel and not a launch, and over all launches these gain. A launch may take what split and merge do more, and the
# instruction or two that clang's code has then: two thousandths.
exceptions = {"bitonic_sort", "leukocyte"}
program, s = sys.argv[1:]
longer = [p for p in pairs if p[1] > p[0] + (p[2] + p[0] // 500 if program in exceptions else 0)]
before, after = sum(p[0] for p in pairs), sum(p[1] for p in pairs)
print(f"{program}, S = {s}: {len(pairs)} launches, bound {after} of {before} cycles without splitting")
for p in longer[:3]: print("longer:", p)
sys.exit(1 if longer or after > before else 0)
PYTHON
  done
done
[ $splits -gt 0 ] || fail "nothing was split"
