// SPDX-License-Identifier: Apache-2.0
// Programs in which SWFs end, merge and follow each other within the same few cycles, for co-simulation.
#pragma once

#include <string>
#include <vector>

#include "tests/splitting/batch_run.h"

namespace pws::test {

struct directed_programs {
  models::machine_config machine;  // lockstep
  std::string text;                // an assembly file
  std::vector<batch_launch> launches;
};

// A machine of one SIMD unit with S SpSIMD units, in lockstep.
models::machine_config lockstep_machine(uint32_t s);
// One kernel for each body (assembly_file::add_kernel), launched with 64 work-items of two kinds and more.
// Its wavefronts have so many vector registers.
directed_programs programs_of(const std::vector<std::string>& bodies, uint32_t s, unsigned vgprs = 32);

// Both sides of an outer split run `body`, one of them as an SWF; v3 is the hash's second bit.
std::string in_an_swf(const std::string& body);
// The SWF of a split runs `body`, the others nothing.
std::string in_the_swf_alone(const std::string& body, const std::string& name = "alone");

// An if/else by the hash's bits in `mask`, of which `name` makes labels, with EXEC kept in the pair `saved`. The second
// side is a new SWF's.
std::string split_if(unsigned mask, const std::string& saved, const std::string& name, const std::string& first_side,
                     const std::string& second_side);

// An SWF's child ends around its parent's merge: before, after, in the same cycle, one kernel for each.
directed_programs ends_around_merges();
// The same, with results of `before_the_end` on their way: scalar ones, lane masks and vector registers by default.
directed_programs ends_with_results(const std::string& before_the_end = "");
// An SWF ends with results on their way while its child waits at the merge, goes there or comes later: the child goes
// on in its place, with registers of its own.
directed_programs parents_that_end();
// Two children of an SWF end around each other.
directed_programs ends_around_ends();
// An SWF with two children ends, and around it the one of its innermost split, which stays open; the other one takes
// over.
directed_programs ends_in_open_splits();
// An SWF splits, merges and splits again.
directed_programs contexts_used_again();
std::string contexts_body(unsigned splits);  // in_an_swf(): so often

}  // namespace pws::test
