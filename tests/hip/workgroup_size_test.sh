#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# workgroup_size_test.sh PWSVP ROOT: a kernel with reqd_work_group_size is launched with workgroups of that shape alone, in run files and HIP
# programs. The others are refused: the code has the size as constants.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 root=$2
cd "$folder"

cat >sized.cl <<'CL'
__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void sized(__global uint* out) {
  out[get_global_id(0) + 8 * (get_global_id(1) + 8 * get_global_id(2))] = get_local_size(0) * get_local_size(1);
}
CL

# ---- A run file. The same number of work-items in another shape, fewer, and more.
run() {
  cat >run.yaml <<YAML
machine: $root/configs/gpu/small.yaml
program: {source: sized.cl, kernel: sized}
launch: {grid: [8, 8, 2], workgroup: [$1]}
arguments: [{name: out, type: u32, count: 128}]
expect: {out: {expression: "32"}}
YAML
}
run '8, 4, 2'
code 0 "$pwsvp" run run.yaml
for other in '4, 8, 2' '8, 4' '1' '8, 8, 2'; do
  run "$other"
  code 2 "$pwsvp" run run.yaml
  says err 'run.yaml:3'
  says err 'work-items; the kernel was compiled for 8x4x2 alone (reqd_work_group_size)'
done

# ---- A HIP program: app X Y Z launches one workgroup of that shape.
"$PWS_LLVM_BIN/clang" -x cl -cl-std=CL2.0 -O2 --target=amdgcn-amd-amdhsa -mcpu=gfx803 -nogpulib -Xclang -finclude-default-header -o sized.hsaco \
  - <<'CL'
__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void sized(__global uint* out) { out[__builtin_amdgcn_workitem_id_x()] = 32; }
CL
cat >app.hip <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
int main(int, char** argv) {
  hipModule_t module;
  hipFunction_t f;
  int* out = nullptr;
  if (hipModuleLoad(&module, "sized.hsaco") != hipSuccess || hipModuleGetFunction(&f, module, "sized") != hipSuccess) return 3;
  if (hipMalloc(&out, 8 * sizeof *out) != hipSuccess) return 3;
  void* arguments[] = {&out};
  const hipError_t e = hipModuleLaunchKernel(f, 1, 1, 1, std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), 0, nullptr, arguments, nullptr);
  std::printf("%s\n", hipGetErrorName(e));
  if (e != hipSuccess) return 4;
  return hipDeviceSynchronize() == hipSuccess ? 0 : 5;
}
HIP
code 0 "$pwsvp" hipcc app.hip -o app
machine=$root/configs/gpu/default.yaml
code 0 "$pwsvp" exec "$machine" -- ./app 8 4 2
for other in '4 8 2' '8 4 1' '64 1 1' '8 8 2'; do
  read -ra shape <<<"$other"
  code 4 "$pwsvp" exec "$machine" -- ./app "${shape[@]}"
  says out hipErrorInvalidConfiguration
  says err 'the kernel was compiled for 8x4x2 alone (reqd_work_group_size)'
done
