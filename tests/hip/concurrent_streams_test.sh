#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# concurrent_streams_test.sh PWSVP PROGRAMS ROOT: launches of several streams beside each other (machine.hardware_queues): what
# events and reports say of them, what is refused, and what becomes of a fault.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 programs=$2 root=$3
cd "$folder"
machine=$root/configs/gpu/default.yaml
clang=("${hip_clang[@]}" -O3)

# One hardware queue: each pair takes its sum. Several: those overlap that fit, to the cycles that sharing costs.
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=1 --fidelity timing --quiet -- "$programs/concurrent_streams" --times
mv out.txt one
for n in 2 4; do
  code 0 "$pwsvp" exec "$machine" --set "machine.hardware_queues=$n" --fidelity timing --quiet -- "$programs/concurrent_streams" --times
  mv out.txt "several.$n"
done
python3 - <<'PY' || fail "the times are not those of such streams"
def read(name):
    return {l.split()[0]: [float(x) for x in l.split()[1:]] for l in open(name) if len(l.split()) == 4}
one = read("one")
assert len(one) == 12, one
for name, (a, b, both) in one.items():
    assert abs(both - (a + b)) < 1, (name, a, b, both)
for n in 2, 4:
    several = read(f"several.{n}")
    assert several.keys() == one.keys()
    alone = {name: v[:2] for name, v in one.items()}
    def ratio(name):  # of what both took to what they took one after the other
        return several[name][2] / one[name][2]
    for name in "small", "legacy_apart", "beside_large":
        assert 0.49 < ratio(name) < 0.55, (n, name, several[name], one[name])
    for name in "same_stream", "event", "legacy_behind", "legacy_before":
        assert 0.99 < ratio(name) < 1.01, (n, name, several[name], one[name])
    for name in "lds", "full":  # no room beside each other: in turn, so that both end late
        assert 0.98 < ratio(name) < 1.01, (n, name, several[name], one[name])
        assert min(several[name][:2]) > 1.9 * max(alone[name]), (n, name, several[name], one[name])
    # The urgent one is hardly held up, whichever comes first; the other one is, by little more than its work.
    for name, urgent in ("patient_first", 1), ("urgent_first", 0):
        assert several[name][urgent] < 1.1 * alone[name][urgent], (n, name, several[name], one[name])
        assert ratio(name) < 1.01, (n, name, several[name], one[name])
PY

# Reports: who ran beside whom, own instructions, and totals that hold everything once; the same bytes again.
for k in 1 2; do
  code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=4 --fidelity timing --report report.json -- "$programs/concurrent_streams"
  says err "0 failed"
  "$(dirname "${BASH_SOURCE[0]}")/without_host_time.sh" report.json >"report.$k"
done
cmp report.1 report.2 || fail "two runs differ"
json "all((l['beside'] == []) == ('vector_l1' in l['counters']) for l in j['per_launch'])"
json "any(len(l['beside']) == 1 for l in j['per_launch'])"
json "all(l['number'] in j['per_launch'][b - 1]['beside'] for l in j['per_launch'] for b in l['beside'])"
json "all(l['ended']['value'] - l['began']['value'] == l['cycles']['value'] > 0 for l in j['per_launch'])"
json "[l['number'] for l in j['per_launch']] == list(range(1, j['launches'] + 1))"
for total in instructions wavefronts workgroups vector_alu_instructions; do
  json "j['totals']['$total']['value'] == sum(l['counters']['$total']['value'] for l in j['per_launch']) > 0"
done
json "j['cycles']['value'] < sum(l['cycles']['value'] for l in j['per_launch'])"
# Where warps issue, a warp's instruction is one, and its lanes are those that it has: nobody is switched off here.
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=4 --set machine.divergence=dwf --fidelity timing --report formed.json -- "$programs/concurrent_streams"
mv report.json plain.json && mv formed.json report.json
json "any(l['beside'] for l in j['per_launch'])"
for total in instructions vector_alu_instructions; do
  json "j['totals']['$total']['value'] == sum(l['counters']['$total']['value'] for l in j['per_launch']) > 0"
done
json "all(c['simd_lane_utilisation'] == {'value': 100, 'unit': '%'} for c in [j['totals']] + [l['counters'] for l in j['per_launch']])"
mv plain.json report.json
json "j['totals']['dram']['reads']['value'] > 0 and j['totals']['stored']['value'] > 0"

