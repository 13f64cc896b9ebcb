#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bash_test.sh PWSVP: the completion script in bash, line by line as bash calls it.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1
PATH=$(dirname "$pwsvp"):$PATH
"$pwsvp" completion bash >"$folder/script"
cd "$folder"
mkdir runs && touch a.yaml b.yml "with blank.yaml" c.txt k.hip runs/r.yaml
# offers LINE : CANDIDATE...   the line's last word is being written. "nospace" first: no blank behind what is chosen.
offers() {
  local line=$1
  shift 2
  printf '%s\n' "$@" >wanted
  bash --norc --noprofile -c '
    complete_options=
    compopt() { complete_options+="$*"; }
    source "$1"
    COMP_LINE=$2 COMP_POINT=${#2}
    # As bash cuts the line: at blanks, "=" and ":", which stand alone.
    COMP_WORDS=()
    rest=$2
    while [[ $rest ]]; do
      if [[ $rest =~ ^[[:blank:]]+ ]]; then :
      elif [[ $rest =~ ^[=:]+ ]]; then COMP_WORDS+=("${BASH_REMATCH[0]}")
      elif [[ $rest =~ ^([^[:blank:]=:\\]|\\.)+ ]]; then COMP_WORDS+=("${BASH_REMATCH[0]}")
      fi
      rest=${rest#"${BASH_REMATCH[0]}"}
    done
    [[ $2 =~ [[:blank:]=:]$ ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    eval "function=\$(complete -p pwsvp)"
    [[ $function == *"-F _pwsvp"* && $(complete -p pwscc) == *"-F _pwsvp"* ]] || exit 9
    _pwsvp
    [[ $complete_options != *nospace* ]] || echo nospace
    printf "%s\n" "${COMPREPLY[@]}"' bash "$folder/script" "$line" >got 2>err || { cat err; fail "$line"; }
  [ ! -s err ] || { cat err; fail "$line: it complains"; }
  diff <(LC_ALL=C sort wanted) <(LC_ALL=C sort got) || fail "$line"
}
offers 'pwsvp r' : run reconvergence reference report
offers "$pwsvp che" : check
offers 'pwsvp run --v' : --vcd
offers 'pwsvp run ' : a.yaml b.yml runs 'with blank.yaml'
offers 'pwsvp run a' : a.yaml
offers 'pwsvp run with\ blank.yaml --rtl' : --rtl-coverage --rtl-vcd
offers 'pwsvp run ru' : runs
offers 'pwsvp run runs/' : runs/r.yaml
offers 'pwsvp run --set machine.memory.dram.ch' : nospace machine.memory.dram.channels=
offers 'pwsvp run --set machine.fidelity=' : functional timing
offers 'pwsvp run --set machine.fidelity=t' : timing
offers 'pwsvp run --set machine.fidelity=timing --set machine.memory.dram.ch' : nospace machine.memory.dram.channels=
offers 'pwsvp run --set machine=a' : a.yaml
offers 'pwsvp run --set=machine.fidelity=t' : timing
offers 'pwsvp params memory.dram.ch' : memory.dram.channels
offers 'pwscc --split=a' : all auto
offers 'pwscc --spl' : nospace --split= --split-cycles=
offers 'pwscc -S 3 k' : k.hip
offers 'pwsvp report ' : runs
offers 'pwsvp nothing x' : ''
echo PASS
