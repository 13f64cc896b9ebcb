#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# results_test.sh PWSVP ROOT: platform/results.sh makes pages, and refuses what it does not know before it runs anything.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
results=$2/platform/results.sh

code 2 "$results" --output "$folder/pages" --smal table2
says err "unknown option --smal"
code 2 "$results" --output "$folder/pages" table2 nothing
says err "no experiment nothing"
[ ! -e "$folder/pages" ] || fail "it has begun all the same"

code 0 "$results" --small --output "$folder/new/pages" table2
grep -q '</html>' "$folder/new/pages/table2.html" || fail "the page is not whole"

# Which tables are kept: an experiment's own, and that of the experiment which it is like. The same bytes again.
code 0 "$results" --output "$folder/kept" table2 dwf-fig1
grep -q '<td>123</td>' "$folder/kept/table2.html" || fail "the page is not of the table"
[ ! -e "$2/docs/results/dwf-fig1.csv" ] || fail "the same table twice"
grep -q '^<p>49 points' "$folder/kept/dwf-fig1.html" || fail "the page is not of the table that it shares"
code 0 "$results" --output "$folder/again" table2 dwf-fig1
diff -r "$folder/kept" "$folder/again" || fail "other bytes"
# Each experiment has its table, and no other tables are kept.
while read -r experiment; do
  like=$(sed -n 's/^like: *//p' "$experiment")
  name=$(basename "$experiment" .yaml)
  [ -e "$2/docs/results/$name.csv" ] || [ -e "$2/docs/results/$like.csv" ] || fail "no table of $name"
done < <(grep -l '^title:' "$2"/configs/experiments/*.yaml)
for table in "$2"/docs/results/*.csv; do
  [ -e "$2/configs/experiments/$(basename "$table" .csv).yaml" ] || fail "$table: no such experiment"
done
