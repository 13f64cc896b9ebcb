#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# llvm_choice_test.sh PWSVP ROOT CMAKE: which LLVM cmake/llvm.cmake chooses of those that are installed, and which packages it misses.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2 cmake=$3
cd "$folder"
cat >choose.cmake <<CMAKE
cmake_minimum_required(VERSION 3.25)
include($root/cmake/llvm.cmake)
message(STATUS "chosen: \${PWS_LLVM} \${PWS_LLVM_VERSION} \${PWS_LLVM_CLANGXX} \${PWS_LLVM_MC}")
CMAKE
mkdir path
# install N TOOL...
install() {
  local n=$1 home=$folder/llvm-$1
  shift
  mkdir -p "$home/bin" "$home/include/llvm/Passes"
  touch "$home/include/llvm/Passes/PassPlugin.h"
  cat >"$home/bin/llvm-config" <<SCRIPT
#!/bin/sh
case \$1 in --bindir) echo "$home/bin" ;; --includedir) echo "$home/include" ;; --version) echo $n.1.2 ;; esac
SCRIPT
  chmod +x "$home/bin/llvm-config"
  ln -sf "$home/bin/llvm-config" "path/llvm-config-$n"
  for tool in "$@"; do touch "$home/bin/$tool"; done
}
all=(clang clang++ ld.lld clang-offload-bundler llvm-objcopy llvm-mc llvm-objdump llvm-readelf)
refused() {
  tr -s ' \n' ' ' <err.txt >said.txt  # CMake breaks lines
  for words in "$@"; do says said "$words"; done
}
choose() {  # CODE OPTION...
  local wanted=$1
  shift
  code "$wanted" env PATH="$folder/path" "$cmake" "$@" -P choose.cmake
}
ln -s "$(command -v sh)" path/sh

choose 1
refused 'No LLVM of a version from 15 to 19' 'apt install llvm-N llvm-N-dev clang-N clang-tools-N lld-N'
install 14 "${all[@]}"
install 20 "${all[@]}"
choose 1
install 17 "${all[@]}"
choose 0
says out "chosen: 17 17.1.2 $folder/llvm-17/bin/clang++ $folder/llvm-17/bin/llvm-mc"
install 19 "${all[@]}"
install 15 clang clang++  # without a linker
choose 0
says out 'chosen: 17 '
choose 0 -DPWS_LLVM=19
says out 'chosen: 19 '
choose 1 -DPWS_LLVM=15
refused 'LLVM 15 is not complete: apt install clang-tools-15 lld-15 llvm-15 ('
install 16 clang clang++ ld.lld clang-offload-bundler llvm-objcopy llvm-mc llvm-objdump llvm-readelf
rm llvm-16/include/llvm/Passes/PassPlugin.h
choose 1  # the lowest with a compiler: its headers are asked for
refused 'LLVM 16 is not complete: apt install llvm-16-dev ('
for other in 14 20 1 150 '1[5-9]'; do
  choose 1 "-DPWS_LLVM=$other"
  refused "PWS_LLVM=$other: not a version from 15 to 19"
done

# This build's is the one that the tests are told.
"$pwsvp" --version | grep -qE "LLVM +$PWS_LLVM\\." || fail "pwsvp is not of LLVM $PWS_LLVM"
