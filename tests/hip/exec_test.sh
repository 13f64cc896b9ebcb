#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exec_test.sh PWSVP LIBRARY-FOLDER PROGRAMS ROOT: what pwsvp exec and the library do besides running a program.
set -euo pipefail
pwsvp=$1 library=$2 programs=$3 root=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
machine=$root/configs/gpu/default.yaml

fail() {
  echo "$*"
  exit 1
}
# code WANTED COMMAND...: output in out, messages in err.
code() {
  local wanted=$1 got=0
  shift
  "$@" >out 2>err || got=$?
  [ $got -eq "$wanted" ] || { cat out err; fail "$*: exit code $got, expected $wanted"; }
}
says() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not say: $2"; }; }
once() { [ "$(grep -cF -- "$2" "$1")" = 1 ] || { cat "$1"; fail "$1 does not say once: $2"; }; }
silent() { [ ! -s "$1" ] || { cat "$1"; fail "$1 is not empty"; }; }
json() { python3 -c "import json,sys; j=json.load(open('report.json')); sys.exit(0 if ($1) else 1)" || { cat report.json; fail "report: not $1"; }; }

# Bad input is found before the program starts.
code 2 "$pwsvp" exec missing.yaml -- "$programs/vector_add"
says err missing.yaml
code 2 "$pwsvp" exec "$machine" --set exec.fidelty=timing -- "$programs/vector_add"
says err 'did you mean fidelity'
code 2 "$pwsvp" exec "$machine" --fidelity functional --vcd w.vcd -- "$programs/vector_add"
says err 'no time to show'
code 2 "$pwsvp" exec "$machine" --fidelity timing --set exec.stats=s.csv -- "$programs/vector_add"
says err 'exec.stats: goes with exec.stats_every'
code 0 "$pwsvp" exec "$machine" --quiet --fidelity timing --stats s.csv --stats-every 100 --report report.json -- "$programs/vector_add"
silent err
python3 - <<'PY' || fail "the rows of --stats are not the launches' counters"
import csv, json
rows = list(csv.DictReader(open("s.csv")))
for launch in json.load(open("report.json"))["per_launch"]:
    mine = [r for r in rows if int(r["launch"]) == launch["number"]]
    assert sum(int(r["instructions"]) for r in mine) == launch["counters"]["instructions"]["value"] and len(mine) > 1, mine
    assert int(mine[-1]["to"]) == launch["cycles"]["value"], mine
PY
code 0 "$pwsvp" exec "$machine" --quiet --fidelity timing --launch 1 -- "$programs/vector_add"
says err 'exec.trace_launches has no effect without --vcd or --rtl-vcd or --timeline'
# Keys of bounds without bounds, on the command line and in the file; the file's machine may have keys for other commands.
code 0 "$pwsvp" exec "$machine" --quiet --times static -- "$programs/vector_add"
says err 'wcet.block_times has no effect without --wcet'
printf '%s\n' "machine: {base: $root/configs/gpu/predictable.yaml, trace: {from_cycle: 5}}" \
  'exec: {trace_launches: [1], fidelity: timing}' 'wcet: {loops: [{bound: 16, label: here}]}' >idle.yaml
code 0 "$pwsvp" exec idle.yaml --quiet -- "$programs/vector_add"
says err 'wcet.loops has no effect without --wcet'
says err 'exec.trace_launches has no effect without'
grep -q machine.trace err && fail 'a key of a machine file is warned of'
code 0 "$pwsvp" exec idle.yaml --quiet --wcet --set 'wcet.loops=[]' --timeline t.json -- "$programs/vector_add"
silent err
code 2 "$pwsvp" exec "$machine" -- ./no_such_program
says err 'cannot be started'
code 2 "$pwsvp" exec "$machine"
code 2 env LD_LIBRARY_PATH="$library" PWSVP_CONFIG=missing.yaml "$programs/vector_add"
says err missing.yaml

