// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/split_nesting.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/code/decode.h"

namespace pws::wcet {

namespace {
[[noreturn]] void refuse(const cfg::function_code& code, size_t instruction, const char* problem) {
  const isa::inst& i = code.instructions[instruction];
  throw input_error(fmt::format("{}+0x{:x}: {}: {}", code.name, i.pc - code.begin(), isa::disassemble(i), problem));
}
}  // namespace

split_nesting::split_nesting(const cfg::flow_graph& graph) : innermost_(graph.code().instructions.size(), none) {
  const auto& code = graph.code().instructions;
  std::vector<size_t> number(code.size(), none);
  for (size_t k = 0; k < code.size(); ++k) {
    if (code[k].unit != isa::unit::split) continue;
    number[k] = splits_.size();
    splits_.push_back(k);
  }
  parent_.assign(splits_.size(), none);
  // Splits nest, so the innermost open one says all: what is around it is the same on every path to it.
  std::vector<size_t> at_entry(graph.size(), none);
  std::vector<bool> seen(graph.size(), false), split_seen(splits_.size(), false);
  seen[0] = true;
  for (const size_t b : graph.reverse_postorder()) {
    size_t open = at_entry[b];
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      innermost_[k] = open;
      if (code[k].unit == isa::unit::split) {
        const size_t s = number[k];
        if (split_seen[s] && parent_[s] != open) refuse(graph.code(), k, "other splits are open on other paths to it");
        split_seen[s] = true;
        parent_[s] = open;
        open = s;
      } else if (code[k].unit == isa::unit::merge) {
        if (open == none) refuse(graph.code(), k, "no split is open here");
        open = parent_[open];
      }
    }
    if (code[graph[b].last()].unit == isa::unit::end && open != none)
      refuse(graph.code(), graph[b].last(), "the kernel ends with a split open");
    for (const size_t to : graph[b].successors) {
      if (!seen[to]) {
        seen[to] = true;
        at_entry[to] = open;
      } else if (at_entry[to] != open) {
        refuse(graph.code(), graph[to].first, "paths meet here with different splits open");
      }
    }
  }
}

}  // namespace pws::wcet
