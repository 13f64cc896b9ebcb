// flags: --hip-version
// timing: yes
// Device memory behind fork(): parent and child have what was there, and neither sees what the other writes from then
// on, in device, pinned and managed memory; blocks are given and taken in both, and a child may fork again.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

constexpr int n = 100000;
struct blocks {
  int *device, *pinned, *managed;
};

__global__ void add(int* a, int* b, int* c, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] += by;
  b[i] += by;
  c[i] += by;
}

static void check_all(const blocks& b, int by) {
  static int got[n];
  HIP_CHECK(hipMemcpy(got, b.device, sizeof got, hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    CHECK(got[i] == i + by && b.pinned[i] == i + by && b.managed[i] == i + by, "element %d: %d %d %d, not %d", i,
          got[i], b.pinned[i], b.managed[i], i + by);
}
static void add_and_check(const blocks& b, int by, int before) {
  add<<<(n + 255) / 256, 256>>>(b.device, b.pinned, b.managed, by);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  check_all(b, before + by);
}

// A block that was never used before the fork; one that was, freed.
static void allocate_and_free(const blocks& b) {
  int *fresh = nullptr, got = 0;
  HIP_CHECK(hipHostMalloc(&fresh, sizeof(int) * n, 0));
  for (int i = 0; i < n; ++i) fresh[i] = i;
  HIP_CHECK(hipMemcpy(b.device, fresh, sizeof(int) * n, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(&got, b.device + n - 1, sizeof got, hipMemcpyDeviceToHost));
  CHECK(got == n - 1, "the last element is %d", got);
  HIP_CHECK(hipHostFree(fresh));
  HIP_CHECK(hipHostFree(b.pinned));
  HIP_CHECK(hipFree(b.managed));
}

int main() {
  blocks b;
  HIP_CHECK(hipMalloc(&b.device, sizeof(int) * n));
  HIP_CHECK(hipHostMalloc(&b.pinned, sizeof(int) * n, 0));
  HIP_CHECK(hipMallocManaged(&b.managed, sizeof(int) * n));
  for (int i = 0; i < n; ++i) b.pinned[i] = b.managed[i] = i;
  HIP_CHECK(hipMemcpy(b.device, b.pinned, sizeof(int) * n, hipMemcpyHostToDevice));
  add_and_check(b, 1, 0);

  int to_child[2];
  CHECK(pipe(to_child) == 0, "no pipe");
  char byte = 0;
  const pid_t child = fork();
  if (child == 0) {
    CHECK(read(to_child[0], &byte, 1) == 1, "the parent is gone");  // it has written by now
    add_and_check(b, 10, 1);
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      add_and_check(b, 100, 11);
      allocate_and_free(b);
      _exit(0);
    }
    int status = 1;
    waitpid(grandchild, &status, 0);
    CHECK(status == 0, "the grandchild ends with %d", status);
    check_all(b, 11);
    allocate_and_free(b);
    _exit(0);
  }
  add_and_check(b, 1000, 1);
  CHECK(write(to_child[1], &byte, 1) == 1, "the pipe is closed");
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0, "the child ends with %d", status);
  check_all(b, 1001);
  add_and_check(b, 10000, 1001);
  allocate_and_free(b);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
