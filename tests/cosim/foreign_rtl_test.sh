#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# foreign_rtl_test.sh PWSVP ROOT: what is no RTL of this program's is refused in place of lib/libspsimd_rtl.so, with the reason, before anything runs.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
home=$(dirname "$(dirname "$pwsvp")")
mkdir -p home/lib
for part in bin include; do [ ! -e "$home/$part" ] || ln -s "$home/$part" "home/$part"; done
for file in "$home"/lib/*; do ln -s "$file" "home/lib/"; done
rtl=home/lib/libspsimd_rtl.so
cat >run.yaml <<YAML
machine:
  base: $root/configs/gpu/default.yaml
  divergence: pws
  spsimd_per_simd: 1
  split_cycles: 9
  merge_cycles: 9
  cosim:
    mode: lockstep
program: {source: $root/sw/kernels/vector_add.hip, kernel: vector_add}
launch: {grid: [64], workgroup: [64]}
arguments:
  - {name: a, type: f32, count: 64}
  - {name: b, type: f32, count: 64}
  - {name: c, type: f32, count: 64}
  - {name: n, type: u32, value: 64}
YAML
# refused REASON...: at the key's place in the file.
refused() {
  code 2 env PWSVP_HOME="$folder/home" "$pwsvp" run run.yaml
  says err "run.yaml:8:11: machine.cosim.mode: "
  says err "libspsimd_rtl.so"
  says err 'cmake --build build --target spsimd_rtl'
  for reason in "$@"; do says err "$reason"; done
}
object() {
  printf '%s\n' "$1" >foreign.c
  rm -f $rtl
  "$PWS_LLVM_BIN/clang" -shared -fPIC -o $rtl foreign.c
}
rm -f $rtl
refused 'there is no RTL of the SpSIMD unit'
: >$rtl
refused 'file too short'
printf 'This is no shared object, but a text that is somewhat longer than the header of one.\n%.0s' 1 2 3 >$rtl
refused 'invalid ELF header'
object 'int something_else(void) { return 3; }'
refused 'it has no function pws_rtl_library'
object 'void* pws_rtl_library(void) { return 0; }'
refused 'belongs to other sources than this program'
object 'struct { const char* interface; unsigned stages, registers; void* make; void* check; } self = {"0123456789abcdef", 1, 8}; void* pws_rtl_library(void) { return &self; }'
refused 'belongs to other sources than this program'
object 'struct { const char* interface; } self = {0}; void* pws_rtl_library(void) { return &self; }'
refused 'belongs to other sources than this program'
# The same interface, with other parameters: what the machine has to be for it.
interface=$(python3 -c 'import ctypes, sys
entry = ctypes.CDLL(sys.argv[1]).pws_rtl_library
entry.restype = ctypes.POINTER(ctypes.c_char_p)
print(entry()[0].decode())' "$home/lib/libspsimd_rtl.so")
# needs STAGES REGISTERS REASON
needs() {
  object "struct { const char* interface; unsigned stages, registers; void* make; void* check; } self = {\"$interface\", $1, $2}; void* pws_rtl_library(void) { return &self; }"
  code 2 env PWSVP_HOME="$folder/home" "$pwsvp" run run.yaml
  says err "run.yaml:8:11: machine.cosim.mode: the RTL of the SpSIMD unit needs $3"
}
needs 3 16 'machine.latency.valu: '
needs 1 1 'machine.split_cycles of at least: '
echo PASS
