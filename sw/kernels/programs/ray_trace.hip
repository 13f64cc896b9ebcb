// Ray tracing of mirroring spheres above a chequered ground under a gradient sky with a sun: a primary ray per pixel,
// up to two reflections, and a shadow ray to the sun wherever a ray ends on a sphere or on the ground.
//
// Sizes:      61 x 43 pixels, 8 spheres; 161 x 121, 16; 401 x 301, 24; up to 3 rays a pixel
// Kernel:     trace  spheres: f32[9] each (centre, radius and its inverse, colour, part that is mirrored), how many;
//                    colour f32[height][width][3]; path u32[height][width]: a byte for each ray of the pixel, the last
//                    one the lowest: 0 sky, 0x7e ground, otherwise twice the sphere (from 1); plus 1 in shadow. A
//                    work-item per pixel, blocks of 16 x 16
// Divergence: a ray meets a sphere or not (marked); what misses the spheres meets the ground or the sky (marked); each
//             of the three has shading of its own. Rays end with the sky, shadow rays with the first sphere in their
//             way (loops' exits); the checks of an intersection; bounds of the image
// Rounding:   f32, not fused (the pragma below); division and square root are correctly rounded, numbers that would be
//             denormal do not decide anything. The CPU computes all rays and intersections by the same operations in
//             the same order, so that paths are equal bit for bit. It adds up colours in double, from the last ray to
//             the first: each is below 5 and has some 20 roundings, its powers of 16 have 15 each: 2^-16 absolute
#include <algorithm>

#include "program.h"

#pragma clang fp contract(off)

