// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/launch_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "platform/run/program/machine_timing.h"
#include "platform/wcet/block_time_recorder.h"
#include "platform/wcet/buffer_checker.h"
#include "platform/wcet/loop_bound_checker.h"
#include "platform/wcet/loop_pass_recorder.h"
#include "platform/wcet/stated_bounds.h"
#include "sw/cfg/inlined_calls.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/kernel/hybrid_bound.h"
#include "sw/wcet/kernel/wavefront_problem.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::platform {

namespace {

// What has to do with [first, end) alone, counted from there.
std::vector<wcet::marked_loop> loops_in(const std::vector<wcet::marked_loop>& loops, size_t first, size_t end) {
  std::vector<wcet::marked_loop> out;
  const auto outside = [&](size_t k) { return k < first || k >= end; };
  for (wcet::marked_loop m : loops) {
    if (std::any_of(m.entries.begin(), m.entries.end(), outside) ||
        std::any_of(m.iterations.begin(), m.iterations.end(), outside))
      continue;
    for (auto* anchors : {&m.entries, &m.iterations})
      for (size_t& k : *anchors) k -= first;
    for (auto& a : m.anchors) a.instruction -= first;
    if (!m.in_loop.empty()) {
      if (first != 0) continue;  // a bound of the machine code in one copy: other calls are not held to it
      m.in_loop.resize(end);
    }
    out.push_back(std::move(m));
  }
  return out;
}

// Runs count loops of the kernel, and the source's loops in functions that it calls: of each the first copy says which.
std::unique_ptr<loop_bound_checker> loops_counted(const models::machine_config& machine,
                                                  const cfg::function_code& kernel, const cfg::inlined_code& code,
                                                  const std::vector<wcet::marked_loop>& loops) {
  auto checker = std::make_unique<loop_bound_checker>(machine, kernel, loops_in(loops, 0, code.own));
  std::set<uint64_t> seen;
  for (const cfg::inlined_code::copy& c : code.copies) {
    if (!seen.insert(c.function).second) continue;
    cfg::function_code function;
    function.name = kernel.name;
    for (size_t k = c.first; k < c.end; ++k) {
      function.instructions.push_back(code.code.instructions[k]);
      function.instructions.back().pc = code.address[k];
    }
    checker->count_called(machine, function, loops_in(loops, c.first, c.end));
  }
  return checker;
}

// Thesis 5.3: delta measured, L_w from block times. An SWF's slot is its SpSIMD unit's; of several that used it, the
// latest to end by delta + L_w counts.
measured_basis bound_as_the_thesis(const wcet_result& r, const block_time_recorder& recorder, uint64_t work_items) {
  wcet::hybrid_inputs in;
  in.w = models::contexts_of_machine(r.machine);
  in.t_wg = work_items;
  in.g = r.workgroups;
  const wcet::wavefront_bound& whole = r.of(wcet::scheme::pws).wavefront;
  std::map<uint64_t, uint64_t> l_of_split;  // by address
  for (const wcet::split_point& p : r.analysed->split_points())
    l_of_split[r.code.instructions[p.instruction].pc] =
        p.recognised ? wcet::part_cycles(whole.problem, p) : whole.cycles;
  std::map<const models::wf_context*, std::vector<wcet::hybrid_inputs::split_time>> slots;
  for (const block_time_recorder::beginning& b : recorder.beginnings()) {
    auto& times = slots[b.root];
    times.resize(std::max<size_t>(times.size(), b.part + 1));
    const wcet::hybrid_inputs::split_time t{b.at, b.part == 0 ? whole.cycles : l_of_split[b.split_pc]};
    if (t.delta + t.l_w > times[b.part].delta + times[b.part].l_w) times[b.part] = t;
  }
  for (const auto& slot : slots) in.slots.push_back(slot.second);
  return {wcet::l_kernel(in), wcet::l_kernel_serialised(in)};
}

}  // namespace

const scheme_bound* wcet_result::configured() const {
  const auto scheme = analysed_scheme(machine.divergence, measured() != nullptr);
  return scheme ? &of(*scheme) : nullptr;
}

