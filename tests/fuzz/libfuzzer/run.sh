#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes with libFuzzer: run.sh [SECONDS [TARGET...]], targets decoder, loader, config (default: all, each for SECONDS,
# default 600). BUILD names the build folder (default: build). Findings are left in BUILD/fuzz/findings-TARGET, what was
# learnt in BUILD/fuzz/corpus-TARGET, which later runs begin with. Exit code 1 if anything was found.
# cmake -DPWS_FUZZ_OPT=-O1 BUILD before makes more inputs per second of a longer compilation.
# run.sh --short TARGET BUILD: the fixed number of runs with a fixed seed that ctest makes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# Per input: 10 seconds, 512 MiB of memory in one piece; 1.5 GiB in all.
limits=(-timeout=10 -rss_limit_mb=1536 -malloc_limit_mb=512 -print_final_stats=1)
declare -A max_len=([decoder]=136 [loader]=16384 [config]=4096)
declare -A short_runs=([decoder]=500 [loader]=2000 [config]=1000)
# The sanitizer's freed-memory quarantine is most of the memory otherwise.
export ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$PWD/tests/fuzz/libfuzzer/leaks.txt:print_suppressions=0

# seeds FOLDER
seeds() { "$build/bin/make_seeds" . "$1" "$build/kernel-cache"; }

if [ "${1:-}" = --short ]; then
  name=$2 build=$3
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  seeds "$work"
  # A corpus folder of its own, empty: nothing of an earlier run takes part.
  mkdir "$work/new"
  "$build/bin/fuzz_$name" "${limits[@]}" -seed=1 -runs="${short_runs[$name]}" -max_len="${max_len[$name]}" \
    -artifact_prefix="$build/fuzz-$name-" "$work/new" "$work/$name" >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
  grep -E 'stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$work/log"
  exit 0
fi

seconds=${1:-600}
build=${BUILD:-build}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then targets=(decoder loader config); fi
cmake --build "$build" --target fuzz_targets
work=$build/fuzz
seeds "$work/seeds"
found=0
for name in "${targets[@]}"; do
  mkdir -p "$work/corpus-$name" "$work/findings-$name"
  echo "== $name for $seconds seconds (log: $work/$name.log)"
  "$build/bin/fuzz_$name" "${limits[@]}" -max_total_time="$seconds" -max_len="${max_len[$name]}" \
    -artifact_prefix="$work/findings-$name/" "$work/corpus-$name" "$work/seeds/$name" >"$work/$name.log" 2>&1 || found=1
  grep -E 'stat::(number_of_executed_units|new_units_added|peak_rss_mb)|^Done|SUMMARY|property broken' "$work/$name.log" || true
done
exit $found
