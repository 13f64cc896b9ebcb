#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# levels_test.sh TEST_ISA PWSVP LIBRARIES: vector and memory instructions as they are compiled for each level of processors pass their tests, and
# nothing but they needs more than the lowest.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
test_isa=$1 pwsvp=$2 libraries=$3
# A level that there is not is refused, with a list of those that there are.
code 2 env PWSVP_PROCESSOR=none "$pwsvp" params
says err "PWSVP_PROCESSOR: none is none of "
levels=$(sed 's/.* none of //; s/,//g' "$folder/err.txt")
[ "$(wc -w <<<"$levels")" -ge 2 ] || fail "levels: $levels"
tried=0
for level in $levels; do
  if ! PWSVP_PROCESSOR=$level "$pwsvp" params >"$folder/out.txt" 2>&1; then
    grep -q "this processor is no $level" "$folder/out.txt" || { cat "$folder/out.txt"; fail "$level"; }
    echo "$level: not this processor's"
    continue
  fi
  # Not what is the same code at each level: names, encodings, scalar instructions, conventions.
  code 0 env PWSVP_PROCESSOR="$level" "$test_isa" --gtest_brief=1 \
    --gtest_filter='-opcode_space*:roundtrip*:random_words*:row_coverage*:abi_*:decoder*:scalar*:*operation*:predicates*'
  echo "$level: passed"
  tried=$((tried + 1))
done
[ $tried -ge 1 ] || fail "no level was tried"

# A function of another object with an instruction that older processors lack would stop them: registers wider than 128 bits tell. The
# scheduler's compare has a function for each level.
for library in "$libraries"/libpws_*.a; do
  objdump -d --no-show-raw-insn "$library" |
    awk '/file format/ {member = $1} /^[0-9a-f]+ <.*>:$/ {name = $2} /%[yz]mm/ {wide[member " " name]++} END {for (m in wide) print m, wide[m]}'
done | sort >"$folder/wide"
for level in $levels; do [ "$level" = x86-64 ] || grep -q "^lanes_${level//-/_}.o: " "$folder/wide" || { cat "$folder/wide"; fail "no code of $level"; }; done
! grep -vE '^lanes_x86_64_v[34]\.o: |^due_contexts\.cpp\.o: <_ZN3pws6models13find_due_by_[48]E' "$folder/wide" || fail "these are for newer processors"
for lanes in 4 8; do grep -q "^due_contexts.cpp.o: <_ZN3pws6models13find_due_by_${lanes}E" "$folder/wide" || fail "no compare of $lanes contexts"; done
# Those objects export nothing but their rows.
for level in $levels; do
  object=$(dirname "$libraries")/levels/lanes_${level//-/_}.o
  [ "$level" = x86-64 ] || [ "$(nm --defined-only --extern-only "$object" | wc -l)" -eq 2 ] || fail "$object shows more than its rows"
done
echo PASS
