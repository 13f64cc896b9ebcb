// The other translation unit of the host program.
#include <hip/hip_runtime.h>

__global__ void from_b(float* out) { *out = 2; }
__global__ void overloaded(float* out) { *out = 2; }

int run_b() {
  from_b<<<1, 1>>>(nullptr);
  overloaded<<<1, 1>>>(static_cast<float*>(nullptr));
  return 0;
}
