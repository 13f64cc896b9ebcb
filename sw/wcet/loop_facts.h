// Which loop of the machine code a bound in the source or in the run file is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/cfg/flow_graph.h"
#include "sw/pwscc/source_mark.h"
#include "sw/wcet/wavefront_bound.h"

namespace pws::wcet {

// A bound that a user states.
struct stated_bound {
  uint64_t bound = 0;
  std::string from;  // for the report
  // By source: lines of the loop statement's head. `file`: its end, as "kernels/a.hip"; empty: any.
  std::string file;
  uint32_t first_line = 0, last_line = 0;
  // By address: of an instruction in the loop and in no inner one, from the kernel's entry on. Wins over lines.
  std::optional<uint64_t> offset;
  mutable bool used = false;  // belongs to a loop
};

// PWS_LOOP_BOUND marks, for the kernel of that (mangled) name: of instances of a template, where the kernel is one, its
// own. Of what is inlined into it all instances are there, and the largest bound counts.
std::vector<stated_bound> bounds_of(const std::vector<pwscc::source_mark>& marks, const std::string& kernel);

// The bound of the loop with that header. A loop is a statement's if what decides one of its branches back or out is in
// the statement's head; the largest bound counts if there are several. A statement's initialisation lies in the loop
// around it and says nothing.
std::optional<code_facts::loop_fact> find_bound(const std::vector<stated_bound>& bounds, const cfg::flow_graph& graph,
                                                size_t header, const std::function<pwscc::source_place(size_t)>& place);

// Where the loop statement is in the source: the first line of what decides the loop's branches. Line 0: unknown.
pwscc::source_place place_of_loop(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                  const std::function<pwscc::source_place(size_t)>& place);

}  // namespace pws::wcet
