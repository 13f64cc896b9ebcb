# SPDX-License-Identifier: Apache-2.0
"""A HIP program for tests of the debugger, which does what its first argument says, and a module that it loads."""
import subprocess

from prompts import PWSVP

SOURCE = """#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
__device__ __attribute__((noinline)) int twice(int x) {
  int y = x * 3;
  return y - x;
}
__global__ void sides(int* out, const double* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 2 == 1) {
    out[i] = twice(i);
  } else {
    out[i] = (int)(in[i] * 10);
  }
}
__global__ void after(int* out, unsigned rounds) {
  for (unsigned k = 0; k < rounds; ++k) *(volatile int*)(out + threadIdx.x) += 1000;
}
__global__ void wrong(int* out) { *(volatile int*)(out + (threadIdx.x == 5 ? 1ull << 40 : threadIdx.x)) = 1; }

static int* out;
static bool run() {
  after<<<1, 64>>>(out, 1);
  return hipDeviceSynchronize() == hipSuccess;
}
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "nothing")) return 3;
  if (!strcmp(what, "sleep")) sleep(1000);
  if (!strcmp(what, "elsewhere") && chdir("/") != 0) return 9;
  double in[256];
  int result[256];
  for (int i = 0; i < 256; ++i) in[i] = i + 0.5;
  double* from;
  if (hipMalloc(&from, sizeof in) != hipSuccess || hipMalloc(&out, sizeof result) != hipSuccess) return 9;
  if (hipMemcpy(from, in, sizeof in, hipMemcpyHostToDevice) != hipSuccess) return 9;
  printf("before\\n");
  sides<<<4, 64>>>(out, from, 200);
  if (hipDeviceSynchronize() != hipSuccess) return 8;
  if (!strcmp(what, "reads")) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) printf("read %s", line);
  }
  if (!strcmp(what, "module")) {
    hipModule_t module;
    hipFunction_t f;
    if (hipModuleLoad(&module, argv[2]) != hipSuccess || hipModuleGetFunction(&f, module, "late") != hipSuccess) return 7;
    void* arguments[] = {&out};
    for (int k = 0; k < 2; ++k)
      if (hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) != hipSuccess) return 7;
    if (hipDeviceSynchronize() != hipSuccess || hipModuleUnload(module) != hipSuccess) return 7;
  }
  if (!strcmp(what, "wrong")) {
    wrong<<<1, 64>>>(out);
    printf("error %d\\n", hipDeviceSynchronize() != hipSuccess);
    return 5;
  }
  if (!strcmp(what, "reset")) {
    wrong<<<1, 64>>>(out);
    if (hipDeviceSynchronize() == hipSuccess || hipDeviceReset() != hipSuccess) return 6;
    if (hipMalloc(&out, sizeof result) != hipSuccess || hipMemset(out, 0, sizeof result) != hipSuccess) return 6;
  }
  if (!strcmp(what, "long")) {
    after<<<1, 64>>>(out, 2000000000u);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 6;
  }
  if (!strcmp(what, "crash")) {
    printf("until here\\n");
    fflush(stdout);
    abort();
  }
  if (!strcmp(what, "fork")) {
    if (fork() == 0) _exit(run() ? 0 : 1);
    int status = 1;
    if (wait(&status) < 0 || status != 0) return 6;
  }
  if (!strcmp(what, "streams")) {
    hipStream_t a, b;
    if (hipStreamCreate(&a) != hipSuccess || hipStreamCreate(&b) != hipSuccess) return 7;
    sides<<<4, 64, 0, a>>>(out, from, 200);
    after<<<1, 64, 0, b>>>(out, 3);
    if (hipDeviceSynchronize() != hipSuccess) return 7;
  }
  if (!run()) return 4;
  if (hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost) != hipSuccess) return 9;
  printf("%d %d\\n", result[3], result[4]);
  return argc > 1 && what[0] >= '0' && what[0] <= '9' ? atoi(what) : 0;
}
"""
LATE = """#include <hip/hip_runtime.h>
extern "C" __global__ void late(int* out) { out[threadIdx.x] += 5; }
"""


def built(name, text, *options, compiler=(PWSVP, "hipcc")):
    with open(f"{name}.hip", "w") as f:
        f.write(text)
    subprocess.run([*compiler, "-g", "-O2", *options, f"{name}.hip", "-o", name], check=True)


def line_with(text):
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


ODD, WRONG = line_with("out[i] = twice"), line_with("void wrong")
