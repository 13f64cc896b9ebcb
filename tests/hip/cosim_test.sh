#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cosim_test.sh PWSVP PWSCC ROOT: hardware/software co-verification from end to end. A HIP program, compiled by pwscc with
# its branches split, runs unmodified with the SpSIMD units' RTL in lockstep, and leaves a waveform of one launch.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 pwscc=$2 root=$3
cd "$folder"

"$pwscc" --split=all -S 3 -O3 -I"$root/tests/hip/programs" "$root/tests/hip/programs/mandelbrot.hip" -o mandelbrot -lamdhip64
for mode in lockstep rtl; do
  code 0 "$pwsvp" exec "$root/configs/gpu/rtl.yaml" --set machine.spsimd_per_simd=3 --set machine.n_cu=1 \
    --set machine.cosim.mode=$mode --vcd wave.vcd --rtl-vcd rtl.vcd --launch 1 \
    --report $mode.json -- ./mandelbrot
  says out PASS
  grep -q "  RTL  *$mode in 12 units" err.txt || fail "$mode: the summary does not say what the RTL did"
done
python3 - <<'END' || fail "the report does not say that every SWF's instruction was compared"
import json, sys
lockstep, rtl = json.load(open("lockstep.json")), json.load(open("rtl.json"))
cosim = lockstep["cosim"]
good = (lockstep["totals"]["splits"]["value"] > 0 and cosim["vector"]["value"] > 50
        and cosim["compared"]["value"] >= cosim["vector"]["value"] + cosim["scalar"]["value"]
        and cosim["share_of_alu_instructions"]["value"] == 1
        and lockstep["cycles"] == rtl["cycles"])
sys.exit(0 if good else 1)
END
[ "$(grep -c '^#' wave.vcd)" -gt 1000 ] || fail "the waveform of the launch is short"
grep -q 'rtl' wave.vcd || fail "the waveform has not the RTL's side"
[ "$(ls rtl.cu0.simd*.spsimd*.vcd | wc -l)" -eq 12 ] || fail "there is not a waveform for each unit"
echo PASS
