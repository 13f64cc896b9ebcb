// SPDX-License-Identifier: Apache-2.0
// Random structured programs with their SWFs in the RTL: nothing differs in lockstep, and with the RTL alone driving
// the machine, memory and cycles are those of the model. PWS_COSIM_PROGRAMS sets how many programs are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/splitting/batch_run.h"

namespace pws::test::lockstep_programs_test {
namespace {

using models::cosim_mode;

unsigned programs_wanted() {
  const char* n = std::getenv("PWS_COSIM_PROGRAMS");
  return n == nullptr ? 20 : static_cast<unsigned>(std::atoi(n));
}
constexpr unsigned batch = 20;

// `wavefronts`: the SIMD units, where wavefronts are launched, are RTL too.
models::machine_config machine(uint32_t s, cosim_mode mode, bool wavefronts = false) {
  models::machine_config m;
  m.n_cu = 1;
  m.n_simd = 2;
  m.divergence = models::divergence_kind::pws;
  m.spsimd_per_simd = s;
  m.split_cycles = m.merge_cycles = rtl::spsimd_rtl::handover_cycles();
  m.cosim.mode = mode;
  if (wavefronts)
    for (uint32_t number = 1; number <= s + 1; ++number) m.cosim.spsimds.push_back(number);
  return m;
}

TEST(lockstep_programs, model_and_rtl_agree) {
  uint64_t splits = 0;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    assembly_file file;
    std::vector<batch_launch> launches;
    for (unsigned k = 0; k < batch; ++k) {
      program_options options;
      options.depth = 2 + (seed + k) % 4;
      options.split_percent = (seed + k) % 5 == 0 ? 100 : 70;
      file.add_program(seed + k, options);
      batch_launch l;
      l.kernel = fmt::format("k{}", k);
      constexpr uint32_t sizes[] = {64, 1, 100, 256, 63, 200};
      l.workgroup = sizes[(seed + k) % 6];
      l.work_items = 3 * l.workgroup / 2 + 1;
      launches.push_back(l);
    }
    const loader::program_image program = assemble(file.text());
    for (const uint32_t s : {1u, 3u}) {
      const batch_report model = run_batch(machine(s, cosim_mode::model), program, launches);
      uint64_t by_swfs_alone = 0;
      for (const auto& [mode, wavefronts] : {std::pair{cosim_mode::lockstep, false}, std::pair{cosim_mode::rtl, false},
                                             std::pair{cosim_mode::lockstep, true}, std::pair{cosim_mode::rtl, true}}) {
        SCOPED_TRACE(fmt::format("S = {}, {}{}", s, mode == cosim_mode::rtl ? "rtl" : "lockstep",
                                 wavefronts ? ", wavefronts too" : ""));
        const batch_report r = run_batch(machine(s, mode, wavefronts), program, launches, 600);
        ASSERT_EQ(r.launches.size(), launches.size())
            << "seed " << seed + r.launches.size() - 1 << ": " << r.launches.back().error;
        for (unsigned k = 0; k < batch; ++k) {
          ASSERT_EQ(r.launches[k].error, "") << "seed " << seed + k;
          ASSERT_EQ(r.launches[k].memory, model.launches[k].memory) << "seed " << seed + k;
          ASSERT_EQ(r.launches[k].cycles, model.launches[k].cycles) << "seed " << seed + k;
        }
        if (wavefronts)
          EXPECT_GT(r.cosim.executed, by_swfs_alone);
        else
          by_swfs_alone = r.cosim.executed;
        splits += r.divergence.splits;
      }
    }
  }
  fmt::print("{} programs: {} splits\n", programs_wanted(), splits);
  EXPECT_GT(splits, 0u);
}

}  // namespace
}  // namespace pws::test::lockstep_programs_test
