#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# conformance_count_test.sh LIBRARY PROGRAM...: the conformance programs have at least 400 cases, each with a name of its own in its
# program, and run one by its name.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
export LD_LIBRARY_PATH=$1
shift
total=0
for program in "$@"; do
  "$program" --list >"$folder/names"
  [ -z "$(sort "$folder/names" | uniq -d)" ] || fail "$program: two cases have one name: $(sort "$folder/names" | uniq -d)"
  count=$(wc -l <"$folder/names")
  [ "$count" -gt 0 ] || fail "$program has no case"
  echo "$(basename "$program"): $count cases"
  total=$((total + count))
done
echo "$total cases"
[ $total -ge 400 ] || fail "$total cases, at least 400 are wanted"
code 1 "$1" no_such_case
says out 'there is no such case'
code 0 "$1" "$("$1" --list | head -1)"
says out '1 cases, 0 failed'
