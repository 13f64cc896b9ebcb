#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interrupted_test.py PWSVP PWSCC ROOT: runs that are stopped by SIGINT, SIGTERM, a fault or a limit leave whole files,
say what they did until then, and end with the signal's exit code."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

PWSVP, PWSCC, ROOT = sys.argv[1:4]
os.chdir(tempfile.mkdtemp())
FOREVER = 600  # seconds; nobody waits that long


def run_file(kernel):
    with open("run.yaml", "w") as f:
        f.write(f"machine: {ROOT}/configs/gpu/default.yaml\n"
                f"program: {{source: {ROOT}/tests/integration/data/errors.s, kernel: {kernel}}}\n"
                "launch: {grid: [64], workgroup: [64]}\n")


def start(command, **environment):
    def default_signals():  # also where this test itself was started with them ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return subprocess.Popen(command, stdout=open("out.txt", "w"), stderr=open("err.txt", "w"),
                            preexec_fn=default_signals, env=dict(os.environ, **environment))


def text(name):
    with open(name) as f:
        return f.read()


def expect(condition, what):
    if not condition:
        for name in ("out.txt", "err.txt"):
            print(f"--- {name}\n{text(name)}")
        sys.exit(f"FAILED: {what}")


def wait_until(condition, process):
    end = time.monotonic() + FOREVER
    while not condition():
        expect(process.poll() is None, f"ended by itself with {process.returncode}")
        expect(time.monotonic() < end, "nothing happens")
        time.sleep(0.02)


