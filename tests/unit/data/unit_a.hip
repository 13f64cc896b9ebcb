// One of two translation units of a host program.
#include <hip/hip_runtime.h>

__global__ void from_a(int* out) { *out = 1; }
__global__ void overloaded(int* out) { *out = 1; }

int run_b();

int main() {
  from_a<<<1, 1>>>(nullptr);
  overloaded<<<1, 1>>>(static_cast<int*>(nullptr));
  return run_b();
}
