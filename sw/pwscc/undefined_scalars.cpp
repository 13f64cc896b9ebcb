// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/undefined_scalars.h"

#include <cctype>
#include <charconv>
#include <string_view>

#include "models/isa/wave_state.h"

namespace pws::pwscc {

namespace {

// "$sgpr4_sgpr5" and the like. Vector and other registers are passed over.
void add_registers(std::string_view list, cfg::scalar_set& to) {
  while (!list.empty()) {
    size_t end = 0;
    while (end < list.size() && std::isalnum(static_cast<unsigned char>(list[end])) != 0) ++end;
    const std::string_view word = list.substr(0, end);
    const bool low = list.substr(end) == "_lo", high = list.substr(end) == "_hi";
    if (word == "vcc") {
      if (!high) to.set(isa::vcc_lo);
      if (!low) to.set(isa::vcc_lo + 1);
    } else if (word == "scc") {
      to.set(cfg::scc_bit);
    } else if (word.substr(0, 4) == "sgpr") {
      unsigned number = isa::sgpr_limit;
      const char* last = word.data() + word.size();
      if (std::from_chars(word.data() + 4, last, number).ptr == last && number < isa::sgpr_limit) to.set(number);
    }
    list.remove_prefix(end < list.size() && list[end] == '_' ? end + 1 : list.size());
  }
}

}  // namespace

std::vector<cfg::scalar_set> undefined_scalars(const assembly_file& file, const assembled_kernel& kernel,
                                               const cfg::flow_graph& graph) {
  constexpr std::string_view says = "; implicit-def: $";
  std::vector<cfg::scalar_set> out(kernel.line_of.size());
  cfg::scalar_set undefined, behind_label;
  bool inline_assembly = false;
  size_t k = 0;
  for (size_t line = kernel.where.label; line < kernel.where.end && k < out.size(); ++line) {
    const assembly_line& l = file.lines()[line];
    if (kernel.line_of[k] == line) {
      // Other paths may come in at a label. Debug information has labels in the middle of blocks too.
      out[k] = graph[graph.block_of(k)].first == k ? behind_label : undefined;
      while (k < out.size() && kernel.line_of[k] == line) ++k;
      undefined.reset();
      behind_label.reset();
    } else if (l.what == assembly_line::kind::label) {
      behind_label.reset();
    } else if (l.what == assembly_line::kind::other) {
      const size_t begin = l.text.find_first_not_of(" \t");
      const std::string_view text = begin == std::string::npos ? "" : std::string_view(l.text).substr(begin);
      if (text.substr(0, 6) == ";;#ASM") inline_assembly = text.substr(0, 10) == ";;#ASMSTAR";
      if (!inline_assembly && text.substr(0, says.size()) == says) {
        add_registers(text.substr(says.size()), behind_label);
        undefined |= behind_label;
      }
    }
  }
  return out;
}

}  // namespace pws::pwscc
