#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# firmware_test.sh PWSVP SOURCE FIRMWARE: the programs of sw/firmware, in the folder FIRMWARE, on configs/soc. The same
# bytes with every quantum. Skipped (77) where they are not built, because there is no compiler for them.
pwsvp=$1 source=$2 firmware=$3
# shellcheck source=tests/common.sh
source "$source/tests/common.sh"
virt=$source/configs/soc/virt.yaml
if [ ! -e "$firmware/hello.elf" ]; then
  echo "no firmware: gcc-riscv64-unknown-elf or picolibc-riscv64-unknown-elf is not installed"
  exit 77
fi
cd "$folder"

control=$source/configs/soc/control.yaml

# With quanta that let the processor run ahead of nothing, of devices, and of whole kernels.
for quantum in 0 1000 100000; do
  code 0 "$pwsvp" soc "$virt" --firmware "$firmware/hello.elf" --set quantum_ns=$quantum --quiet
  printf 'hello\nslept 250 us, then waited 250 us\n' | cmp - out.txt
  # The GPU's driver: each check is a line.
  code 0 "$pwsvp" soc "$control" --firmware "$firmware/gpu_check.elf" --set quantum_ns=$quantum --quiet
  says out "0 failures"
  [ "$(grep -c '^ok ' out.txt)" -eq 30 ] || { cat out.txt; fail "not all checks were made"; }
  cp out.txt gpu_check.$quantum
  # The control task: results right, deadlines met, no bound exceeded.
  code 0 "$pwsvp" soc "$control" --firmware "$firmware/control.elf" --set quantum_ns=$quantum --report report.json
  says out "0 errors"
  [ "$(grep -c 'meets its deadline for sure with splitting, and without it not for sure' out.txt)" -eq 2 ] ||
    { cat out.txt; fail "deadlines"; }
  json 'j["gpus"][0]["kernels"]["value"] == 40 and j["traps"]["value"] == 0 and j["interrupts"]["value"] == 60'
  cp out.txt control.$quantum
done
for quantum in 1000 100000; do
  cmp gpu_check.0 gpu_check.$quantum
  cmp control.0 control.$quantum
done
# docs/soc.md shows that output.
if llvm_is_of_documents; then
  # In one order: the document shows the report's line of a task first.
  shown() { grep -E '^(20 periods|filter  |command  |  task +filter)' "$1" | sort; }
  shown "$source/docs/soc.md" >shown.txt
  shown control.0 | cmp - shown.txt || fail "docs/soc.md shows other times"
else
  echo "clang $PWS_LLVM: the times that docs/soc.md shows are of another compiler's code, and are not compared"
fi

# The report has what the control task marks: no deadline is missed, and no response is above E_kernel and the path.
json '{t["name"]: t["count"]["value"] for t in j["tasks"]} == {"period": 20, "filter": 20, "command": 20}'
json 'all(t["misses"]["value"] == 0 and t["above_bound"]["value"] == 0 for t in j["tasks"])'
json 'all(t["longest"]["value"] <= t["bound"]["value"] <= t["deadline"]["value"] for t in j["tasks"] if t["name"] != "period")'
json 'all(t["shortest"]["value"] <= t["mean"]["value"] <= t["longest"]["value"] for t in j["tasks"])'

# One job by interrupt and by polling: the same bytes but for the time.
for quantum in 0 100000; do
  for form in interrupt polling; do
    code 0 "$pwsvp" soc "$control" --firmware "$firmware/job_$form.elf" --set quantum_ns=$quantum --report $form.json --quiet
    says out "0 failures"
    grep -v '^time: ' out.txt >job.$form.$quantum
  done
  cmp job.interrupt.$quantum job.polling.$quantum || fail "interrupt and polling give other bytes"
  python3 - <<'END'
import json

interrupt, polling = (json.load(open(f"{form}.json")) for form in ("interrupt", "polling"))
assert interrupt["interrupts"]["value"] > 20 and polling["interrupts"]["value"] == 0, "one sleeps, the other looks"
assert interrupt["waited"]["value"] > 0 and polling["waited"]["value"] == 0
for key in ("kernels", "workgroups", "fault"):
    assert interrupt["gpus"][0].get(key) == polling["gpus"][0].get(key), key
END
done
cmp job.interrupt.0 job.interrupt.100000
[ "$(grep -c '^fault: cause 2' job.polling.0)" -eq 2 ] || fail "the job's faults"

# The same checks with all that the GPU reads and writes in the processor's memory, on a machine with caches.
for quantum in 0 1000 100000; do
  code 0 "$pwsvp" soc "$control" --firmware "$firmware/gpu_check_ram.elf" --set quantum_ns=$quantum --quiet \
    --set "gpus.0.machine={n_cu: 2, memory: {system: {size_mib: 16}, dram: {size_mib: 64}}}"
  says out "0 failures"
  [ "$(grep -c '^ok ' out.txt)" -eq 30 ] || { cat out.txt; fail "not all checks were made"; }
