// Particles in boxes that act on each other within a cut-off: potential and force on every particle from those of its
// own box and of the up to 26 boxes around it.
//
// With r the distance, edge of a box and cut-off 1, the potential of a charge is exp(-2 r^2) up to r = 0.6, and from
// there a cubic in s = 1 - r^2 that goes on with the same value and slope and ends with both zero at the cut-off:
//
//   potential[i] = sum over j of charge[j] v(s)          force[i] = sum over j of charge[j] 2 v'(s) (x[i] - x[j])
//
// Sizes:      2x2x2 boxes of 64 particles, 4x4x4 of 100, 8x8x8 of 128
// Kernel:     interactions  a workgroup per box, a work-item per particle of it, in whole wavefronts
//               particles        float4[boxes * particles]: position and charge
//               neighbours       u32[boxes * 27]: numbers of the boxes to take, its own among them
//               neighbour_count  u32[boxes]
//               result           float4[boxes * particles]: force and potential
// Divergence: on the distance, in the innermost loop: inside, in the cubic's shell, or beyond the cut-off; idle
//             work-items if the particles are no multiple of the wavefront
// Rounding:   f32, not fused, each sum in the order of boxes and particles, of 300 to 600 terms. The sums reach 200 on
//             the way, where rounding is by 2^-17 at most; in random directions 500 of these make up to 2^-13.
//             Potentials, with positive terms, are compared within 2^-17 relative, forces, whose terms cancel, within
//             2^-12 absolute. Distances that are rounded to the other side of a limit do no harm, since potential and
//             slope go through it continuously
#include <cmath>

#include "program.h"

