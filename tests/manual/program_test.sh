#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# program_test.sh PWSVP: what pwsvp says could stand in place of a last word (pwsvp __complete), which the shells' scripts show.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1
# offers WORD... : CANDIDATE...   exactly these, in this order; "..." at the end: and others
offers() {
  local words=() wanted=() more=0
  while [ "$1" != : ]; do words+=("$1"); shift; done
  shift
  wanted=("$@")
  if [ ${#wanted[@]} -gt 0 ] && [ "${wanted[-1]}" = ... ]; then more=1; unset 'wanted[-1]'; fi
  code 0 "$pwsvp" __complete "${words[@]}"
  cut -f1 "$folder/out.txt" >"$folder/got"
  if [ $more = 1 ]; then
    local w
    for w in "${wanted[@]}"; do grep -Fxq -- "$w" "$folder/got" || { cat "$folder/got"; fail "${words[*]}: no $w"; }; done
  else
    printf '%s\n' "${wanted[@]}" | sed '/^$/d' | diff - "$folder/got" || fail "${words[*]}"
  fi
}
offers pwsvp r : run reconvergence report reference
offers /some/where/pwsvp che : check
offers pwsvp '' : run debug dap exec hipcc check wcet tasks reconvergence graph soc sweep report coverage params cost reference disasm manual completion
offers pwsvp --ve : --version
offers pwsvp run --v : --vcd
offers pwsvp run --vcd '' : ':files vcd'
offers pwsvp run --vcd=x : ':files vcd'
offers pwsvp run '' : ':files yaml yml'
offers pwsvp run a.yaml --quiet --qu :   # an option that is there, and not repeated
offers pwsvp run a.yaml --set x=1 --se : --set
offers pwsvp run a.yaml '' : --set --report ...
offers pwsvp exec c.yaml -- '' : ':files'
offers pwsvp exec c.yaml -- ./program --f : ':files'
offers pwsvp exec c.yaml --fidelity '' : functional timing
offers pwsvp exec c.yaml --fidelity=t : --fidelity=timing
offers pwsvp report '' : ':folders'
offers pwsvp sweep e.yaml --output '' : ':folders'
offers pwsvp wcet a.yaml --draw '' : none pws dws ...
offers pwsvp params --schema r : run
offers pwsvp completion '' : bash zsh fish ...
offers pwsvp nothing '' :
offers pwsvp run a.yaml --jobs '' : --set ...   # which is no option of it
# Keys: to the next dot, then with "=", then values.
offers pwsvp run --set mach : machine= machine.
offers pwsvp run --set machine.memory.dram.ch : machine.memory.dram.channels=
offers pwsvp run --set machine.lds. : machine.lds.banks= ...
offers pwsvp run --set=machine.lds.b : --set=machine.lds.banks= ...
offers pwsvp run --set machine.fidelity= : machine.fidelity=functional machine.fidelity=timing
offers pwsvp run --set machine.divergence=pw : machine.divergence=pws machine.divergence=pws-mode
offers pwsvp run --set launch.partial_workgroups= : launch.partial_workgroups=true launch.partial_workgroups=false
offers pwsvp run --set machine= : ':files'
offers pwsvp run --set machine.n_cu= :
offers pwsvp run --set arg : arguments.
offers pwsvp exec c.yaml --set exec.fid : exec.fidelity=
offers pwsvp graph g.yaml --set S : S=
offers pwsvp run --set nothing. :
offers pwsvp params memory.dram.ch : memory.dram.channels
offers pwsvp params lds.b : lds.banks ...
# pwscc.
offers pwscc --sp : --split= --spsimd= --split-cycles=
offers pwscc --split=a : --split=all --split=auto
offers pwscc --divergence= : --divergence=none --divergence=s ...
offers pwscc -S 3 --report k : ':files hip'
offers pwscc --keep= : ':folders'
offers pwscc -S '' :
offers other '' :
offers pwsvp :
code 0 "$pwsvp" __complete
# Every command and option is offered.
code 0 "$pwsvp" --help
commands=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\)  .*/\1/p' "$folder/out.txt")
for c in $commands; do
  offers pwsvp "$c" : "$c"
  code 0 "$pwsvp" "$c" --help
  grep -oE '^  (-\w,)?--[a-z-]+' "$folder/out.txt" | grep -oE -e '--[a-z-]+' >"$folder/options"
  while read -r o; do offers pwsvp "$c" "$o" : "$o" ...; done <"$folder/options"
done
echo PASS
