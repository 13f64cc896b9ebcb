// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/accesses/access_pattern.h"

#include <algorithm>
#include <stdexcept>

#include "models/flow/dominators.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/lanes/lane_value_analysis.h"

namespace pws::wcet {

namespace {

// The most of each instruction, over all that a kind of wavefronts may do.
class worst_accesses {
 public:
  worst_accesses(const cfg::function_code& code, const access_bounder& b)
      : bounds(code.instructions.size()),
        seen(code.instructions.size(), false),
        within(code.instructions.size(), 0),
        code_(&code),
        bounder_(&b) {}
  void operator()(size_t k, const lane_state& s) {
    const isa::inst& i = code_->instructions[k];
    if (!i.is_memory()) return;
    const buffer_set buffers = bounder_->buffers_of(i, s);
    within[k] = !seen[k] ? buffers : within[k] != 0 && buffers != 0 ? within[k] | buffers : 0;
    const access_bound now = bounder_->of(i, s);
    access_bound& worst = bounds[k];
    if (!seen[k] || now.lines + now.lds_passes > worst.lines + worst.lds_passes) worst.why = now.why;
    worst.lines = std::max(worst.lines, now.lines);
    worst.lds_passes = std::max(worst.lds_passes, now.lds_passes);
    worst.exact_pattern = now.exact_pattern && (!seen[k] || worst.exact_pattern);
    seen[k] = true;
  }

  // What others say of the same executions: the smaller one counts.
  void limit_by(const worst_accesses& o) {
    for (size_t k = 0; k < bounds.size(); ++k) {
      if (!o.seen[k]) continue;
      access_bound& to = bounds[k];
      const access_bound& from = o.bounds[k];
      if (from.lines + from.lds_passes < to.lines + to.lds_passes) {
        to.why = from.why;
        to.exact_pattern = to.exact_pattern || from.exact_pattern;
      }
      to.lines = std::min(to.lines, from.lines);
      to.lds_passes = std::min(to.lds_passes, from.lds_passes);
      if (o.within[k] != 0) within[k] = o.within[k];
    }
  }

  std::vector<access_bound> bounds;  // by instruction
  std::vector<bool> seen;            // which it has been asked about
  std::vector<buffer_set> within;    // of all executions together

 private:
  const cfg::function_code* code_;
  const access_bounder* bounder_;
};

// How many loops are around one another at most.
size_t loop_depth(const cfg::flow_graph& graph) {
  const cfg::loop_forest forest(graph, cfg::dominator_tree(graph, cfg::dominator_tree::direction::dominators));
  size_t most = 0;
  for (const cfg::natural_loop& l : forest.loops()) most = std::max(most, l.depth);
  return most;
}

// What one way to tell iterations apart says of all wavefronts.
struct followed {
  lane_paths paths;
  worst_accesses accesses;
};

// Nothing: too much to look at.
std::optional<followed> follow_each(const cfg::flow_graph& graph, const lane_transfer& transfer,
                                    const launch_facts& facts, const std::vector<wave_kind>& waves,
                                    const access_bounder& bounds, uint32_t iterations, size_t levels,
                                    size_t most_work) {
  const size_t most_of_a_wave = std::clamp<size_t>(most_work / waves.size(), 1'000'000, 2'000'000);
  followed f{{}, {graph.code(), bounds}};
  size_t work = most_work;
  for (size_t w = 0; w < waves.size(); ++w) {
    const auto p =
        analyse_lane_values(graph, transfer, facts, waves[w], {iterations, std::min(work, most_of_a_wave), levels},
                            [&](size_t k, const lane_state& s) { f.accesses(k, s); });
    if (!p) return std::nullopt;
    work -= p->work;
    // It will not be enough if the others are like these.
    if (work == 0 || (most_work - work) / (w + 1) > most_work / waves.size() * 5 / 4) return std::nullopt;
    f.paths.take_in(*p);
  }
  return f;
}

// Each wavefront by itself, with as many iterations of loops told apart as there is time for: 64 of all loops; else 64
// of as many outer loops as can be, and what fewer iterations of all loops say besides. Nothing: with none there is too
// much to look at, or there are too many wavefronts.
std::vector<followed> follow_waves(const cfg::flow_graph& graph, const launch_facts& facts,
                                   const access_bounder& bounds) {
  constexpr uint64_t most_waves = 512;
  const std::vector<wave_kind> waves = facts.work != 0 ? each_wave(facts, most_waves) : std::vector<wave_kind>{};
  if (waves.empty()) return {};
  const lane_transfer transfer(graph, facts);
  std::vector<followed> found;
  const auto follow = [&](uint32_t iterations, size_t levels, size_t work) {
    auto f = follow_each(graph, transfer, facts, waves, bounds, iterations, levels, work);
    if (f) found.push_back(std::move(*f));
    return f.has_value();
  };
  if (follow(64, unrolling::all_levels, facts.work)) return found;
  const size_t depth = loop_depth(graph);
  for (size_t levels = 1; levels < depth; ++levels)
    if (!follow(64, levels, facts.work / 4)) break;
  if (!follow(8, unrolling::all_levels, facts.work) && found.empty()) follow(0, unrolling::all_levels, facts.work);
  return found;
}

}  // namespace

launch_accesses bound_accesses(const cfg::flow_graph& graph, const launch_facts& facts, const memory_shape& shape,
                               value_ranges* ranges) {
  if (shape.line_bytes == 0 || (shape.line_bytes & (shape.line_bytes - 1)) != 0)
    throw std::invalid_argument("a cache line's size must be a power of two");
  if (shape.lds_banks == 0) throw std::invalid_argument("LDS has at least one bank");
  const access_bounder b(shape, facts);
  worst_accesses worst(graph.code(), b);
  for (const wave_kind& kind : wave_kinds(facts)) {
    const auto visit = [&](size_t k, const lane_state& s) {
      worst(k, s);
      if (ranges != nullptr) ranges->visit(k, s);
    };
    edge_visitor visit_edge;
    if (ranges != nullptr)
      visit_edge = [&](size_t from, size_t to, const lane_state& s) { ranges->visit_edge(from, to, s); };
    analyse_lane_values(graph, facts, kind, visit, visit_edge);
  }
  launch_accesses out;
  for (const followed& f : follow_waves(graph, facts, b)) {
    worst.limit_by(f.accesses);
    if (!out.paths)
      out.paths = f.paths;
    else
      out.paths->limit_by(f.paths);
  }
  out.bounds = std::move(worst.bounds);
  for (size_t k = 0; k < out.bounds.size(); ++k) b.limit(out.bounds[k], worst.within[k]);
  return out;
}

}  // namespace pws::wcet
