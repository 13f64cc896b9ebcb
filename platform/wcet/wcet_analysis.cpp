#include "platform/wcet/wcet_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "models/isa/error.h"
#include "models/provisioning.h"
#include "platform/config/buffer.h"
#include "platform/runtime/device_runtime.h"
#include "platform/wcet/block_time_recorder.h"
#include "platform/wcet/machine_timing.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/source_mark.h"
#include "sw/wcet/hybrid_bound.h"
#include "sw/wcet/loop_facts.h"

namespace pws::platform {

namespace {

// The run's launch, laid out in device memory.
struct laid_out_launch {
  std::vector<uint64_t> buffers;  // address of each argument that is one; 0
  loaded_kernel kernel;
  prepared_launch launch;
  wcet::launch_facts facts;
  uint64_t entry = 0;  // device address
};

laid_out_launch lay_out(const run_config& config, device_runtime& runtime) {
  laid_out_launch out;
  launch_request request;
  request.kernel = runtime.find_kernel(config.program.kernel);
  request.grid = config.launch.grid;
  request.workgroup = config.launch.workgroup;
  request.dynamic_lds = config.launch.dynamic_lds;
  request.dynamic_stack = config.launch.dynamic_stack;
  for (const argument_config& a : config.arguments) {
    const std::vector<uint8_t> contents = initial_contents(a);
    out.buffers.push_back(0);
    if (a.buffer() == nullptr) {
      request.arguments.push_back(contents);
      continue;
    }
    const uint64_t address = runtime.allocate(contents.size(), "argument " + a.name);
    runtime.write(address, contents.data(), contents.size());
    out.buffers.back() = address;
    const auto* raw = reinterpret_cast<const uint8_t*>(&address);
    request.arguments.emplace_back(raw, raw + sizeof address);
  }
  out.kernel = request.kernel;
  out.launch = runtime.prepare(request);
  out.facts.descriptor = request.kernel.kernel->descriptor;
  out.facts.workgroup = config.launch.workgroup;
  out.facts.grid = config.launch.grid;
  out.facts.kernarg = out.launch.arguments;
  out.facts.kernarg_address = out.launch.packet.kernarg_address;
  out.facts.dispatch_packet.resize(sizeof out.launch.packet);
  std::memcpy(out.facts.dispatch_packet.data(), &out.launch.packet, sizeof out.launch.packet);
  out.entry = request.kernel.descriptor + static_cast<uint64_t>(out.facts.descriptor.entry_offset);
  return out;
}

// Where the kernel's instructions come from.
class source_lines {
 public:
  source_lines() = default;
  source_lines(const std::string& assembly, const std::string& name, const std::string& kernel)
      : file_(std::in_place, assembly, name), bounds_(wcet::bounds_of(pwscc::read_marks(assembly))) {
    for (pwscc::assembled_kernel& k : pwscc::assemble_kernels(*file_))
      if (k.name == kernel) kernel_ = std::move(k);
  }
  bool known() const { return kernel_.has_value(); }
  size_t words() const { return (kernel_->code.end() - kernel_->code.begin()) / 4; }
  pwscc::source_place place(size_t instruction) const {
    return known() ? file_->place_of(kernel_->line_of[instruction]) : pwscc::source_place{};
  }
  const std::vector<wcet::stated_bound>& bounds() const { return bounds_; }
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

std::vector<wcet::stated_bound> stated_bounds(const run_config& config, const source_lines& lines) {
  std::vector<wcet::stated_bound> out;
  for (const loop_bound_config& l : config.wcet.loops) {
    wcet::stated_bound b;
    b.bound = l.bound;
    b.from = "wcet.loops";
    b.file = l.file;
    b.first_line = b.last_line = l.line;
    b.offset = l.offset;
    out.push_back(b);
  }
  // The run file has the last word.
  if (out.empty()) return lines.bounds();
  out.insert(out.end(), lines.bounds().begin(), lines.bounds().end());
  return out;
}

// Buffers' contents for run `k`: random ones are others each time.
void refill(const run_config& config, const laid_out_launch& launch, uint32_t k, device_runtime& runtime) {
  for (size_t n = 0; n < config.arguments.size(); ++n) {
    argument_config a = config.arguments[n];
    auto* buffer = std::get_if<buffer_argument>(&a.value);
    if (buffer == nullptr) continue;
    if (auto* random = std::get_if<random_init>(&buffer->init)) random->seed += k;
    const std::vector<uint8_t> contents = initial_contents(a);
    runtime.write(launch.buffers[n], contents.data(), contents.size());
  }
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

std::unique_ptr<wcet_result> analyse_wcet(const run_config& config, const compiled_program& program, bool observe) {
  const bool is_static = config.wcet.block_times == block_time_source::machine;
  auto result = std::make_unique<wcet_result>();
  wcet_result& r = *result;
  r.file = config.file;
  r.source = config.program.source;
  r.kernel = config.program.kernel;
  r.launch = config.launch;
  r.block_times = config.wcet.block_times;
  r.machine = models::provisioned(config.machine);
  r.machine.fidelity = models::fidelity::timing;
  if (is_static) r.timing = timing_of(r.machine);
  r.swf_contexts = r.machine.spsimd_per_simd;
  r.workgroups = 1;
  uint64_t work_items = 1;
  for (size_t k = 0; k < 3; ++k) {
    r.workgroups *= (config.launch.grid[k] - 1) / config.launch.workgroup[k] + 1;
    work_items *= config.launch.workgroup[k];
  }
  r.wavefronts_per_group = (work_items + isa::wave_size - 1) / isa::wave_size;

  models::machine_config machine = config.machine;
  machine.fidelity = models::fidelity::timing;
  virtual_platform gpu("gpu", machine);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  device_runtime runtime(gpu);
  runtime.load(program.image);
  const laid_out_launch launch = lay_out(config, runtime);
  const loader::kernel& kernel = *launch.kernel.kernel;
  // The result asks for places as long as it lives.
  const auto lines = program.assembly.empty()
                         ? std::make_shared<const source_lines>()
                         : std::make_shared<const source_lines>(program.assembly, r.source, kernel.metadata.name);
  std::vector<uint32_t> words(words_of(program.image, kernel, *lines));
  runtime.read(launch.entry, words.data(), words.size() * 4);
  try {
    r.code = cfg::decode_function(kernel.demangled, words.data(), words.size(), launch.entry);
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
  r.analysed = std::make_unique<wcet::kernel_code>(r.code, facts, launch.facts, r.timing, r.swf_contexts);
  for (const wcet::stated_bound& b : bounds)
    if (!b.used)
      r.warnings.push_back(
          fmt::format("{}: no loop of the kernel has the bound {} of {}", b.from, b.bound,
                      b.offset ? fmt::format("offset 0x{:x}", *b.offset) : fmt::format("{}:{}", b.file, b.first_line)));

  block_time_recorder recorder(*r.analysed);
  if (observe || !is_static) {
    for (const auto& cu : gpu.cus) cu->attach(&recorder);
    const uint32_t runs = is_static ? 1 : config.wcet.runs;
    for (uint32_t k = 0; k < runs && (k == 0 || r.observed.completed); ++k) {
      if (k != 0) refill(config, launch, k, runtime);
      recorder.begin_run();
      const launch_result run = runtime.submit(launch.launch);
      r.observed = {true, run.completed, run.error, std::max(r.observed.cycles, run.cycles)};
    }
    if (!is_static && !r.observed.completed)
      throw program_error("the run that block times are measured in: " + r.observed.error);
  }
  launch_shape shape;
  shape.workgroups = r.workgroups;
  shape.group.work_items = work_items;
  shape.group.vgprs = launch.facts.descriptor.n_vgprs;
  shape.group.sgprs = launch.facts.descriptor.n_sgprs;
  shape.group.lds_bytes = launch.launch.packet.group_segment_size;
  for (const wcet::scheme s : {wcet::scheme::none, wcet::scheme::pws, wcet::scheme::dws}) {
    scheme_bound b;
    b.wavefront = is_static ? r.analysed->bound(s) : r.analysed->bound(s, recorder.block_cycles());
    bound_launch(r.machine, shape, is_static ? first_issue_at_most(r.timing) : recorder.first_issue(), b);
    r.schemes.push_back(std::move(b));
  }
  if (!is_static) bound_as_the_thesis(r, recorder, work_items);
  return result;
}

}  // namespace pws::platform
