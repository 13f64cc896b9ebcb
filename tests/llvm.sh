# SPDX-License-Identifier: Apache-2.0
# Sourced: which LLVM a script's programs are of, and how its output compares with the documents'.
# shellcheck shell=bash

# The LLVM that the project is built with: ctest says it (tests/functions.cmake). By hand: the lowest that is installed.
if [ -z "${PWS_LLVM:-}" ]; then
  for PWS_LLVM_BIN in /usr/lib/llvm-1[5-9]/bin; do [ ! -x "$PWS_LLVM_BIN/clang++" ] || break; done
  PWS_LLVM=${PWS_LLVM_BIN#*llvm-}
  PWS_LLVM=${PWS_LLVM%/bin}
fi
PWS_LLVM_BIN=${PWS_LLVM_BIN:-/usr/lib/llvm-$PWS_LLVM/bin}
if [ -z "${PWS_DEVICE_LIBRARIES:-}" ]; then
  PWS_DEVICE_LIBRARIES=/usr/lib/llvm-$PWS_LLVM/lib/clang/$PWS_LLVM/amdgcn/bitcode
  [ -d "$PWS_DEVICE_LIBRARIES" ] || PWS_DEVICE_LIBRARIES=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
fi

# Whether outputs in the documents are of code that this LLVM makes. By hand it is taken to be so.
llvm_is_of_documents() { [ "$PWS_LLVM" = "${PWS_LLVM_OF_DOCUMENTS:-$PWS_LLVM}" ]; }
# Standard input as it is compared with a document: as it is, or with another LLVM without numbers and indentation, which are of its code.
comparable() {
  if llvm_is_of_documents; then cat; else sed -E 's/[0-9]+([.,][0-9]+)*/0/g; s/ +/ /g'; fi
}
