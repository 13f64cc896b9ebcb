// SPDX-License-Identifier: Apache-2.0
// Which branch of the machine code a PWS_SPLIT in the source means: the one whose instructions the compiler's plugin
// has given the mark's number, or that it has put an anchor at.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/source_mark.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// The source line of a divergent branch: its anchor's, or of the instruction that narrows EXEC, or where that has none,
// of the skip or of what the mask is computed by.
cfg::source_place place_of_branch(const assembly_file& file, const assembled_kernel& kernel,
                                  const cfg::flow_graph& graph, const cfg::divergent_branch& branch);

class mark_matcher {
 public:
  explicit mark_matcher(const std::vector<source_mark>& marks) : marks_(marks), used_(marks.size(), false) {}

  // Per branch of a kernel. Of several branches at a marked statement, those with two sides are meant, if there are
  // any: the compiler gives a loop's exit the place of a condition in the loop.
  std::vector<bool> marked(const assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph,
                           const std::vector<cfg::divergent_branch>& branches);
  // PWS_SPLIT marks that no branch belongs to.
  std::vector<mark_report> lost() const;

 private:
  std::string why_lost(const source_mark& mark) const;

  const std::vector<source_mark>& marks_;
  std::vector<bool> used_;
  std::map<uint32_t, std::set<std::string>> inlined_;  // by mark: where the branches are of which it may mean any
};

}  // namespace pws::pwscc