namespace {

constexpr uint32_t tile = 16;
constexpr uint32_t max_spheres = 24;
constexpr uint32_t rays = 3;
constexpr uint32_t nothing = 0xffffffff;
constexpr uint32_t ground_code = 0x7e;
constexpr float far_away = 1e30f;
constexpr float clear_of_surface = 0x1p-10f;  // a ray that begins on a sphere does not meet it there
constexpr float horizon = -0.02f;             // flatter rays do not reach the ground
constexpr float ground_mirrors = 0.25f, ambient = 0.2f;

struct vector3 {
  float x, y, z;
};

__host__ __device__ __forceinline__ vector3 operator+(vector3 a, vector3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ __forceinline__ vector3 operator-(vector3 a, vector3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ __forceinline__ vector3 operator*(vector3 a, float b) {
  return {a.x * b, a.y * b, a.z * b};
}
__host__ __device__ __forceinline__ float dot(vector3 a, vector3 b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

constexpr vector3 eye{0, 2, -9};
constexpr vector3 sun{0.48f, 0.64f, -0.6f};  // a unit vector
constexpr vector3 zenith{0.25f, 0.45f, 0.9f}, haze{0.8f, 0.85f, 0.9f}, sunlight{1, 0.9f, 0.6f};
constexpr vector3 bright_square{0.9f, 0.9f, 0.8f}, dark_square{0.15f, 0.2f, 0.15f};

struct sphere {
  vector3 centre;
  float radius, inverse_radius;
  vector3 colour;
  float mirrors;
};

struct ray {
  vector3 origin, direction;  // a unit vector
};

__host__ __device__ __forceinline__ ray primary_ray(uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  const float scale = 1.5f / static_cast<float>(width);
  const vector3 d{(static_cast<float>(2 * x) - static_cast<float>(width)) * scale,
                  (static_cast<float>(height) - static_cast<float>(2 * y)) * scale - 0.125f, 2};
  return {eye, d * (1 / sqrtf(dot(d, d)))};
}

// How far along the ray it enters the sphere; far away if it does not.
__host__ __device__ __forceinline__ float entry(const sphere& s, const ray& r) {
  const vector3 to_origin = r.origin - s.centre;
  const float along = dot(to_origin, r.direction);
  const float square = along * along - (dot(to_origin, to_origin) - s.radius * s.radius);
  if (square <= 0) return far_away;
  const float distance = -along - sqrtf(square);
  return distance > clear_of_surface ? distance : far_away;
}

__device__ __forceinline__ bool in_shadow(const sphere* spheres, uint32_t count, vector3 point) {
  bool dark = false;
#pragma unroll 1
  for (uint32_t k = 0; k < count && !dark; ++k) {
    PWS_LOOP_BOUND(max_spheres);
    dark = entry(spheres[k], {point, sun}) < far_away;
  }
  return dark;
}

__device__ __forceinline__ float power16(float x) {
  const float square = x * x, fourth = square * square, eighth = fourth * fourth;
  return eighth * eighth;
}

__global__ __launch_bounds__(tile* tile) void trace(const sphere* spheres, uint32_t count, float* colour,
                                                    uint32_t* path, uint32_t width, uint32_t height) {
  const uint32_t x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x >= width || y >= height) return;
  ray r = primary_ray(x, y, width, height);
  vector3 sum{0, 0, 0};
  float share = 1;  // of what the ray sees in the pixel; 0 behind the sky
  uint32_t codes = 0;
#pragma unroll 1
  for (uint32_t number = 0; number < rays && share > 0; ++number) {
    PWS_LOOP_BOUND(rays);
    float distance = far_away;
    uint32_t nearest = nothing;
#pragma unroll 1
    for (uint32_t k = 0; k < count; ++k) {
      PWS_LOOP_BOUND(max_spheres);
      const float there = entry(spheres[k], r);
      if (there < distance) {
        distance = there;
        nearest = k;
      }
    }
    PWS_SPLIT();
    if (nearest != nothing) {
      const sphere& s = spheres[nearest];
      const vector3 point = r.origin + r.direction * distance;
      const vector3 normal = (point - s.centre) * s.inverse_radius;
      r = {point, r.direction - normal * (2 * dot(normal, r.direction))};
      const bool dark = in_shadow(spheres, count, point);
      const float light = dark ? ambient : ambient + fmaxf(dot(normal, sun), 0);
      const float gloss = dark ? 0 : power16(fmaxf(dot(r.direction, sun), 0));
      sum = sum + s.colour * (share * (1 - s.mirrors) * light) + sunlight * (share * gloss);
      share *= s.mirrors;
      codes = codes << 8 | (nearest + 1) << 1 | uint32_t{dark};
    } else {
      PWS_SPLIT();
      if (r.direction.y < horizon) {
        const vector3 point = r.origin + r.direction * (r.origin.y / -r.direction.y);
        const bool odd = ((static_cast<int32_t>(floorf(point.x)) ^ static_cast<int32_t>(floorf(point.z))) & 1) != 0;
        const bool dark = in_shadow(spheres, count, point);
        const vector3 square = odd ? bright_square : dark_square;
        sum = sum + square * (share * (1 - ground_mirrors) * (dark ? ambient : ambient + sun.y));
        r = {point, {r.direction.x, -r.direction.y, r.direction.z}};
        share *= ground_mirrors;
        codes = codes << 8 | ground_code | uint32_t{dark};
      } else {
        const float up = sqrtf(fmaxf(r.direction.y, 0));
        const float glow = power16(fmaxf(dot(r.direction, sun), 0));
        sum = sum + (haze * (1 - up) + zenith * up + sunlight * glow) * share;
        share = 0;
        codes = codes << 8;
      }
    }
  }
  const uint32_t pixel = y * width + x;
  colour[3 * pixel] = sum.x;
  colour[3 * pixel + 1] = sum.y;
  colour[3 * pixel + 2] = sum.z;
  path[pixel] = codes;
}

struct colour64 {
  double red, green, blue;
  void add(const vector3& c, double part) {
    red += part * c.x;
    green += part * c.y;
    blue += part * c.z;
  }
};

// What a ray sees, with what its reflection sees in it.
colour64 look(const std::vector<sphere>& spheres, const ray& r, uint32_t rays_left, uint32_t& codes) {
  if (rays_left == 0) return {0, 0, 0};
  std::vector<float> entries;
  for (const sphere& s : spheres) entries.push_back(entry(s, r));
  const auto first = std::min_element(entries.begin(), entries.end());
  const bool on_sphere = *first < far_away;
  codes <<= 8;
  colour64 seen{0, 0, 0};
  if (!on_sphere && r.direction.y >= horizon) {
    const double up = r.direction.y > 0 ? std::sqrt(double{r.direction.y}) : 0;
    seen.add(haze, 1 - up);
    seen.add(zenith, up);
    seen.add(sunlight, std::pow(std::max(0.0, double{dot(r.direction, sun)}), 16));
    return seen;
  }

  const float distance = on_sphere ? *first : r.origin.y / -r.direction.y;
  const vector3 point = r.origin + r.direction * distance;
  const bool dark = std::any_of(spheres.begin(), spheres.end(), [&](const sphere& s) {
    return entry(s, ray{point, sun}) < far_away;
  });
  vector3 onward{r.direction.x, -r.direction.y, r.direction.z};
  double mirrors = ground_mirrors;
  if (on_sphere) {
    const size_t number = static_cast<size_t>(first - entries.begin());
    const sphere& s = spheres[number];
    const vector3 normal = (point - s.centre) * s.inverse_radius;
    onward = r.direction - normal * (2 * dot(normal, r.direction));
    mirrors = s.mirrors;
    codes |= static_cast<uint32_t>(2 * (number + 1));
    seen.add(s.colour, (1 - mirrors) * (ambient + (dark ? 0 : std::max(0.0, double{dot(normal, sun)}))));
    if (!dark) seen.add(sunlight, std::pow(std::max(0.0, double{dot(onward, sun)}), 16));
  } else {
    const bool same = (std::fmod(std::floor(point.x), 2) == 0) == (std::fmod(std::floor(point.z), 2) == 0);
    codes |= ground_code;
    seen.add(same ? dark_square : bright_square, (1 - mirrors) * (ambient + (dark ? 0.0 : double{sun.y})));
  }
  codes |= dark;
  const colour64 mirrored = look(spheres, {point, onward}, rays_left - 1, codes);
  return {seen.red + mirrors * mirrored.red, seen.green + mirrors * mirrored.green,
          seen.blue + mirrors * mirrored.blue};
}

// Spheres of several sizes above the ground, which may overlap.
std::vector<sphere> random_spheres(program::random_source& random, uint32_t count) {
  std::vector<sphere> spheres;
  for (uint32_t k = 0; k < count; ++k) {
    const float radius = random.real(0.3f, 1.5f);
    const vector3 centre{random.real(-5, 5), radius + random.real(0.125f, 2.5f), random.real(-3, 8)};
    const vector3 colour{random.real(0.1f, 1), random.real(0.1f, 1), random.real(0.1f, 1)};
    spheres.push_back({centre, radius, 1 / radius, colour, random.real(0.2f, 0.8f)});
  }
  return spheres;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t width = o.pick(61u, 161u, 401u), height = o.pick(43u, 121u, 301u);
  program::random_source random(o.seed);
  const std::vector<sphere> spheres = random_spheres(random, o.pick(8u, 16u, max_spheres));
  const uint32_t count = static_cast<uint32_t>(spheres.size());
  std::printf("ray_trace (%s): %u x %u pixels, %u spheres, seed %u\n", o.size_name(), width, height, count, o.seed);

  program::device_array<sphere> device_spheres(spheres);
  program::device_array<float> device_colour(size_t{3} * width * height);
  program::device_array<uint32_t> device_path(size_t{width} * height);
  trace<<<dim3(program::blocks_of(width, tile), program::blocks_of(height, tile)), dim3(tile, tile)>>>(
      device_spheres.get(), count, device_colour.get(), device_path.get(), width, height);
  PROGRAM_LAUNCHED();

  std::vector<float> colour;
  std::vector<uint32_t> path;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t codes = 0;
      const colour64 c = look(spheres, primary_ray(x, y, width, height), rays, codes);
      for (const double part : {c.red, c.green, c.blue}) colour.push_back(static_cast<float>(part));
      path.push_back(codes);
    }
  program::verdict verdict;
  verdict.equal("path", device_path.download(), path);
  verdict.close("colour", device_colour.download(), colour, 0, 0x1p-16);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
