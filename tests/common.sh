# SPDX-License-Identifier: Apache-2.0
# Sourced: what tests that are scripts share.
# shellcheck shell=bash
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

source "$(dirname "${BASH_SOURCE[0]}")/llvm.sh"
# The version of HIP's headers.
PWS_HIP_VERSION=${PWS_HIP_VERSION:-$(awk '/#define HIP_VERSION_(MAJOR|MINOR|PATCH)/ {printf "%s%s", dot, $3; dot = "."}' /usr/include/hip/hip_version.h)}
# shellcheck disable=SC2034 # for those who source it
hip_clang=("$PWS_LLVM_BIN/clang++" -x hip --offload-arch=gfx803 --rocm-path=/usr "--hip-device-lib-path=$PWS_DEVICE_LIBRARIES")

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
