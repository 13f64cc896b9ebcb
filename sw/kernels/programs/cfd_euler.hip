// Finite volumes for the compressible Euler equations in three dimensions on an unstructured mesh: every element
// exchanges mass, momentum and energy with its four neighbours, the surface of a body (wing) or the undisturbed air
// (far field). Three-stage Runge-Kutta with a local time step for each element.
//
// Sizes:      16, 1024, 65536 elements; 4, 4, 2 iterations
// Kernels:    step_factor  conserved state f32[5][n], volume f32[n], step f32[n] = time step / volume
//             residual     neighbour i32[4][n] (an element, wing or far field), normal f32[4][3][n] (outward, as long
//                          as the face is large), state, balance f32[5][n]; the free stream as argument
//             advance      state = old state - step * share * balance
//             All: one work-item per element, blocks of 192 (three wavefronts). Units: density and pressure of the air
//             1.4 and 1, so that the speed of sound is 1; lengths in elements.
// Divergence: residual: each of the four faces is an inner one, wing or far field, three sides with work of their own
//             (an inner one loads and evaluates the neighbour, the wing has pressure only): the split. Faces come in
//             no particular order, so elements at a boundary get there in different rounds. Else the bounds checks.
// Rounding:   f32; the reference computes in f64 from the same input. Each of the 6 or 12 stages rounds the state once
//             and a change that is a fraction of it a dozen times; the local step keeps errors from growing. Within
//             2^-19 relative plus 2^-19 of the free stream's energy, the largest component, for those near zero; seen
//             is less than a quarter of it.
#include <algorithm>
#include <array>

#include "program.h"

