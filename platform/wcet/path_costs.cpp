// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/path_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

__extension__ using wide = unsigned __int128;  // sums of an approximation may be beyond 64 bits

// Cycles of one instruction before they are known to fit.
struct wide_cost {
  wide issue = 0, memory = 0, wait = 0, other = 0;
  wide all() const { return issue + memory + wait + other; }
};

class path_accountant {
 public:
  path_accountant(const wcet::analysed_kernel& code, const wcet::wavefront_bound& b)
      : graph_(code.graph()), bound_(b), costs_(graph_.code().instructions.size()) {
    if (const auto* times = std::get_if<wcet::static_times>(&b.times))
      add_static(*times);
    else
      for (size_t k = 0; k < graph_.size(); ++k)
        costs_[graph_[k].first].other += wide{b.path.node_count[k]} * b.block_cycles()[k];
    for (wide_cost& c : costs_)
      for (wide* part : {&c.issue, &c.memory, &c.wait, &c.other}) *part *= b.barriers.factor;
  }

  path_costs take() const {
    path_costs out;
    wide sum = 0;
    for (const wide_cost& c : costs_) sum += c.all();
    out.scaled = sum > bound_.cycles;
    const auto share = [&](wide cycles) { return static_cast<uint64_t>(out.scaled ? scaled(cycles, sum) : cycles); };
    uint64_t told = 0;
    for (size_t i = 0; i < costs_.size(); ++i) {
      const size_t block = graph_.block_of(i);
      path_cost c;
      c.executions = bound_.path.node_count[block];
      c.by_all_parts = bound_.work_count[block];
      c.issue = share(costs_[i].issue);
      c.memory = share(costs_[i].memory);
      c.wait = share(costs_[i].wait);
      c.other = share(costs_[i].other);
      told += c.cycles();
      out.instructions.push_back(c);
    }
    out.rest = bound_.cycles - told;
    return out;
  }

 private:
  void add_static(const wcet::static_times& times) {
    for (size_t k = 0; k < graph_.size(); ++k) {
      const wide n = bound_.path.node_count[k], work = bound_.work_count[k];
      for (size_t i = graph_[k].first; i < graph_[k].end; ++i) {
        costs_[i].issue += n * times.of[i].issue;
        costs_[i].memory += work * times.of[i].memory;
        if (!times.waits.shared[i]) costs_[i].wait += n * times.of[i].wait;
      }
    }
    for (size_t c = 0; c < times.waits.charges.size(); ++c)
      costs_[times.waits.charges[c].instruction].wait +=
          wide{bound_.path.charge_count[c]} * times.waits.charges[c].cycles;
    const wcet::flow_problem& p = bound_.problem;
    for (const wcet::flow_problem::edge& e : p.edges)  // what a branch's target costs is a node of its own
      if (e.to >= graph_.size())
        costs_[graph_[e.from].last()].issue += wide{bound_.path.node_count[e.to]} * p.cycles[e.to];
    for (const wcet::early_end& e : bound_.barriers.ends)
      costs_[graph_[e.block].last()].other += wide{bound_.path.node_count[e.block]} * e.cycles;
  }

  // cycles * E_WF / sum, rounded down, where the product may be beyond 128 bits.
  uint64_t scaled(wide cycles, wide sum) const {
    uint64_t quotient = 0;
    wide remainder = 0;  // below `sum`, which is below 2^127
    for (int bit = 63; bit >= 0; --bit) {
      remainder *= 2;
      quotient *= 2;
      if ((bound_.cycles >> bit & 1) != 0) remainder += cycles;
      while (remainder >= sum) {
        remainder -= sum;
        ++quotient;
      }
    }
    return quotient;
  }

  const cfg::flow_graph& graph_;
  const wcet::wavefront_bound& bound_;
  std::vector<wide_cost> costs_;
};

const char* what_it_does(const isa::inst& i) {
  if (is_vector_memory_atomic(i)) return "atomic";
  switch (operation_of(i)) {
    case isa::operation::load:
      return i.unit == isa::unit::scalar_memory ? "scalar load" : "load";
    case isa::operation::store:
      return "store";
    default:
      return i.unit == isa::unit::scalar_memory ? "scalar access" : "access";
  }
}

std::string number_of(uint32_t n, const char* one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : std::string(one) == "LDS pass" ? "es" : "s");
}

}  // namespace

path_cost& path_cost::operator+=(const path_cost& o) {
  executions = std::max(executions, o.executions);
  by_all_parts = std::max(by_all_parts, o.by_all_parts);
  issue += o.issue;
  memory += o.memory;
  wait += o.wait;
  other += o.other;
  return *this;
}

path_costs costs_of(const wcet::analysed_kernel& code, const wcet::wavefront_bound& b) {
  return path_accountant(code, b).take();
}

std::vector<source_cost> costs_by_line(const wcet::analysed_kernel& code, const path_costs& costs) {
  std::map<std::pair<std::string, uint32_t>, source_cost> lines;
  for (size_t i = 0; i < costs.instructions.size(); ++i) {
    const cfg::source_place at = code.place(i);
    const std::string file = at.line == 0 ? "" : at.file;
    source_cost& line = lines[{file, at.line}];
    line.file = file;
    line.line = at.line;
    line.cost += costs.instructions[i];
    line.instructions.push_back(i);
  }
  std::vector<source_cost> out;
  out.reserve(lines.size());
  for (auto& [place, line] : lines) out.push_back(std::move(line));
  return out;
}

std::string amount_text(const wcet::access_bound& a) {
  std::string text;
  if (a.lines != 0) text = number_of(a.lines, "line");
  if (a.lds_passes != 0) text += (text.empty() ? "" : " or ") + number_of(a.lds_passes, "LDS pass");
  return text;
}

std::string access_text(const wcet::analysed_kernel& code, size_t instruction) {
  const wcet::access_bound& a = code.accesses()[instruction];
  const std::string most = amount_text(a);
  if (most.empty()) return "";
  return fmt::format("{}: {} {}: {}", what_it_does(code.graph().code().instructions[instruction]),
                     a.exact_pattern ? "at most" : "unknown, charged", most, a.why);
}

std::vector<std::string> access_texts(const wcet::analysed_kernel& code, const std::vector<size_t>& instructions) {
  std::vector<std::pair<std::string, size_t>> said;
  for (const size_t i : instructions) {
    const std::string text = access_text(code, i);
    if (text.empty()) continue;
    const auto same = std::find_if(said.begin(), said.end(), [&](const auto& s) { return s.first == text; });
    if (same == said.end())
      said.emplace_back(text, 1);
    else
      ++same->second;
  }
  std::vector<std::string> out;
  out.reserve(said.size());
  for (const auto& [text, n] : said) out.push_back(n == 1 ? text : fmt::format("{} x {}", n, text));
  return out;
}

}  // namespace pws::platform