# Timeline and waveform show both launches of a pair; of a launch that was asked for, also what runs beside it.
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=2 --fidelity timing --quiet --set 'machine.trace.cus=[0,1]' --timeline t.json --vcd w.vcd --launch 3 -- "$programs/concurrent_streams"
python3 - <<'PY' || fail "the timeline does not show two launches beside each other"
import json
slices = [e for e in json.load(open("t.json"))["traceEvents"] if e["ph"] == "X"]
spans = {}
for e in slices:
    assert e["name"].startswith("churn(") and "+0x" in e["name"] and int(e["name"].split("+0x")[1], 16) < 4096, e
    s = spans.setdefault(e["args"]["launch"], [e["args"]["cycle"], 0])
    s[1] = max(s[1], e["args"]["cycle"] + e["args"]["cycles"])
assert sorted(spans) == [3, 4], spans
assert spans[4][0] < spans[3][1], spans
PY
grep -q 'launch 3: kernel 1' w.vcd && grep -q 'launch 4: kernel 1' w.vcd || fail "the waveform lacks a launch"
grep -q ' in_service' w.vcd || fail "the waveform does not say how many kernels run"

# What follows one launch at a time is refused by name.
refused() { code 2 "$pwsvp" exec "$machine" --set machine.hardware_queues=2 --fidelity timing "$@" -- "$programs/vector_add"; }
refused --wcet
says err "exec.wcet: machine.hardware_queues is 2: a bound follows one launch at a time; 1 is needed"
refused --profile p.html
says err "exec.profile: machine.hardware_queues is 2: a profile follows one launch at a time; 1 is needed"
refused --set machine.check.loop_bounds=true
says err "machine.check.loop_bounds: machine.hardware_queues is 2: a count of loops follows one launch at a time; 1 is needed"
refused --set machine.trace.branch_uniformity=true
says err "machine.trace.branch_uniformity: machine.hardware_queues is 2: a count of branches follows one launch at a time; 1 is needed"
code 2 "$pwsvp" wcet "$root/configs/runs/vector_add.yaml" --set "machine.base=$root/configs/gpu/predictable.yaml" --set machine.hardware_queues=2
says err "machine.hardware_queues 2 has no analysis: others may run beside the kernel; 1 has one"

# A fault: the launch returns, what waits for it fails, and nothing that was to come is done.
cat >fault.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void spin(unsigned* p, int rounds) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1;
  p[threadIdx.x] = x;
}
int main() {
  hipStream_t a, b;
  unsigned* p;
  int called = 0;
  if (hipStreamCreate(&a) != hipSuccess || hipStreamCreate(&b) != hipSuccess || hipMalloc(&p, 4096) != hipSuccess) return 3;
  spin<<<1, 64, 0, a>>>(p, 5000);
  spin<<<1, 64, 0, b>>>(reinterpret_cast<unsigned*>(64), 10);
  printf("launches %d\n", hipGetLastError());
  spin<<<1, 64, 0, b>>>(p, 10);
  auto note = [](hipStream_t, hipError_t e, void* to) { *static_cast<int*>(to) = e; };
  printf("callback %d\n", hipStreamAddCallback(a, note, &called, 0));
  printf("wait %d\n", hipStreamSynchronize(b));
  printf("called with %d\n", called);
  printf("query %d\n", hipStreamQuery(a));
  spin<<<1, 64, 0, a>>>(p, 10);
  printf("launch %d\n", hipGetLastError());
  printf("free %d\n", hipFree(p));
  return 0;
}
HIP
"${clang[@]}" fault.hip -o fault -lamdhip64
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=2 --fidelity timing --report report.json -- ./fault
printf 'launches 0\ncallback 0\nwait 719\ncalled with 719\nquery 719\nlaunch 719\nfree 0\n' | cmp - out.txt || { cat out.txt err.txt; fail "a fault is told otherwise"; }
says err "hipStreamSynchronize: launch 2: kernel spin(unsigned int*, int), workgroup (0,0,0)"
json "j['launches'] == 2 and j['failed_launches'] == 2"

# What a program does not wait for is done when it ends: output, callback, and the exit code of its own.
cat >ends.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void say(int n) { printf("kernel %d\n", n); }
int main() {
  hipStream_t a, b;
  if (hipStreamCreate(&a) != hipSuccess || hipStreamCreate(&b) != hipSuccess) return 3;
  printf("before\n");
  say<<<1, 1, 0, a>>>(1);
  say<<<1, 1, 0, a>>>(2);
  if (hipStreamAddCallback(a, [](hipStream_t, hipError_t, void*) { printf("callback\n"); }, nullptr, 0) != hipSuccess) return 3;
  printf("after\n");
  return 7;
}
HIP
"${clang[@]}" ends.hip -o ends -lamdhip64
code 7 "$pwsvp" exec "$machine" --set machine.hardware_queues=2 --fidelity timing -- ./ends
printf 'before\nafter\nkernel 1\nkernel 2\ncallback\n' | cmp - out.txt || { cat out.txt err.txt; fail "the program's end does not wait"; }