def programs_of(process):
    """The process and, of `pwsvp exec`, the program that it runs."""
    found = [process.pid]
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(text(f"/proc/{entry}/stat").rsplit(")", 1)[1].split()[1]) == process.pid:
                found.append(int(entry))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def ticks(pid):
    """User time of a process in clock ticks. A compiler that the program started may end at any time: it has none then."""
    try:
        return int(text(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[11])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def processor_time(process):
    return sum(ticks(pid) for pid in programs_of(process)) / os.sysconf("SC_CLK_TCK")


def whole_vcd(name):
    lines = text(name).splitlines(keepends=True)
    expect(any("$enddefinitions" in line for line in lines), f"{name} has no header")
    header = max(k for k, line in enumerate(lines) if "$enddefinitions" in line or "$dumpvars" in line)
    body = re.sub(r"\$comment\n.*\n\$end\n", "", "".join(lines[header + 1:])).replace("$end\n", "", 1).splitlines(keepends=True)
    for line in body:
        expect(re.fullmatch(r"(#\d+|[01xz]\S+|b[01xz]+ \S+|r\S+ \S+)?\n", line), f"{name}: {line!r}")
    return int([line for line in body if line.startswith("#")][-1][1:])


def check_report(stopped_by, timed=True):
    j = json.loads(text("report.json"))
    result = j["result"]
    expect(result["stopped"] and not result["completed"] and not result["pass"], "the report says that it was stopped")
    expect(result.get("signal") == stopped_by, f"the report names the signal: {result}")
    expect(j["totals"]["instructions"]["value"] > 0, "instructions until it stopped")
    expect(not timed or j["cycles"]["value"] > 0, "cycles until it stopped")
    expect("until it stopped" in text("out.txt"), "the screen says so")
    return j


PLACE = (r"  kernel \w+.*, workgroup \(\d+,0,0\), wavefront \d+ \(cu\d+\.simd\d\.wf\d\)(?: and (\d+) more)?: (?:running|waiting at s_waitcnt) at "
         r"pc 0x[0-9a-f]+ \(kernel entry \+ 0x[0-9a-f]+\): \w.*, EXEC 0x[0-9a-f]+")


def expect_places(said, wavefronts):
    """Where they stand, by place: the first, how many more, the instruction and its line."""
    found = re.findall(PLACE, said)
    expect(sum(1 + int(more or 0) for more in found) == wavefronts and 0 < len(found) <= 16, f"the places of {wavefronts} wavefronts: {found}")


for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    # Timing, with all files. A hundred cycles in the waveform: the machine runs.
    run_file("spin")
    p = start([PWSVP, "run", "run.yaml", "--vcd", "w.vcd", "--timeline", "t.json", "--report", "report.json"])
    wait_until(lambda: os.path.exists("w.vcd") and text("w.vcd").count("\n#") > 100, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == 128 + number, f"exit code {p.returncode}, and it was {name}")
    j = check_report(name)
    expect(f"interrupted by {name}. In execution:" in text("out.txt"), "the screen names the signal")
    expect_places(text("out.txt"), 1)
    expect(whole_vcd("w.vcd") >= j["cycles"]["value"], "the waveform reaches to where it stopped")
    expect(len(json.loads(text("t.json"))["traceEvents"]) > 2, "the timeline has slices")
    for file in ("w.vcd", "t.json", "report.json"):
        os.remove(file)

    # Functional. Nothing is written until it ends: a second of processor time is more than the compiler's cache takes.
    p = start([PWSVP, "run", "run.yaml", "--set", "machine.fidelity=functional", "--report", "report.json"])
    wait_until(lambda: processor_time(p) > 1, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == 128 + number, f"functional: exit code {p.returncode}")
    check_report(name, timed=False)
    expect_places(text("out.txt"), 1)
    os.remove("report.json")

# While the machine is being built, which takes seconds for one of 1500 MiB; it ends long before all of that is there. The
# report says so; of what needs a machine there is nothing.
def resident(process):
    return sum(int(text(f"/proc/{pid}/statm").split()[1]) for pid in programs_of(process)) * os.sysconf("SC_PAGE_SIZE") >> 20


BUILDING = {"n_cu": 8, "n_simd": 16, "n_wfc": 256, "divergence": "pws", "spsimd_per_simd": 15, "memory.dram.size_mib": 64}
BUILT = "while the machine was being built: [0-7] of its 8 compute units were there"
building = [word for key, value in BUILDING.items() for word in ("--set", f"machine.{key}={value}")]
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    for quiet in ([], ["--quiet"]):
        p = start([PWSVP, "run", "run.yaml", *building, "--vcd", "w.vcd", "--stats", "s.csv", "--stats-every", "10", "--report", "report.json"] + quiet)
        wait_until(lambda: resident(p) > 150, p)
        p.send_signal(number)
        expect(p.wait(FOREVER) == 128 + number, f"building: exit code {p.returncode}, and it was {name}")
        result = json.loads(text("report.json"))
        message = result["result"]["error"]
        expect(re.fullmatch(f"interrupted by {name} {BUILT}", message), message)
        expect(f"error: {message}\n" in text("err.txt" if quiet else "out.txt"), "the screen says so")
        expect(result["result"]["stopped"] and result["result"]["signal"] == name and not result["per_launch"], result["result"])
        expect(not os.path.exists("w.vcd") and not os.path.exists("s.csv") and "w.vcd" not in text("out.txt"), "a waveform of no machine")
        os.remove("report.json")

# Many that spin, at a few places: a line for each place, not for each wavefront.
run_file("spin")
p = start([PWSVP, "run", "run.yaml", "--set", "machine.limits.max_cycles=5000", "--set", "launch.grid=[10240]", "--set", "launch.workgroup=[256]"])
expect(p.wait(FOREVER) == 1, "the limit of cycles")
expect_places(text("out.txt"), 160)

# A fault and the limit of cycles.
for kernel, more, says in (("trap", [], "trap"),
                           ("spin", ["--set", "machine.limits.max_cycles=5000"], "limits.max_cycles")):
    run_file(kernel)
    p = start([PWSVP, "run", "run.yaml", "--vcd", "w.vcd", "--timeline", "t.json", "--report", "report.json"] + more)
    expect(p.wait(FOREVER) == 1, f"{kernel}: exit code {p.returncode}")
    j = check_report(None)
    expect(says in j["result"]["error"], j["result"]["error"])
    expect(whole_vcd("w.vcd") >= j["cycles"]["value"], "the waveform reaches to the fault")
    json.loads(text("t.json"))
    expect(kernel != "spin" or j["cycles"]["value"] == 5000, f"cycles of the limit: {j['cycles']}")

# A bound compared with a run: the bound stays, the run is said to be interrupted. Two seconds of processor time are more
# than compiling and bounding take.
with open("long.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
#include <pws.h>
extern "C" __global__ void work(int* x, int n) {
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(2000000000);
    x[threadIdx.x] += k;
  }
}
""")
with open("long.yaml", "w") as f:
    f.write(f"machine: {{base: {ROOT}/configs/gpu/predictable.yaml, limits: {{max_cycles: 0}}}}\nprogram: {{source: long.hip, kernel: work}}\n"
            "launch: {grid: 64, workgroup: 64}\narguments:\n- {name: x, type: i32, count: 64}\n"
            "- {name: n, type: i32, value: 2000000000}\n")
p = start([PWSVP, "wcet", "long.yaml", "--report", "alone.json"])
expect(p.wait(FOREVER) == 0, "the kernel has no bound")
alone = json.loads(text("alone.json"))
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    p = start([PWSVP, "wcet", "long.yaml", "--observe", "--report", "report.json"])
    wait_until(lambda: processor_time(p) > 2, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == 128 + number, f"wcet --observe: exit code {p.returncode}")
    j = json.loads(text("report.json"))
    expect(j["bound"] == alone["bound"] and not j["observed"]["completed"] and j["observed"]["cycles"]["value"] > 0,
           f"the interrupted run's report: {j['bound']}, {j['observed']}")
    expect(j["observed"]["error"] == f"interrupted by {name}", j["observed"])
    expect(f"error: interrupted by {name}" in text("out.txt") and "E_kernel" in text("out.txt"), "the screen has both")
    os.remove("report.json")
    # Block times of an interrupted run bound nothing.
    p = start([PWSVP, "wcet", "long.yaml", "--times", "measured", "--report", "report.json"])
    wait_until(lambda: processor_time(p) > 2, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == 128 + number, f"wcet --times measured: exit code {p.returncode}")
    expect(text("err.txt") == f"error: interrupted by {name}\n" and not os.path.exists("report.json"), "no bound, no report")

# The limit study of reconvergence: of the warps until then. Recording the traces takes a fraction of a second of processor
# time, the sixteen warps many seconds.
with open("wander.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
extern "C" __global__ void wander(unsigned* x, unsigned n) {
  unsigned v = threadIdx.x + 1;
#pragma unroll 1
  for (unsigned k = 0; k < n; ++k) {
    v = v * 1664525 + 1013904223;
    if (v >> 31) asm volatile("v_add_u32 %0, vcc, 7, %0" : "+v"(v) : : "vcc");
    else asm volatile("v_xor_b32 %0, 5, %0" : "+v"(v));
  }
  x[threadIdx.x] = v;
}
""")
with open("wander.yaml", "w") as f:
    f.write(f"machine: {ROOT}/configs/gpu/default.yaml\nprogram: {{source: wander.hip, kernel: wander}}\n"
            "launch: {grid: 256, workgroup: 256}\narguments:\n- {name: x, type: u32, count: 256}\n"
            "- {name: n, type: u32, value: 1500}\n")
