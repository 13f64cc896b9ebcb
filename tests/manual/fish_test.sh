#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fish_test.sh PWSVP: the completion script in fish, which prints what it would offer.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1
command -v fish >/dev/null || fail "fish is not installed (platform/setup.sh)"
PATH=$(dirname "$pwsvp"):$PATH
export HOME=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home
mkdir "$HOME"
"$pwsvp" completion fish >"$folder/script"
mkdir "$folder/work" && cd "$folder/work"
mkdir runs && touch a.yaml c.txt k.hip runs/r.yaml
# offers LINE : CANDIDATE...
offers() {
  local line=$1
  shift 2
  printf '%s\n' "$@" | LC_ALL=C sort >"$folder/wanted"
  fish --no-config -c "source $folder/script; complete -C '$line'" 2>"$folder/err" | cut -f1 | LC_ALL=C sort >"$folder/got" ||
    { cat "$folder/err"; fail "$line"; }
  [ ! -s "$folder/err" ] || { cat "$folder/err"; fail "$line: it complains"; }
  diff "$folder/wanted" "$folder/got" || fail "$line"
}
offers 'pwsvp r' : run reconvergence reference report
offers "$pwsvp che" : check
offers 'pwsvp run --qu' : --quiet
offers 'pwsvp run a' : a.yaml
offers 'pwsvp run ru' : runs/
offers 'pwsvp report ' : runs/
offers 'pwsvp run --set machine.memory.dram.ch' : machine.memory.dram.channels=
offers 'pwsvp run --set machine.fidelity=' : machine.fidelity=functional machine.fidelity=timing
offers 'pwsvp exec c.yaml --fidelity ' : functional timing
offers 'pwsvp params memory.dram.ch' : memory.dram.channels
offers 'pwscc --split=a' : --split=all --split=auto
echo PASS
