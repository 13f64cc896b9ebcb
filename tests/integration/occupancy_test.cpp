// SPDX-License-Identifier: Apache-2.0
// How many workgroups a compute unit takes before it says that none fits, against what models/machine/occupancy.h
// says: HIP's occupancy and G_parallel of the bounds rely on it.
#include "models/machine/occupancy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "models/compute_unit/compute_unit.h"
#include "tests/integration/child_process.h"

namespace pws::test::occupancy_test {
namespace {

using models::machine_config;
using models::workgroup_resources;

struct trial {
  machine_config machine;
  workgroup_resources need;
};

uint64_t taken_by_a_compute_unit(const trial& t) {
  static const uint32_t s_endpgm = 0xbf810000;
  constexpr uint64_t entry = 0x1000;
  const models::gpu_clock clock(1000);
  const isa::global_memory memory;
  models::event_sequencer turns("turns", clock, models::event_sequencer::present_cycle::allowed);
  models::compute_unit cu("cu", t.machine, 0, clock, memory);
  cu.bind_turns(turns);
  isa::program code(&s_endpgm, entry, 1);
  models::dispatch d;
  const auto work_items = static_cast<uint32_t>(t.need.work_items);
  d.vgprs = d.descriptor.n_vgprs = static_cast<uint32_t>(t.need.vgprs);
  d.sgprs = d.descriptor.n_sgprs = static_cast<uint32_t>(t.need.sgprs);
  d.lds_bytes = static_cast<uint32_t>(t.need.lds_bytes);
  d.code = &code;
  d.setup.entry = entry;
  d.setup.workgroup_size = {work_items, 1, 1};
  d.setup.grid_size = {1'000'000, 1, 1};
  models::workgroup w;
  w.of = &d;
  w.size = {work_items, 1, 1};
  uint64_t taken = 0;
  for (; cu.fits(w); ++taken) {
    cu.start(w, 0);
    ++w.id[0];
  }
  return taken;
}

// In a process of its own, which makes SystemC modules; none of them ever runs.
std::vector<uint64_t> taken(const std::vector<trial>& trials) {
  const child_result r = in_child(
      [&](const message_sink& send) {
        for (const trial& t : trials) {
          const uint64_t n = taken_by_a_compute_unit(t);
          send(&n, sizeof n);
        }
        return 0;
      },
      120);
  std::vector<uint64_t> out(trials.size());
  if (r.status != 0 || r.message.size() != out.size() * sizeof(uint64_t))
    throw std::runtime_error(describe_status(r.status) + ": " + r.log);
  std::memcpy(out.data(), r.message.data(), r.message.size());
  return out;
}

void compare(const std::vector<trial>& trials) {
  const std::vector<uint64_t> real = taken(trials);
  for (size_t k = 0; k < trials.size(); ++k) {
    const machine_config& m = trials[k].machine;
    const workgroup_resources& w = trials[k].need;
    EXPECT_EQ(models::workgroups_per_cu(m, w), real[k]) << fmt::format(
        "{} work-items, {} VGPRs, {} SGPRs, {} bytes of LDS; {} x {} contexts, {} VGPRs, {} SGPRs, {} KiB",
        w.work_items, w.vgprs, w.sgprs, w.lds_bytes, m.n_simd, m.n_wfc, m.vgprs_per_simd, m.sgprs_per_simd,
        m.lds.size_kib);
  }
}

TEST(occupancy, of_the_default_machine) {
  std::vector<trial> trials;
  for (const uint64_t work_items : {1, 63, 64, 65, 256, 1024}) {
    for (const uint64_t lds : {0, 1, 511, 512, 513, 1700, 65024, 65025, 65536})
      trials.push_back({{}, {work_items, 4, 16, lds}});
    for (const uint64_t vgprs : {1, 4, 5, 24, 25, 84, 85, 128, 129, 256})
      trials.push_back({{}, {work_items, vgprs, 16, 0}});
    for (const uint64_t sgprs : {1, 8, 16, 17, 80, 81, 96, 97, 102, 112})
      trials.push_back({{}, {work_items, 4, sgprs, 0}});
    trials.push_back({{}, {work_items, 25, 97, 1700}});
  }
  compare(trials);
  EXPECT_EQ(taken({{{}, {64, 4, 16, 1700}}}).front(), 32u) << "2048 bytes each";
}

TEST(occupancy, of_small_and_large_machines) {
  machine_config least;
  least.n_simd = least.n_wfc = least.lds.size_kib = 1;
  least.vgprs_per_simd = 4;
  least.sgprs_per_simd = 16;
  machine_config large;
  large.n_simd = 16;
  large.n_wfc = 64;
  large.vgprs_per_simd = 2048;
  large.sgprs_per_simd = 8192;
  std::vector<trial> trials;
  for (const machine_config& m : {least, large})
    for (const uint64_t lds : {0, 1, 512, 513, 1024})
      for (const uint64_t work_items : {1, 64, 65, 1024})
        for (const uint64_t vgprs : {1, 4, 5}) trials.push_back({m, {work_items, vgprs, 16, lds}});
  compare(trials);
}

TEST(occupancy, of_random_machines) {
  std::mt19937 random(11);
  const auto below = [&](uint32_t n) { return random() % n; };
  std::vector<trial> trials;
  for (int k = 0; k < 300; ++k) {
    trial t;
    t.machine.n_simd = 1 + below(5);
    t.machine.n_wfc = 1 + below(12);
    t.machine.vgprs_per_simd = 4 + below(300);
    t.machine.sgprs_per_simd = 16 + below(900);
    t.machine.lds.size_kib = 1 + below(64);
    if (below(3) == 0) {
      t.machine.divergence = below(2) == 0 ? models::divergence_kind::pws : models::divergence_kind::dws;
      t.machine.spsimd_per_simd = 1 + below(3);
    }
    t.need = {1 + below(1024), 1 + below(100), 1 + below(112), below(2) == 0 ? 0 : below(8000)};
    trials.push_back(t);
  }
  compare(trials);
}

}  // namespace
}  // namespace pws::test::occupancy_test