# The program's own exit code, output and arguments.
code 7 "$pwsvp" exec "$machine" -- sh -c 'exit 7'
code 0 "$pwsvp" exec "$machine" -- echo --report -x run
says out '--report -x run'
code 0 "$pwsvp" exec "$machine" --quiet -- "$programs/vector_add"
silent err
code 0 env LD_LIBRARY_PATH="$library" "$programs/vector_add"
silent err

# Programs see the device unless the environment leaves it out.
for shown in HIP_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES=0,1 ROCR_VISIBLE_DEVICES=GPU-gfx803-model 'CUDA_VISIBLE_DEVICES=0,'; do
  code 0 env "$shown" "$pwsvp" exec "$machine" --quiet -- "$programs/vector_add"
done
for hidden in HIP_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=-1 HIP_VISIBLE_DEVICES=1,0 ROCR_VISIBLE_DEVICES=none 'CUDA_VISIBLE_DEVICES=,'; do
  code 1 env "$hidden" "$pwsvp" exec "$machine" --quiet -- "$programs/vector_add"
  says out 'hipErrorNoDevice'
  says err 'hides all devices'
done
code 0 env HIP_VISIBLE_DEVICES=-1 "$pwsvp" exec "$machine" --quiet -- "$programs/memory_pools" hidden

# A second by the device's clock is no thousand million instructions.
few_instructions() {
  code 0 "$pwsvp" exec "$machine" --fidelity functional --quiet --set machine.wave_order="$1" --report report.json -- "$programs/conformance_clocks" "$2"
  json 'j["totals"]["instructions"]["value"] < 1000000'
}
few_instructions in_turn a_second
few_instructions in_turn a_second_without_optimising
few_instructions in_turn sleep_until_a_second_is_over
few_instructions in_turn flag_that_never_comes
few_instructions random a_second
few_instructions random sleep_until_a_second_is_over

# The clock goes on from a launch of one fidelity to a launch of the other.
code 0 "$pwsvp" exec "$machine" --fidelity functional --timing-launch 2 --timing-launch 5 --quiet -- "$programs/conformance_clocks" on_from_launch_to_launch
code 0 "$pwsvp" exec "$machine" --fidelity timing --functional-launch 2 --functional-launch 5 --quiet -- "$programs/conformance_clocks" on_from_launch_to_launch

# Memory that kernels free twice stops the machine where all accesses outside of allocations do.
code 0 "$pwsvp" exec "$machine" --quiet -- "$programs/device_double_free"
says err 'in a kernel: no block of malloc begins there, or it is free'
code 1 "$pwsvp" exec "$machine" --quiet --set machine.memory.faults=allocation -- "$programs/device_double_free"
says err 'in a kernel: no block of malloc begins there, or it is free'

# Cooperative launches: by a program that asks whether there are any, and what has none.
code 0 "$pwsvp" exec "$machine" --quiet -- "$programs/conformance_cooperative" several_phases
code 1 "$pwsvp" exec "$machine" --quiet --check sync -- "$programs/conformance_cooperative" device_can
code 1 "$pwsvp" exec "$machine" --quiet --check sync -- "$programs/conformance_cooperative" several_phases
says err 'do not know barriers of the grid'
code 1 "$pwsvp" exec "$machine" --quiet --set machine.divergence=pdom -- "$programs/conformance_cooperative" several_phases
says err 'machine.divergence pdom forms warps'
code 1 "$pwsvp" exec "$root/configs/gpu/predictable.yaml" --quiet --wcet -- "$programs/conformance_cooperative" one_phase
says err 'has no bound: it waits for all workgroups of the grid'
code 1 "$pwsvp" exec "$machine" --quiet -- "$programs/grid_barrier_alone"
says err 'a barrier of the grid in a launch that is not cooperative'

# Fidelity by number and by name; the report has each launch.
code 0 "$pwsvp" exec "$machine" --fidelity functional --timing-launch 3 --timing-launch 5 --report report.json -- \
  "$programs/many_launches"
