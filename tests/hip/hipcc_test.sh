#!/usr/bin/env bash
# hipcc_test.sh PWSVP ROOT: `pwsvp hipcc` in hipcc's place: sources to programs, to objects and those to programs, device code of several
# objects, a Makefile; and its compiler's own words and exit code.
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

# The compiler speaks for itself.
code 0 "$pwsvp" hipcc --version
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