# More streams than the machine has queues for, and more launches than are kept waiting: some wait, all are right.
cat >many.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
__global__ void add(int* p, int n) { atomicAdd(p, n); }
int main() {
  constexpr int streams = 150, launches = 3000;
  std::vector<hipStream_t> s(streams);
  int* p;
  int sum = 0;
  for (int k = 0; k < streams; ++k)
    if (hipStreamCreateWithPriority(&s[k], hipStreamNonBlocking, k % 3 - 1) != hipSuccess) return 3;
  if (hipMalloc(&p, 4) != hipSuccess || hipMemset(p, 0, 4) != hipSuccess) return 3;
  for (int k = 0; k < launches; ++k) add<<<1, 1, 0, s[k % streams]>>>(p, k);
  for (int k = 0; k < streams; ++k)
    if (hipStreamDestroy(s[k]) != hipSuccess) return 3;
  if (hipMemcpy(&sum, p, 4, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  printf("%d\n", sum);
  return 0;
}
HIP
"${clang[@]}" many.hip -o many -lamdhip64
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=8 --fidelity timing --report report.json -- ./many
echo $((3000 * 2999 / 2)) | cmp - out.txt || { cat out.txt; fail "many streams"; }
json "j['launches'] == 3000 and all(len(l['beside']) > 0 for l in j['per_launch'][:100])"

# Launches of functional fidelity are alone, between those of timing fidelity before and behind them.
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=4 --fidelity timing --functional-launch 5 --functional-launch 12 --report report.json -- "$programs/streams_events"
json "[l['number'] for l in j['per_launch'] if l['fidelity'] == 'functional'] == [5, 12]"
code 0 "$pwsvp" exec "$machine" --set machine.hardware_queues=4 --fidelity functional --timing-launch 5 --report report.json -- "$programs/concurrent_streams"
json "j['timed_launches'] == 1 and j['failed_launches'] == 0"

# Threads that wait for each other through a callback, and one that waits for itself.
cat >threads.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
__global__ void one(int* p) { atomicAdd(p, 1); }
struct gate {
  std::mutex m;
  std::condition_variable c;
  bool open = false;
};
int main() {
  hipStream_t a;
  int* p;
  gate g;
  if (hipStreamCreate(&a) != hipSuccess || hipHostMalloc(&p, 4, hipHostMallocDefault) != hipSuccess) return 3;
  *p = 0;
  one<<<1, 64, 0, a>>>(p);
  auto wait = [](hipStream_t, hipError_t, void* to) {
    gate& x = *static_cast<gate*>(to);
    std::unique_lock<std::mutex> hold(x.m);
    x.c.wait(hold, [&] { return x.open; });
  };
  if (hipStreamAddCallback(a, wait, &g, 0) != hipSuccess) return 3;
  one<<<1, 64, 0, a>>>(p);
  std::thread other([&] {
    int* q;
    if (hipMalloc(&q, 64) != hipSuccess) return;  // a call while the callback waits
    const std::lock_guard<std::mutex> hold(g.m);
    g.open = true;
    g.c.notify_all();
  });
  printf("wait %d\n", hipStreamSynchronize(a));
  other.join();
  printf("sum %d\n", *p);
  struct told { hipStream_t s; hipError_t got; } self{a, hipSuccess};
  auto ask = [](hipStream_t s, hipError_t, void* to) { static_cast<told*>(to)->got = hipStreamSynchronize(s); };
  if (hipStreamAddCallback(a, ask, &self, 0) != hipSuccess) return 3;
  printf("sync %d\n", hipStreamSynchronize(a));
  printf("itself %d\n", self.got);
  return 0;
}
HIP
"${clang[@]}" threads.hip -pthread -o threads -lamdhip64
code 0 timeout 60 "$pwsvp" exec "$machine" --set machine.hardware_queues=2 --fidelity timing --quiet -- ./threads
printf 'wait 0\nsum 128\nsync 0\nitself 401\n' | cmp - out.txt || { cat out.txt err.txt; fail "threads and callbacks"; }
says err "a function that a stream calls waits for that stream"
echo PASS
