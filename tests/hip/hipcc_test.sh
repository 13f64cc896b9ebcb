#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hipcc_test.sh PWSVP ROOT: `pwsvp hipcc` in hipcc's place: sources to programs, to objects and those to programs, device code of several
# objects, a Makefile; as one word; AMD's options; and its compiler's own words and exit code.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"
machine=$root/configs/gpu/default.yaml
runs() { code 0 "$pwsvp" exec "$machine" --quiet -- "$@"; }

# A program at once; __managed__ variables and headers of 5.2.
cat >one.hip <<'HIP'
#include <hip/hip_runtime.h>
__managed__ int counter = 40;
__global__ void count(int by) { counter += by; }
int main() {
  count<<<1, 1>>>(BY);
  if (hipDeviceSynchronize() != hipSuccess) return 3;
  return counter == 42 ? 0 : 4;
}
HIP
code 0 "$pwsvp" hipcc -DBY=2 one.hip -o one
runs ./one
code 0 "$pwsvp" hipcc -D BY=3 -O1 one.hip -o wrong
code 4 "$pwsvp" exec "$machine" --quiet -- ./wrong
cp one.hip language.txt
code 0 "$pwsvp" hipcc -x hip -DBY=2 language.txt -o language
runs ./language

# Objects, of HIP and of C++ that knows nothing of it; a library path of its own is not in the program.
cat >kernel.cpp <<'HIP'
#include <hip/hip_runtime.h>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int doubled(int value) {
  int* data = nullptr;
  if (hipMalloc(&data, sizeof value) != hipSuccess) return -1;
  if (hipMemcpy(data, &value, sizeof value, hipMemcpyHostToDevice) != hipSuccess) return -1;
  twice<<<1, 1>>>(data);
  if (hipMemcpy(&value, data, sizeof value, hipMemcpyDeviceToHost) != hipSuccess) return -1;
  return value;
}
HIP
printf 'int doubled(int value);\nint main() { return doubled(21) == 42 ? 0 : 5; }\n' >main.cpp
cat >Makefile <<'MAKE'
HIPCC ?= hipcc
CXXFLAGS = -O2 -Wall -Wextra
app: main.o kernel.o
	$(HIPCC) $^ -o $@
%.o: %.cpp
	$(HIPCC) $(CXXFLAGS) -c $< -o $@
MAKE
code 0 make HIPCC="$pwsvp hipcc"
runs ./app
readelf -d app | grep -qE 'RPATH|RUNPATH' && fail "the program has a library path"

# What is made for its kernels and has none is said; what is as a rule without, and what has some, is not.
printf 'int one() { return 1; }\n' >bare.hip
cp bare.hip bare.cpp
bare() {  # FILE ARGS: clang succeeds, and the note names FILE; "": no word
  local file=$1 said
  shift
  said=$("$pwsvp" hipcc "$@" 2>&1) || fail "hipcc $*: exit code $?"
  case $said in
    "") [ -z "$file" ] || fail "hipcc $*: no word of $file" ;;
    "note: $file: "*) [ -n "$file" ] || fail "hipcc $*: $said" ;;
    *) fail "hipcc $*: $said" ;;
  esac
}
bare bare.o -c bare.hip
bare named.o -c bare.hip -o named.o
bare named.o -c bare.hip -onamed.o
bare bare.hsaco --genco bare.hip -o bare.hsaco
bare bare.hsaco --genco bare.cpp -o bare.hsaco
bare bare.hsaco --cuda-device-only -c bare.hip -o bare.hsaco
bare "" -c bare.cpp
bare "" -c bare.hip -o /dev/null
bare "" -S --cuda-device-only bare.hip -o bare.s
bare "" -E bare.hip -o bare.i
bare "" -fsyntax-only bare.hip
bare "" -fgpu-rdc -c bare.hip
bare "" -c one.hip -DBY=1
bare "" --genco one.hip -DBY=1 -o one.hsaco
printf 'no program\n' >broken.hip
code 1 "$pwsvp" hipcc -c broken.hip
grep -q '^note: ' err.txt && fail "a note beside an error"
# Objects that only the linker hears of.
ar rcs libapp.a main.o kernel.o
printf 'main.o\nkernel.o\n' >list
code 0 "$pwsvp" hipcc -Wl,@list -o by_list
code 0 "$pwsvp" hipcc -Wl,main.o -Xlinker kernel.o -o by_words
code 0 "$pwsvp" hipcc -L. -lapp -o by_library
for program in by_list by_words by_library; do runs ./$program; done
code 0 "$pwsvp" hipcc -v -L.

