// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/kernel_report.h"

#include <sstream>

#include "models/isa/code/decode.h"
#include "sw/cfg/branch_classes.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/split_editor.h"
#include "sw/wcet/uniformity/branch_uniformity.h"

namespace pws::pwscc {

namespace {

void count_branches(kernel_report& r, const cfg::flow_graph& graph) {
  for (const cfg::classified_branch& b : cfg::classify_branches(graph)) {
    uint64_t& count = b.what == cfg::branch_class::uniform          ? r.uniform
                      : b.what == cfg::branch_class::run_time_check ? r.checks
                      : b.what == cfg::branch_class::loop           ? r.loop_branches
                                                                    : r.other;
    ++count;
  }
}

void find_missed(kernel_report& r, const assembly_file& file, const assembled_kernel& kernel,
                 const cfg::flow_graph& graph) {
  for (const wcet::branch_uniformity& b : wcet::analyse_uniformity(graph, kernel.descriptor)) {
    if (!b.serialised_for_nothing()) continue;
    const size_t line = kernel.line_of[b.site.instruction];
    const cfg::source_place place = file.place_of(line);
    r.missed.push_back({place.file, place.line, place.column, static_cast<uint32_t>(line + 1),
                        isa::disassemble(kernel.code.instructions[b.site.instruction]), name_of(b.origin)});
  }
}

}  // namespace

std::vector<kernel_report> describe_kernels(const std::string& assembly, const std::string& name,
                                            const std::map<std::string, ir_structure>& structure) {
  const assembly_file file(assembly, name);
  std::vector<kernel_report> out;
  for (const assembled_kernel& kernel : assemble_kernels(file)) {
    kernel_report r;
    r.function = kernel.name;
    if (const auto found = structure.find(kernel.name); found != structure.end()) {
      r.has_structure = true;
      r.structure = found->second;
    }
    const cfg::flow_graph graph(kernel.code);
    r.blocks = graph.size();
    count_branches(r, graph);
    find_missed(r, file, kernel, graph);
    const register_budget registers(file, kernel.where);
    r.vgprs = registers.first_free_vgpr();
    r.sgprs = registers.sgprs();
    r.mask_pairs = cfg::count_mask_pairs(kernel.code);
    out.push_back(std::move(r));
  }
  return out;
}

std::map<std::string, ir_structure> read_structure(const std::string& text) {
  std::map<std::string, ir_structure> out;
  std::istringstream in(text);
  std::string function;
  ir_structure s;
  while (in >> function >> s.blocks >> s.regions >> s.loops >> s.branches >> s.switches) out[function] = s;
  return out;
}

}  // namespace pws::pwscc
