// SPDX-License-Identifier: Apache-2.0
// One program on both sides: compiled, run, compared lane by lane.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "sw/pwscc/split_pass.h"
#include "tests/fuzz/csmith/recipe.h"

namespace pws::test {

struct check_options {
  std::vector<std::string> levels{"0", "1", "3"};  // -O of the GPU's compilation
  unsigned timing_every = 8;                       // programs whose seed is a multiple also run in timing; 0: none
  uint64_t timing_instructions = 3'000'000;        // ... unless they execute more than this
  size_limits size;
  std::string keep = "fuzz-csmith-kept";  // where the files of a difference go
  std::optional<uint32_t> break_lane;     // this lane's result is made wrong on the GPU
  // Not none: the compiled kernels go through the pass that places split and merge, and run on a machine with
  // splitting.
  pwscc::split_choice split = pwscc::split_choice::none;
  unsigned swf_contexts = 7;  // S
  // p, ps or psr, without splits: predicated code.
  pwscc::divergence_code divergence = pwscc::divergence_code::none;
  bool checks = false;  // all checks of the machine: a finding is a difference
  // The same code on each: machine keys and values, "divergence=dpe,scoreboard=optimistic". None: as it is by default,
  // or with divergence pws if the code is split.
  std::vector<std::string> machines;
};

enum class verdict : uint8_t { agrees, differs, discarded };

struct outcome {
  uint64_t seed = 0;
  pws::test::verdict verdict = verdict::agrees;
  std::string reason;  // why discarded, in the same words for the same cause
  std::string detail;  // what differs and where the files are; why discarded
  unsigned passed_over = 0;
  unsigned launches = 0;  // that were compared
  unsigned timing_launches = 0;
  uint64_t instructions = 0;  // executed by the GPU, all launches
  state_memory state = state_memory::scratch;
  std::vector<uint64_t> counts;                     // coverage::counts()
  unsigned split_points = 0, refused_branches = 0;  // of branches with two sides
  unsigned carried_masks = 0;
  unsigned checks = 0, checks_kept = 0;
  std::map<std::string, unsigned> refused;  // launches that a machine which forms warps does not run, by instruction
};

// Throws config_error if the settings of a machine are wrong.
void check_machines(const check_options& options);

// Generates the seed's program and checks it. `folder` exists and is this check's own. Throws std::runtime_error where
// the tools themselves fail.
outcome check_seed(uint64_t seed, const toolchain& tools, const check_options& options, const std::string& folder);

// Checks a lane_program() of the caller's: the file that a difference left behind, perhaps edited since.
outcome check_source(const std::string& source, const recipe& r, const toolchain& tools, const check_options& options,
                     const std::string& folder);

}  // namespace pws::test
