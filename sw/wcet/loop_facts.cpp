#include "sw/wcet/loop_facts.h"

#include <algorithm>
#include <filesystem>

#include "sw/cfg/dominators.h"
#include "sw/cfg/natural_loops.h"
#include "sw/cfg/scalar_set.h"

namespace pws::wcet {

namespace {

// The branch that ends a block, and what it depends on within the block: the compare, the masks it goes through, and
// what a scalar compare compares.
std::vector<size_t> deciding_instructions(const cfg::flow_graph& graph, size_t block) {
  constexpr int most_steps = 8;
  const auto& code = graph.code().instructions;
  std::vector<size_t> out{graph[block].last()};
  cfg::scalar_set wanted = cfg::scalars_read(code[graph[block].last()]);
  int steps = 0;
  for (size_t k = graph[block].last(); wanted.any() && steps < most_steps && k-- > graph[block].first;) {
    const cfg::scalar_set written = cfg::scalars_written(code[k]);
    if ((written & wanted).none()) continue;
    ++steps;
    out.push_back(k);
    wanted &= ~written;
    if (code[k].unit == isa::unit::salu) wanted |= cfg::scalars_read(code[k]);
  }
  return out;
}

bool ends_with(const std::string& path, const std::string& end) {
  namespace fs = std::filesystem;
  const std::string whole = fs::path(path).lexically_normal().string();
  const std::string part = fs::path(end).lexically_normal().string();
  if (whole.size() < part.size() || whole.compare(whole.size() - part.size(), part.size(), part) != 0) return false;
  return whole.size() == part.size() || part.front() == '/' || whole[whole.size() - part.size() - 1] == '/';
}

bool covers(const stated_bound& b, const pwscc::source_place& p) {
  return b.first_line != 0 && p.line >= b.first_line && p.line <= b.last_line &&
         (b.file.empty() || ends_with(std::filesystem::absolute(p.file).string(), b.file));
}

// Blocks of the loop that end with a branch back or out.
bool decides(const cfg::flow_graph& graph, const cfg::natural_loop& loop, size_t block) {
  return std::any_of(graph[block].successors.begin(), graph[block].successors.end(),
                     [&](size_t to) { return to == loop.header || !loop.contains(to); });
}

}  // namespace

std::vector<stated_bound> bounds_of(const std::vector<pwscc::source_mark>& marks, const std::string& kernel) {
  // As an <encoding>: extern "C" functions are there with the length of their name.
  const std::string function = kernel.substr(0, 2) == "_Z" ? kernel.substr(2) : std::to_string(kernel.size()) + kernel;
  std::vector<stated_bound> out;
  for (const pwscc::source_mark& m : marks) {
    if (m.what != pwscc::source_mark::kind::loop_bound) continue;
    const bool of_another_instance =
        m.function != function && std::any_of(marks.begin(), marks.end(), [&](const pwscc::source_mark& o) {
          return o.function == function && o.line == m.line && o.file == m.file;
        });
    if (of_another_instance) continue;
    stated_bound b;
    b.bound = m.bound;
    b.from = "PWS_LOOP_BOUND";
    b.file = m.file;
    b.first_line = m.first_line;
    b.last_line = m.last_line;
    out.push_back(b);
  }
  return out;
}

std::optional<code_facts::loop_fact> find_bound(const std::vector<stated_bound>& bounds, const cfg::flow_graph& graph,
                                                size_t header,
                                                const std::function<pwscc::source_place(size_t)>& place) {
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph, dominators);
  std::optional<code_facts::loop_fact> by_line, by_offset;
  const auto add = [](std::optional<code_facts::loop_fact>& to, const stated_bound& b, const pwscc::source_place& at) {
    b.used = true;
    if (!to || b.bound > to->bound) to = code_facts::loop_fact{b.bound, b.from, at};
  };
  for (size_t l = 0; l < forest.loops().size(); ++l) {
    const cfg::natural_loop& loop = forest.loops()[l];
    if (loop.header != header) continue;
    for (const size_t b : loop.blocks) {
      if (forest.innermost(b) != l) continue;
      const auto& code = graph.code();
      for (const stated_bound& s : bounds)
        if (s.offset && *s.offset >= code.instructions[graph[b].first].pc - code.begin() &&
            *s.offset <= code.instructions[graph[b].last()].pc - code.begin())
          add(by_offset, s, {});
      if (!decides(graph, loop, b)) continue;
      for (const size_t k : deciding_instructions(graph, b))
        for (const stated_bound& s : bounds)
          if (const pwscc::source_place at = place(k); !s.offset && covers(s, at)) add(by_line, s, at);
    }
  }
  return by_offset ? by_offset : by_line;
}

pwscc::source_place place_of_loop(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                  const std::function<pwscc::source_place(size_t)>& place) {
  pwscc::source_place first;
  for (const size_t b : loop.blocks) {
    if (!decides(graph, loop, b)) continue;
    for (const size_t k : deciding_instructions(graph, b)) {
      const pwscc::source_place p = place(k);
      if (p.line != 0 && (first.line == 0 || p.line < first.line)) first = p;
    }
  }
  return first;
}

}  // namespace pws::wcet