// The allocations that pointers among the launch's arguments lead to, in the order of the arguments.
static std::vector<wcet::device_buffer> buffers_of(const device_layout& layout, const std::vector<uint8_t>& kernarg) {
  std::vector<wcet::device_buffer> out;
  for (size_t k = 0; k + sizeof(uint64_t) <= kernarg.size(); k += sizeof(uint64_t)) {
    uint64_t address;
    std::memcpy(&address, kernarg.data() + k, sizeof address);
    const device_layout::allocation* a = layout.find(address);
    const bool known = a == nullptr || std::any_of(out.begin(), out.end(),
                                                   [a](const wcet::device_buffer& b) { return b.begin == a->begin; });
    if (!known && out.size() < wcet::max_buffers) out.push_back({a->begin, a->end, a->name});
  }
  return out;
}

wcet::launch_facts facts_of(const device_layout& layout, const kernel_launch& l) {
  wcet::launch_facts f;
  f.descriptor = l.kernel.kernel->descriptor;
  f.workgroup = l.workgroup;
  f.grid = l.grid;
  f.kernarg = l.kernarg;
  f.kernarg_address = l.packet.kernarg_address;
  f.dispatch_packet.resize(sizeof l.packet);
  std::memcpy(f.dispatch_packet.data(), &l.packet, sizeof l.packet);
  f.buffers = buffers_of(layout, l.kernarg);
  return f;
}

launch_extent extent_of(const kernel_launch& l) {
  const isa::kernel_descriptor& d = l.kernel.kernel->descriptor;
  launch_extent s;
  s.workgroups = wcet::workgroups_of(l.grid, l.workgroup);
  s.group.work_items = wcet::work_items_of(l.workgroup);
  s.group.vgprs = d.n_vgprs;
  s.group.sgprs = d.n_sgprs;
  s.group.lds_bytes = l.packet.group_segment_size;
  return s;
}

launch_analysis::launch_analysis(const models::machine_config& machine, const device_layout& layout,
                                 const kernel_launch& launch, const wcet_config& config)
    : result_(std::make_unique<wcet_result>()) {
  const models::scheme_traits& scheme = models::traits_of(machine.divergence);
  if (scheme.bound == models::divergence_bound::not_analysed)
    throw input_error(fmt::format("machine.divergence {} has no analysis", scheme.name));
  if (scheme.splits() && machine.scoreboard != models::path_scoreboard::drain)
    throw input_error(fmt::format("machine.scoreboard {} has no analysis; drain has one", name_of(machine.scoreboard)));
  if (machine.hardware_queues > 1)
    throw input_error(
        fmt::format("machine.hardware_queues {} has no analysis: others may run beside the kernel; 1 has one",
                    machine.hardware_queues));
  wcet_result& r = *result_;
  r.extent = extent_of(launch);
  const loader::kernel& kernel = *launch.kernel.kernel;
  r.source = launch.source;
  r.kernel = kernel.demangled;
  r.launch.grid = launch.grid;
  r.launch.workgroup = launch.workgroup;
  r.machine = machine;
  const bool is_static = config.block_times == block_time_source::machine;
  wcet::memory_shape memory;
  if (is_static) {
    const wcet::machine_timing& timing = r.basis.emplace<static_basis>(static_basis{timing_of(r.machine)}).timing;
    memory = {timing.line_bytes, timing.lds_banks};
  } else {
    r.basis.emplace<measured_basis>();
  }
  r.swf_contexts = r.machine.spsimd_per_simd;
  r.workgroups = r.extent.workgroups;
  r.wavefronts_per_group = models::wavefronts_of(r.extent.group.work_items);

  const launched_code code = read_code(layout, launch);
  const cfg::inlined_code& inlined = code.inlined;
  if (!inlined.copies.empty() && !is_static)
    throw input_error(fmt::format("kernel {}: measured block times do not follow its calls", kernel.demangled));
  r.code = inlined.code;
  address_ = inlined.address;
  own_ = inlined.own;

  wcet::code_facts facts;
  // The result asks for places as long as it lives.
  facts.place = [lines = code.lines, address = inlined.address](size_t k) {
    return lines->place(address[k] - address.front());
  };
  stated_bounds stated(code, launch);
  misplaced_bounds_ = add_all(config.loops, stated);
  facts.marked = stated.take();
  wcet::launch_facts known = facts_of(layout, launch);
  // Each call of a function may have pointers to other buffers, and its accesses are not told apart by call while it
  // runs.
  if (!config.buffers || !inlined.copies.empty()) known.buffers.clear();
  known.splits_by_code = machine.divergence != models::divergence_kind::pws_mode;
  r.analysed = std::make_unique<wcet::analysed_kernel>(r.code, facts, known, memory, r.swf_contexts);
  auto buffers = std::make_unique<buffer_checker>(r.code, r.analysed->accesses(), known.buffers);
  if (buffers->checked() != 0) buffers_ = std::move(buffers);
  if (!is_static) recorder_ = std::make_unique<block_time_recorder>(*r.analysed);
  r.counted_loops = facts.marked.size();
  std::vector<wcet::marked_loop> counted = std::move(facts.marked);
  for (wcet::marked_loop& m : wcet::checks_of(r.analysed->graph(), r.analysed->loops()))
    counted.push_back(std::move(m));
  loop_bounds_ = loops_counted(r.machine, code.own, inlined, counted);
}

