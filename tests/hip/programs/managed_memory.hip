// queues: yes
// hipMallocManaged and __managed__ variables: host and device take turns on the same pointers; a linked list of managed
// nodes is walked on the device.
#include "check.h"

struct node {
  node* next;
  int value;
};

#ifndef __managed__  // clang defines it only where it finds a ROCm installation
#define __managed__ __attribute__((managed))
#endif
__managed__ int counter = 5;
__managed__ float table[7] = {1, 2, 3, 4, 5, 6, 7};

__global__ void grow(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += i;
}
__global__ void sum_list(const node* first, int* sum) {
  int total = 0;
  for (const node* n = first; n != nullptr; n = n->next) total += n->value;
  *sum = total;
}
__global__ void use_variables() {
  table[threadIdx.x] *= 2;
  if (threadIdx.x == 0) counter += 1;
}

int main() {
  const int n = 1001;
  int* data;
  HIP_CHECK(hipMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = 3 * i;
  std::vector<int> want(n);
  for (int turn = 0; turn < 3; ++turn) {
    grow<<<check::blocks_for(n, 64), 64>>>(data, n);
    CHECK_LAUNCH();
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < n; ++i) data[i] ^= turn;  // the host's turn
  }
  for (int i = 0; i < n; ++i) want[i] = (((4 * i + i) ^ 1) + i) ^ 2;
  CHECK_SAME("managed array", std::vector<int>(data, data + n), want);

  node* nodes;
  int* sum;
  HIP_CHECK(hipMallocManaged(&nodes, 37 * sizeof(node), hipMemAttachGlobal));
  HIP_CHECK(hipMallocManaged(&sum, sizeof(int)));
  int expected = 0;
  for (int i = 0; i < 37; ++i) {
    const int order = i * 11 % 37;  // 11 and 37 have no common factor: every node once
    const int following = (i + 1) * 11 % 37;
    nodes[order] = {i + 1 < 37 ? &nodes[following] : nullptr, order * order};
    expected += order * order;
  }
  sum_list<<<1, 1>>>(nodes, sum);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(*sum == expected, "sum of the list is %d, expected %d", *sum, expected);

  counter *= 10;
  use_variables<<<1, 7>>>();
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(counter == 51, "__managed__ counter is %d, expected 51", counter);
  for (int i = 0; i < 7; ++i) {
    CHECK(table[i] == 2.0f * (i + 1), "__managed__ table[%d] is %g", i, static_cast<double>(table[i]));
  }
  HIP_CHECK(hipFree(data));
  HIP_CHECK(hipFree(nodes));
  HIP_CHECK(hipFree(sum));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
