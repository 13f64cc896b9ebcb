#include "sw/wcet/access_pattern.h"

#include <string_view>

#include "models/isa/opcode_row.h"

namespace pws::wcet {

std::vector<access_bound> bound_accesses(const cfg::flow_graph& graph, const launch_facts&, const memory_shape&) {
  std::vector<access_bound> out;
  for (const isa::inst& i : graph.code().instructions) {
    access_bound a;
    const bool loads = std::string_view(i.row->mnemonic).find("load") != std::string_view::npos;
    if (i.unit == isa::unit::scalar_memory && loads) a.lines = 2;
    if (i.unit == isa::unit::vector_memory) a.lines = 128;
    if (i.unit == isa::unit::lds) a.lds_passes = 512;
    a.why = "addresses not known";
    out.push_back(a);
  }
  return out;
}

}  // namespace pws::wcet