done

# Two GPUs at once, each with an interrupt of its own.
two=$source/configs/soc/two_gpus.yaml
for quantum in 0 1000 100000; do
  code 0 "$pwsvp" soc "$two" --firmware "$firmware/two_gpus.elf" --set quantum_ns=$quantum --vcd two.fst --timeline two.json --report report.json
  says out "both at once"
  json '[g["kernels"]["value"] for g in j["gpus"]] == [2, 1]'
  cp out.txt two.$quantum
done
cmp two.0 two.1000
cmp two.0 two.100000
python3 - <<'EOF'
import json

kernels = {}
for e in json.load(open("two.json"))["traceEvents"]:
    if e["ph"] == "X" and e["pid"] in (1, 2) and e["tid"] == 0:
        kernels.setdefault(e["pid"], []).append((e["ts"], e["ts"] + e["dur"]))
first, second = kernels[1][-1], kernels[2][0]
assert first[0] < second[1] and second[0] < first[1], (first, second)  # they overlap
EOF

# Waveform and timeline: of processor, bus and GPU together. They change nothing, and are the same bytes twice.
for k in 1 2; do
  code 0 "$pwsvp" soc "$control" --firmware "$firmware/control.elf" --vcd wave.vcd --timeline timeline.json --quiet
  grep -v '^  *[A-Z][a-z][a-z] [0-9 ][0-9], ' wave.vcd >wave.$k  # its date
  cp timeline.json timeline.$k
  head -8 control.0 | cmp - out.txt
done
cmp wave.1 wave.2
cmp timeline.1 timeline.2
python3 - <<'EOF'
import json, re

slices = [e for e in json.load(open("timeline.json"))["traceEvents"] if e["ph"] == "X"]
def row(process, thread):
    return [(round(e["ts"] * 1e6), round((e["ts"] + e["dur"]) * 1e6), e["name"]) for e in slices if (e["pid"], e["tid"]) == (process, thread)]
packets, kernels, cpu, traps, tasks = row(1, 1), row(1, 0), row(0, 0), row(0, 1), row(0, 2)
# Each period is a task, within which the two kernels are waited for.
assert [t[2] for t in tasks] == ["filter", "command", "period"] * 20, [t[2] for t in tasks][:6]
for k in range(0, 60, 3):
    one, other, period = tasks[k:k + 3]
    assert period[0] < one[0] < one[1] <= other[0] < other[1] < period[1]
    assert one[0] < packets[k // 3 * 2][0] and packets[k // 3 * 2][1] < one[1]
assert [p[2] for p in packets] == [f"packet {k}" for k in range(40)], packets
assert len(kernels) == 40 and len(traps) == 60, (len(kernels), len(traps))
for packet, kernel in zip(packets, kernels):
    assert packet[0] < kernel[0] < kernel[1] <= packet[1], (packet, kernel)
# The processor's row has no gap and no overlap, and it waits while a kernel runs.
assert all(a[1] == b[0] for a, b in zip(cpu, cpu[1:]))
waits = [c for c in cpu if c[2] == "waits"]
assert all(any(w[0] < k[1] <= w[1] + 1000 for w in waits) for k in kernels)

# What the waveform has: one GPU whose contexts are at work while the processor waits.
text = open("wave.vcd").read()
names = dict(reversed(v) for v in re.findall(r"\$var +\w+ +\d+ +(\S+) +(\S+)", text))
scopes = re.findall(r"\$scope module (\S+)", text)
for scope in ("cpu", "bus", "gpu0", "cu0", "simd0", "wf0"):
    assert scope in scopes, (scope, scopes)
for signal in ("waiting", "address", "interrupt", "busy"):
    assert signal in names, (signal, list(names)[:20])
EOF

# The same program on the machine without splitting: it really misses the deadlines, and says so.
code 1 "$pwsvp" soc "$control" --firmware "$firmware/control.elf" \
  --set "gpus.0.machine={base: $source/configs/gpu/control.yaml, divergence: none}" --quiet
says out "error: period 0: command: missed its deadline"
says out "filter: missed its deadline"
grep -q wrong out.txt && fail "wrong results without splitting"
code 1 "$pwsvp" soc "$control" --firmware "$firmware/control.elf" --report report.json \
  --set "gpus.0.machine={base: $source/configs/gpu/control.yaml, divergence: none}"
json 'all(t["misses"]["value"] > 0 and t["above_bound"]["value"] > 0 for t in j["tasks"] if t["name"] != "period")'

# Without a GPU the driver's first access is a trap that nobody expects.
code 105 "$pwsvp" soc "$virt" --firmware "$firmware/gpu_check.elf" --quiet
says out "unexpected trap: mcause 0x5,"
