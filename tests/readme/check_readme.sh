#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of README.md and docs/running.md ("$ " lines of their console blocks, but for tests/run.sh, which runs this) and checks
# that what they say quickstart.sh, pwscc and pwsvp wcet print is printed. All but quickstart.sh run in a copy of the project whose build folder has only
# what quickstart.sh builds: they work without the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/llvm.sh
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
quickstart_output=$scratch/quickstart pwscc_report=$scratch/pwscc wcet_output=$scratch/wcet

# fresh_project FOLDER: as it is after quickstart.sh alone.
fresh_project() {
  local built entry
  grep -q '^build $preset programs$' platform/quickstart.sh || { echo "FAILED: what does quickstart.sh build?"; exit 1; }
  mkdir -p "$1/build/bin" "$1/build/lib" "$1/out"
  for entry in *; do
    case $entry in build* | out) ;; *) ln -s "$root/$entry" "$1/$entry" ;; esac
  done
  ln -s "$root/build/include" "$1/build/include"
  ln -s "$root/build/lib/report_page" "$1/build/lib/report_page"
  built=$(ninja -C build -t inputs programs | grep -E '^(bin/|lib/[^/]*\.so)')
  built+=" bin/pwscc bin/hipcc $(cd build && ls -d lib/libamdhip64.so*)"
  for entry in $built; do [ -e "$1/build/$entry" ] || cp -d "build/$entry" "$1/build/$entry"; done
}

commands=0
while IFS= read -r command; do
  case $command in
    tests/run.sh | 'cmake --preset release') continue ;;
    'cmake --build build --target spsimd_rtl') cp "$root/build/lib/libspsimd_rtl.so" build/lib/; continue ;;
    platform/quickstart.sh) output=$quickstart_output ;;
    'build/bin/pwsvp wcet '*) output=$wcet_output ;;
    *) output=/dev/null ;;
  esac
  echo "\$ $command"
  # shellcheck disable=SC2086 # the README's words are the command's
  errors=/dev/stderr
  if [ "${command#build/bin/pwscc}" != "$command" ]; then errors=$pwscc_report; fi
  $command >"$output" 2>"$errors" </dev/null || { echo "FAILED: $command"; exit 1; }
  if [ "$command" = platform/quickstart.sh ]; then
    fresh_project "$scratch/project"
    cd "$scratch/project"
  fi
  commands=$((commands + 1))
done < <(sed -n '/^```console$/,/^```$/s/^\$ //p' README.md docs/running.md)
cd "$root"
[ "$commands" -ge 20 ] || { echo "FAILED: only $commands commands found in the documents"; exit 1; }
[ "$(wc -l <README.md)" -le 130 ] || { echo "FAILED: the README is longer than 130 lines: what is for reference belongs into docs"; exit 1; }

# Blocks of lines behind a sentence that ends with these words.
block_behind() {
  awk -v words="$1\$" '$0 ~ words {armed = 1} armed && /^```$/ {n++; next} armed && n == 1 {print} n == 2 {exit}' README.md docs/running.md
}
diff <(block_behind 'says what it did' | comparable) <(comparable <"$pwscc_report") || { echo "FAILED: pwscc's report is not the README's"; exit 1; }
diff <(block_behind '^prints' | comparable) <(comparable <"$wcet_output") || { echo "FAILED: the bounds are not the README's"; exit 1; }

lines=0
while IFS= read -r line; do
  [[ $line =~ ^\ +\.\.\.$ ]] && continue
  grep -Fxq -- "$line" <(comparable <"$quickstart_output") || { echo "FAILED: quickstart.sh does not print: $line"; exit 1; }
  lines=$((lines + 1))
done < <(block_behind 'and ends with' | comparable)
[ "$lines" -ge 8 ] || { echo "FAILED: only $lines lines of output found in the README"; exit 1; }
echo "$commands commands ran, $lines lines of output found"
