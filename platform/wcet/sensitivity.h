// SPDX-License-Identifier: Apache-2.0
// How E_kernel moves with each constant of the machine and each bound of a loop, and the changes that would lower it
// most. Every number is a bound that the analysis has computed; none is estimated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/output/report_part.h"
#include "platform/run/program/compiled_program.h"
#include "platform/wcet/what_if.h"

namespace pws::platform {

struct wcet_program;

enum class changed_thing : uint8_t { machine, mark, loop, accesses, program };
constexpr auto enumerators(changed_thing) {
  using e = changed_thing;
  return std::array{named{e::machine, "machine"}, named{e::mark, "mark"}, named{e::loop, "loop"},
                    named{e::accesses, "accesses"}, named{e::program, "program"}};
}

// One thing with another value.
struct tried_change {
  changed_thing thing = changed_thing::machine;
  std::string name;   // a key; a mark, a loop or a line of the source
  std::string unit;   // of the value; empty: a count, or no number
  std::string value;  // as it is
  std::string to;     // as it would be; empty: there is no other value to try
  changed_bound bound;
  // (difference of E_kernel / E_kernel) / (difference of the value / value); nothing: no number
  std::optional<double> elasticity;
  std::string words;  // the change as a sentence part
};

struct bound_sensitivity {
  wcet::scheme scheme = wcet::scheme::pws;
  uint64_t bound = 0;                // E_kernel; of several launches the sum
  std::vector<tried_change> tried;   // machine, marks, loops, accesses, program
  std::vector<std::string> without;  // keys of the machine that no time in this analysis depends on
  std::vector<size_t> best;          // of `tried`: at most three, of different things, the best first

  int64_t difference(const tried_change& c) const { return static_cast<int64_t>(*c.bound.cycles - bound); }
};

// The run's machine (not provisioned) with these keys of it at another value. Throws input_error where that is not
// allowed.
using machine_with_keys =
    std::function<models::machine_config(const std::vector<std::string>& keys, const std::string& value)>;

// `p`: the result of analyse_wcet for `config`, with static block times; it stays as it is.
bound_sensitivity sensitivity_of(const wcet_program& p, const run_config& config, const compiled_program& program,
                                 wcet::scheme scheme, const machine_with_keys& other_machine);

// sensitivity_report.cpp
const report_part<bound_sensitivity>& sensitivity_part();
void print(std::ostream& out, const bound_sensitivity& s);
std::string csv_text(const bound_sensitivity& s);

}  // namespace pws::platform