launch_analysis::~launch_analysis() = default;

void launch_analysis::launch_begins(const models::gpu& gpu) {
  if (recorder_) recorder_->begin_run();
  for (models::execution_observer* const o : std::initializer_list<models::execution_observer*>{
           loop_bounds_.get(), buffers_.get(), recorder_.get(), passes_.get()})
    attached_.push_back(std::make_unique<attached_observer>(gpu, o));
}

void launch_analysis::launch_ended(bool completed, const std::string& error, models::cycle_t cycles) {
  attached_.clear();
  if (result_) result_->observed = {true, completed, error, broken(), std::max(result_->observed.cycles, cycles)};
}

void launch_analysis::count_unbounded() {
  std::vector<loop_pass_recorder::loop> loops;
  const cfg::flow_graph& graph = result_->analysed->graph();
  for (const wcet::bounded_loop& l : result_->analysed->loops()) {
    if (l.passes) continue;
    loop_pass_recorder::loop counted{address_[graph[l.header].first], {}};
    for (const size_t b : l.blocks)
      for (size_t k = graph[b].first; k < graph[b].end; ++k) counted.inside.insert(address_[k]);
    loops.push_back(std::move(counted));
  }
  passes_ = std::make_unique<loop_pass_recorder>(std::move(loops));
}

std::vector<unbounded_loop> launch_analysis::unbounded() const {
  std::vector<unbounded_loop> out;
  const cfg::flow_graph& graph = result_->analysed->graph();
  for (const wcet::bounded_loop& l : result_->analysed->loops()) {
    if (l.passes) continue;
    unbounded_loop u{result_->kernel, l.place, std::nullopt, passes_ ? passes_->most()[out.size()] : 0};
    if (graph[l.header].first < own_) u.offset = result_->offset_of(graph[l.header].first);
    out.push_back(std::move(u));
  }
  return out;
}

const std::string& launch_analysis::broken() const {
  return buffers_ && !buffers_->broken().empty() ? buffers_->broken() : loop_bounds_->broken();
}

scheme_bound launch_analysis::bound(wcet::scheme s) const {
  const wcet_result& r = *result_;
  scheme_bound b;
  uint64_t first_issue = 0;
  if (const auto* constants = std::get_if<static_basis>(&r.basis)) {
    b.wavefront = wcet::bound_wavefront(*r.analysed, s, constants->timing);
    first_issue = first_issue_at_most(constants->timing);
  } else {
    b.wavefront = wcet::bound_wavefront(*r.analysed, s, wcet::measured_times{recorder_->block_cycles()});
    first_issue = recorder_->first_issue();
  }
  bound_launch(r.machine, r.extent, first_issue, b);
  return b;
}

std::unique_ptr<wcet_result> launch_analysis::take_result() {
  wcet_result& r = *result_;
  if (recorder_ && !r.observed.completed)
    throw program_error("the run that block times are measured in: " + r.observed.error);
  for (const wcet::scheme s : {wcet::scheme::none, wcet::scheme::pws, wcet::scheme::dws}) r.schemes.push_back(bound(s));
  if (recorder_) r.basis = bound_as_the_thesis(r, *recorder_, r.extent.group.work_items);
  return std::move(result_);
}

}  // namespace pws::platform
