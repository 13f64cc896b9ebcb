#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# soc_test.sh PWSVP SOURCE PROGRAMS: pwsvp soc from the command line: exit codes, what it says of firmware that is wrong
# or does not end, its report, and wrong system files.
pwsvp=$1 source=$2 programs=$3
# shellcheck source=tests/common.sh
source "$source/tests/common.sh"
virt=$source/configs/soc/virt.yaml
cd "$folder"

# The firmware's code is the exit code, whatever the quantum is.
for quantum in 0 1000 100000; do
  code 0 "$pwsvp" soc "$virt" --firmware "$programs/csrs.elf" --set quantum_ns=$quantum --set cpu.cycles_per_instruction=3
  says out PASS
done
code 42 "$pwsvp" soc "$virt" --firmware "$programs/fails.elf"
says out "ended with   42"
says out FAIL
code 42 "$pwsvp" soc "$virt" --firmware "$programs/fails.elf" --quiet
[ -s out.txt ] && fail "--quiet prints"

# What does not end is stopped, and the message says where it is.
code 1 "$pwsvp" soc "$virt" --firmware "$programs/hang.elf" --set limits.instructions=1000
says out "limits.instructions: 1000 instructions were executed"
says out "(forever)"
code 1 "$pwsvp" soc "$virt" --firmware "$programs/hang.elf" --set limits.time_us=50 --quiet
says err "error: limits.time_us: after 50 us the firmware has not ended; it is at 0x"
says err "(forever)"
code 1 "$pwsvp" soc "$virt" --firmware "$programs/sleeps.elf"
says out "waits at 0x"
says out "and none can come any more"
code 1 "$pwsvp" soc "$virt" --firmware "$programs/lost.elf"
says out "instruction access fault at the trap handler's first instruction, 0x0"

# The same bytes twice, and what the serial port has received.
printf 'to and fro.' >input
for k in 1 2; do
  code 0 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --set uart.input=input --report report.json
  says out "to and fro."
  cp out.txt out.$k
  cp report.json report.$k
done
cmp out.1 out.2
cmp report.1 report.2
json 'j["pass"] and j["code"] == 0 and j["sent"]["value"] == 11 and j["received"]["value"] == 11'
json 'j["interrupts"]["value"] == 11 and j["time"]["value"] > j["waited"]["value"] > 1000'
json 'len(j["inputs"]["files"]) == 3 and j["configuration"]["uart"]["input_interval_us"]["value"] == 100'

# Tasks: response times beside their deadline and bound, and a task that has not ended. The timeline has the same tasks.
for quantum in 0 1000; do
  code 0 "$pwsvp" soc "$virt" --firmware "$programs/tasks.elf" --set quantum_ns=$quantum --report report.json --timeline tasks.json
  says out "task         work: 3 times, 9.9"
  says out "deadline 25 us, 1 missed; bound 15 us, 2 ABOVE IT"
  json '[t["name"] for t in j["tasks"]] == ["work", "part", "open"]'
  json '[t["count"]["value"] for t in j["tasks"]] == [3, 3, 0] and [t["open"]["value"] for t in j["tasks"]] == [0, 0, 1] and "longest" not in j["tasks"][2]'
  json '[t["misses"]["value"] for t in j["tasks"]] == [1, 0, 0] and [t["above_bound"]["value"] for t in j["tasks"]] == [2, 0, 0]'
  json 'j["tasks"][0]["deadline"]["value"] == 25000 and j["tasks"][0]["bound"]["value"] == 15000 and "deadline" not in j["tasks"][1]'
  json '9900 < j["tasks"][0]["shortest"]["value"] < 10100 and 29900 < j["tasks"][0]["longest"]["value"] < 30100'
  json '19900 < j["tasks"][0]["mean"]["value"] < 20100 and j["tasks"][0]["shortest"]["unit"] == "ns"'
  python3 - <<'END' || fail "timeline and report have other tasks"
import json
tasks = json.load(open("report.json"))["tasks"]
slices = [e for e in json.load(open("tasks.json"))["traceEvents"] if e["ph"] == "X" and e["tid"] == 2]
for t in tasks:
    of = [round(e["dur"] * 1e6) for e in slices if e["name"] == t["name"]]
    assert len(of) == t["count"]["value"] + t["open"]["value"], (t, of)
    if t["count"]["value"]:
        assert min(of) == round(t["shortest"]["value"] * 1000) and max(of) == round(t["longest"]["value"] * 1000), (t, of)
END
done

# What the serial port receives may be an option, and may come from standard input: the same bytes at the same times.
for from in file pipe redirected; do
  case $from in
    file) code 0 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input input --report report.json ;;
    # The other side takes its time, and writes in pieces.
    pipe) (for part in 'to ' 'and' ' fro.'; do printf '%s' "$part"; sleep 0.1; done) |
      "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input - --report report.json >out.txt ;;
    redirected) "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input - --report report.json <input >out.txt ;;
  esac
  sed '/^  report/d' out.txt >out.$from
  json 'j["received"]["value"] == 11 and j["input"] == ("a file" if "'$from'" == "file" else "standard input")'
  json 'j["interrupts"]["value"] == 11'
