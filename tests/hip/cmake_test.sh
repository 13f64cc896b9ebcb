#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cmake_test.sh PWSVP ROOT TOOLCHAIN CMAKE: HIP projects of each kind, configured, built and run: sources of the language HIP, find_package(hip)
# with hipcc as the compiler of C++, FindHIP, and hipcc as that compiler without any toolchain file.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2 toolchain=$3 cmake=$4
hipcc=$(dirname "$pwsvp")/hipcc
cd "$folder"
runs() { code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet -- "$1"; says out "60 60"; }
no_library_path() { ! readelf -d "$1" | grep -E 'RPATH|RUNPATH' || fail "$1 has a library path"; }

cat >kernel.h <<'HIP'
int doubled(int value);
HIP
cat >kernel.hip <<'HIP'
#include <hip/hip_runtime.h>

#include "kernel.h"
__managed__ int factor = 2;
__global__ void scale(int* data) { *data *= factor; }
int doubled(int value) {
  int* data = nullptr;
  if (hipMalloc(&data, sizeof value) != hipSuccess) return -1;
  if (hipMemcpy(data, &value, sizeof value, hipMemcpyHostToDevice) != hipSuccess) return -2;
  scale<<<1, 1>>>(data);
  if (hipMemcpy(&value, data, sizeof value, hipMemcpyDeviceToHost) != hipSuccess) return -3;
  return value;
}
HIP
cp kernel.hip kernel.cpp
cat >main.cpp <<'CPP'
#include <cstdio>

#include "kernel.h"
extern "C" int thrice(int value);
int main() { std::printf("%d %d\n", doubled(30), thrice(20)); }
CPP
# In C++ the name of the result would be a word of the language.
echo 'int thrice(int value) { int new = 3 * value; return new; }' >thrice.c

project() {
  mkdir "$1"
  cp kernel.h kernel.hip kernel.cpp main.cpp thrice.c "$1"
  { echo 'cmake_minimum_required(VERSION 3.22)'; cat; } >"$1/CMakeLists.txt"
}
# built NAME ARGUMENTS...
built() {
  local name=$1
  shift
  code 0 env -u CXX -u HIPCXX "$cmake" -S "$name" -B "$name/build" -DCMAKE_BUILD_TYPE=Release "$@"
  cp "$folder/out.txt" "$name.configured"
  code 0 "$cmake" --build "$name/build"
  runs "$name/build/app"
  no_library_path "$name/build/app"
}

project language <<'CMAKE'
project(language LANGUAGES C CXX HIP)
add_executable(app main.cpp kernel.hip thrice.c)
CMAKE
built language -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_CXX_COMPILER=c++
grep -q 'The HIP compiler identification is Clang' language.configured || { cat language.configured; fail "the HIP compiler"; }
touch language/kernel.h
code 0 "$cmake" --build language/build
says out 'kernel.hip.o'  # its headers are known

project package <<'CMAKE'
project(package LANGUAGES C CXX)
find_package(hip REQUIRED)
add_executable(app main.cpp kernel.cpp thrice.c)
target_link_libraries(app PRIVATE hip::device)
CMAKE
built package -DCMAKE_TOOLCHAIN_FILE="$toolchain"
grep -q 'The CXX compiler identification is Clang' package.configured || { cat package.configured; fail "the C++ compiler"; }

# The host's side of it alone.
project host <<'CMAKE'
project(host LANGUAGES C CXX)
find_package(hip REQUIRED)
add_library(kernel STATIC kernel.cpp)
target_link_libraries(kernel PUBLIC hip::host)
add_executable(app main.cpp thrice.c)
target_link_libraries(app PRIVATE kernel)
CMAKE
built host -DCMAKE_TOOLCHAIN_FILE="$toolchain"

project module <<'CMAKE'
project(module LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH /usr/lib/x86_64-linux-gnu/cmake/hip)
find_package(HIP MODULE REQUIRED)
set_source_files_properties(kernel.cpp PROPERTIES HIP_SOURCE_PROPERTY_FORMAT 1)
hip_add_executable(app main.cpp kernel.cpp thrice.c)
CMAKE
built module -DCMAKE_TOOLCHAIN_FILE="$toolchain"

project compiler <<'CMAKE'
project(compiler LANGUAGES C CXX)
add_executable(app main.cpp kernel.cpp thrice.c)
CMAKE
built compiler -DCMAKE_CXX_COMPILER="$hipcc"
grep -q 'The CXX compiler identification is Clang' compiler.configured || { cat compiler.configured; fail "the C++ compiler"; }

# A toolchain file that is not where it belongs says so.
cp "$toolchain" elsewhere.cmake
code 1 "$cmake" -S compiler -B lost -DCMAKE_TOOLCHAIN_FILE="$folder/elsewhere.cmake"
says err 'bin/hipcc: not there'
echo PASS
