#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# without_machine_test.sh PWSVP ROOT: what pwsvp exec writes and says of programs that use no machine, that never load
# the runtime, and that end before it can write; and that it stands for the program where signals are concerned.
pwsvp=$1 root=$2
. "$root/tests/common.sh"
cd "$folder"
machine=$root/configs/gpu/default.yaml

# ends CODE COMMAND...: below pwsvp exec, into an empty folder files/.
ends() {
  local wanted=$1
  shift
  rm -rf files
  code "$wanted" "$pwsvp" exec "$machine" --quiet "$@"
}
warns() { says err "$1"; }
silent() { [ ! -s err.txt ] || { cat err.txt; fail "it says something"; }; }
written() { [ "$(ls files | tr '\n' ' ')" = "$1" ] || fail "written: $(ls files), expected: $1"; }

cat >idle.hip <<'SOURCE'
#include <hip/hip_runtime.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
__global__ void idle(int* x) {
  x[0] = 1;
}
int main(int argc, char** argv) {
  const auto is = [&](const char* word) { return argc > 1 && std::strcmp(argv[1], word) == 0; };
  int count = 0;
  int* x;
  if (is("count")) return hipGetDeviceCount(&count) == hipSuccess ? 40 + count : 1;
  if (is("abort") || is("_exit")) {
    if (hipMalloc(&x, 4) != hipSuccess) return 1;
    idle<<<1, 1>>>(x);
  }
  if (is("abort")) std::abort();
  if (is("_exit")) _exit(6);
  if (is("child")) {  // of which the program itself knows nothing
    if (std::system("./idle launch") != 0) return 1;
  }
  if (is("launch")) {
    if (hipMalloc(&x, 4) != hipSuccess) return 1;
    idle<<<1, 1>>>(x);
    return hipDeviceSynchronize() != hipSuccess;
  }
  return argc > 1 && is("seven") ? 7 : 0;
}
SOURCE
"$pwsvp" hipcc -g idle.hip -o idle
echo 'int main() { return 3; }' >plain.c
cc -static plain.c -o static_one 2>/dev/null || "$PWS_LLVM_BIN/clang" -static plain.c -o static_one

all=(--coverage files/c.info --profile files/p.html --report files/r.json --fidelity timing --vcd files/w.vcd --timeline files/t.json)

# The runtime is there and no machine: its kernels have run 0 times, a report has no launches, and of the rest it says so.
for call in 0: 7:seven 41:count; do
  ends "${call%:*}" "${all[@]}" -- ./idle ${call#*:}
  warns "warning: no machine was used, so there is nothing to write: --vcd $folder/files/w.vcd, --timeline $folder/files/t.json"
  warns "warning: --report $folder/files/r.json: no machine was used"
  warns "warning: --profile $folder/files/p.html: no instruction was executed"
  written 'c.info p.html r.json '
  grep -qx 'DA:6,0' files/c.info && ! grep -q '^DA:.*,[1-9]' files/c.info || fail "coverage of a kernel that never ran"
  python3 -c 'import json; j = json.load(open("files/r.json")); assert j["launches"] == 0 and j["per_launch"] == [], j'
done
ends 0 -- ./idle
silent
ends 0 --coverage files/c.info -- ./idle launch
silent
grep -qx 'DA:6,1' files/c.info || fail "coverage of a kernel that ran"
# A program that starts those that use the machine does not write over what they have written.
ends 0 --report files/r.json -- ./idle child
silent
python3 -c 'import json; j = json.load(open("files/r.json")); assert j["launches"] == 1, j'

# The runtime was never there.
never='warning: exec: libamdhip64.so.5 was never loaded in the environment of pwsvp exec, so nothing ran on the machine: '
missing="warning: exec: not written, or not to the end: --coverage $folder/files/c.info, --report $folder/files/r.json"
two=(--coverage files/c.info --report files/r.json)
ends 3 "${two[@]}" -- ./static_one
warns "$never./static_one is linked statically"
warns "$missing"
written ''
ends 3 -- ./static_one
warns "$never"
ends 0 "${two[@]}" -- env -u LD_LIBRARY_PATH ./idle
warns "$never"
warns "changes LD_LIBRARY_PATH or LD_PRELOAD"
warns "$missing"
ends 0 "${two[@]}" -- env -i ./idle
warns "$never"
printf '#!/bin/sh\nexit 5\n' >script
chmod +x script
ends 5 "${two[@]}" -- ./script
warns "$never./script is no ELF file"
ends 0 "${two[@]}" -- sh -c './idle launch; ./static_one; ./idle seven; exit 0'
silent

# It was there, and the program ended without it.
ends 6 "${two[@]}" -- ./idle _exit
warns "warning: exec: the program ended without its exit handlers, as by _exit"
warns "$missing"
ends 134 "${two[@]}" -- ./idle abort
warns "warning: exec: the program ended by a signal: Aborted"
warns "$missing"
ends 6 -- ./idle _exit
silent

# pwsvp stands for the program: it ends by its signal, stops and goes on with it, and does not leave it behind.
ends 143 -- sh -c 'kill -TERM $$'
ends 9 -- sh -c 'trap "exit 9" USR1; kill -USR1 $PPID; while :; do sleep 0.05; done'
state() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null || echo gone; }
until_state() { while [ "$(state "$1")" != "$2" ]; do sleep 0.02; done; }
"$pwsvp" exec "$machine" -- sh -c 'kill -STOP $$; exit 11' 2>/dev/null &
until_state $! T
kill -CONT $!
got=0
wait $! || got=$?
[ $got -eq 11 ] || fail "stopped and gone on: exit code $got"
"$pwsvp" exec "$machine" -- sh -c 'echo $$ >pid.new; mv pid.new pid; while :; do sleep 0.05; done' 2>/dev/null &
while [ ! -e pid ]; do sleep 0.02; done
kill -KILL $!
wait $! 2>/dev/null || true
while [ "$(state "$(cat pid)")" != gone ] && [ "$(state "$(cat pid)")" != Z ]; do sleep 0.02; done
echo PASS
