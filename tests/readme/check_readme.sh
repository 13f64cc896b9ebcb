#!/usr/bin/env bash
# Runs the README's commands ("$ " lines of its console blocks, but for tests/run.sh, which runs this) from the project's root and
# checks that what the README says quickstart.sh, pwscc and pwsvp wcet print is printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
quickstart_output=$(mktemp)
pwscc_report=$(mktemp)
wcet_output=$(mktemp)
trap 'rm -f "$quickstart_output" "$pwscc_report" "$wcet_output"' EXIT

commands=0
while IFS= read -r command; do
  case $command in
    tests/run.sh) continue ;;
    platform/quickstart.sh) output=$quickstart_output ;;
    'build/bin/pwsvp wcet '*) output=$wcet_output ;;
    *) output=/dev/null ;;
  esac
  echo "\$ $command"
  # shellcheck disable=SC2086 # the README's words are the command's
  errors=/dev/stderr
  if [ "${command#build/bin/pwscc}" != "$command" ]; then errors=$pwscc_report; fi
  $command >"$output" 2>"$errors" </dev/null || { echo "FAILED: $command"; exit 1; }
  commands=$((commands + 1))
done < <(sed -n '/^```console$/,/^```$/s/^\$ //p' README.md)
[ "$commands" -ge 5 ] || { echo "FAILED: only $commands commands found in the README"; exit 1; }

# Blocks of lines behind a sentence that ends with these words.
block_behind() {
  awk -v words="$1\$" '$0 ~ words {armed = 1} armed && /^```$/ {n++; next} armed && n == 1 {print} n == 2 {exit}' README.md
}
diff <(block_behind 'says what it did') "$pwscc_report" || { echo "FAILED: pwscc's report is not the README's"; exit 1; }
diff <(block_behind '^prints') "$wcet_output" || { echo "FAILED: the bounds are not the README's"; exit 1; }

lines=0
while IFS= read -r line; do
  [ "$line" = '  ...' ] && continue
  grep -Fxq -- "$line" "$quickstart_output" || { echo "FAILED: quickstart.sh does not print: $line"; exit 1; }
  lines=$((lines + 1))
done < <(block_behind 'and ends with')
[ "$lines" -ge 8 ] || { echo "FAILED: only $lines lines of output found in the README"; exit 1; }
echo "$commands commands ran, $lines lines of output found"