# split and merge in inline assembly, for which clang needs pws.inc.
mnemonics() {  # FILE FIRST: a program whose assembly begins with FIRST
  cat >"$1" <<HIP
#include <hip/hip_runtime.h>
__global__ void sides(int* x) {
  asm volatile("$2split exec_lo, exec_hi");
  x[threadIdx.x] += threadIdx.x & 1 ? 2 : 3;
  asm volatile("merge");
}
int main() {
  int* x = nullptr;
  if (hipMallocManaged(&x, 256) != hipSuccess) return 3;
  for (int k = 0; k < 64; ++k) x[k] = k;
  sides<<<1, 64>>>(x);
  if (hipDeviceSynchronize() != hipSuccess) return 3;
  for (int k = 0; k < 64; ++k)
    if (x[k] != k + (k & 1 ? 2 : 3)) return 4;
  return 0;
}
HIP
}
mnemonics with.hip '.include \"pws.inc\"\n\t'
mnemonics without.hip ''
code 0 "$pwsvp" hipcc with.hip -o with
runs ./with
code 0 "$pwsvp" exec "$machine" --quiet --set machine.divergence=pws --set machine.spsimd_per_simd=1 -- ./with
code 1 "$pwsvp" hipcc without.hip -o without
says err 'split and merge are instructions to pwscc'
code 0 "$(dirname "$pwsvp")/pwscc" --split=none without.hip -o without
runs ./without

# Kernels alone are no program.
printf '#include <hip/hip_runtime.h>\n__global__ void alone(int* x) { *x = 1; }\n' >alone.hip
code 1 "$pwsvp" hipcc alone.hip -o alone
says err 'There is no main() to start with: -c makes an object, -o FILE.hsaco (hipcc: --genco)'
code 1 "$(dirname "$pwsvp")/pwscc" alone.hip -o alone
says err 'There is no main() to start with'