says err '200, 2 of them timed, 0 failed'
json 'j["launches"] == 200 and len(j["per_launch"]) == 200'
json '[l["number"] for l in j["per_launch"] if l["fidelity"] == "timing"] == [3, 5]'
json 'all(l["completed"] and l["counters"]["instructions"]["value"] > 0 for l in j["per_launch"])'
json 'j["totals"]["instructions"]["value"] == sum(l["counters"]["instructions"]["value"] for l in j["per_launch"])'
json 'j["memory"]["blocks_not_freed"] == 0'
code 0 "$pwsvp" exec "$machine" --fidelity functional --timing-kernel next_generation --functional-launch 2 \
  --report report.json -- "$programs/many_launches"
json 'j["timed_launches"] == 99 and j["per_launch"][1]["fidelity"] == "functional"'

# The same run twice gives the same report, but for the host's time.
for k in 1 2; do
  code 0 "$pwsvp" exec "$machine" --report report.json -- "$programs/streams_events"
  "$(dirname "${BASH_SOURCE[0]}")/without_host_time.sh" report.json >"report.$k"
done
cmp report.1 report.2 || fail "two runs differ"

# Waveform and timeline of one launch only.
code 0 "$pwsvp" exec "$machine" --set 'machine.trace.cus=[0,1,2,3]' --vcd all.vcd --timeline all.json -- \
  "$programs/many_launches"
code 0 "$pwsvp" exec "$machine" --set 'machine.trace.cus=[0,1,2,3]' --vcd one.vcd --timeline one.json --launch 4 \
  --report report.json -- "$programs/many_launches"
json '[l["number"] for l in j["per_launch"] if l["traced"]] == [4]'
slices() { python3 -c "import json; print(sum(e['ph'] == 'X' for e in json.load(open('$1'))['traceEvents']))"; }
[ "$(slices one.json)" -gt 0 ] || fail "the timeline of launch 4 is empty"
[ "$(slices one.json)" -lt "$(slices all.json)" ] || fail "the timeline of one launch is as long as that of all"
[ "$(grep -c '^#' one.vcd)" -gt 20 ] || fail "the waveform of launch 4 has hardly a cycle"
[ "$(grep -c '^#' one.vcd)" -lt "$(grep -c '^#' all.vcd)" ] || fail "the waveform of one launch is as long as that of all"

# A configuration with an exec section; a machine that splits.
cat >mine.yaml <<YAML
machine: {base: $machine, n_cu: 2, divergence: pws-mode, force_mode_split: true, spsimd_per_simd: 3}
exec: {fidelity: functional, timing_kernels: [marked], report: report.json, summary: true}
YAML
code 0 env LD_LIBRARY_PATH="$library" PWSVP_CONFIG=mine.yaml "$programs/pws_marked"
says err '2 CU x 4 SIMD'
json 'j["timed_launches"] == 1 and j["machine"]["n_cu"] == 2 and j["totals"]["splits"]["value"] > 0'

# A kernel that goes wrong: the message has place and address, the report is written.
code 1 "$pwsvp" exec "$machine" --report report.json -- "$programs/bad_address"
says err 'wild_store'
says err 'outside every allocation'
says err 'launch 1 FAILED: '
once err 'outside every allocation'
says err 'hipErrorLaunchFailure'
json 'j["failed_launches"] == 1 and not j["per_launch"][0]["completed"] and "pc 0x" in j["per_launch"][0]["error"]'
code 1 "$pwsvp" exec "$machine" -- "$programs/assert_fails"
says err 'assertion'
once err 's_trap 2: the program trapped (hipErrorAssert)'
once err 'the program trapped'
# Without the summary it is said too.
code 1 "$pwsvp" exec "$machine" --quiet -- "$programs/bad_address"
once err 'hipErrorLaunchFailure'
code 1 "$pwsvp" exec "$machine" --quiet -- "$programs/assert_fails"
once err 'hipErrorAssert'

