// SPDX-License-Identifier: Apache-2.0
// The matrix Q of an image reconstruction from magnetic resonance samples off the grid: for each voxel x the sum over
// all samples k of |phi(k)|^2 exp(2 pi i k x).
//
// Sizes:      512 voxels and 64 samples, 4096 and 256, 32768 and 512
// Kernels:    magnitudes  phi float2[samples], samples float4[samples]: fills in its last component; blocks of 256
//             compute_q   samples float4[samples]: position k and |phi|^2; voxels float4[n], q float2[n]; a work-item
//                         per voxel, blocks of 256
// Divergence: none: all work-items go over all samples. The last wavefront of `magnitudes` may be smaller
// Rounding:   f32, fused or not, against double. Coordinates are below 0.5 and frequencies below 16, so that a phase is
//             below 24 turns and wrong by less than 2^-18 of one, its sine and cosine by 2^-15. A weight is below 2,
//             so a sample is wrong by less than 2^-14, and with it the sum
#include "program.h"

namespace {

constexpr uint32_t block = 256;

__global__ void magnitudes(const float2* phi, float4* samples, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) samples[i].w = phi[i].x * phi[i].x + phi[i].y * phi[i].y;
}

template <uint32_t sample_count>
__global__ __launch_bounds__(block) void compute_q(const float4* samples, const float4* voxels, float2* q) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  const float4 voxel = voxels[i];
  float real = 0, imaginary = 0;
#pragma unroll 1
  for (uint32_t k = 0; k < sample_count; ++k) {
    PWS_LOOP_BOUND(sample_count);
    const float4 sample = samples[k];
    const float turns = sample.x * voxel.x + sample.y * voxel.y + sample.z * voxel.z;
    float sine, cosine;
    sincospif(2 * turns, &sine, &cosine);
    real += sample.w * cosine;
    imaginary += sample.w * sine;
  }
  q[i] = make_float2(real, imaginary);
}

std::vector<float4> random_points(program::random_source& random, uint32_t n, float limit) {
  std::vector<float4> points;
  for (uint32_t i = 0; i < n; ++i) {
    float4 p;
    p.x = random.real(-limit, limit);
    p.y = random.real(-limit, limit);
    p.z = random.real(-limit, limit);
    p.w = 0;
    points.push_back(p);
  }
  return points;
}

template <uint32_t sample_count>
int run(const program::options& o, uint32_t n) {
  program::random_source random(o.seed);
  const std::vector<float4> samples = random_points(random, sample_count, 16), voxels = random_points(random, n, 0.5f);
  std::vector<float2> phi;
  for (uint32_t k = 0; k < sample_count; ++k) {
    const float real = random.real(-1, 1);
    phi.push_back(make_float2(real, random.real(-1, 1)));
  }
  program::device_array<float4> device_samples(samples), device_voxels(voxels);
  program::device_array<float2> device_phi(phi), q(n);
  magnitudes<<<program::blocks_of(sample_count, block), block>>>(device_phi.get(), device_samples.get(), sample_count);
  PROGRAM_HIP(hipGetLastError());
  compute_q<sample_count><<<n / block, block>>>(device_samples.get(), device_voxels.get(), q.get());
  PROGRAM_LAUNCHED();

  std::vector<float> got, want;
  for (const float2 value : q.download()) {
    got.push_back(value.x);
    got.push_back(value.y);
  }
  for (const float4& voxel : voxels) {
    double real = 0, imaginary = 0;
    for (uint32_t k = 0; k < sample_count; ++k) {
      const double turns =
          double(samples[k].x) * voxel.x + double(samples[k].y) * voxel.y + double(samples[k].z) * voxel.z;
      const double weight = double(phi[k].x) * phi[k].x + double(phi[k].y) * phi[k].y;
      real += weight * std::cos(2 * M_PI * turns);
      imaginary += weight * std::sin(2 * M_PI * turns);
    }
    want.push_back(static_cast<float>(real));
    want.push_back(static_cast<float>(imaginary));
  }
  program::verdict verdict;
  verdict.close("q, real and imaginary parts", got, want, 0, 0x1p-14 * sample_count);
  return verdict.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(512u, 4096u, 32768u), sample_count = o.pick(64u, 256u, 512u);
  std::printf("mri_q (%s): %u voxels, %u samples, seed %u\n", o.size_name(), n, sample_count, o.seed);
  switch (o.size) {
    case program::size::small:
      return run<64>(o, n);
    case program::size::medium:
      return run<256>(o, n);
    case program::size::large:
      return run<512>(o, n);
  }
}
