#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cells, flip-flops, depth and estimated area of the SpSIMD unit's parts for S = 1, 3 and 7 SpSIMD units per SIMD unit, by Yosys:
# generic gates, the longest way through them between flip-flops in gates, and the transistors that they take in static CMOS
# (Yosys' own estimate; flip-flops are counted as cells).
# Then the units of single, half and double precision by the stages of their pipelines, double without its roots: some 15 minutes.
# With --library the parts are mapped to the cells of a library (Liberty): their areas in its unit, flip-flops included, without depths and stages.
# Usage: rtl/synth/synth.sh [--library FILE.lib] [S ...]
set -euo pipefail
library=''
if [ "${1:-}" = --library ]; then
  library=$(realpath -e "${2:?--library needs a file}")
  shift 2
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
contexts=10 lanes=16
half='-chparam Field 5 -chparam Exp 8 -chparam Sig 11 -chparam DivScale 0'
double='-chparam Field 11 -chparam Exp 13 -chparam Sig 53 -chparam DivScale 128'
modules=()
for f in *.sv; do
  case $f in *_pkg.sv) ;; *) modules+=("$f") ;; esac
done

# What follows synthesis, and the report of it in the file that is named.
mapped() {
  if [ -z "$library" ]; then
    echo "abc -g simple; opt_clean; tee -q -a $1 stat -tech cmos"
  else
    echo "dfflibmap -liberty $library; abc -liberty $library; opt_clean; tee -q -a $1 stat -liberty $library"
  fi
}

# part TOP PARAMETERS [flat]: "cells flip-flops transistors depth memory-bits" of one instance, mapped module by module. `flat`: joined
# then into one, for the depth. The memory of scalar registers stays one, and is not counted but where it is TOP: then its bits are
# told apart from the gates and flip-flops around them. With a library the third number is the area.
declare -A measured
part() {
  local key="$1 $2" report depth=() map
  if [ -n "${measured[$key]:-}" ]; then return; fi
  report=$(mktemp)
  if [ "${3:-}" = flat ] && [ -z "$library" ]; then depth=(-p "flatten; opt_clean; tee -q -a $report ltp -noff"); fi
  case $1 in
    swf_context) map="blackbox *scalar_memory*; synth -top $1" ;;
    scalar_memory) map="proc; opt; tee -q -a $report stat; memory -nomap; techmap; opt -fast" ;;
    *) map="synth -top $1" ;;
  esac
  yosys -q -p "read_verilog -sv *_pkg.sv ${modules[*]}; hierarchy -top $1 $2; $map; $(mapped "$report")" "${depth[@]}" >/dev/null
  measured[$key]=$(awk '/^===/ {ff = 0} /Number of cells:/ {cells = $4} /\$_S?DFF/ {ff += $2} /Estimated number of transistors/ {t = $5}
                       /Chip area for (top )?module/ {t = $NF}
                       /^Longest topological path/ {split($0, at, /[=)]/); depth = at[2]} /Number of memory bits:/ && $5 > bits {bits = $5}
                       END {print cells + 0, ff + 0, t + 0, depth + 0, bits + 0}' "$report")
  rm -f "$report"
}
get() { part "$@"; read -r cells ff transistors depth bits <<<"${measured["$1 $2"]}"; }

if [ -z "$library" ]; then
  printf '%-44s %5s %10s %10s %12s %6s %12s\n' part S cells flip-flops transistors depth memory-bits
  row() { printf '%-44s %5s %10d %10d %12s %6s %12s\n' "$@"; }
else
  printf '%-44s %5s %12s %12s\n' part S area memory-bits
  row() { printf '%-44s %5s %12.0f %12s\n' "$1" "$2" "$5" "$7"; }
fi
scaled() { awk -v n="$1" -v one="${2%+}" 'BEGIN {printf "%.0f", n * one}'; }
n_times() { row "$2" "$3" $(($1 * cells)) $(($1 * ff)) "$(scaled "$1" "$transistors")" "$depth" "$(($1 * bits))"; }
for s in "${@:-1 3 7}"; do
  for n in $s; do
    entries=$((n < 4 ? 4 : n + 1))
    get valu_control ""
    row "vector ALU's control" "$n" "$cells" "$ff" "$transistors" 0 0
    get valu_dpp ""
    row "DPP's permutation" "$n" "$cells" "$ff" "$transistors" 0 0
    # Transcendentals and the roots of double precision are left out: the mapper takes longer for them than for the rest together.
    get valu_lane "-chparam AllUnits 0" flat
    n_times $lanes "$lanes lanes of integers and single precision" "$n"
    get fp_unit "$half -chparam Stages 1" flat
    n_times $lanes "half precision of $lanes lanes" "$n"
    get fp_unit "$double -chparam Roots 0 -chparam Stages 1" flat
    n_times $lanes "double precision of $lanes lanes without roots" "$n"
    get valu_cube "" flat
    n_times $lanes "cube maps of $lanes lanes" "$n"
    get salu "" flat
    row "scalar ALU" "$n" "$cells" "$ff" "$transistors" "$depth" 0
    get swf_context "-chparam StackDepth $entries -chparam SpSimds $n" flat
    n_times $contexts "$contexts contexts without their memories" "$n"
    get split_registers "-chparam StackDepth $entries -chparam SpSimds $n" flat
    n_times $contexts "  of these SpM, parent, child stack, status" "$n"
    get scalar_memory "-chparam HandOver 16"
    n_times $contexts "memories of $contexts contexts" "$n"
    get split_control "-chparam SpSimds $n" flat
    row "split control" "$n" "$cells" "$ff" "$transistors" "$depth" 0
  done
done
if [ -n "$library" ]; then exit; fi
# by_stages NAME TOP PARAMETERS
by_stages() {
  local stages
  printf '\n%-44s %10s %6s\n' "$1" flip-flops depth
  for stages in 1 2 3 4 5 6 7; do
    get "$2" "${3:+$3 }-chparam Stages $stages" flat
    printf '%-44s %10d %6s\n' "$stages stages" "$ff" "$depth"
  done
}
by_stages 'single-precision unit' fp_unit '-chparam Roots 0'
by_stages 'half-precision unit' fp_unit "$half"
by_stages 'double-precision unit without roots' fp_unit "$double -chparam Roots 0"