p = start([PWSVP, "check", "wander.yaml"])
expect(p.wait(FOREVER) == 0, "wander.yaml is wrong")
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    p = start([PWSVP, "reconvergence", "wander.yaml", "--work-items", "256", "--report", "report.json"])
    wait_until(lambda: processor_time(p) > 1.5, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == 128 + number, f"reconvergence: exit code {p.returncode}")
    j = json.loads(text("report.json"))
    expect(j["stopped"]["signal"] == name and 0 < len(j["warps"]) == 16 - j["stopped"]["not_studied"]["value"] < 16, j["stopped"])
    expect(j["work_items"]["value"] == 16 * len(j["warps"]), j["work_items"])
    expect(f"interrupted by {name}: {16 - len(j['warps'])} warps are not studied" in text("out.txt"), "the screen says so")
    os.remove("report.json")

# The same study of a HIP program's launch ends behind a warp too.
with open("wandering.hip", "w") as f:
    f.write(text("wander.hip") + """
int main() {
  unsigned* x = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&x), 1024) != hipSuccess) return 2;
  wander<<<1, 256>>>(x, 1500);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
""")
p = start([PWSCC, "--split=none", "-O3", "wandering.hip", "-o", "wandering"])
expect(p.wait(FOREVER) == 0, "wandering.hip is wrong")
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    p = start([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--set", "exec.reconvergence.work_items=256", "--report", "report.json",
               "--", "./wandering"])
    wait_until(lambda: processor_time(p) > 1.5, p)
    for pid in programs_of(p):
        os.kill(pid, number)
    expect(p.wait(FOREVER) in (128 + number, -number), f"exec.reconvergence: exit code {p.returncode}")
    totals = json.loads(text("report.json"))["reconvergence"]["totals"]
    left = totals["not_studied"]["value"]
    expect(0 < totals["warps"]["value"] == 16 - left < 16, totals)
    expect(f"; {left} warps are not studied" in text("err.txt"), "the line of the kernel says so")
    os.remove("report.json")

