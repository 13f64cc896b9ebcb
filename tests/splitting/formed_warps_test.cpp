// SPDX-License-Identifier: Apache-2.0
// Warps formed of work-items, as waveform and debug window show them: a wavefront's paths, and the warps that issue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/divergence/shown_registers.h"
#include "tests/splitting/observed_run.h"

namespace pws::test::formed_warps_test {
namespace {

using models::wf_status;

constexpr uint64_t cycle = 1000;  // ps
const std::string wavefront = "SystemC.gpu.cu0.simd0.wf0.", unit = "SystemC.gpu.cu0.simd0.";

const observed_run& run() {
  static const observed_run r = observe(PWS_SOURCE_DIR "/tests/formation/runs/parity.yaml", "parity", 1,
                                        {"machine.divergence=dwf", "machine.dwf.warp_size=32"});
  return r;
}
uint64_t at(const std::string& signal, uint64_t time) {
  return run().waveform.signal(signal).at(time);
}
wf_status status_at(uint64_t time) {
  return static_cast<wf_status>(at(wavefront + "status", time));
}

TEST(formed_warps, paths_share_out_the_work_items) {
  std::set<uint64_t> counts;
  for (uint64_t t = 0; t <= run().waveform.end_time; t += cycle) {
    const uint64_t count = at(wavefront + "paths.count", t);
    uint64_t seen = 0;
    for (uint64_t k = 0; k < std::min<uint64_t>(count, 8); ++k) {
      const uint64_t mask = at(wavefront + "paths.path" + std::to_string(k) + ".mask", t);
      EXPECT_NE(mask, 0u);
      EXPECT_EQ(seen & mask, 0u) << "a work-item in two paths";
      seen |= mask;
    }
    counts.insert(count);
    EXPECT_TRUE(count < 4 || seen == ~uint64_t{0});
  }
  EXPECT_TRUE(counts.count(2)) << "two static warps";
  EXPECT_TRUE(counts.count(4)) << "both are cut at the branch";
}

TEST(formed_warps, warps_that_issue_are_not_larger_than_a_warp) {
  std::set<uint64_t> sizes;
  uint64_t pool = 0;
  for (uint64_t t = 0; t <= run().waveform.end_time; t += cycle) {
    const uint64_t n = at(unit + "warp.work_items", t);
    EXPECT_LE(n, 32u);
    sizes.insert(n);
    EXPECT_TRUE(n == 0 || at(unit + "warp.pc", t) != 0);
    pool = std::max(pool, at(unit + "warp.pool", t));
  }
  EXPECT_TRUE(sizes.count(0) && sizes.count(32));
  EXPECT_GT(pool, 0u);
}

TEST(formed_warps, debug_window_shows_what_the_waveform_shows) {
  namespace record = models::paths_record;
  size_t compared = 0;
  for (const observed_run::reading& r : run().readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > run().waveform.end_time) break;
    if (status_at(r.time) == wf_status::idle || status_at(r.time) == wf_status::ended) continue;
    const auto count = field<uint32_t>(r.records[0], record::count);
    ASSERT_EQ(count, at(wavefront + "paths.count", r.time));
    for (uint32_t k = 0; k < std::min(count, 8u); ++k) {
      const uint64_t entry = record::entries + k * record::entry_bytes;
      const std::string path = wavefront + "paths.path" + std::to_string(k) + ".";
      EXPECT_EQ(field<uint64_t>(r.records[0], entry + record::pc), at(path + "pc", r.time));
      EXPECT_EQ(field<uint64_t>(r.records[0], entry + record::mask), at(path + "mask", r.time));
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace pws::test::formed_warps_test
