// SPDX-License-Identifier: Apache-2.0
// Coulomb potential of point charges on a lattice of points, as far as a cut-off. With r the distance and c the cut-off
// an atom of charge q adds
//
//   q / r * (1 - r^2 / c^2)^2
//
// which is zero at the cut-off, with its slope. Atoms are in cubic bins whose edge is the cut-off, so that a point
// finds all of its atoms in its own bin and the up to 26 around it.
//
// Sizes:      8, 64, 216 bins; 512 points and up to 16 atoms a bin
// Kernel:     potential  first u32[bins + 1], atoms float4[atoms], by bin: position and charge; result
//                        f32[points]. A work-item per point, blocks of 8 x 8 x 4
// Divergence: an atom is inside the cut-off of a point or not, which neighbours decide differently (one side). Bins at
//             the box's faces have fewer neighbours: the same for a whole block
// Rounding:   f32, fused or not, against double. No atom is nearer to a point than 0.08, and at most 200 of them are
//             inside the cut-off. A term is wrong by less than 2^-19 of itself, the sum by 200 * 2^-24 of the terms'
//             magnitudes: together below 2^-16 of the largest sum of magnitudes. An atom that is on the other side of
//             the cut-off after rounding adds next to nothing there
#include <algorithm>

#include "program.h"

namespace {

constexpr float cutoff = 4, spacing = 0.5f;
constexpr uint32_t points_of_bin = 8;  // along an axis
constexpr uint32_t atoms_of_bin = 16;  // at most
constexpr uint32_t block_width = 8, block_height = 8, block_depth = 4;

__global__ __launch_bounds__(block_width* block_height* block_depth) void potential(const uint32_t* first,
                                                                                    const float4* atoms, float* result,
                                                                                    uint32_t bins) {
  const uint32_t x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const uint32_t z = blockIdx.z * block_depth + threadIdx.z;
  // The block's bin.
  const uint32_t bx = blockIdx.x * block_width / points_of_bin, by = blockIdx.y * block_height / points_of_bin;
  const uint32_t bz = blockIdx.z * block_depth / points_of_bin;
  const float px = x * spacing, py = y * spacing, pz = z * spacing;
  float sum = 0;
#pragma unroll 1
  for (uint32_t k = bz - min(bz, 1u); k < min(bz + 2, bins); ++k) {
    PWS_LOOP_BOUND(3);
#pragma unroll 1
    for (uint32_t j = by - min(by, 1u); j < min(by + 2, bins); ++j) {
      PWS_LOOP_BOUND(3);
#pragma unroll 1
      for (uint32_t i = bx - min(bx, 1u); i < min(bx + 2, bins); ++i) {
        PWS_LOOP_BOUND(3);
        const uint32_t bin = (k * bins + j) * bins + i;
#pragma unroll 1
        for (uint32_t a = first[bin]; a < first[bin + 1]; ++a) {
          PWS_LOOP_BOUND(atoms_of_bin);
          const float4 atom = atoms[a];
          const float dx = atom.x - px, dy = atom.y - py, dz = atom.z - pz;
          const float square = dx * dx + dy * dy + dz * dz;
          if (square < cutoff * cutoff) {
            const float near = 1 - square * (1 / (cutoff * cutoff));
            sum += atom.w * rsqrtf(square) * near * near;
          }
        }
      }
    }
  }
  const uint32_t across = bins * points_of_bin;
  result[(z * across + y) * across + x] = sum;
}

struct molecule {
  std::vector<uint32_t> first{0};
  std::vector<float4> atoms;
};

// Between lattice points on each axis: from 0.1 to 0.4 behind one.
float off_lattice(program::random_source& random, uint32_t bin) {
  return bin * cutoff + static_cast<float>(random.below(points_of_bin)) * spacing + random.real(0.1f, 0.4f);
}

molecule random_molecule(program::random_source& random, uint32_t bins) {
  molecule m;
  for (uint32_t z = 0; z < bins; ++z) {
    for (uint32_t y = 0; y < bins; ++y) {
      for (uint32_t x = 0; x < bins; ++x) {
        for (uint32_t count = random.below(atoms_of_bin + 1); count > 0; --count) {
          float4 atom;
          atom.x = off_lattice(random, x);
          atom.y = off_lattice(random, y);
          atom.z = off_lattice(random, z);
          atom.w = random.real(-1, 1);
          m.atoms.push_back(atom);
        }
        m.first.push_back(static_cast<uint32_t>(m.atoms.size()));
      }
    }
  }
  return m;
}

struct expected_potential {
  std::vector<float> sums;
  double largest = 0;  // sum of the terms' magnitudes
};

// Every atom for every point, without bins.
expected_potential reference(const molecule& m, uint32_t across) {
  expected_potential e;
  for (uint32_t z = 0; z < across; ++z) {
    for (uint32_t y = 0; y < across; ++y) {
      for (uint32_t x = 0; x < across; ++x) {
        double sum = 0, magnitude = 0;
        for (const float4& atom : m.atoms) {
          const double dx = atom.x - double{spacing} * x, dy = atom.y - double{spacing} * y;
          const double dz = atom.z - double{spacing} * z;
          const double square = dx * dx + dy * dy + dz * dz, near = 1 - square / (cutoff * cutoff);
          if (near <= 0) continue;
          const double term = atom.w / std::sqrt(square) * near * near;
          sum += term;
          magnitude += std::fabs(term);
        }
        e.sums.push_back(static_cast<float>(sum));
        e.largest = std::max(e.largest, magnitude);
      }
    }
  }
  return e;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t bins = o.pick(2u, 4u, 6u), across = bins * points_of_bin;
  program::random_source random(o.seed);
  const molecule m = random_molecule(random, bins);
  std::printf("coulomb_cutoff (%s): %u^3 points, %zu atoms in %u bins, seed %u\n", o.size_name(), across,
              m.atoms.size(), bins * bins * bins, o.seed);

  program::device_array<uint32_t> first(m.first);
  program::device_array<float4> atoms(m.atoms);
  program::device_array<float> result(size_t{across} * across * across);
  const dim3 block(block_width, block_height, block_depth);
  potential<<<dim3(across / block.x, across / block.y, across / block.z), block>>>(first.get(), atoms.get(),
                                                                                   result.get(), bins);
  PROGRAM_LAUNCHED();

  const expected_potential e = reference(m, across);
  program::verdict verdict;
  verdict.close("potentials", result.download(), e.sums, 0, 0x1p-16 * e.largest);
  return verdict.finish();
}
