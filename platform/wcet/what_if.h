// SPDX-License-Identifier: Apache-2.0
// A launch's bound as it would be if something were different: another machine, another bound of a loop, other
// addresses. It is computed by the analysis itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/wcet/launch_analysis.h"

namespace pws::platform {

// What a change comes to.
struct changed_bound {
  std::optional<uint64_t> cycles;  // E_kernel; of several launches the sum
  std::string problem;             // why there is none
};

// What it gives. That it throws (input_error, program_error, wcet::infeasible_flow) is an answer too: no bound, and the
// first line of why.
changed_bound tried(const std::function<changed_bound()>& bound);

// Asks about one launch under one scheme, with static times. The result is as it was when a call returns.
class what_if {
 public:
  what_if(wcet_result& r, wcet::scheme s);

  // E_kernel as it is.
  uint64_t now() const { return result_.of(scheme_).e_kernel; }
  // Whether all times that instructions are charged are the same on that machine (as provisioned).
  bool has_times_of(const models::machine_config& machine) const;
  // Whether the launch would be analysed alike on that machine (as provisioned) but for its times. Else all of it has
  // to be analysed anew.
  bool differs_in_times_only(const models::machine_config& machine) const;
  // On that machine. Throws input_error.
  changed_bound on(const models::machine_config& machine);

  // A mark, or a bound of the run file, that is one more or one less. Marks of one place are one.
  struct mark {
    std::string name;    // "PWS_LOOP_BOUND at k.hip:20"
    uint64_t bound = 0;  // the largest of its copies
  };
  std::vector<mark> marks() const;
  changed_bound with_mark(const std::string& name, int more);

  // A loop that is bounded by its code or by the launch, with a pass less. Loops of one place are one.
  struct loop {
    std::string name;     // "loop at k.hip:12"
    uint64_t passes = 0;  // the most of its copies
  };
  std::vector<loop> loops() const;
  changed_bound with_fewer_passes(const std::string& name);

  // Accesses of one line that may take more lines or LDS passes than side by side.
  struct line_accesses {
    std::string name;   // "3 accesses of k.hip:12"
    std::string place;  // the same for all launches
    size_t accesses = 0;
    uint64_t at_most = 0;     // that the bound could be lower
    std::string now, better;  // "64 lines", "4 lines", of the worst of them
  };
  std::vector<line_accesses> scattered() const;
  changed_bound with_accesses_side_by_side(const std::string& place);

 private:
  template <class F>
  changed_bound with(F change);
  // E_kernel on that machine with such a wavefront, of which only cycles and SWFs matter.
  uint64_t kernel_with(const models::machine_config& machine, const wcet::machine_timing& timing,
                       wcet::wavefront_bound wavefront) const;
  std::string place_of(size_t instruction) const;
  // The same access with its lanes' data side by side.
  wcet::access_bound side_by_side(size_t instruction) const;

  struct solved {
    wcet::machine_timing timing;
    uint64_t cycles = 0;
    size_t swfs = 0;
  };

  wcet_result& result_;
  wcet::scheme scheme_;
  std::vector<solved> solved_;  // of the code as it is
};

}  // namespace pws::platform