namespace {

constexpr uint32_t most_neighbours = 27;
constexpr float steepness = 2;
constexpr float inner_squared = 0.36f;

// The cubic is s^2 (quadratic + cubic s).
struct shell {
  float quadratic, cubic;
};

template <uint32_t particles_per_box, uint32_t neighbours_of_box>
__global__ void interactions(const float4* particles, const uint32_t* neighbours, const uint32_t* neighbour_count,
                             float4* result, shell outer) {
  __shared__ float4 other[particles_per_box];
  const uint32_t i = threadIdx.x, box = blockIdx.x;
  const bool own = i < particles_per_box;
  float4 self = make_float4(0, 0, 0, 0);
  if (own) self = particles[box * particles_per_box + i];
  float4 sum = make_float4(0, 0, 0, 0);

  const uint32_t count = min(neighbour_count[box], neighbours_of_box);
#pragma unroll 1
  for (uint32_t k = 0; k < count; ++k) {
    PWS_LOOP_BOUND(neighbours_of_box);
    const uint32_t neighbour = neighbours[box * most_neighbours + k];
    if (own) other[i] = particles[neighbour * particles_per_box + i];
    __syncthreads();
    if (own) {
#pragma unroll 1
      for (uint32_t j = 0; j < particles_per_box; ++j) {
        PWS_LOOP_BOUND(particles_per_box);
        const float4 from = other[j];
        const float x = self.x - from.x, y = self.y - from.y, z = self.z - from.z;
        const float squared = x * x + y * y + z * z;
        PWS_SPLIT();
        if (squared < inner_squared) {
          const float potential = from.w * expf(-steepness * squared);
          const float slope = 2 * steepness * potential;
          sum.x += slope * x;
          sum.y += slope * y;
          sum.z += slope * z;
          sum.w += potential;
        } else if (squared < 1) {
          const float s = 1 - squared;
          const float slope = 2 * from.w * s * (2 * outer.quadratic + 3 * outer.cubic * s);
          sum.x += slope * x;
          sum.y += slope * y;
          sum.z += slope * z;
          sum.w += from.w * s * s * (outer.quadratic + outer.cubic * s);
        }
      }
    }
    __syncthreads();
  }
  if (own) result[box * particles_per_box + i] = sum;
}

template <uint32_t particles_per_box, uint32_t neighbours_of_box>
void run(uint32_t boxes, const program::device_array<float4>& particles, const program::device_array<uint32_t>& list,
         const program::device_array<uint32_t>& count, const program::device_array<float4>& result, shell outer) {
  constexpr uint32_t group = (particles_per_box + 63) / 64 * 64;
  interactions<particles_per_box, neighbours_of_box>
      <<<boxes, group>>>(particles.get(), list.get(), count.get(), result.get(), outer);
  PROGRAM_LAUNCHED();
}

// s^2 (quadratic + cubic s) has exp(-steepness r^2)'s value and slope at the inner radius.
shell shell_for_inner_radius() {
  const double s = 1 - double{inner_squared}, value = std::exp(-double{steepness} * double{inner_squared});
  const double cubic = (steepness - 2 / s) * value / (s * s);
  return {static_cast<float>(value / (s * s) - cubic * s), static_cast<float>(cubic)};
}

struct sums {
  std::vector<float> x, y, z, potential;
};

bool near(uint32_t a, uint32_t b) {
  return (a < b ? b - a : a - b) <= 1;
}

// In f64, from all pairs of boxes that touch.
sums reference(const std::vector<float4>& particles, uint32_t edge, uint32_t per_box, shell outer) {
  sums want;
  const uint32_t boxes = edge * edge * edge;
  for (uint32_t i = 0; i < particles.size(); ++i) {
    const uint32_t a = i / per_box;
    double x = 0, y = 0, z = 0, potential = 0;
    for (uint32_t b = 0; b < boxes; ++b) {
      if (!near(a % edge, b % edge) || !near(a / edge % edge, b / edge % edge) ||
          !near(a / edge / edge, b / edge / edge))
        continue;
      for (uint32_t j = b * per_box; j < (b + 1) * per_box; ++j) {
        const double east = double{particles[i].x} - particles[j].x, north = double{particles[i].y} - particles[j].y,
                     up = double{particles[i].z} - particles[j].z;
        const double squared = east * east + north * north + up * up, s = 1 - squared;
        if (squared >= 1) continue;
        const bool inside = squared < double{inner_squared};
        const double v = inside ? std::exp(-steepness * squared) : s * s * (outer.quadratic + outer.cubic * s);
        const double dv_ds = inside ? steepness * v : 2 * outer.quadratic * s + 3 * outer.cubic * s * s;
        x += particles[j].w * 2 * dv_ds * east;
        y += particles[j].w * 2 * dv_ds * north;
        z += particles[j].w * 2 * dv_ds * up;
        potential += particles[j].w * v;
      }
    }
    want.x.push_back(static_cast<float>(x));
    want.y.push_back(static_cast<float>(y));
    want.z.push_back(static_cast<float>(z));
    want.potential.push_back(static_cast<float>(potential));
  }
  return want;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t edge = o.pick(2u, 4u, 8u), per_box = o.pick(64u, 100u, 128u), boxes = edge * edge * edge;
  std::printf("lavamd (%s): %ux%ux%u boxes of %u particles, seed %u\n", o.size_name(), edge, edge, edge, per_box,
              o.seed);

  program::random_source random(o.seed);
  std::vector<float4> particles;
  std::vector<uint32_t> neighbours(boxes * most_neighbours), neighbour_count(boxes);
  for (uint32_t box = 0; box < boxes; ++box) {
    const uint32_t x = box % edge, y = box / edge % edge, z = box / edge / edge;
    for (uint32_t k = 0; k < per_box; ++k) {
      float4 particle;
      particle.x = static_cast<float>(x) + random.real(0, 1);
      particle.y = static_cast<float>(y) + random.real(0, 1);
      particle.z = static_cast<float>(z) + random.real(0, 1);
      particle.w = random.real(0.125f, 1);
      particles.push_back(particle);
    }
    for (uint32_t k = 0; k < most_neighbours; ++k) {
      // Below the first box wraps to a number that is too high.
      const uint32_t to_x = x + k % 3 - 1, to_y = y + k / 3 % 3 - 1, to_z = z + k / 9 - 1;
      if (to_x < edge && to_y < edge && to_z < edge)
        neighbours[box * most_neighbours + neighbour_count[box]++] = (to_z * edge + to_y) * edge + to_x;
    }
  }

  const shell outer = shell_for_inner_radius();
  const program::device_array<float4> device_particles(particles), device_result(particles.size());
  const program::device_array<uint32_t> device_neighbours(neighbours), device_count(neighbour_count);
  // Two boxes along an edge: each box has only seven others.
  const auto launch = o.pick(run<64, 8>, run<100, most_neighbours>, run<128, most_neighbours>);
  launch(boxes, device_particles, device_neighbours, device_count, device_result, outer);

  const sums want = reference(particles, edge, per_box, outer);
  sums got;
  double net[3] = {}, all = 0;
  const std::vector<float4> result = device_result.download();
  for (size_t i = 0; i < result.size(); ++i) {
    const float4 sum = result[i];
    got.x.push_back(sum.x);
    got.y.push_back(sum.y);
    got.z.push_back(sum.z);
    got.potential.push_back(sum.w);
    const double force[] = {sum.x, sum.y, sum.z};
    for (int axis = 0; axis < 3; ++axis) {
      net[axis] += particles[i].w * force[axis];
      all += std::fabs(particles[i].w * force[axis]);
    }
  }
  program::verdict verdict;
  verdict.close("potential", got.potential, want.potential, 0x1p-17);
  verdict.close("force x", got.x, want.x, 0, 0x1p-12);
  verdict.close("force y", got.y, want.y, 0, 0x1p-12);
  verdict.close("force z", got.z, want.z, 0, 0x1p-12);
  const double most = std::max(std::fabs(net[0]), std::max(std::fabs(net[1]), std::fabs(net[2])));
  verdict.that("action is reaction: the forces add up to nothing", most <= 0x1p-20 * all);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
