#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""active_lanes_test.py PWSVP ROOT: the active lanes of an instruction are those that it executes on, also where it writes EXEC, and in every report."""
import json
import os
import sys
import tempfile

from command_line import call, fail

PWSVP, ROOT = sys.argv[1:3]
os.chdir(tempfile.mkdtemp())


# Each of these leaves no lane, or one, active.
WRITES_EXEC = [
    "v_cmpx_gt_u32_e32 vcc, 1, v0", "v_cmpx_gt_u32_e64 s[10:11], 1, v0", "v_cmpx_gt_u32_e64 exec, 1, v0", "v_cmpx_lt_f32_e32 vcc, v0, v0",
    "v_cmpx_eq_u32_sdwa vcc, v1, v0 src0_sel:DWORD src1_sel:BYTE_1", "v_cmpx_eq_u64_e64 s[10:11], v[0:1], 1", "v_cmp_gt_u32_e64 exec, 1, v0",
    "v_add_u32_e64 v2, exec, v0, v0", "s_mov_b64 exec, 1", "s_mov_b32 exec_lo, 0", "s_and_saveexec_b64 s[10:11], 1", "s_andn2_saveexec_b64 s[10:11], -1",
    "s_xor_saveexec_b64 s[10:11], -1", "s_not_b64 exec, exec", "s_wqm_b64 exec, 0", "s_lshr_b64 exec, exec, 63",
]


def kernel(lines):
    body = "\n".join("  " + x for x in lines)
    return f""".text
.globl k
.p2align 8
.type k,@function
k:
  s_mov_b64 exec, -1
{body}
  s_endpgm
.Lend:
  .size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - {{.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64,
     .sgpr_count: 32, .vgpr_count: 8, .max_flat_workgroup_size: 64, .args: []}}
...
.end_amdgpu_metadata
"""


def measured(*settings):
    """Active lanes, in the report of the run, of its launch, and by instruction."""
    values = [x for s in settings for x in ("--set", s)]
    call(PWSVP, "run", "run.yaml", *values, "--report", "report.json", "--profile", "p.callgrind")
    report = json.load(open("report.json"))
    counters = report["per_launch"][0]["counters"]
    vector = sum(report["totals"]["instructions_by_unit"][u]["value"] for u in ("valu", "valu_trans", "valu_f64"))
    if vector != counters["vector_alu_instructions"]["value"]:
        fail(f"{settings}: {vector} vector instructions, {counters['vector_alu_instructions']['value']} of the launch")
    lanes_of_run = report["totals"]["simd_lane_utilisation"]["value"] / 100 * vector * 64
    lanes_of_launch = counters["simd_lane_utilisation"]["value"] / 100 * vector * 64
    if round(lanes_of_run) != round(lanes_of_launch):
        fail(f"{settings}: {lanes_of_run} lanes, {lanes_of_launch} of the launch")
    events = next(line for line in open("p.callgrind") if line.startswith("events: ")).split()[1:]
    profile = next(line for line in open("p.callgrind") if line.startswith("summary: ")).split()[1:]
    return vector, round(lanes_of_run), profile[events.index("Issues")], profile[events.index("Lanes")]


RTL = [f"machine={ROOT}/configs/gpu/rtl.yaml", "machine.cosim.spsimds=[1]"]
MACHINES = {
    "functional": ["machine.fidelity=functional"], "timing": ["machine.fidelity=timing"], "pws": ["machine.divergence=pws", "machine.spsimd_per_simd=1"],
    "pws functional": ["machine.divergence=pws", "machine.spsimd_per_simd=1", "machine.fidelity=functional"],
    "random order": ["machine.fidelity=functional", "machine.wave_order=random"],
    "pdom": ["machine.divergence=pdom", "machine.dwf.warp_size=64"], "dwf": ["machine.divergence=dwf", "machine.dwf.warp_size=64"],
    "model": [*RTL, "machine.cosim.mode=model"], "lockstep": [*RTL, "machine.cosim.mode=lockstep"], "rtl": [*RTL, "machine.cosim.mode=rtl"],
}
with open("run.yaml", "w") as f:
    f.write("machine: {n_cu: 1}\nprogram: {source: k.s, kernel: k}\nlaunch: {grid: [64], workgroup: [64]}\n")

lines, n = [], 0
for instruction in WRITES_EXEC:
    lines += [instruction, "s_mov_b64 exec, -1"]
    n += instruction.startswith("v_")
# Sixteen lanes, and one.
lines += ["v_cmpx_gt_u32_e32 vcc, 16, v0", "v_mov_b32 v2, 1", "v_cmpx_gt_u32_e32 vcc, 1, v0", "v_mov_b32 v2, 1", "s_mov_b64 exec, 0", "v_mov_b32 v2, 1"]
WANTED = (n + 5, 64 * n + 64 + 16 + 16 + 1)
with open("k.s", "w") as f:
    f.write(kernel(lines))
profiles = {}
for name, values in MACHINES.items():
    vector, active, *profiles[name] = measured(*values)
    if (vector, active) != WANTED:
        fail(f"{name}: {active} lanes in {vector} vector instructions, not {WANTED}")
# The profile has all instructions. The RTL's EXEC is behind that of scalar instructions, which have no lanes.
different = {n: p for n, p in profiles.items() if n not in ("rtl", "lockstep", "model") and p != profiles["timing"]}
if different:
    fail(f"profiles: {different}, and timing has {profiles['timing']}")
