#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# zsh_test.sh PWSVP: the completion script in zsh: what it hands to zsh's own functions.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1
command -v zsh >/dev/null || fail "zsh is not installed (platform/setup.sh)"
PATH=$(dirname "$pwsvp"):$PATH
"$pwsvp" completion zsh >"$folder/_pwsvp"
# offers WORD... : LINE...   the last word is being written
offers() {
  local typed=()
  while [ "$1" != : ]; do typed+=("$1"); shift; done
  shift
  printf '%s\n' "$@" >"$folder/wanted"
  zsh -f -c '
    folder=$1; shift
    autoload -Uz compinit && compinit -D -u
    source $folder/_pwsvp
    [[ $_comps[pwsvp] == _pwsvp && $_comps[pwscc] == _pwsvp ]] || exit 9
    _describe() { local array=$2; shift 2; print -rl -- "${(@P)array}" | sed "s/\$/${*:+ $*}/"; }
    _files() { print -r -- files "$@"; }
    compset() { print -r -- compset "$@"; }
    words=("$@") CURRENT=$# PREFIX=${@[-1]}
    _pwsvp' zsh "$folder" "${typed[@]}" >"$folder/got" 2>"$folder/err" || { cat "$folder/err"; fail "${typed[*]}"; }
  [ ! -s "$folder/err" ] || { cat "$folder/err"; fail "${typed[*]}: it complains"; }
  diff "$folder/wanted" "$folder/got" || fail "${typed[*]}"
}
offers pwsvp r : 'run:Run a kernel as a YAML file describes' \
  'reconvergence:Compare reconvergence at immediate post-dominators with the best there is' \
  'report:Write a finished sweep as one HTML page' \
  'reference:Print every value that reports have, functions of expressions, signals, registers, exit codes'
offers "$pwsvp" run --qu : '--quiet:Print nothing but errors'
offers pwsvp run '' : 'compset -P *=' 'files -g *.(yaml|yml)'
offers pwsvp report '' : 'compset -P *=' 'files -/'
offers pwsvp exec c.yaml -- '' : 'compset -P *=' 'files'
offers pwsvp run --set machine.memory.dram.ch : 'machine.memory.dram.channels=:DRAM channels -S '
offers pwsvp run --set machine.fidelity=t : machine.fidelity=timing
offers pwsvp params memory.dram.ch : 'memory.dram.channels:DRAM channels'
offers pwscc --split=au : --split=auto
# From a folder of fpath, as installed.
zsh -f -c 'fpath=($1 $fpath); autoload -Uz compinit && compinit -D -u; [[ $_comps[pwsvp] == _pwsvp && $_comps[pwscc] == _pwsvp ]]' zsh "$folder" ||
  fail "zsh does not find it in its path"
echo PASS
