#include "platform/wcet/launch_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "models/isa/error.h"
#include "platform/attached_observer.h"
#include "platform/wcet/block_time_recorder.h"
#include "platform/wcet/loop_bound_checker.h"
#include "platform/wcet/machine_timing.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/loop_marks.h"
#include "sw/pwscc/source_mark.h"
#include "sw/wcet/hybrid_bound.h"
#include "sw/wcet/loop_facts.h"
#include "sw/wcet/machine_loop.h"

namespace pws::platform {

namespace {

// Where the kernel's instructions come from.
class source_lines {
 public:
  source_lines() = default;
  source_lines(const std::string& assembly, const std::string& name, const std::string& kernel)
      : file_(std::in_place, assembly, name), bounds_(wcet::bounds_of(pwscc::read_marks(assembly), kernel)) {
    for (pwscc::assembled_kernel& k : pwscc::assemble_kernels(*file_))
      if (k.name == kernel) kernel_ = std::move(k);
  }
  bool known() const { return kernel_.has_value(); }
  size_t words() const { return (kernel_->code.end() - kernel_->code.begin()) / 4; }
  pwscc::source_place place(size_t instruction) const {
    return known() ? file_->place_of(kernel_->line_of[instruction]) : pwscc::source_place{};
  }
  const std::vector<wcet::stated_bound>& bounds() const { return bounds_; }
  std::vector<pwscc::marked_loop> marked_loops() const {
    return known() ? pwscc::read_marked_loops(*file_, *kernel_) : std::vector<pwscc::marked_loop>();
  }
  // Throws input_error if the code is another one. Only addresses of other sections may differ.
  void require_same(const cfg::function_code& code) const {
    if (!known()) return;
    const auto& mine = kernel_->code.instructions;
    const bool same = mine.size() == code.instructions.size() &&
                      std::equal(mine.begin(), mine.end(), code.instructions.begin(),
                                 [](const isa::inst& a, const isa::inst& b) { return a.raw[0] == b.raw[0]; });
    if (!same)
      throw input_error(
          fmt::format("{}: kernel {} does not begin with an instruction of its own line (but with a "
                      "directive or a macro), so that its lines cannot be told",
                      file_->name(), kernel_->name));
  }