namespace {

constexpr uint32_t block = 192;
constexpr uint32_t faces = 4;
constexpr int32_t wing = -1, far_field = -2;
constexpr uint32_t stages = 3;
constexpr float gas_gamma = 1.4f;
constexpr float courant = 0.5f;
constexpr float smoothing = 0.2f;

template <typename T>
struct vector3 {
  T x, y, z;
};

template <typename T>
struct flow {
  T density;
  vector3<T> momentum;
  T energy;
};

__device__ __forceinline__ float dot(vector3<float> a, vector3<float> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ __forceinline__ flow<float> load(const float* state, uint32_t n, uint32_t i) {
  return {state[i], {state[n + i], state[2 * n + i], state[3 * n + i]}, state[4 * n + i]};
}

// What a state does at a face: velocity, pressure and the fastest wave.
struct motion {
  vector3<float> velocity;
  float pressure, wave_speed;
};

__device__ __forceinline__ motion motion_of(const flow<float>& u) {
  const float inverse = 1 / u.density;
  const vector3<float> v{u.momentum.x * inverse, u.momentum.y * inverse, u.momentum.z * inverse};
  const float square = dot(v, v);
  const float pressure = (gas_gamma - 1) * (u.energy - 0.5f * u.density * square);
  return {v, pressure, sqrtf(square) + sqrtf(gas_gamma * pressure * inverse)};
}

// sum += scale * (flux of u through the face)
__device__ __forceinline__ void add_flux(flow<float>& sum, const flow<float>& u, const motion& m, vector3<float> normal,
                                         float scale) {
  const float through = scale * dot(m.velocity, normal), push = scale * m.pressure;
  sum.density += through * u.density;
  sum.momentum.x += through * u.momentum.x + push * normal.x;
  sum.momentum.y += through * u.momentum.y + push * normal.y;
  sum.momentum.z += through * u.momentum.z + push * normal.z;
  sum.energy += through * (u.energy + m.pressure);
}

__global__ void step_factor(const float* state, const float* volume, float* step, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  step[i] = courant / (sqrtf(volume[i]) * motion_of(load(state, n, i)).wave_speed);
}

__global__ void residual(const int32_t* neighbour, const float* normals, const float* state, float* balance,
                         flow<float> free_stream, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const flow<float> here = load(state, n, i);
  const motion here_motion = motion_of(here);
  flow<float> sum{0, {0, 0, 0}, 0};
#pragma unroll 1
  for (uint32_t face = 0; face < faces; ++face) {
    PWS_LOOP_BOUND(faces);
    const int32_t other = neighbour[face * n + i];
    const float* normal_of_face = normals + 3 * face * n;
    const vector3<float> normal{normal_of_face[i], normal_of_face[n + i], normal_of_face[2 * n + i]};
    PWS_SPLIT();
    if (other >= 0) {
      const flow<float> there = load(state, n, static_cast<uint32_t>(other));
      const motion there_motion = motion_of(there);
      // Artificial viscosity: damps what a central difference does not see.
      const float damping =
          0.5f * smoothing * sqrtf(dot(normal, normal)) * (here_motion.wave_speed + there_motion.wave_speed);
      sum.density += damping * (here.density - there.density);
      sum.momentum.x += damping * (here.momentum.x - there.momentum.x);
      sum.momentum.y += damping * (here.momentum.y - there.momentum.y);
      sum.momentum.z += damping * (here.momentum.z - there.momentum.z);
      sum.energy += damping * (here.energy - there.energy);
      add_flux(sum, here, here_motion, normal, 0.5f);
      add_flux(sum, there, there_motion, normal, 0.5f);
    } else {
      PWS_SPLIT();
      if (other == wing) {
        sum.momentum.x += here_motion.pressure * normal.x;
        sum.momentum.y += here_motion.pressure * normal.y;
        sum.momentum.z += here_motion.pressure * normal.z;
      } else {
        add_flux(sum, here, here_motion, normal, 0.5f);
        add_flux(sum, free_stream, motion_of(free_stream), normal, 0.5f);
      }
    }
  }
  balance[i] = sum.density;
  balance[n + i] = sum.momentum.x;
  balance[2 * n + i] = sum.momentum.y;
  balance[3 * n + i] = sum.momentum.z;
  balance[4 * n + i] = sum.energy;
}

__global__ void advance(const float* old_state, const float* balance, const float* step, float* state, float share,
                        uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float factor = step[i] * share;
#pragma unroll
  for (uint32_t k = 0; k < 5; ++k) state[k * n + i] = old_state[k * n + i] - factor * balance[k * n + i];
}

struct mesh {
  uint32_t elements;
  std::vector<int32_t> neighbour;
  std::vector<float> normal, volume;
};

// Prisms over a distorted net of columns x rows quadrilaterals with a hole in the middle, tilted so that no axis is
// special; the elements numbered and their faces ordered as a mesh generator leaves them.
mesh random_mesh(program::random_source& random, uint32_t columns, uint32_t rows, uint32_t hole_columns,
                 uint32_t hole_rows) {
  std::vector<double> corner_x, corner_y;
  for (uint32_t y = 0; y <= rows; ++y)
    for (uint32_t x = 0; x <= columns; ++x) {
      corner_x.push_back(x + random.real(-0.2f, 0.2f));
      corner_y.push_back(y + random.real(-0.2f, 0.2f));
    }
  const uint32_t hole_left = (columns - hole_columns) / 2, hole_top = (rows - hole_rows) / 2;
  const auto cell_at = [&](int64_t x, int64_t y) -> int64_t {
    if (x < 0 || y < 0 || x >= columns || y >= rows) return far_field;
    if (x >= hole_left && x < hole_left + hole_columns && y >= hole_top && y < hole_top + hole_rows) return wing;
    return y * columns + x;
  };

  // Near in the net means near in number, but no more.
  std::vector<std::pair<uint32_t, uint32_t>> order;
  for (uint32_t cell = 0; cell < columns * rows; ++cell)
    if (cell_at(cell % columns, cell / columns) >= 0) order.push_back({cell + random.below(4 * columns), cell});
  std::sort(order.begin(), order.end());
  const uint32_t n = static_cast<uint32_t>(order.size());
  std::vector<int32_t> number(columns * rows, wing);
  for (uint32_t i = 0; i < n; ++i) number[order[i].second] = static_cast<int32_t>(i);

  mesh m{n, std::vector<int32_t>(faces * n), std::vector<float>(faces * 3 * n), std::vector<float>(n)};
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t x = order[i].second % columns, y = order[i].second / columns;
    const std::array<uint32_t, 4> corners{y * (columns + 1) + x, y * (columns + 1) + x + 1,
                                          (y + 1) * (columns + 1) + x + 1, (y + 1) * (columns + 1) + x};
    const std::array<int64_t, 4> beyond{cell_at(x, int64_t{y} - 1), cell_at(x + 1, y), cell_at(x, y + 1),
                                        cell_at(int64_t{x} - 1, y)};
    const uint32_t turn = random.below(faces);
    double twice_volume = 0;
    for (uint32_t side = 0; side < faces; ++side) {
      const uint32_t a = corners[side], b = corners[(side + 1) % faces], face = (side + turn) % faces;
      const double across = corner_y[b] - corner_y[a], along = corner_x[a] - corner_x[b];
      twice_volume += corner_x[a] * corner_y[b] - corner_x[b] * corner_y[a];
      // The net's plane is spanned by (0.6, 0.64, 0.48) and (0.8, -0.48, -0.36).
      m.normal[(3 * face + 0) * n + i] = static_cast<float>(0.6 * across + 0.8 * along);
      m.normal[(3 * face + 1) * n + i] = static_cast<float>(0.64 * across - 0.48 * along);
      m.normal[(3 * face + 2) * n + i] = static_cast<float>(0.48 * across - 0.36 * along);
      m.neighbour[face * n + i] =
          beyond[side] < 0 ? static_cast<int32_t>(beyond[side]) : number[static_cast<uint32_t>(beyond[side])];
    }
    m.volume[i] = static_cast<float>(twice_volume / 2);
  }
  return m;
}

flow<float> stream(float density, float speed, float pressure) {
  // Along the first axis of the net, not quite.
  const vector3<float> v{0.62f * speed, 0.62f * speed, 0.47f * speed};
  const float energy = pressure / (gas_gamma - 1) + 0.5f * density * (v.x * v.x + v.y * v.y + v.z * v.z);
  return {density, {density * v.x, density * v.y, density * v.z}, energy};
}

using state64 = std::array<double, 5>;

state64 flux64(const state64& u, const std::array<double, 3>& normal) {
  const double kinetic = (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]);
  const double pressure = (double{gas_gamma} - 1) * (u[4] - kinetic);
  const double volume_rate = (u[1] * normal[0] + u[2] * normal[1] + u[3] * normal[2]) / u[0];
  return {u[0] * volume_rate, u[1] * volume_rate + pressure * normal[0], u[2] * volume_rate + pressure * normal[1],
          u[3] * volume_rate + pressure * normal[2], (u[4] + pressure) * volume_rate};
}