done
sed '/^  report/d' out.1 | cmp - out.file
cmp out.file out.pipe
cmp out.file out.redirected
# Without the option a pipe is left alone.
code 1 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --report report.json
says out "and none can come any more"
json 'j["input"] == "nothing"'
# An end of the input, and none at all.
code 1 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input -
says out "and none can come any more"
printf 'to' >short
code 1 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input short
says out "and none can come any more"
code 2 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input /dev/null
says err "is not a regular file"
code 2 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input missing
says err missing
code 2 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input - --set uart.input=input
says err "the system file has uart.input too"
# A signal ends what waits for a pipe to which nobody writes.
mkfifo nobody
sleep 30 >nobody &
writer=$!
got=0
timeout -s INT 1 "$pwsvp" soc "$virt" --firmware "$programs/echo.elf" --uart-input - <nobody >out.txt || got=$?
kill $writer
says out "stopped by SIGINT"

# Keys that another one leaves without effect.
cat >idle.yaml <<'END'
rom: {base: 0x40000000}
uart: {input_interval_us: 7}
gpus:
  - machine: {n_cu: 1, divergence: stack, memory: {system: {latency: 3}, dram: {size_mib: 16}}, dpe: {scheduler: constrained}}
END
code 0 "$pwsvp" check idle.yaml
for word in "idle.yaml:1:13: rom.base has no effect without rom.size" \
  "idle.yaml:2:27: uart.input_interval_us has no effect without uart.input" \
  "machine.memory.system.latency has no effect without memory.system.size_mib"; do
  says out "$word"
done
code 0 "$pwsvp" soc idle.yaml --firmware "$programs/csrs.elf" --set cpu.cycles_per_instruction=3 --report report.json
says out "rom.base has no effect"
json 'len(j["warnings"]) == 4'
code 0 "$pwsvp" check "$virt"
says out "a system for pwsvp soc: no problem found"
[ "$(grep -c warning out.txt)" = 0 ] || fail "$virt has keys without effect"

# Firmware that is none, or does not fit.
code 2 "$pwsvp" soc "$virt" --firmware nothing.elf
says err nothing.elf
code 2 "$pwsvp" soc idle.yaml --firmware "$programs/csrs.elf" --set gpus.0.machine.memory.local.at=socket
says err "gpu0: machine.memory.local.at socket: this system has no memory for the socket"
code 2 "$pwsvp" soc "$virt" --firmware "$virt"
says err "is not an ELF file"
code 2 "$pwsvp" soc "$virt" --firmware "$pwsvp"
says err "is for ELF machine 62, and firmware is for RISC-V (243)"
code 2 "$pwsvp" soc "$virt" --firmware "$programs/hang.elf" --set ram.base=0x90000000
says err "is not in memory (ram is 0x90000000 to 0x90ffffff)"
code 2 "$pwsvp" soc "$virt" --firmware "$programs/hang.elf" --set ram.size=4Ki
says err "is not in memory (ram is 0x80000000 to 0x80000fff)"
code 2 "$pwsvp" soc "$virt"
says err "--firmware is required"

# Firmware in ROM, which it cannot write to.
code 1 "$pwsvp" soc "$virt" --firmware "$programs/hang.elf" --set ram.base=0x90000000 --set rom.base=0x80000000 \
  --set rom.size=1Mi --set limits.instructions=1000
says out "(forever)"

# System files: unknown keys, overlaps, sizes, sources, each with its place.
wrong() { # MESSAGE LINE...
  local message=$1
  shift
  printf '%s\n' "$@" >wrong.yaml
  code 2 "$pwsvp" check wrong.yaml
  says err "wrong.yaml:$message"
}
wrong "1:7: cpu.clock_hz: unknown key" 'cpu: {clock_hz: 5}'
wrong "2:14: uart: is at 0x2000000 to 0x2000fff, where clint is, at 0x2000000 to 0x200ffff" 'quantum_ns: 5' 'uart: {base: 0x2000000}'
wrong "1:13: ram: is at 0xbff0000 to 0xcfeffff, where plic is, at 0xc000000 to 0xfffffff" 'ram: {base: 0xbff0000}'
wrong "1:13: ram.base: 0x80000001 is no multiple of 4096" 'ram: {base: 0x80000001}'
wrong "1:13: ram.size: 100 is no multiple of 4096" 'ram: {size: 100}'
wrong "1:13: ram.size: there is no memory" 'ram: {size: 0}'
wrong "1:13: ram: 16777216 bytes at 0xfffffffffffff000 end beyond all addresses" 'ram: {base: 0xfffffffffffff000}'
wrong "1:19: uart.interrupt: source 32 of 31 (plic.sources)" 'uart: {interrupt: 32}'
wrong "1:23: clint.timebase_khz: a tick of 32768 kHz is no whole number of picoseconds" 'clint: {timebase_khz: 32768}'
gpu='{base: 0x20000000, interrupt: 11}'
wrong "2:15: gpus.0: is at 0x10000000 to 0x11ffffff, where uart is, at 0x10000000 to 0x10000fff" \
  'quantum_ns: 5
gpus: [{base: 0x10000000}]'
wrong "1:50: gpus.1: is at 0x20000000 to 0x21ffffff, where gpus.0 is" "gpus: [$gpu, $gpu]"
wrong "1:73: gpus.1.interrupt: source 11 is that of gpus.0.interrupt" "gpus: [$gpu, $gpu]"
wrong "1:20: gpus.0.interrupt: source 10 is that of uart.interrupt" 'gpus: [{interrupt: 10}]'
wrong "1:19: machine.n_cuu: unknown key" 'gpus: [{machine: {n_cuu: 1}}]'
wrong "1:18: gpus.0.machine: machine.check is not for pwsvp soc" 'gpus: [{machine: {check: {races: true}}}]'
code 0 "$pwsvp" check "$source/configs/soc/control.yaml"
code 0 "$pwsvp" check "$virt"
says out "a system for pwsvp soc: no problem found"
