#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# version_test.sh PWSVP PWSCC ROOT CMAKE VERSION: what --version says, and the commit that it is made of.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3 cmake=$4 version=$5

# look SOURCE: the commit, as a build finds it.
look() {
  "$cmake" -D SOURCE="$1" -D OUTPUT="$folder/commit.h" -P "$root/cmake/commit.cmake"
  sed -n 's/^#define PWS_COMMIT "\(.*\)"$/\1/p' "$folder/commit.h"
}

for program in "$pwsvp" "$pwscc"; do
  code 0 "$program" --version
  grep -Eqx "$(basename "$program") $version \(commit (unknown|[0-9a-f]{12}(\+changes)?)\)" "$folder/out.txt" || fail "$(cat "$folder/out.txt")"
  for line in 'compiler +(GNU|Clang) [0-9]+\.[0-9]' 'build +(Release|Debug|RelWithDebInfo)' "LLVM +$PWS_LLVM\\." 'SystemC +[23]\.' 'Verilator +[0-9]'; do
    grep -Eq "^  $line" "$folder/out.txt" || { cat "$folder/out.txt"; fail "no line $line"; }
  done
done
says out "clang version"  # of pwscc: the compiler that it calls

# A clone without changes, with changes, with files that git does not know; a folder that is no clone, also within one.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
clone=$folder/clone
mkdir "$clone"
[ "$(look "$clone")" = unknown ] || fail "no clone has a commit"
git -C "$clone" init -q
[ "$(look "$clone")" = unknown ] || fail "no commit yet"
echo 1 >"$clone/file"
git -C "$clone" add file
git -C "$clone" -c user.name=n -c user.email=e commit -q -m m
head=$(git -C "$clone" rev-parse --short=12 HEAD)
[ "$(look "$clone")" = "$head" ] || fail "a clone without changes"
mkdir "$clone/inside"
[ "$(look "$clone/inside")" = unknown ] || fail "an archive that is unpacked within another project's clone"
[ "$(look "$clone")" = "$head" ] || fail "a file that git does not know"
# What says the same is not written again: nothing is compiled for it.
touch -d 2001-01-01 "$folder/commit.h"
look "$clone" >"$folder/again"
[ "$(date -r "$folder/commit.h" +%Y)" = 2001 ] || fail "the same commit was written again"
echo 2 >"$clone/file"
[ "$(look "$clone")" = "$head+changes" ] || fail "a clone with changes"
# Without git there is none.
mkdir "$folder/empty"
[ "$(PATH=$folder/empty "$cmake" -D SOURCE="$clone" -D OUTPUT="$folder/other.h" -P "$root/cmake/commit.cmake"; cat "$folder/other.h")" = '#define PWS_COMMIT "unknown"' ] ||
  fail "a commit without git"
echo PASS