# Device code of several objects.
printf '__device__ int scale(int x);\n' >scale.h
printf '#include <hip/hip_runtime.h>\n#include "scale.h"\n__device__ int scale(int x) { return 3 * x; }\n' >scale.hip
cat >user.hip <<'HIP'
#include <hip/hip_runtime.h>
#include "scale.h"
__global__ void use(int* to) { *to = scale(14); }
int main() {
  int *to = nullptr, value = 0;
  if (hipMalloc(&to, sizeof value) != hipSuccess) return 3;
  use<<<1, 1>>>(to);
  if (hipMemcpy(&value, to, sizeof value, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  return value == 42 ? 0 : 6;
}
HIP
code 0 "$pwsvp" hipcc -fgpu-rdc -c scale.hip -o scale.o
code 0 "$pwsvp" hipcc -fgpu-rdc -c user.hip -o user.o
code 0 "$pwsvp" hipcc -fgpu-rdc scale.o user.o -o several
runs ./several
readelf -d several | grep -qE 'RPATH|RUNPATH' && fail "the program has a library path"

# C is C, and what AMD's hipcc takes is taken: in one word, from a file of arguments.
hipcc=$(dirname "$pwsvp")/hipcc
echo 'int thrice(int value) { int new = 3 * value; return new; }' >thrice.c
cat >mixed.cpp <<'HIP'
#include <hip/hip_runtime.h>
extern "C" int thrice(int);
__global__ void set(int* to) { *to = VALUE; }
int main() {
  int *to = nullptr, value = 0;
  if (hipMalloc(&to, sizeof value) != hipSuccess) return 3;
  set<<<1, 1>>>(to);
  if (hipMemcpy(&value, to, sizeof value, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  return thrice(value) == 42 ? 0 : 7;
}
HIP
code 0 "$hipcc" -DVALUE=14 thrice.c mixed.cpp -o mixed
runs ./mixed
printf -- '-DVALUE=14 -O1 "mixed.cpp"\n@more.txt' >arguments.txt
printf -- "thrice.c -o 'from a file'" >more.txt
code 0 "$hipcc" @arguments.txt
runs './from a file'
echo '@endless.txt' >endless.txt
code 2 "$hipcc" @endless.txt
says err 'endless.txt: files of arguments name each other without end'
code 1 "$hipcc" @no_such_file
says err 'no_such_file'
code 0 "$hipcc" --genco --amdgpu-target=gfx803 -DVALUE=1 mixed.cpp -o mixed.co
code 0 "$pwsvp" disasm mixed.co
says out 's_endpgm'
code 0 "$hipcc" -### --amdgpu-target=gfx900,gfx803 -DVALUE=1 -c mixed.cpp
says err '"-target-cpu" "gfx900"'
says err '"-target-cpu" "gfx803"'
code 0 "$hipcc" -DVALUE=1 -M mixed.cpp
[ "$(grep -c '^mixed.o:' "$folder/out.txt")" = 1 ] || fail "not one rule"
code 0 "$hipcc" -### --amdhsa-code-object-version=3 -DVALUE=1 -c mixed.cpp
says err '"-mcode-object-version=3"'
# OpenMP is the host's; objects alone have nothing that would be offloaded by it.
code 0 "$hipcc" -fopenmp -DVALUE=14 -c mixed.cpp -o mixed.o
code 0 "$hipcc" -### -fopenmp mixed.o thrice.o -o with_openmp
says err '"-lomp"'
! grep -q 'offload' "$folder/err.txt" || fail "an object's code is to be offloaded"
cat >threads.hip <<'SOURCE'
#include <hip/hip_runtime.h>
#include <omp.h>
#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
  int sum = 0, threads = 0, host[64];
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < 1000; ++k) sum += k;
#pragma omp parallel num_threads(3)
  {
#pragma omp atomic
    ++threads;
  }
  for (int k = 0; k < 64; ++k) host[k] = k;
  int* x;
  if (hipMalloc(&x, sizeof host) != hipSuccess || hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 3;
#pragma omp parallel for num_threads(3)
  for (int k = 0; k < 4; ++k) twice<<<1, 16>>>(x + 16 * k);
  if (hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  int wrong = 0;
  for (int k = 0; k < 64; ++k) wrong += host[k] != 2 * k;
  std::printf("%d %d %d %d\n", sum, threads, wrong, omp_in_parallel());
}
SOURCE
code 0 "$hipcc" -fopenmp threads.hip -o threads
code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet -- ./threads
says out '499500 3 0 0'
code 0 "$hipcc" -fopenmp=libomp -c threads.hip -o threads.o
code 0 "$hipcc" -fopenmp=libomp threads.o -o threads_of_object
code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet -- ./threads_of_object
says out '499500 3 0 0'
# Without the package of clang's OpenMP: what clang says then, and which package it is.
real_clang=$PWS_LLVM_BIN/clang++
cat >clang_without_openmp <<SCRIPT
#!/bin/sh
case " \$* " in
  *" -fopenmp "*" -c "*) echo "threads.hip:2:10: fatal error: 'omp.h' file not found" >&2 && exit 1 ;;
  *" -fopenmp "*) echo '/usr/bin/ld: cannot find -lomp: No such file or directory' >&2 && exit 1 ;;
esac
exec $real_clang "\$@"
SCRIPT
chmod +x clang_without_openmp
for call in '-fopenmp -c threads.hip -o none.o' '-fopenmp threads.o -o none'; do
  # shellcheck disable=SC2086 # several words
  code 1 env PWS_CLANG="$PWD/clang_without_openmp" "$hipcc" $call
  says err 'OpenMP for the host is a package of its own: apt install libomp-'"$PWS_LLVM-dev"
done
code 0 env HIP_COMPILE_CXX_AS_HIP=0 "$hipcc" -### main.cpp -c
! grep -q 'fcuda-is-device' "$folder/err.txt" || fail "HIP_COMPILE_CXX_AS_HIP=0"
code 0 env HIPCC_COMPILE_FLAGS_APPEND=-DVALUE=14 HIPCC_LINK_FLAGS_APPEND=-lm HIPCC_VERBOSE=1 "$hipcc" -### thrice.c mixed.cpp
says out 'hipcc-cmd: '
says err '"VALUE=14"'
says err '"-lm"'
code 0 "$hipcc" --short-version
says out "$PWS_HIP_VERSION"
code 0 "$hipcc" --cxxflags
says out "--hip-version=$PWS_HIP_VERSION"
code 0 "$hipcc" --ldflags
says out '-lamdhip64'

# The compiler speaks for itself.
code 0 "$pwsvp" hipcc --version
says out "HIP version: $PWS_HIP_VERSION"
says out 'clang version'
code 1 "$pwsvp" hipcc
says err 'no input files'
echo 'nonsense' >wrong.hip
code 1 "$pwsvp" hipcc -c wrong.hip
says err 'wrong.hip:1:1: error:'
code 0 "$pwsvp" hipcc -### -c one.hip
says err '"-fcuda-is-device"'
says err '"-O3"'
code 0 "$pwsvp" hipcc -### -O0 -c one.hip
! grep -q '"-O3"' "$folder/err.txt" || fail "-O0 is not kept"
code 2 env PWS_CLANG=no_such_compiler "$pwsvp" hipcc -c one.hip
says err 'PWS_CLANG=no_such_compiler'
code 0 "$pwsvp" hipcc --help
says out 'HIPCC="pwsvp hipcc"'
echo PASS