double fastest64(const state64& u) {
  const double square = (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (u[0] * u[0]);
  const double pressure = (double{gas_gamma} - 1) * (u[4] - u[0] * square / 2);
  return std::sqrt(square) + std::sqrt(double{gas_gamma} * pressure / u[0]);
}

std::vector<state64> reference(const mesh& m, std::vector<state64> state, const state64& free_stream,
                               uint32_t iterations) {
  const uint32_t n = m.elements;
  std::vector<double> step(n);
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    const std::vector<state64> old = state;
    for (uint32_t i = 0; i < n; ++i) step[i] = double{courant} / (std::sqrt(double{m.volume[i]}) * fastest64(old[i]));
    for (uint32_t stage = 0; stage < stages; ++stage) {
      const std::vector<state64> before = state;
      for (uint32_t i = 0; i < n; ++i) {
        state64 out{};
        for (uint32_t face = 0; face < faces; ++face) {
          std::array<double, 3> normal;
          for (uint32_t axis = 0; axis < 3; ++axis) normal[axis] = m.normal[(3 * face + axis) * n + i];
          const int32_t other = m.neighbour[face * n + i];
          const state64 inner = flux64(before[i], normal);
          if (other == wing) {
            // Nothing passes the wall: the flux of the same density and pressure at rest.
            state64 still = before[i];
            still[4] -= (still[1] * still[1] + still[2] * still[2] + still[3] * still[3]) / (2 * still[0]);
            still[1] = still[2] = still[3] = 0;
            const state64 wall = flux64(still, normal);
            for (uint32_t k = 0; k < 5; ++k) out[k] += wall[k];
            continue;
          }
          const state64& beyond = other == far_field ? free_stream : before[static_cast<uint32_t>(other)];
          const state64 outer = flux64(beyond, normal);
          const double area = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
          const double damping =
              other == far_field ? 0 : double{smoothing} * area * (fastest64(before[i]) + fastest64(beyond)) / 2;
          for (uint32_t k = 0; k < 5; ++k) out[k] += (inner[k] + outer[k]) / 2 + damping * (before[i][k] - beyond[k]);
        }
        for (uint32_t k = 0; k < 5; ++k) state[i][k] = old[i][k] - step[i] / (stages - stage) * out[k];
      }
    }
  }
  return state;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  program::random_source random(o.seed);
  const mesh m =
      random_mesh(random, o.pick(6u, 33u, 260u), o.pick(3u, 32u, 256u), o.pick(2u, 8u, 64u), o.pick(1u, 4u, 16u));
  const uint32_t n = m.elements, iterations = o.pick(4u, 4u, 2u);
  std::printf("cfd_euler (%s): %u elements, %u iterations, seed %u\n", o.size_name(), n, iterations, o.seed);

  // Undisturbed air but for the lower-numbered half, which is gusty. Mach 1.2.
  const flow<float> free_stream = stream(1.4f, 1.2f, 1);
  std::vector<float> state(5 * size_t{n});
  std::vector<bool> disturbed(n);
  std::vector<state64> state_in_f64(n);
  for (uint32_t i = 0; i < n; ++i) {
    flow<float> u = free_stream;
    if (i < n / 2) {
      const float density = random.real(1.3f, 1.5f), speed = random.real(1.1f, 1.3f);
      u = stream(density, speed, random.real(0.9f, 1.1f));
      disturbed[i] = true;
    }
    const std::array<float, 5> values{u.density, u.momentum.x, u.momentum.y, u.momentum.z, u.energy};
    for (uint32_t k = 0; k < 5; ++k) {
      state[k * n + i] = values[k];
      state_in_f64[i][k] = values[k];
    }
  }
  const state64 free_in_f64{free_stream.density, free_stream.momentum.x, free_stream.momentum.y, free_stream.momentum.z,
                            free_stream.energy};

  program::device_array<int32_t> device_neighbour(m.neighbour);
  program::device_array<float> device_normal(m.normal), device_volume(m.volume), device_state(state);
  program::device_array<float> device_old(5 * size_t{n}), device_balance(5 * size_t{n}), device_step(n);
  const uint32_t blocks = program::blocks_of(n, block);
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    PROGRAM_HIP(hipMemcpy(device_old.get(), device_state.get(), state.size() * sizeof(float), hipMemcpyDeviceToDevice));
    step_factor<<<blocks, block>>>(device_state.get(), device_volume.get(), device_step.get(), n);
    PROGRAM_LAUNCHED();
    for (uint32_t stage = 0; stage < stages; ++stage) {
      residual<<<blocks, block>>>(device_neighbour.get(), device_normal.get(), device_state.get(), device_balance.get(),
                                  free_stream, n);
      PROGRAM_LAUNCHED();
      advance<<<blocks, block>>>(device_old.get(), device_balance.get(), device_step.get(), device_state.get(),
                                 1.0f / static_cast<float>(stages - stage), n);
      PROGRAM_LAUNCHED();
    }
  }

  const std::vector<float> got = device_state.download();
  const std::vector<state64> in_f64 = reference(m, state_in_f64, free_in_f64, iterations);
  std::vector<float> expected(got.size());
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t k = 0; k < 5; ++k) expected[k * n + i] = static_cast<float>(in_f64[i][k]);
  program::verdict verdict;
  verdict.close("state", got, expected, 0x1p-19, 0x1p-19 * double{free_stream.energy});

  bool physical = true;
  for (uint32_t i = 0; i < n; ++i) {
    const double momentum_square =
        std::pow(double{got[n + i]}, 2) + std::pow(double{got[2 * n + i]}, 2) + std::pow(double{got[3 * n + i]}, 2);
    physical = physical && got[i] > 0 && got[4 * n + i] - momentum_square / (2 * got[i]) > 0;
  }
  verdict.that("density and pressure are positive", physical);

  // What is further from wing and gusts than information travels (an element a stage) stays as it was, since the
  // faces of an element are closed.
  for (uint32_t stage = 0; stage < stages * iterations; ++stage) {
    const std::vector<bool> before = disturbed;
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t face = 0; face < faces; ++face) {
        const int32_t other = m.neighbour[face * n + i];
        if (other == wing || (other >= 0 && before[static_cast<uint32_t>(other)])) disturbed[i] = true;
      }
  }
  bool still = true;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t k = 0; k < 5; ++k)
      if (!disturbed[i]) still = still && std::fabs(got[k * n + i] - free_in_f64[k]) < 0x1p-19 * free_in_f64[4];
  verdict.that("undisturbed air stays as it is", still);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
