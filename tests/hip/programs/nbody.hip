// N-body simulation: float4 bodies, LDS tiles, rsqrtf; three steps with two kernels each against a double precision
// reference.
#include "check.h"

constexpr int block = 64;
constexpr float softening = 0.05f;

__global__ void accelerate(const float4* body, float3* acceleration, int n) {
  __shared__ float4 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 own = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);
  for (int begin = 0; begin < n; begin += block) {
    const int j = begin + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (const float4& other : tile) {
      const float dx = other.x - own.x;
      const float dy = other.y - own.y;
      const float dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float s = other.w * inverse * inverse * inverse;
      a.x += s * dx;
      a.y += s * dy;
      a.z += s * dz;
    }
    __syncthreads();
  }
  if (i < n) acceleration[i] = a;
}
__global__ void move(float4* body, float3* velocity, const float3* acceleration, float dt, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  velocity[i].x += acceleration[i].x * dt;
  velocity[i].y += acceleration[i].y * dt;
  velocity[i].z += acceleration[i].z * dt;
  body[i].x += velocity[i].x * dt;
  body[i].y += velocity[i].y * dt;
  body[i].z += velocity[i].z * dt;
}

int main() {
  const int n = 150;
  const float dt = 0.01f;
  check::random_source random(39);
  std::vector<float4> body(n);
  std::vector<float3> velocity(n);
  std::vector<double> position(3 * n), speed(3 * n);
  for (int i = 0; i < n; ++i) {
    body[i] = make_float4(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(0.1f, 1));
    velocity[i] = make_float3(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1));
    const double p[] = {body[i].x, body[i].y, body[i].z}, v[] = {velocity[i].x, velocity[i].y, velocity[i].z};
    std::copy(p, p + 3, &position[3 * i]);
    std::copy(v, v + 3, &speed[3 * i]);
  }
  check::device_array<float4> device_body(body);
  check::device_array<float3> device_velocity(velocity), acceleration(n);
  for (int k = 0; k < 3; ++k) {
    accelerate<<<check::blocks_for(n, block), block>>>(device_body.get(), acceleration.get(), n);
    move<<<check::blocks_for(n, block), block>>>(device_body.get(), device_velocity.get(), acceleration.get(), dt, n);
    CHECK_LAUNCH();
    const std::vector<double> before = position;
    for (int i = 0; i < n; ++i) {
      double a[3] = {0, 0, 0};
      for (int j = 0; j < n; ++j) {
        double d[3], square = static_cast<double>(softening);
        for (int c = 0; c < 3; ++c) {
          d[c] = before[3 * j + c] - before[3 * i + c];
          square += d[c] * d[c];
        }
        for (int c = 0; c < 3; ++c) a[c] += static_cast<double>(body[j].w) * d[c] / (square * std::sqrt(square));
      }
      for (int c = 0; c < 3; ++c) {
        speed[3 * i + c] += a[c] * static_cast<double>(dt);
        position[3 * i + c] += speed[3 * i + c] * static_cast<double>(dt);
      }
    }
  }
  const auto moved = device_body.download();
  std::vector<double> got(3 * n);
  for (int i = 0; i < n; ++i) {
    got[3 * i] = moved[i].x;
    got[3 * i + 1] = moved[i].y;
    got[3 * i + 2] = moved[i].z;
    CHECK(moved[i].w == body[i].w, "mass of body %d changed", i);
  }
  CHECK_NEAR("positions", got, position, 1e-5);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