# A table of a sweep marks them.
run_file("spin")
with open("stopped.yaml", "w") as f:
    f.write("title: Stopped\ncommand: run\nconfig: run.yaml\naxes:\n- {name: limit, key: machine.limits.max_cycles, "
            "values: [1000, 2000]}\nmeasures: {cycles: cycles, instructions: totals.instructions}\n")
p = start([PWSVP, "sweep", "stopped.yaml", "--output", "stopped"])
expect(p.wait(FOREVER) == 1, "the sweep has failed points")
rows = [line.split(",") for line in text("stopped/table.csv").splitlines()[1:]]
expect([(r[0], r[1], r[-2]) for r in rows] == [("1000", "stopped", "1000"), ("2000", "stopped", "2000")], rows)
expect(all(int(r[-1]) > 0 for r in rows), rows)
p = start([PWSVP, "report", "stopped"])
expect(p.wait(FOREVER) == 0 and "stopped: " in text("stopped/report.html"), "the page marks them")
expect(text("stopped/report.html").count(": running at pc") == 2, "the page has the whole reason of each")

# A sweep ends at once, and its simulations with it; the points that are there stay, and the next call goes on.
def simulations_in(folder):
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = text(f"/proc/{entry}/cmdline") if entry.isdigit() else ""
        except (FileNotFoundError, ProcessLookupError):
            continue
        if "--report\0" + folder in words:
            found.append(words)
    return found


run_file("spin")
with open("endless.yaml", "w") as f:
    f.write("title: Endless\ncommand: run\nconfig: run.yaml\naxes:\n- {name: limit, key: machine.limits.max_cycles, "
            "values: [1000, 1000000000000]}\nmeasures: {cycles: cycles}\n")
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    folder = os.path.abspath(f"endless_{name}")
    p = start([PWSVP, "sweep", "endless.yaml", "--output", folder, "--jobs", "2"])
    wait_until(lambda: "limit = 1000: " in text("out.txt") and simulations_in(folder), p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == -number, f"sweep: exit code {p.returncode}")
    end = time.monotonic() + FOREVER
    while simulations_in(folder):
        expect(time.monotonic() < end, "a simulation outlives its sweep")
        time.sleep(0.02)
    expect(not os.path.exists(f"{folder}/table.csv"), "a table of half a sweep")
    p = start([PWSVP, "sweep", "endless.yaml", "--output", folder, "--collect"])
    expect(p.wait(FOREVER) == 1, "there is a point that was not run")
    rows = [line.split(",") for line in text(f"{folder}/table.csv").splitlines()[1:]]
    expect([r[1] for r in rows] == ["stopped", "failed"] and rows[1][2] == "not run", rows)

