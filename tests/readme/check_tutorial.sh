#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_tutorial.sh [BIN FOLDER COMMANDS]: runs the tutorial's commands from the project's root, but for quickstart.sh, and checks that each
# prints the lines that stand below it. With arguments: the first COMMANDS, of the programs in BIN, in FOLDER, which is like the root.
# Lines that depend on what ran before are told by their numbers: "8 points, 0 failed" may have more between.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=../llvm.sh # which may be copied beside it
if [ -f "$here/llvm.sh" ]; then source "$here/llvm.sh"; else source "$here/../llvm.sh"; fi
programs=${1:-build/bin}
cd "${2:-$(dirname "${BASH_SOURCE[0]}")/../..}"
most=${3:-1000}
output=$(mktemp)
trap 'rm -rf "$output" out/shares' EXIT
rm -rf out/shares
commands=0 lines=0 skips=
while IFS= read -r line; do
  case $line in
    '$ platform/quickstart.sh') ;;
    '$ '*)
      [ "$commands" -lt "$most" ] || break
      command=${line#\$ }
      skips=
      # Its commands name registers.
      if [[ $command = *holes.commands ]] && ! llvm_is_of_documents; then
        echo "not compared with this LLVM: $command"
        skips=1 commands=$((commands + 1))
        continue
      fi
      command=${command/#build\/bin/$programs}
      echo "$line"
      # shellcheck disable=SC2086 # the document's words are the command's
      $command >"$output" 2>&1 </dev/null || { cat "$output"; echo "FAILED: $command"; exit 1; }
      commands=$((commands + 1)) ;;
    *)
      lines=$((lines + 1))
      [ -z "$skips" ] || continue
      # Words in their order.
      pattern=$(printf '%s' "$line" | sed 's/8 points, 0 failed/8 points@ 0 failed/' | comparable | sed 's/[][\.*^$/]/\\&/g; s/points@/points,.*/')
      grep -q -- "^$pattern$" <(comparable <"$output") || { cat "$output"; echo "FAILED: it does not print: $line"; exit 1; } ;;
  esac
done < <(sed -n '/^```console$/,/^```$/{/^```/d;p}' docs/tutorial.md)
if [ "$most" -lt 1000 ]; then wanted=$most wanted_lines=$((2 * most)); else wanted=8 wanted_lines=33; fi
# Its programs are there after quickstart.sh alone.
if [ "$most" -ge 1000 ]; then
  while read -r program; do
    grep -q '^build $preset programs$' platform/quickstart.sh && grep -q "^add_custom_target(programs DEPENDS.* $program " cmake/install.cmake || { echo "FAILED: quickstart.sh does not build $program"; exit 1; }
  done < <(grep -o '^\$ build/bin/[a-z]*' docs/tutorial.md | sed 's|.*/||' | sort -u)
fi
[ "$commands" -ge "$wanted" ] && [ "$lines" -ge "$wanted_lines" ] || { echo "FAILED: only $commands commands and $lines lines found"; exit 1; }
# The file that is shown is the file that is run.
diff <(awk '/^```yaml$/ {on = 1; next} /^```$/ {on = 0} on' docs/tutorial.md) docs/tutorial/sides.yaml || { echo "FAILED: sides.yaml is another one"; exit 1; }
echo "$commands commands ran, $lines lines of output found"
