// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/random_programs.h"

#include <fmt/format.h>

#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::test {

random_batch make_random_batch(uint64_t seed, random_instructions& instructions) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  models::machine_config machine;
  machine.n_cu = 1;
  machine.n_simd = 2;
  // The programs have 32 vector registers, or all of them, and 100 scalar ones: enough for ten contexts.
  const unsigned vgprs = seed % 4 == 1 ? 256 : 32;
  instructions.use_vgprs(vgprs);
  machine.vgprs_per_simd = 10 * vgprs;
  machine.sgprs_per_simd = 10 * 112;
  machine.divergence = models::divergence_kind::pws;
  machine.spsimd_per_simd = 1 + below(4);
  machine.split_cycles = rtl::spsimd_rtl::handover_cycles() + seed % 3 * 2;
  machine.merge_cycles = rtl::spsimd_rtl::handover_cycles() + seed / 3 % 3 * 2;
  machine.cosim.mode = models::cosim_mode::lockstep;
  if (seed % 4 == 0)  // wavefronts too, from their launch on
    for (uint32_t number = 1; number <= machine.spsimd_per_simd + 1; ++number) machine.cosim.spsimds.push_back(number);
  assembly_file file(vgprs);
  std::vector<batch_launch> launches;
  for (unsigned k = 0; k < random_batch::programs; ++k) {
    program_options options;
    options.depth = 2 + below(4);
    options.statements = 4;
    options.split_percent = 60 + 10 * below(5);
    options.early_ends = below(2) == 0;
    options.early_end_percent = 25 + 25 * below(3);
    options.barriers = below(2) == 0;
    constexpr unsigned open_splits[] = {0, 0, 0, 0, 2, 5, 17, 40};
    options.open_splits = open_splits[below(8)];
    options.more = [&] { return instructions.next(); };
    file.add_program(random(), options);
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    constexpr uint32_t sizes[] = {64, 1, 100, 256, 63, 200};
    l.workgroup = sizes[below(6)];
    l.work_items = 3 * l.workgroup / 2 + 1;
    if (below(12) == 0) {  // all contexts
      l.workgroup = 256;
      l.work_items = 5 * l.workgroup;
    }
    // Sides by the bits of a hash, or of the work-item's number: even and odd lanes, halves, passes.
    if (below(3) != 0) {
      l.mul = static_cast<uint32_t>(random());
      l.add = static_cast<uint32_t>(random());
    } else {
      l.mul = 0x10000;
    }
    launches.push_back(l);
  }
  return {machine, assemble(file.text()), launches};
}

}  // namespace pws::test
