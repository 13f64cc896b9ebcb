#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The unit with parameters other than the Verilated build's: a matrix of them is clean under Verilator's -Wall, what must
# not be is refused with the reason, and corners run (corner_tb.sv). Two units run side by side (handover_tb.sv), and
# lanes of all stages (stages_tb.sv).
# Usage: tests/cosim/parameters/parameters.sh FOLDER [--all]
#   FOLDER  for what is built
#   --all   the whole matrix and four corners; without it two corners, and five rows of the matrix, which have every pair of two
#           parameters' values
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
folder=$1
whole=${2:-}
mkdir -p "$folder"
cd "$root/rtl"
modules=()
for f in *.sv; do
  case $f in *_pkg.sv) ;; *) modules+=("$f") ;; esac
done
sources=(--unroll-count 256 waivers.vlt *_pkg.sv "${modules[@]}")
parameters() { printf -- '-GContexts=%s -GLanes=%s -GSpSimds=%s -GStackDepth=%s -GStages=%s -GHandOver=%s' "$@"; }

# The lane depends on its stages alone (and is clean with each, below): 64 of it would take minutes.
others=()
for source in "${sources[@]}"; do
  if [ "$source" != valu_lane.sv ]; then others+=("$source"); fi
done
others+=("$root/tests/cosim/parameters/valu_lane.sv")
if [ "$whole" = --all ]; then
  matrix=({1,3}\ {16,64}\ {1,6}\ {1,5})
  corners=('1 16 1 1 1 2' '1 64 63 1 7 128' '2 64 1 64 2 8' '12 16 5 3 4 64')
else
  corners=('1 64 63 1 7 128' '12 16 5 3 4 64')
  matrix=('1 16 1 1' '1 64 6 5' '3 16 6 5' '3 64 1 5' '3 64 6 1')
fi
for row in "${matrix[@]}"; do
  read -r contexts lanes s depth <<<"$row"
  # shellcheck disable=SC2046
  verilator --lint-only -Wall "${others[@]}" --top-module spsimd $(parameters "$contexts" "$lanes" "$s" "$depth" $((1 + 2 * contexts % 7)) $((1 << (contexts + lanes / 16))))
done
echo "lint: ${#matrix[@]} combinations clean"
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
refused "Lanes is 16 or 64" 10 32 63 64 1 16
refused "at least one context" 0 16 63 64 1 16
refused "from 1 to 63 SpSIMD units" 10 16 64 64 1 16
refused "from 1 to 63 SpSIMD units" 10 16 0 64 1 16
refused "at least one entry" 10 16 63 0 1 16
refused "from 1 to 7 stages" 10 16 63 64 0 16
refused "from 1 to 7 stages" 10 16 63 64 8 16
refused "2, 4, 8 ... 128 registers" 10 16 63 64 1 1
refused "2, 4, 8 ... 128 registers" 10 16 63 64 1 24
refused "2, 4, 8 ... 128 registers" 10 16 63 64 1 256

# simulated NAME BENCH PARAMETER...: it says PASS.
simulated() {
  local name=$1 bench=$2
  shift 2
  verilator --binary --assert -Wno-fatal -Wno-WIDTH -CFLAGS -O0 -MAKEFLAGS -s -j 2 --Mdir "$folder/$name" "${others[@]}" \
    "$root/tests/cosim/parameters/$bench.sv" --top-module "$bench" "$@" >"$folder/$name.log" 2>&1 || { cat "$folder/$name.log"; exit 1; }
  "$folder/$name/V$bench" | tee "$folder/$name.out"
  grep -q "PASS" "$folder/$name.out"
}
for corner in "${corners[@]}"; do
  # shellcheck disable=SC2046,SC2086
  simulated "corner_${corner// /_}" corner_tb $(parameters $corner)
done
simulated handover handover_tb -GHandOver=4
others=("${sources[@]}")  # with the lane itself
simulated stages stages_tb -CFLAGS -O1 "-GLanes=7'b0111011"  # those of three and of seven are in other tests