# Accesses outside of allocations, as memory.faults has it: in the last page they are told of once per place.
outside() { grep -c "$1" err || true; }
for fidelity in functional timing; do
  code 0 "$pwsvp" exec "$machine" --fidelity $fidelity --quiet -- "$programs/past_the_end"
  [ "$(outside 'kernel next_ones.*forgiven')" = 1 ] || { cat err; fail "next_ones: not told of once"; }
  [ "$(outside 'kernel count_behind.*read of 4 bytes at .*forgiven')" = 1 ] || { cat err; fail "count_behind reads: not told of once"; }
  [ "$(outside 'kernel count_behind.*write of 4 bytes at .*forgiven')" = 1 ] || { cat err; fail "count_behind writes: not told of once"; }
  [ "$(outside forgiven)" = 3 ] || { cat err; fail "more is told of"; }
  code 1 "$pwsvp" exec "$machine" --fidelity $fidelity --quiet -- "$programs/past_the_end" far
  once err 'is outside every allocation'
  says err 'hipErrorLaunchFailure'
  for setting in machine.memory.faults=allocation machine.check.init=true machine.check.races=true; do
    code 1 "$pwsvp" exec "$machine" --fidelity $fidelity --quiet --set $setting -- "$programs/past_the_end"
    says err 'is outside every allocation'
    says err 'hipErrorLaunchFailure'
  done
  for argument in '' far; do
    code 0 "$pwsvp" exec "$machine" --fidelity $fidelity --quiet --set machine.memory.faults=off -- "$programs/past_the_end" $argument
    silent err
  done
done
code 1 "$pwsvp" exec "$machine" --quiet --set machine.memory.faults=off -- "$programs/bad_address"
says err 'is outside every allocation'
code 2 "$pwsvp" exec "$machine" --set machine.memory.faults=page --set machine.check.races=true -- "$programs/past_the_end"
says err 'machine.check: machine.memory.faults is page: what checks know of memory holds where accesses stay in allocations'
code 2 "$pwsvp" exec "$root/configs/gpu/predictable.yaml" --set machine.memory.faults=off --wcet -- "$programs/past_the_end"
says err 'exec.wcet: machine.memory.faults is off: a bound holds where accesses stay in allocations'

# The same for a kernel alone: strict unless it is asked otherwise.
cat >past.hip <<'HIP'
#include <hip/hip_runtime.h>
extern "C" __global__ void past(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x + 1] == 7 ? 1 : 2; }
HIP
cat >past.yaml <<YAML
machine: $machine
program: {source: past.hip, kernel: past}
launch: {grid: 64, workgroup: 64}
arguments: [{name: in, type: u32, count: 64}, {name: out, type: u32, count: 64}]
expect: {out: {expression: "2"}}
YAML
for fidelity in functional timing; do
  code 1 "$pwsvp" run past.yaml --set machine.fidelity=$fidelity --quiet
  says err 'lane 63: read of 4 bytes'
  says err "directly after its end"
  code 0 "$pwsvp" run past.yaml --set machine.fidelity=$fidelity --set machine.memory.faults=page --quiet
  once err 'warning: kernel past'
  says err "is outside every allocation; nearest is 'argument in'"
  code 0 "$pwsvp" run past.yaml --set machine.fidelity=$fidelity --set machine.memory.faults=off --quiet
  silent err
done

# A reset after a fault: not where something watches the machine. The report has the launches of both machines.
code 0 "$pwsvp" exec "$machine" --quiet --report report.json -- "$programs/device_reset" "$programs/device_reset_module.hsaco"
json 'j["failed_launches"] == 3 and j["launches"] == len(j["per_launch"]) == 16'
json '[l["number"] for l in j["per_launch"]] == list(range(1, 17)) and j["memory"]["peak"]["value"] > 1 << 20'
code 1 "$pwsvp" exec "$machine" --quiet --fidelity timing --timeline t.json -- "$programs/device_reset" "$programs/device_reset_module.hsaco"
says err 'do not live through (hipErrorNotSupported)'
code 1 "$pwsvp" exec "$machine" --quiet --fidelity timing --set machine.limits.max_cycles=100 -- "$programs/vector_add"
once err 'limits.max_cycles reached: 100 cycles'
# Messages name the call.
code 0 env LD_LIBRARY_PATH="$library" "$programs/wrong_use"
says err 'hipFree: '
says err 'that has been freed'
says err 'hipMemcpy: '
says err 'hipLaunchKernel: '
echo PASS