 private:
  std::optional<pwscc::assembly_file> file_;
  std::optional<pwscc::assembled_kernel> kernel_;
  std::vector<wcet::stated_bound> bounds_;
};

// Words of the kernel's code: as far as the assembly, its symbol, or its segment says.
size_t words_of(const loader::program_image& program, const loader::kernel& kernel, const source_lines& lines) {
  if (lines.known()) return lines.words();
  for (const loader::code_object& o : program.code_objects()) {
    const loader::image image = o.load(0);
    for (const loader::kernel& k : o.kernels()) {
      if (&k != &kernel) continue;
      for (const loader::symbol& s : image.symbols)
        if (s.address == k.entry_offset && s.size != 0) return s.size / 4;
      for (const loader::extent& e : image.extents)
        if (e.begin <= k.entry_offset && k.entry_offset < e.end) return (e.end - k.entry_offset) / 4;
    }
  }
  throw input_error(fmt::format("kernel {}: the end of its code is not known", kernel.demangled));
}

// The run file has the last word.
std::vector<wcet::stated_bound> stated_bounds(const wcet_config& config, const source_lines& lines) {
  std::vector<wcet::stated_bound> out;
  for (const loop_bound_config& l : config.loops) {
    wcet::stated_bound b;
    b.bound = l.bound;
    b.from = "wcet.loops";
    b.file = l.file;
    b.first_line = b.last_line = l.line;
    b.offset = l.offset;
    out.push_back(b);
  }
  out.insert(out.end(), lines.bounds().begin(), lines.bounds().end());
  return out;
}

wcet::launch_facts facts_of(const placed_launch& l) {
  wcet::launch_facts f;
  f.descriptor = l.kernel.kernel->descriptor;
  f.workgroup = l.shape.workgroup;
  f.grid = l.shape.grid;
  f.kernarg = l.prepared.arguments;
  f.kernarg_address = l.prepared.packet.kernarg_address;
  f.dispatch_packet.resize(sizeof l.prepared.packet);
  std::memcpy(f.dispatch_packet.data(), &l.prepared.packet, sizeof l.prepared.packet);
  return f;
}

// Thesis 5.3: delta measured, L_w from block times. An SWF's slot is its SpSIMD unit's; of several that used it, the
// latest to end by delta + L_w counts.
void bound_as_the_thesis(wcet_result& r, const block_time_recorder& recorder, uint64_t work_items) {
  wcet::hybrid_inputs in;
  in.w = uint64_t{r.machine.n_cu} * r.machine.n_simd * r.machine.n_wfc;
  in.t_wg = work_items;
  in.g = r.workgroups;
  const wcet::wavefront_bound& whole = r.of(wcet::scheme::pws).wavefront;
  std::map<uint64_t, uint64_t> l_of_split;  // by address
  for (const wcet::split_point& p : r.analysed->split_points())
    l_of_split[r.code.instructions[p.instruction].pc] = p.recognised ? r.analysed->part_cycles(whole, p) : whole.cycles;
  std::map<const models::wf_context*, std::vector<wcet::hybrid_inputs::split_time>> slots;
  for (const block_time_recorder::beginning& b : recorder.beginnings()) {
    auto& times = slots[b.root];
    times.resize(std::max<size_t>(times.size(), b.part + 1));
    const wcet::hybrid_inputs::split_time t{b.at, b.part == 0 ? whole.cycles : l_of_split[b.split_pc]};
    if (t.delta + t.l_w > times[b.part].delta + times[b.part].l_w) times[b.part] = t;
  }
  for (const auto& slot : slots) in.slots.push_back(slot.second);
  r.l_kernel = wcet::l_kernel(in);
  r.l_kernel_serialised = wcet::l_kernel_serialised(in);
}

}  // namespace

const scheme_bound* wcet_result::configured() const {
  const auto scheme = analysed_scheme(machine.divergence, block_times == block_time_source::measured);
  return scheme ? &of(*scheme) : nullptr;
}

launch_analysis::launch_analysis(const virtual_platform& gpu, device_runtime& runtime, const placed_launch& launch,
                                 const wcet_config& config, const std::string& source)
    : result_(std::make_unique<wcet_result>()) {
  wcet_result& r = *result_;
  const loader::kernel& kernel = *launch.kernel.kernel;
  r.source = source;
  r.kernel = kernel.demangled;
  r.launch = launch.shape;
  r.block_times = config.block_times;
  r.machine = gpu.config;
  if (r.block_times == block_time_source::machine) r.timing = timing_of(r.machine);
  r.swf_contexts = r.machine.spsimd_per_simd;
  r.workgroups = 1;
  group_.work_items = 1;
  for (size_t k = 0; k < 3; ++k) {
    r.workgroups *= (launch.shape.grid[k] - 1) / launch.shape.workgroup[k] + 1;
    group_.work_items *= launch.shape.workgroup[k];
  }
  r.wavefronts_per_group = (group_.work_items + isa::wave_size - 1) / isa::wave_size;
  group_.vgprs = kernel.descriptor.n_vgprs;
  group_.sgprs = kernel.descriptor.n_sgprs;
  group_.lds_bytes = launch.prepared.packet.group_segment_size;

  const std::string assembly(launch.program->find_kernel(kernel.metadata.name).object->assembly());
  // The result asks for places as long as it lives.
  const auto lines = assembly.empty() ? std::make_shared<const source_lines>()
                                      : std::make_shared<const source_lines>(assembly, source, kernel.metadata.name);
  std::vector<uint32_t> words(words_of(*launch.program, kernel, *lines));
  const uint64_t entry = launch.kernel.descriptor + static_cast<uint64_t>(kernel.descriptor.entry_offset);
  runtime.read(entry, words.data(), words.size() * 4);
  try {
    r.code = cfg::decode_function(kernel.demangled, words.data(), words.size(), entry);
  } catch (const program_error& e) {
    throw input_error(fmt::format("kernel {}: {}", kernel.demangled, e.what()));
  }
  lines->require_same(r.code);

  const std::vector<wcet::stated_bound> bounds = stated_bounds(config, *lines);
  wcet::code_facts facts;
  facts.place = [lines](size_t k) { return lines->place(k); };
  facts.loop = [&](const cfg::flow_graph& graph, size_t header) {
    return wcet::find_bound(bounds, graph, header, facts.place);
  };
  r.analysed = std::make_unique<wcet::kernel_code>(r.code, facts, facts_of(launch), r.timing, r.swf_contexts);
  for (const wcet::stated_bound& b : bounds)
    if (!b.used)
      r.warnings.push_back(
          fmt::format("{}: no loop of the kernel has the bound {} of {}", b.from, b.bound,
                      b.offset ? fmt::format("offset 0x{:x}", *b.offset) : fmt::format("{}:{}", b.file, b.first_line)));
  recorder_ = std::make_unique<block_time_recorder>(*r.analysed);
  std::vector<pwscc::marked_loop> counted = lines->marked_loops();
  for (const loop_bound_config& l : config.loops)
    if (l.offset)
      if (auto loop = wcet::machine_loop_at(r.analysed->graph(), *l.offset, l.bound)) counted.push_back(*loop);
  r.counted_loops = counted.size();
  loop_bounds_ = std::make_unique<loop_bound_checker>(r.machine, r.code, std::move(counted));
}

launch_analysis::~launch_analysis() = default;

launch_result launch_analysis::run(const virtual_platform& gpu, device_runtime& runtime,
                                   const prepared_launch& prepared) {
  const bool measures = result_->block_times == block_time_source::measured;
  if (measures) recorder_->begin_run();
  const attached_observer counting(gpu, loop_bounds_.get());
  const attached_observer measuring(gpu, measures ? recorder_.get() : nullptr);
  const launch_result run = runtime.submit(prepared);
  observation& o = result_->observed;
  o = {true, run.completed, run.error, loop_bounds_->broken(), std::max(o.cycles, run.cycles)};
  return run;
}

std::unique_ptr<wcet_result> launch_analysis::take_result() {
  wcet_result& r = *result_;
  const bool is_static = r.block_times == block_time_source::machine;
  if (!is_static && !r.observed.completed)
    throw program_error("the run that block times are measured in: " + r.observed.error);
  launch_shape shape;
  shape.workgroups = r.workgroups;
  shape.group = group_;
  for (const wcet::scheme s : {wcet::scheme::none, wcet::scheme::pws, wcet::scheme::dws}) {
    scheme_bound b;
    b.wavefront = is_static ? r.analysed->bound(s) : r.analysed->bound(s, recorder_->block_cycles());
    bound_launch(r.machine, shape, is_static ? first_issue_at_most(r.timing) : recorder_->first_issue(), b);
    r.schemes.push_back(std::move(b));
  }
  if (!is_static) bound_as_the_thesis(r, *recorder_, group_.work_items);
  return std::move(result_);
}

}  // namespace pws::platform
