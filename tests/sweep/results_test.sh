#!/usr/bin/env bash
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
