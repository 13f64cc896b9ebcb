// SPDX-License-Identifier: Apache-2.0
// Bits of storage that each scheme adds, counted by hand for a SIMD unit of ten wavefronts and five splits inside one
// another: PCs have 48 bits, masks 64, a scoreboard 32 results of 14 and two counters of 4, a buffer 16 dwords, scalar
// registers 3,425.
#include "models/divergence/scheme_storage.h"

#include <gtest/gtest.h>

#include "models/divergence/divergence_scheme.h"

namespace pws::test::scheme_storage_test {
namespace {

using models::divergence_kind;
using models::machine_config;
using models::scheme_storage;

constexpr uint64_t board = 32 * 14 + 2 * 4, buffer = 16 * 32, scalars = 3425;

machine_config machine(divergence_kind k, uint32_t s = 0) {
  machine_config c;
  c.divergence = k;
  c.spsimd_per_simd = s;
  return c;
}
void expect_bits(const machine_config& c, const scheme_storage& expected) {
  const scheme_storage s = models::storage_of_scheme(c, 5);
  SCOPED_TRACE(models::traits_of(c.divergence).name);
  EXPECT_EQ(s.paths, expected.paths);
  EXPECT_EQ(s.scoreboards, expected.scoreboards);
  EXPECT_EQ(s.buffers, expected.buffers);
  EXPECT_EQ(s.scalars, expected.scalars);
  EXPECT_EQ(s.unit, expected.unit);
  EXPECT_EQ(s.per_simd(c), 10 * s.per_wavefront() + s.unit);
}

TEST(scheme_storage, of_nothing_that_is_serial) {
  expect_bits(machine(divergence_kind::none), {});
  expect_bits(machine(divergence_kind::pdom), {});
}

TEST(scheme_storage, of_stacks) {
  expect_bits(machine(divergence_kind::stack), {11 * (48 + 64 + 48), 0, 0, 5 * scalars, 0});
  expect_bits(machine(divergence_kind::dpe), {6 * (2 * (48 + 64) + 48), board, buffer, 5 * scalars, 0});
  // The stack's one entry, and six warp-splits with one reconvergence PC.
  expect_bits(machine(divergence_kind::dws_table),
              {48 + 64 + 48 + 6 * (48 + 64) + 48, 5 * board, 5 * buffer, 5 * scalars, 0});
}

// Six paths and five barriers, of which three bits say which or none.
TEST(scheme_storage, of_paths_in_turn) {
  constexpr uint64_t paths = 6 * (48 + 64 + 3 + 3) + 5 * (64 + 3);
  expect_bits(machine(divergence_kind::convergence), {paths, 5 * board, 0, 5 * scalars, 0});
  machine_config c = machine(divergence_kind::subwarps);
  expect_bits(c, {paths, 5 * board, 0, 5 * scalars, 0});
  c.subwarps.entries = 2;
  expect_bits(c, {paths, board, 0, 5 * scalars, 0});
  c.subwarps.entries = 64;
  expect_bits(c, {paths, 5 * board, 0, 5 * scalars, 0});
}

// A parent, five children of three bits each for four units or none, the stack's depth, a split mask; a PC in SWF
// contexts.
TEST(scheme_storage, of_splitting_in_contexts) {
  constexpr uint64_t registers = 64 + 3 + 5 * 3 + 3;
  expect_bits(machine(divergence_kind::pws, 3), {4 * registers + 3 * 48, 3 * board, 3 * buffer, 3 * scalars, 0});
  expect_bits(machine(divergence_kind::pws_mode, 3), {4 * 64 + 3 * 48, 3 * board, 3 * buffer, 3 * scalars, 0});
  expect_bits(machine(divergence_kind::dws, 3), {64 + 4 + 5 * 4 + 3, 0, 0, 0, 0});  // ten contexts or none
}

TEST(scheme_storage, of_paths_that_never_join) {
  for (const divergence_kind k : {divergence_kind::naive, divergence_kind::dwf})
    expect_bits(machine(k), {5 * (48 + 64), 5 * board, 5 * buffer, 5 * scalars, 0});
  expect_bits(machine(divergence_kind::mimd), {63 * (48 + 64), 63 * board, 63 * buffer, 63 * scalars, 0});
}

TEST(scheme_storage, tells_things_apart_with_the_fewest_bits) {
  for (const auto& [things, bits] : {std::pair{1u, 0u}, {2u, 1u}, {3u, 2u}, {4u, 2u}, {5u, 3u}, {64u, 6u}, {65u, 7u}})
    EXPECT_EQ(models::bits_to_tell(things), bits) << things;
}

}  // namespace
}  // namespace pws::test::scheme_storage_test
