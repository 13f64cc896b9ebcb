# SPDX-License-Identifier: Apache-2.0
# Sourced: what tests that are scripts share.
# shellcheck shell=bash
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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
# The version of HIP's headers.
PWS_HIP_VERSION=${PWS_HIP_VERSION:-$(awk '/#define HIP_VERSION_(MAJOR|MINOR|PATCH)/ {printf "%s%s", dot, $3; dot = "."}' /usr/include/hip/hip_version.h)}
# shellcheck disable=SC2034 # for those who source it
hip_clang=("$PWS_LLVM_BIN/clang++" -x hip --offload-arch=gfx803 --rocm-path=/usr "--hip-device-lib-path=$PWS_DEVICE_LIBRARIES")

# Whether outputs in the documents are of code that this LLVM makes. By hand it is taken to be so.
llvm_is_of_documents() { [ "$PWS_LLVM" = "${PWS_LLVM_OF_DOCUMENTS:-$PWS_LLVM}" ]; }

fail() {
  echo "FAILED: $*"
  exit 1
}
# code WANTED COMMAND...: output in $folder/out, messages in $folder/err.
code() {
  local wanted=$1 got=0
  shift
  "$@" >"$folder/out.txt" 2>"$folder/err.txt" </dev/null || got=$?
  [ $got -eq "$wanted" ] || { cat "$folder/out.txt" "$folder/err.txt"; fail "$*: exit code $got, expected $wanted"; }
}
says() { grep -qF -- "$2" "$folder/$1.txt" || { cat "$folder/$1.txt"; fail "$1 does not say: $2"; }; }
# json CONDITION: of the report j in report.json, and the bounds w of its launches.
json() {
  python3 -c "import json,sys; j=json.load(open('report.json')); w=j.get('wcet'); sys.exit(0 if ($1) else 1)" ||
    { cat report.json; fail "report: not $1"; }
}
