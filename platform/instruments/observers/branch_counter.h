// SPDX-License-Identifier: Apache-2.0
// How often the branches of a program are uniform while it runs (machine.trace.branch_uniformity): the runtime
// statistics of the thread-aware predication paper's Table I. What is counted, and what uniform means for each kind of
// branch, is in docs/uniformity.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "platform/machine/device_runtime.h"
#include "sw/cfg/branch_sites.h"
#include "sw/wcet/uniformity/branch_uniformity.h"

namespace pws::platform {

struct branch_counts {
  cfg::branch_kind kind = cfg::branch_kind::scalar;
  int64_t offset = 0;       // bytes from the kernel's first instruction
  int64_t skip_offset = 0;  // of the branch on EXEC behind a narrowing; 0: there is none
  bool of_kernel = true;    // false: of a function that it calls
  std::string text;         // the instruction
  // What the analysis of the code says (sw/wcet/uniformity); nothing: of a called function, or of code without a graph.
  std::optional<bool> proved_uniform;
  wcet::condition_origin origin = wcet::condition_origin::not_followed;
  // Executions by a path with work-items, all of which, none of which, and only some of which
  //   scalar: find SCC set; mask: have their bit of VCC set; narrowing: stay in EXEC.
  uint64_t all = 0, none = 0, divergent = 0;
  uint64_t empty = 0;    // executions without any work-item: on a side that nobody takes
  uint64_t skipped = 0;  // narrowing: no work-item was left at its branch on EXEC

  // The measurement shows the analysis to be wrong. This never happens.
  bool contradicts_proof() const {
    return proved_uniform.value_or(false) &&
           (divergent != 0 || (origin == wcet::condition_origin::unreached && executed() + empty != 0));
  }
  uint64_t uniform() const { return all + none; }
  uint64_t executed() const { return uniform() + divergent; }
};

struct branch_totals {
  uint64_t branches = 0;                            // in the code
  uint64_t proved_uniform = 0;                      // in every run
  uint64_t contradictions = 0;                      // of these, those that were divergent
  uint64_t always_uniform = 0, ever_divergent = 0;  // of those that were executed
  uint64_t uniform_executions = 0, divergent_executions = 0;
  uint64_t never_executed() const { return branches - always_uniform - ever_divergent; }
  uint64_t executions() const { return uniform_executions + divergent_executions; }
  branch_totals& operator+=(const branch_totals& o);
};

// What was counted of one kernel, over all its launches.
struct kernel_branches {
  std::string kernel;  // demangled
  // The kernel's own, executed or not, and of the functions that it calls those that were executed; by address.
  std::vector<branch_counts> branches;
  std::string not_analysed;  // why no branch is proved anything
  branch_totals totals() const;
};

class branch_counter : public models::execution_observer {
 public:
  // Launches from here on are of that kernel.
  void launching(const loaded_kernel& kernel);
  // In the order of the kernels' first launches.
  std::vector<kernel_branches> results() const;

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

 private:
  // A program's branches.
  struct program_sites {
    uint64_t begin = 0;
    std::vector<branch_counts> sites;  // as yet without counts; offsets from the program's first byte
    std::vector<int32_t> of_dword;     // the branch there, the one with its skip there (-2 - branch), or -1
  };
  struct kernel_record {
    std::string kernel;
    uint64_t program = 0, entry = 0, bytes = 0;
    const program_sites* sites = nullptr;
    std::vector<branch_counts> counts;
    std::string not_analysed;
  };
  const program_sites& sites_of(isa::program& code);
  void prove(kernel_record& k, isa::program& code) const;
  void begin_kernel(isa::program& code);

  std::map<uint64_t, std::unique_ptr<program_sites>> programs_;  // by the program's number
  std::vector<std::unique_ptr<kernel_record>> kernels_;
  kernel_record* current_ = nullptr;
  std::string kernel_;
  uint64_t entry_ = 0, bytes_ = 0;
  isa::kernel_descriptor descriptor_;
  std::unordered_map<const models::wf_context*, uint64_t> before_;  // work-items that a narrowing finds
};

}  // namespace pws::platform
