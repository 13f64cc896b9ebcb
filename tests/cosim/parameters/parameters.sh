#!/usr/bin/env bash
# The unit with parameters other than the Verilated build's: the matrix of them is clean under Verilator's -Wall, what must
# not be is refused with the reason, and four corners run (corner_tb.sv). Lanes of all stages run side by side (stages_tb.sv).
# Usage: tests/cosim/parameters/parameters.sh FOLDER        for what is built
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
folder=$1
mkdir -p "$folder"
cd "$root/rtl"
modules=()
for f in *.sv; do
  case $f in *_pkg.sv) ;; *) modules+=("$f") ;; esac
done
sources=(--unroll-count 256 waivers.vlt *_pkg.sv "${modules[@]}")
parameters() { printf -- '-GContexts=%s -GLanes=%s -GSpSimds=%s -GStackDepth=%s -GStages=%s' "$@"; }

# The lane depends on its stages alone (and is clean with each, below): 64 of it would take minutes.
others=()
for source in "${sources[@]}"; do
  if [ "$source" != valu_lane.sv ]; then others+=("$source"); fi
done
others+=("$root/tests/cosim/parameters/valu_lane.sv")
for contexts in 1 3; do
  for lanes in 16 64; do
    for s in 1 6; do
      for depth in 1 5; do
        # shellcheck disable=SC2046
        verilator --lint-only -Wall "${others[@]}" --top-module spsimd $(parameters $contexts $lanes $s $depth $((1 + 2 * contexts % 7)))
      done
    done
  done
done
echo "lint: 16 of 16 combinations clean"
for stages in 2 3 4 5 6 7; do
  verilator --lint-only -Wall "${sources[@]}" --top-module valu_lane -GStages=$stages
done
echo "lint: lanes of two to seven stages clean"

refused() {  # reason, parameters
  local reason=$1 said
  shift
  # shellcheck disable=SC2046
  if said=$(verilator --lint-only "${others[@]}" --top-module spsimd $(parameters "$@") 2>&1); then
    echo "accepted: $*"
    exit 1
  fi
  grep -q "$reason" <<<"$said" || { echo "$said"; exit 1; }
  echo "refused: $* ($reason)"
}
refused "Lanes is 16 or 64" 10 32 63 64 1
refused "at least one context" 0 16 63 64 1
refused "from 1 to 63 SpSIMD units" 10 16 64 64 1
refused "from 1 to 63 SpSIMD units" 10 16 0 64 1
refused "at least one entry" 10 16 63 0 1
refused "from 1 to 7 stages" 10 16 63 64 0
refused "from 1 to 7 stages" 10 16 63 64 8

for corner in "1 16 1 1 1" "1 64 63 1 7" "2 64 1 64 2" "12 16 5 3 4"; do
  name=corner_${corner// /_}
  # shellcheck disable=SC2046,SC2086
  verilator --binary --assert -Wno-fatal -Wno-WIDTH -CFLAGS -O0 -MAKEFLAGS -s -j 2 --Mdir "$folder/$name" "${others[@]}" \
    "$root/tests/cosim/parameters/corner_tb.sv" --top-module corner_tb $(parameters $corner) >"$folder/$name.log" 2>&1 ||
    { cat "$folder/$name.log"; exit 1; }
  "$folder/$name/Vcorner_tb" | tee "$folder/$name.out"
  grep -q "PASS" "$folder/$name.out"
done

verilator --binary --assert -Wno-fatal -Wno-WIDTH -CFLAGS -O1 -MAKEFLAGS -s -j 2 --Mdir "$folder/stages" "${sources[@]}" \
  "$root/tests/cosim/parameters/stages_tb.sv" --top-module stages_tb >"$folder/stages.log" 2>&1 ||
  { cat "$folder/stages.log"; exit 1; }
"$folder/stages/Vstages_tb" | tee "$folder/stages.out"
grep -q "PASS" "$folder/stages.out"
