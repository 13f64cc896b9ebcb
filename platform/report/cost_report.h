// SPDX-License-Identifier: Apache-2.0
// What `pwsvp cost` reports: what each divergence scheme would cost on a machine in bits of storage, or what runs cost
// in cycles and energy.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "models/divergence/scheme_storage.h"
#include "platform/report/run_energy.h"

namespace pws::platform {

struct scheme_cost {
  std::string scheme;
  uint32_t swfs = 0;  // S, where it has contexts for SWFs
  models::scheme_storage bits;
  uint64_t per_simd = 0;    // bits of a SIMD unit with all of its wavefronts
  double of_registers = 0;  // of the bits of the SIMD unit's vector and scalar registers, in %
};

struct cost_report {
  std::vector<scheme_cost> schemes;
  std::vector<run_energy> runs;
};

// What all schemes need, in the order of their list, where `splits` can be open inside one another. `machine` says all
// else: contexts, buffers, S (0 counts as 1), scoreboard.
std::vector<scheme_cost> scheme_costs(const models::machine_config& machine, uint32_t splits);

// As a table of Markdown.
void print_scheme_costs(std::ostream& out, const std::vector<scheme_cost>& costs);

const report_part<cost_report>& cost_part();

}  // namespace pws::platform
