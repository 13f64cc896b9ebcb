#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tidy.sh [--since COMMIT | --all | FILE...]: clang-tidy with the checks of .clang-tidy.
#   tests/tidy.sh FILE...          these sources
#   tests/tidy.sh --since COMMIT   sources that have changed since then, and one source for each header that has; 16 at most
#   tests/tidy.sh --all            all sources, in the units of the unity build (half an hour of processor time)
# Without arguments: since COMMIT of the environment variable BASE, or a few sources of all kinds where that is not set.
source "$(dirname "${BASH_SOURCE[0]}")/../platform/setup.sh"

sample=(base/installation.cpp models/memory/cache.cpp models/divergence/split_tree.cpp sw/cfg/cost_graph.cpp
  platform/config/yaml_tree.cpp)
most=16
# Without the RTL and tests: their sources have parts that are made by a build.
folder=build-tidy

# changed_since COMMIT: sources to look at.
changed_since() {
  local file
  git diff --name-only --diff-filter=d "$1" -- base models platform hip_runtime sw | while read -r file; do
    case $file in
      *.cpp) echo "$file" ;;
      *.h)
        if [ -f "${file%.h}.cpp" ]; then echo "${file%.h}.cpp"; else { git grep -l "\"$file\"" -- '*.cpp' || true; } | sed -n 1p; fi ;;
    esac
  done | sort -u
}

# The unity build's units, with the sources copied into them: the analyzer leaves out functions of included files. A source by itself
# takes as long as a unit, so this is several times faster.
all_units() {
  local units=$folder/units
  # Without levels: clang 15 does not know their names.
  cmake --no-warn-unused-cli --preset release -B "$folder" -DPWS_RTL=OFF -DPWS_BUILD_TESTS=OFF -DPWS_LEVELS= >/dev/null
  cmake --build "$folder" --target pws_commit >/dev/null
  mkdir -p "$units"
  python3 tests/tidy_units.py "$folder/compile_commands.json" "$PWD" "$units"
}

case ${1:-} in
  --all) folder=build-tidy-all ;;
  --since) mapfile -t files < <(changed_since "${2:?--since needs a commit}") ;;
  '')
    if [ -n "${BASE:-}" ]; then mapfile -t files < <(changed_since "$BASE"); else files=("${sample[@]}"); fi ;;
  *) files=("$@") ;;
esac

install_missing "${packages[@]}" clang-tidy git
if [ "${1:-}" = --all ]; then
  mapfile -t known < <(all_units)
  folder=$folder/units
else
  cmake --no-warn-unused-cli --preset develop -B "$folder" -DPWS_RTL=OFF -DPWS_BUILD_TESTS=OFF >/dev/null
  cmake --build "$folder" --target pws_commit >/dev/null  # a header that the build makes
  known=()
  for file in "${files[@]}"; do
    if grep -qF "\"$PWD/$file\"" "$folder/compile_commands.json"; then known+=("$file"); fi
  done
  if [ ${#known[@]} -gt $most ]; then
    say "clang-tidy: $most of ${#known[@]} sources"
    some=()  # of all folders
    for ((k = 0; k < most; ++k)); do some+=("${known[k * ${#known[@]} / most]}"); done
    known=("${some[@]}")
  fi
fi
say "clang-tidy: ${#known[@]} sources"
# The commands are GCC's: clang has no garbage collection to tune. A unit has many functions, and a few of them take as long as all
# others unless the paths that are followed through each have a limit.
limit=()
if [ "${1:-}" = --all ]; then limit=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=30000); fi
printf '%s\n' "${known[@]}" | xargs -r -P "$(nproc)" -n 1 clang-tidy -p "$folder" --quiet \
  --extra-arg=-Wno-unused-command-line-argument "${limit[@]}" 2> >(grep -v " warnings generated" >&2)
