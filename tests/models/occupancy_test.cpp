// SPDX-License-Identifier: Apache-2.0
// What fits in a compute unit: the description's numbers against those that compilers for gfx803 reckon with, and
// against the allocators that the machine has.
#include "models/machine/occupancy.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "models/context/context_file.h"
#include "models/machine/address_map.h"

namespace pws::models::occupancy_test {
namespace {

constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

TEST(occupancy, granules) {
  EXPECT_EQ(isa::granules_of(0u, 4), 0u);
  EXPECT_EQ(isa::granules_of(1u, 4), 1u);
  EXPECT_EQ(isa::granules_of(4u, 4), 1u);
  EXPECT_EQ(isa::granules_of(5u, 4), 2u);
  EXPECT_EQ(isa::granules_of(~0u, 4), 1u << 30) << "no wrap-around";
  EXPECT_EQ(isa::granted(17u, 16), 32u);
  EXPECT_EQ(isa::granted(1700u, 512), 2048u);
  EXPECT_EQ(wavefronts_of(0), 0u);
  EXPECT_EQ(wavefronts_of(1), 1u);
  EXPECT_EQ(wavefronts_of(64), 1u);
  EXPECT_EQ(wavefronts_of(65), 2u);
  EXPECT_EQ(wavefronts_of(most), most / 64 + 1);
}

// Wavefronts of a SIMD unit by registers of each: LLVM's tables for Volcanic Islands.
TEST(occupancy, is_what_compilers_count_on) {
  const machine_config c;
  const auto waves = [&](uint64_t vgprs, uint64_t sgprs) { return wavefronts_per_simd(c, {64, vgprs, sgprs, 0}); };
  uint64_t from = 0;
  for (const auto& [upto, wavefronts] : {std::pair<uint64_t, uint64_t>{24, 10},
                                         {28, 9},
                                         {32, 8},
                                         {36, 7},
                                         {40, 6},
                                         {48, 5},
                                         {64, 4},
                                         {84, 3},
                                         {128, 2},
                                         {256, 1},
                                         {1000, 0}})
    for (; from <= upto; ++from) EXPECT_EQ(waves(from, 16), wavefronts) << from << " vector registers";
  from = 0;
  for (const auto& [upto, wavefronts] : {std::pair<uint64_t, uint64_t>{80, 10}, {96, 8}, {112, 7}})
    for (; from <= upto; ++from) EXPECT_EQ(waves(4, from), wavefronts) << from << " scalar registers";
}

// What stands in the way of more workgroups, alone or with others.
TEST(occupancy, says_what_limits_it) {
  const machine_config c;  // 4 SIMD units of 10 contexts, 256 VGPRs, 800 SGPRs; 64 KiB
  const auto limits = [&](const workgroup_resources& w) {
    std::string names;
    for (const auto& r : enumerators(cu_resource{}))
      if (occupancy_of(c, w).limited_by(r.value)) names += std::string(r.name) + " ";
    return names;
  };
  EXPECT_EQ(limits({64, 4, 16, 0}), "contexts ");
  EXPECT_EQ(limits({64, 24, 80, 0}), "contexts vgprs sgprs ") << "ten of each";
  EXPECT_EQ(limits({64, 25, 16, 0}), "vgprs ");
  EXPECT_EQ(limits({64, 4, 96, 0}), "sgprs ");
  EXPECT_EQ(limits({64, 32, 96, 0}), "vgprs sgprs ") << "eight of each";
  EXPECT_EQ(limits({64, 4, 16, 4096}), "lds ");
  EXPECT_EQ(limits({64, 257, 16, 0}), "vgprs ") << "not even one";
  EXPECT_EQ(limits({64, 257, 16, 65537}), "vgprs lds ");
  EXPECT_EQ(limits({1024, 4, 16, 32768}), "contexts lds ");

  const occupancy o = occupancy_of(c, {256, 32, 16, 0});
  EXPECT_EQ(o.workgroups, 8u);
  EXPECT_EQ(o.wavefronts, 32u);
  EXPECT_EQ(o.wavefronts_per_simd, 8.0);
  EXPECT_EQ(o.share, 0.8);
  EXPECT_EQ(o.allowed_by(cu_resource::contexts), 10u);
  EXPECT_EQ(o.allowed_by(cu_resource::vgprs), 8u);
  EXPECT_EQ(o.allowed_by(cu_resource::lds), occupancy::any_number) << "it needs none";
  EXPECT_EQ(occupancy_of(c, {1024, 4, 16, 0}).wavefronts_per_simd, 8.0) << "two contexts of each unit are left";
  EXPECT_EQ(occupancy_of(c, {0, 4, 16, 0}).workgroups, 0u);
}

TEST(occupancy, workgroups_of_a_cu) {
  machine_config c;  // 4 SIMD units of 10 contexts, 256 VGPRs, 800 SGPRs; 64 KiB
  const auto fit = [&](uint64_t work_items, uint64_t vgprs, uint64_t sgprs, uint64_t lds) {
    return workgroups_per_cu(c, {work_items, vgprs, sgprs, lds});
  };
  EXPECT_EQ(fit(64, 4, 16, 0), 40U);
  EXPECT_EQ(fit(1, 4, 16, 0), 40U) << "a context each, however few work-items";
  EXPECT_EQ(fit(65, 4, 16, 0), 20U);
  EXPECT_EQ(fit(1024, 4, 16, 0), 2U) << "16 of 40 contexts";
  EXPECT_EQ(fit(64, 25, 16, 0), 36U) << "28 VGPRs, 9 times";
  EXPECT_EQ(fit(64, 24, 16, 0), 40U);
  EXPECT_EQ(fit(64, 129, 16, 0), 4U);
  EXPECT_EQ(fit(64, 257, 16, 0), 0U);
  EXPECT_EQ(fit(64, 4, 102, 0), 28U) << "112 SGPRs, 7 times";
  EXPECT_EQ(fit(64, 0, 0, 0), 40U);
  EXPECT_EQ(fit(64, 4, 16, 1), 40U);
  EXPECT_EQ(fit(64, 4, 16, 1700), 32U) << "2048 bytes each";
  EXPECT_EQ(fit(64, 4, 16, 2049), 25U) << "2560 bytes each";
  EXPECT_EQ(fit(64, 4, 16, 65536), 1U);
  EXPECT_EQ(fit(64, 4, 16, 65537), 0U);
  EXPECT_EQ(fit(most, 4, 16, 0), 0U);
  EXPECT_EQ(fit(64, most, 16, 0), 0U);
  EXPECT_EQ(fit(64, 4, most, 0), 0U);
  EXPECT_EQ(fit(64, 4, 16, most), 0U);
  EXPECT_EQ(fit(0, 4, 16, 0), 0U);
  c.n_wfc = 64;  // LDS alone
  EXPECT_EQ(fit(1, 4, 0, 512), 128U);
  EXPECT_EQ(fit(1, 4, 0, 513), 64U);
  c.vgprs_per_simd = 15;  // three granules, and a rest that nobody gets
  EXPECT_EQ(fit(1, 4, 0, 0), 12U);
  c.sgprs_per_simd = 31;
  EXPECT_EQ(fit(1, 4, 16, 0), 4U);
}

// Contexts and registers as the machine has them, filled wavefront by wavefront, each in any unit that has room.
TEST(occupancy, registers_by_trial) {
  struct unit : context_file {
    using context_file::context_file;
  };
  std::mt19937_64 random(5);
  const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  uint64_t several = 0, none = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    machine_config c;
    c.n_simd = 1 + below(4);
    c.n_wfc = 1 + below(12);
    c.vgprs_per_simd = 4 + below(300);
    c.sgprs_per_simd = 16 + below(900);
    dispatch d;
    d.vgprs = below(8) == 0 ? 0 : below(120);
    d.sgprs = below(110);
    const workgroup_resources w{1 + below(512), d.vgprs, d.sgprs, 0};
    std::vector<std::unique_ptr<unit>> units;
    for (uint32_t k = 0; k < c.n_simd; ++k)
      units.push_back(std::make_unique<unit>(c, context_file::place{unit_id(k), simd_id(k), swf_number::simd_unit()}));
    EXPECT_EQ(units.front()->room(d, c.n_wfc), wavefronts_per_simd(c, w));
    uint64_t wavefronts = 0;
    while (!units.empty()) {
      const uint32_t k = below(units.size());
      if (units[k]->allocate(d) != nullptr)
        ++wavefronts;
      else
        units.erase(units.begin() + k);
    }
    const uint64_t groups = workgroups_per_cu(c, w);
    EXPECT_EQ(groups, wavefronts / ((w.work_items + 63) / 64))
        << c.n_simd << " x " << c.n_wfc << ", " << d.vgprs << " of " << c.vgprs_per_simd << " VGPRs, " << d.sgprs
        << " of " << c.sgprs_per_simd << " SGPRs, " << w.work_items << " work-items";
    several += groups > 1 ? 1 : 0;
    none += groups == 0 ? 1 : 0;
  }
  EXPECT_GT(several, 200U);
  EXPECT_GT(none, 20U);
}

TEST(address_map, programs_read_these_apertures) {
  EXPECT_EQ(flat_apertures{}.lds, 0x10000u);
  EXPECT_EQ(flat_apertures{}.scratch, 0x20000u);
  EXPECT_EQ(device_memory_base, uint64_t{1} << 32);
}

}  // namespace
}  // namespace pws::models::occupancy_test
