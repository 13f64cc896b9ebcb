#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# relocated_test.sh PWSVP ROOT: bin, lib and include work wherever they are, together or where PWSVP_HOME says.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
build=$(dirname "$(dirname "$1")") root=$2
mkdir -p "$folder/there/bin" "$folder/there/lib"
cp "$build/bin/pwsvp" "$build/bin/pwscc" "$folder/there/bin"
cp "$build"/lib/libamdhip64.so.5 "$build"/lib/pws_*.so "$folder/there/lib"
cp -r "$build/include" "$folder/there"
echo '#define PWS_OF_ANOTHER_FOLDER 1' >>"$folder/there/include/pwsvp/pws.h"
cat >"$folder/k.hip" <<'HIP'
#include <hip/hip_runtime.h>

#include <pws.h>
#ifndef PWS_OF_ANOTHER_FOLDER
#error this is the pws.h of another installation
#endif
extern "C" __global__ void k(int* out) {
  PWS_SPLIT();
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = threadIdx.x * 3;
}
int main() {
  int* n = nullptr;
  if (hipMalloc(&n, 256) != hipSuccess) return 3;
  k<<<1, 64>>>(n);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 4;
}
HIP
cat >"$folder/run.yaml" <<'YAML'
machine: {divergence: pws, spsimd_per_simd: 1}
program: {source: k.hip, kernel: k, split: marked}
launch: {grid: 64, workgroup: 64}
arguments: [{name: out, type: i32, count: 64}]
expect: {out: {expression: "i % 2 == 0 ? 1 : i * 3"}}
YAML
cd /
there=$folder/there/bin
for how in none marked; do
  code 0 "$there/pwsvp" run "$folder/run.yaml" --set program.split=$how
done
code 0 "$there/pwscc" --divergence=p -O3 "$folder/k.hip" -o "$folder/k"
code 0 "$there/pwsvp" exec "$root/configs/gpu/default.yaml" -- "$folder/k"
# The programs alone, and the rest where the variable says.
mkdir "$folder/alone" && mkdir "$folder/alone/bin" && cp "$there"/* "$folder/alone/bin"
code 2 "$folder/alone/bin/pwsvp" run "$folder/run.yaml"
says err "PWSVP_HOME"
code 0 env PWSVP_HOME="$folder/there" "$folder/alone/bin/pwsvp" run "$folder/run.yaml"
code 2 env PWSVP_HOME=/nowhere "$there/pwsvp" run "$folder/run.yaml"
says err "/nowhere/"