# A HIP program that does not handle signals: in a launch, and outside of one.
with open("endless.hip", "w") as f:
    f.write("""#include <hip/hip_runtime.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
__global__ void count(volatile int* n, int up_to) { while (*n != up_to) *n = *n + 1; }
int main(int argc, char** argv) {
  int* n = nullptr;
  if (hipMalloc(&n, 4) != hipSuccess || hipMemset(n, 0, 4) != hipSuccess) return 3;
  for (int k = argc > 2 ? std::atoi(argv[2]) : 1; k > 0; --k) count<<<1, 1>>>(n, 10);
  if (hipDeviceSynchronize() != hipSuccess) return 3;
  std::fprintf(stderr, "ready\\n");
  if (argc > 1) for (;;) pause();
  count<<<1, 1>>>(n, -1);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 4;
}
""")
p = start([PWSCC, "-O1", "endless.hip", "-o", "endless"])
expect(p.wait(FOREVER) == 0, "endless.hip does not compile")
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    p = start([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", *building, "--report", "report.json", "--", "./endless"])
    wait_until(lambda: resident(p) > 150, p)
    p.send_signal(number)
    expect(p.wait(FOREVER) == -number, f"exec, building: exit code {p.returncode}")
    expect(re.search(f"pwsvp: interrupted: {name} {BUILT}\n", text("err.txt")), "exec says that the machine was being built")
    expect(json.loads(text("report.json"))["launches"] == 0, "a report without launches")
    os.remove("report.json")
# timeout(1) sends its signal twice, one right after the other: that is one wish, and the report is there.
for arguments in ([], ["outside"]):
    p = start([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--fidelity", "timing", "--report", "report.json", "--", "./endless"] + arguments)
    wait_until(lambda: "ready" in text("err.txt"), p)
    p.send_signal(signal.SIGTERM)
    p.send_signal(signal.SIGTERM)
    expect(p.wait(FOREVER) == -signal.SIGTERM, f"exec, two signals: exit code {p.returncode}")
    expect(len(json.loads(text("report.json"))["per_launch"]) >= 1 and "interrupted: SIGTERM" in text("err.txt"), "two signals")
    os.remove("report.json")
# One that comes a while later ends the process that the first has not ended: its report goes to somebody who does not read.
os.mkfifo("report.fifo")
reader = os.open("report.fifo", os.O_RDONLY | os.O_NONBLOCK)
p = start([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--report", "report.fifo", "--", "./endless", "outside", "300"])
wait_until(lambda: "ready" in text("err.txt"), p)
p.send_signal(signal.SIGTERM)
wait_until(lambda: "interrupted: SIGTERM" in text("err.txt"), p)
time.sleep(1.5)
expect(p.poll() is None, "it waits for the reader")
p.send_signal(signal.SIGTERM)
expect(p.wait(FOREVER) == -signal.SIGTERM, f"exec, a later signal: exit code {p.returncode}")
os.close(reader)
for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
    for arguments in ([], ["outside"]):
        p = start([PWSVP, "exec", f"{ROOT}/configs/gpu/default.yaml", "--fidelity", "timing", "--vcd", "w.vcd",
                   "--timeline", "t.json", "--report", "report.json", "--", "./endless"] + arguments)
        wait_until(lambda: "ready" in text("err.txt"), p)
        begun = processor_time(p)
        wait_until(lambda: arguments or processor_time(p) > begun + 0.5, p)
        p.send_signal(number)
        expect(p.wait(FOREVER) == -number, f"exec: exit code {p.returncode}")
        expect(f"interrupted: {name}" in text("err.txt"), "exec says what interrupted it")
        if not arguments:
            expect_places(text("err.txt"), 1)
        j = json.loads(text("report.json"))
        launches = j["per_launch"]
        expect(len(launches) == (1 if arguments else 2), launches)
        expect(arguments or (not launches[1]["completed"] and launches[1]["cycles"]["value"] > 0 and
                             launches[1]["counters"]["instructions"]["value"] > 0), launches)
        whole_vcd("w.vcd")
        json.loads(text("t.json"))
        for file in ("w.vcd", "t.json", "report.json"):
            os.remove(file)
