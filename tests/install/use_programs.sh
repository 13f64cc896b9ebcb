#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# use_programs.sh PREFIX: first runs with an installation whose bin, lib and share are in PREFIX, with nothing but what its package depends
# on: a kernel with waveform, timeline and report, a HIP program, bounds, and the RTL in lockstep.
# shellcheck source=../common.sh # which may be copied beside it
here=$(dirname "${BASH_SOURCE[0]}")
if [ -f "$here/common.sh" ]; then source "$here/common.sh"; else source "$here/../common.sh"; fi
prefix=$1
bin=$prefix/bin share=$prefix/share/pwsvp
runtime=$(find "$prefix/lib" -path '*/pwsvp/lib/libamdhip64.so.5')
libraries=${runtime%/pwsvp/lib/*}
unset PWSVP_HOME LD_LIBRARY_PATH
cd "$folder"

echo "== quickstart"
code 0 "$bin/pwsvp" run "$share/configs/runs/quickstart.yaml" --vcd "$folder/q.vcd" --timeline "$folder/q.trace.json" --report "$folder/q.json"
says out "expect       c: PASS: c: 1000 elements match"
[ -s "$folder/q.vcd" ] && [ -s "$folder/q.trace.json" ] && [ -s "$folder/q.json" ] || fail "files of the run"

echo "== lockstep"
code 0 "$bin/pwsvp" run "$share/configs/runs/lockstep.yaml"
says out PASS

echo "== bounds"
code 0 "$bin/pwsvp" wcet "$share/configs/runs/synthetic.yaml"
says out "worst-case execution time"

echo "== pwscc, and a HIP program"
code 0 "$bin/pwscc" --split=all -S 3 --report -O3 "$share/sw/kernels/spiking_neuron.hip" -o "$folder/k.hsaco"
says err "2 lane masks carried"
cp "$here/twice.hip" "$folder/program.hip"
for compiler in "$libraries/pwsvp/bin/hipcc" "$bin/pwscc"; do
  code 0 "$compiler" -O2 "$folder/program.hip" -o "$folder/program"
  code 0 "$bin/pwsvp" exec "$share/configs/gpu/default.yaml" --fidelity timing --check waits,races -- "$folder/program"
  says out twice
  says err "1 of them timed"
done
code 0 env LD_LIBRARY_PATH="$libraries/pwsvp/lib" "$folder/program"
says out twice
