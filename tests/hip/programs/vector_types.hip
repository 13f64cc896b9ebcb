// HIP's vector types in memory and arithmetic: float2/float3/float4, uchar4, short2, int3, double2, ulonglong2;
// alignment and size on host and device agree; __half arithmetic and conversion.
#include <hip/hip_fp16.h>

#include "check.h"

struct mixed {
  uchar4 colour;
  float3 position;
  double2 pair;
  short2 small;
  int3 triple;
};

__host__ __device__ inline mixed change(const mixed& in) {
  mixed out;
  out.colour = make_uchar4(in.colour.w, in.colour.z, in.colour.y, in.colour.x);
  out.position = make_float3(in.position.z * 2, in.position.x + 1, in.position.y - 1);
  out.pair = make_double2(in.pair.y, in.pair.x * 0.5);
  out.small = make_short2(static_cast<short>(-in.small.x), static_cast<short>(in.small.y + 1));
  out.triple = make_int3(in.triple.x + in.triple.y, in.triple.y - in.triple.z, in.triple.z * 3);
  return out;
}
__global__ void change_all(const mixed* in, mixed* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = change(in[i]);
}
__global__ void scale(float4* data, const float2* factors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factors[i].x + make_float4(factors[i].y, 0, -factors[i].y, 1);
}
__global__ void sizes(int* out) {
  out[0] = sizeof(mixed);
  out[1] = alignof(float4);
  out[2] = sizeof(float3);
  out[3] = sizeof(ulonglong2);
  out[4] = alignof(short2);
}
__global__ void halves(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half a = __float2half(in[i]);
  const __half b = __hadd(__hmul(a, __float2half(2.0f)), __float2half(1.0f));
  out[i] = __hgt(a, __float2half(0.0f)) ? __half2float(b) : __half2float(__hneg(b));
}

int main() {
  const int n = 165;
  check::random_source random(50);
  std::vector<mixed> in(n);
  for (auto& m : in) {
    std::memset(&m, 0, sizeof m);
    m.colour = make_uchar4(random.below(256), random.below(256), random.below(256), random.below(256));
    m.position = make_float3(random.below(100), random.below(100), random.below(100));
    m.pair = make_double2(random.below(1000) * 0.25, random.below(1000));
    m.small = make_short2(static_cast<short>(random.below(1000)), static_cast<short>(random.below(1000)));
    m.triple = make_int3(random.below(1000), random.below(1000), random.below(1000));
  }
  check::device_array<mixed> device_in(in), device_out(n);
  change_all<<<check::blocks_for(n, 64), 64>>>(device_in.get(), device_out.get(), n);
  CHECK_LAUNCH();
  const auto got = device_out.download();
  for (int i = 0; i < n; ++i) {
    const mixed want = change(in[i]);
    CHECK(got[i].colour == want.colour && got[i].position == want.position && got[i].pair == want.pair &&
              got[i].small == want.small && got[i].triple == want.triple,
          "element %d differs", i);
  }

  std::vector<float4> quads(n);
  std::vector<float2> factors(n);
  for (int i = 0; i < n; ++i) {
    quads[i] = make_float4(i, i + 1, i + 2, i + 3);
    factors[i] = make_float2(i % 7, i % 5);
  }
  check::device_array<float4> device_quads(quads);
  check::device_array<float2> device_factors(factors);
  scale<<<check::blocks_for(n, 64), 64>>>(device_quads.get(), device_factors.get(), n);
  CHECK_LAUNCH();
  const auto scaled = device_quads.download();
  for (int i = 0; i < n; ++i) {
    const float f = i % 7, g = i % 5;
    CHECK(scaled[i] == make_float4(i * f + g, (i + 1) * f, (i + 2) * f - g, (i + 3) * f + 1), "float4 %d differs", i);
  }

  check::device_array<int> device_sizes(5);
  sizes<<<1, 1>>>(device_sizes.get());
  CHECK_LAUNCH();
  CHECK_SAME("sizes", device_sizes.download(),
             std::vector<int>{sizeof(mixed), alignof(float4), sizeof(float3), sizeof(ulonglong2), alignof(short2)});

  std::vector<float> reals(n), want(n);
  for (int i = 0; i < n; ++i) {
    reals[i] = static_cast<float>(i - 80) * 0.125f;  // exact in half precision
    const float b = reals[i] * 2 + 1;
    want[i] = reals[i] > 0 ? b : -b;
  }
  check::device_array<float> device_reals(reals), device_halves(n);
  halves<<<check::blocks_for(n, 64), 64>>>(device_reals.get(), device_halves.get(), n);
  CHECK_LAUNCH();
  CHECK_SAME("halves", device_halves.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
