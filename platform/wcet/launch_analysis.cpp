#include "platform/wcet/launch_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "platform/gpu/attached_observer.h"
#include "platform/timing/machine_timing.h"
#include "platform/wcet/block_time_recorder.h"
#include "platform/wcet/buffer_checker.h"
#include "platform/wcet/loop_bound_checker.h"
#include "sw/cfg/inlined_calls.h"
#include "sw/loader/names.h"
#include "sw/pwscc/anchor_text.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/loop_marks.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/kernel/hybrid_bound.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::platform {

namespace {

struct assembled_text {
  pwscc::assembly_file file;
  pwscc::assembled_functions functions;
};
// The last one is kept: programs launch many kernels of one text, and assembling it takes longer than the analysis.
std::shared_ptr<const assembled_text> assembled(const std::string& assembly, const std::string& name) {
  static std::string last_assembly, last_name;
  static std::shared_ptr<const assembled_text> last;
  if (last != nullptr && assembly == last_assembly && name == last_name) return last;
  pwscc::assembly_file file(assembly, name);
  pwscc::assembled_functions functions = pwscc::assemble_functions(file);
  last = std::make_shared<const assembled_text>(assembled_text{std::move(file), std::move(functions)});
  last_assembly = assembly;
  last_name = name;
  return last;
}

bool ends_with(const std::string& path, const std::string& end) {
  if (end.empty()) return true;
  if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

// Where the kernel's instructions come from.
class source_lines {
 public:
  source_lines() = default;
  source_lines(const std::string& assembly, const std::string& name, const std::string& kernel)
      : text_(assembled(assembly, name)), file_(&text_->file) {
    for (const pwscc::assembled_kernel& k : text_->functions.kernels)
      if (k.name == kernel) kernel_ = &k;
  }
  bool known() const { return kernel_ != nullptr; }
  size_t words() const { return (kernel_->code.end() - kernel_->code.begin()) / 4; }
  // Of an instruction in the kernel or in a function that is called, that many bytes behind the kernel's beginning.
  cfg::source_place place(uint64_t offset) const {
    const pwscc::assembled_kernel* f = function_at(offset);
    if (f == nullptr) return {};
    const size_t k = f->code.at(kernel_->code.begin() + offset);
    return k < f->line_of.size() ? file_->place_of(f->line_of[k]) : cfg::source_place{};
  }
  // Of the kernel and of each copy of a function. What a mark says holds for each call by itself.
  std::vector<cfg::marked_loop> marked(const cfg::inlined_code& code) const {
    if (!known()) return {};
    std::vector<cfg::marked_loop> all = pwscc::read_marked_loops(*file_, *kernel_);
    for (const cfg::inlined_code::copy& c : code.copies) {
      const uint64_t begin = code.address.front();
      const pwscc::assembled_kernel* f = function_at(c.function - begin);
      if (f == nullptr) continue;
      std::map<size_t, size_t> copied;  // by instruction of the function; what nothing leads to has no copy
      for (size_t k = c.first; k < c.end; ++k) {
        const size_t own = f->code.at(code.address[k] - begin + kernel_->code.begin());
        copied[own] = k;
      }
      add_copies(pwscc::read_marked_loops(*file_, *f), copied, all);
    }
    return all;
  }
  // Whether a loop statement of that line has anchors anywhere in the code.
  bool any_kernel_has(const std::string& file, uint32_t line) const {
    if (!known()) return false;
    const auto& all = file_->lines();
    return std::any_of(all.begin(), all.end(), [&](const pwscc::assembly_line& l) {
      const auto a = pwscc::read_anchor(l.text);
      return a && a->statement_line == line && ends_with(a->file, file);
    });
  }
  // The first instruction behind a label of the kernel; none: there is no such label.
  std::optional<size_t> instruction_at(const std::string& label) const {
    if (!known()) return std::nullopt;
    const auto& lines = file_->lines();
    for (size_t k = kernel_->where.label; k < kernel_->where.end; ++k) {
      if (lines[k].what != pwscc::assembly_line::kind::label || lines[k].statement != label + ":") continue;
      const auto& of = kernel_->line_of;
      const auto at = std::find_if(of.begin(), of.end(), [&](size_t line) { return line > k; });
      if (at != of.end()) return static_cast<size_t>(at - of.begin());
    }
    return std::nullopt;
  }
  // Throws input_error if the code is another one.
  void require_same(const cfg::function_code& code) const {
    if (!known()) return;
    if (!kernel_->is(code))
      throw input_error(
          fmt::format("{}: kernel {} does not begin with an instruction of its own line (but with a "
                      "directive or a macro), so that its lines cannot be told",
                      file_->name(), kernel_->name));
  }

 private:
  const pwscc::assembled_kernel* function_at(uint64_t offset) const {
    if (!known()) return nullptr;
    const uint64_t at = kernel_->code.begin() + offset;
    if (at >= kernel_->code.begin() && at < kernel_->code.end()) return kernel_;
    for (const pwscc::assembled_kernel& f : text_->functions.others)
      if (at >= f.code.begin() && at < f.code.end()) return &f;
    return nullptr;
  }
  static void add_copies(const std::vector<cfg::marked_loop>& loops, const std::map<size_t, size_t>& copied,
                         std::vector<cfg::marked_loop>& all) {
    const size_t first = all.size();
    const auto moved = [&](const std::vector<size_t>& instructions) {
      std::vector<size_t> out;
      for (const size_t k : instructions)
        if (const auto c = copied.find(k); c != copied.end()) out.push_back(c->second);
      return out;
    };
    for (cfg::marked_loop m : loops) {
      m.entries = moved(m.entries);
      m.iterations = moved(m.iterations);
      std::vector<cfg::marked_loop::anchor> anchors;
      for (const auto& a : m.anchors)
        if (const auto c = copied.find(a.instruction); c != copied.end()) anchors.push_back({c->second, a.enters});
      m.anchors = std::move(anchors);
      if (m.parent != cfg::marked_loop::none) m.parent += first;
      all.push_back(std::move(m));
    }
  }

  std::shared_ptr<const assembled_text> text_;
  const pwscc::assembly_file* file_ = nullptr;
  const pwscc::assembled_kernel* kernel_ = nullptr;
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

// As the program was loaded, which is what the machine executes: a store to where the code lies does not change it.
std::vector<uint32_t> code_at(const device_layout& layout, const loader::program_image& program, uint64_t entry,
                              size_t words, const std::string& kernel) {
  std::vector<uint32_t> out(words);
  const std::vector<loader::image>* images = layout.images(program);
  for (size_t k = 0; images != nullptr && k < images->size(); ++k) {
    const loader::image& image = (*images)[k];
    if (entry < image.base || entry - image.base > image.bytes.size()) continue;
    const uint64_t offset = entry - image.base;
    if (words > (image.bytes.size() - offset) / 4) break;
    std::memcpy(out.data(), image.bytes.data() + offset, words * 4);
    return out;
  }
  throw input_error(fmt::format("kernel {}: its code is not loaded", kernel));
}

// The words of an instruction; one where the code ends behind it.
std::vector<uint32_t> instruction_at(const device_layout& layout, const loader::program_image& program, uint64_t pc,
                                     const std::string& kernel) {
  try {
    return code_at(layout, program, pc, 2, kernel);
  } catch (const input_error&) {
    return code_at(layout, program, pc, 1, kernel);
  }
}

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

// Where a bound of the configuration belongs in the kernel's code, and the loops that it gives a bound to: those of the
// source with anchors in this code, or one of the machine code.
class stated_bounds {
 public:
  stated_bounds(const source_lines& lines, const cfg::inlined_code& code, const loader::program_image& program,
                const loader::kernel& kernel)
      : lines_(lines), code_(code.code), program_(program), kernel_(kernel), loops_(lines.marked(code)) {}

  // What is wrong with it; empty: nothing.
  std::string add(const loop_bound_config& l) {
    const auto is_meant = [&](const loader::kernel& k) {
      return l.kernel.empty() || loader::is_name_of(l.kernel, k.metadata.name, k.demangled);
    };
    if (!is_meant(kernel_)) {
      for (const loader::code_object& o : program_.code_objects())
        if (std::any_of(o.kernels().begin(), o.kernels().end(), is_meant)) return "";
      return fmt::format("no kernel is called {}", l.kernel);
    }
    if (l.line != 0) return by_line(l);
    std::optional<size_t> at;
    if (l.offset) {
      at = code_.at(code_.begin() + *l.offset);
      if (*at == code_.instructions.size())
        return fmt::format("no instruction of {} begins at offset 0x{:x}", code_.name, *l.offset);
    } else {
      at = lines_.instruction_at(l.label);
      if (!at) return fmt::format("{} has no label {}", code_.name, l.label);
    }
    try {
      loops_.push_back(wcet::bound_around(code_, *at, l.bound, "wcet.loops"));
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  }
  std::vector<wcet::marked_loop> take() { return std::move(loops_); }

 private:
  std::string by_line(const loop_bound_config& l) {
    bool found = false;
    for (wcet::marked_loop& m : loops_) {
      if (m.place.line != l.line || !m.in_loop.empty() || !ends_with(m.place.file, l.file)) continue;
      m.bound = l.bound;
      m.from = "wcet.loops";
      found = true;
    }
    if (found || lines_.any_kernel_has(l.file, l.line)) return "";
    return fmt::format("no loop with a bound begins in line {}", l.line);
  }

  const source_lines& lines_;
  const cfg::function_code& code_;
  const loader::program_image& program_;
  const loader::kernel& kernel_;
  std::vector<wcet::marked_loop> loops_;
};

// Thesis 5.3: delta measured, L_w from block times. An SWF's slot is its SpSIMD unit's; of several that used it, the
// latest to end by delta + L_w counts.
void bound_as_the_thesis(wcet_result& r, const block_time_recorder& recorder, uint64_t work_items) {
  wcet::hybrid_inputs in;
  in.w = models::contexts_of_machine(r.machine);
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

wcet::launch_facts facts_of(const placed_launch& l) {
  wcet::launch_facts f;
  f.descriptor = l.kernel.kernel->descriptor;
  f.workgroup = l.shape.workgroup;
  f.grid = l.shape.grid;
  f.kernarg = l.prepared.arguments;
  f.kernarg_address = l.prepared.packet.kernarg_address;
  f.dispatch_packet.resize(sizeof l.prepared.packet);
  std::memcpy(f.dispatch_packet.data(), &l.prepared.packet, sizeof l.prepared.packet);
  f.buffers = l.buffers;
  return f;
}

std::vector<wcet::device_buffer> buffers_of(const device_layout& layout, const prepared_launch& launch) {
  std::vector<wcet::device_buffer> out;
  for (size_t k = 0; k + sizeof(uint64_t) <= launch.arguments.size(); k += sizeof(uint64_t)) {
    uint64_t address;
    std::memcpy(&address, launch.arguments.data() + k, sizeof address);
    const device_layout::allocation* a = layout.find(address);
    const bool known = a == nullptr || std::any_of(out.begin(), out.end(),
                                                   [a](const wcet::device_buffer& b) { return b.begin == a->begin; });
    if (!known && out.size() < wcet::max_buffers) out.push_back({a->begin, a->end, a->name});
  }
  return out;
}

launch_shape shape_of(const placed_launch& l) {
  const isa::kernel_descriptor& d = l.kernel.kernel->descriptor;
  launch_shape s;
  s.workgroups = wcet::workgroups_of(l.shape.grid, l.shape.workgroup);
  s.group.work_items = wcet::work_items_of(l.shape.workgroup);
  s.group.vgprs = d.n_vgprs;
  s.group.sgprs = d.n_sgprs;
  s.group.lds_bytes = l.prepared.packet.group_segment_size;
  return s;
}

launch_analysis::launch_analysis(const models::machine_config& machine, const device_layout& layout,
                                 const placed_launch& launch, const wcet_config& config, const std::string& source)
    : shape_(shape_of(launch)), result_(std::make_unique<wcet_result>()) {
  const models::scheme_traits& scheme = models::traits_of(machine.divergence);
  if (scheme.bound == models::divergence_bound::not_analysed)
    throw input_error(fmt::format("machine.divergence {} has no analysis", scheme.name));
  if (scheme.splits() && machine.scoreboard != models::path_scoreboard::drain)
    throw input_error(fmt::format("machine.scoreboard {} has no analysis; drain has one", name_of(machine.scoreboard)));
  wcet_result& r = *result_;
  const loader::kernel& kernel = *launch.kernel.kernel;
  r.source = source;
  r.kernel = kernel.demangled;
  r.launch = launch.shape;
  r.block_times = config.block_times;
  r.machine = machine;
  if (r.block_times == block_time_source::machine) r.timing = timing_of(r.machine);
  r.swf_contexts = r.machine.spsimd_per_simd;
  r.workgroups = shape_.workgroups;
  r.wavefronts_per_group = models::wavefronts_of(shape_.group.work_items);

  const std::string assembly(launch.program->find_kernel(kernel.metadata.name).object->assembly());
  // The result asks for places as long as it lives.
  const auto lines = assembly.empty() ? std::make_shared<const source_lines>()
                                      : std::make_shared<const source_lines>(assembly, source, kernel.metadata.name);
  const uint64_t entry = launch.kernel.descriptor + static_cast<uint64_t>(kernel.descriptor.entry_offset);
  const std::vector<uint32_t> words =
      code_at(layout, *launch.program, entry, words_of(*launch.program, kernel, *lines), kernel.demangled);
  try {
    r.code = cfg::decode_function(kernel.demangled, words.data(), words.size(), entry);
  } catch (const program_error& e) {
    throw input_error(fmt::format("kernel {}: {}", kernel.demangled, e.what()));
  }
  lines->require_same(r.code);
  const cfg::function_code own = r.code;
  const auto instruction = [&](uint64_t pc) {
    const std::vector<uint32_t> of_it = instruction_at(layout, *launch.program, pc, kernel.demangled);
    return isa::decode(of_it.data(), static_cast<unsigned>(of_it.size()), pc);
  };
  const auto place = [&](uint64_t pc) {
    const cfg::source_place at = lines->place(pc - entry);
    return at.line == 0 ? "" : fmt::format("{}:{}: ", at.file, at.line);
  };
  const cfg::inlined_code inlined = cfg::inline_calls(own, instruction, place);
  if (!inlined.copies.empty() && r.block_times == block_time_source::measured)
    throw input_error(fmt::format("kernel {}: measured block times do not follow its calls", kernel.demangled));
  r.code = inlined.code;

  wcet::code_facts facts;
  facts.place = [lines, address = inlined.address](size_t k) { return lines->place(address[k] - address.front()); };
  stated_bounds stated(*lines, inlined, *launch.program, kernel);
  for (const loop_bound_config& l : config.loops) {
    const std::string problem = stated.add(l);
    misplaced_bounds_.push_back(problem.empty() ? "" : fmt::format("{}: wcet.loops: {}", l.where.text(), problem));
  }
  facts.marked = stated.take();
  wcet::launch_facts known = facts_of(launch);
  // Each call of a function may have pointers to other buffers, and its accesses are not told apart by call while it
  // runs.
  if (!config.buffers || !inlined.copies.empty()) known.buffers.clear();
  r.analysed = std::make_unique<wcet::kernel_code>(r.code, facts, known, r.timing, r.swf_contexts);
  auto buffers = std::make_unique<buffer_checker>(r.code, r.analysed->accesses(), known.buffers);
  if (buffers->checked() != 0) buffers_ = std::move(buffers);
  recorder_ = std::make_unique<block_time_recorder>(*r.analysed);
  r.counted_loops = facts.marked.size();
  std::vector<wcet::marked_loop> counted = std::move(facts.marked);
  for (wcet::marked_loop& m : wcet::checks_of(r.analysed->graph(), r.analysed->loops()))
    counted.push_back(std::move(m));
  loop_bounds_ = loops_counted(r.machine, own, inlined, counted);
}

launch_analysis::~launch_analysis() = default;

launch_result launch_analysis::run(const virtual_platform& gpu, device_runtime& runtime,
                                   const prepared_launch& prepared) {
  const bool measures = result_->block_times == block_time_source::measured;
  if (measures) recorder_->begin_run();
  const attached_observer counting(gpu, loop_bounds_.get());
  const attached_observer checking(gpu, buffers_.get());
  const attached_observer measuring(gpu, measures ? recorder_.get() : nullptr);
  const launch_result run = runtime.submit(prepared);
  observation& o = result_->observed;
  const std::string& left = buffers_ ? buffers_->broken() : loop_bounds_->broken();
  o = {true, run.completed, run.error, left.empty() ? loop_bounds_->broken() : left, std::max(o.cycles, run.cycles)};
  return run;
}

scheme_bound launch_analysis::bound(wcet::scheme s) const {
  const wcet_result& r = *result_;
  const bool is_static = r.block_times == block_time_source::machine;
  scheme_bound b;
  b.wavefront = is_static ? r.analysed->bound(s) : r.analysed->bound(s, recorder_->block_cycles());
  bound_launch(r.machine, shape_, is_static ? first_issue_at_most(r.timing) : recorder_->first_issue(), b);
  return b;
}

std::unique_ptr<wcet_result> launch_analysis::take_result() {
  wcet_result& r = *result_;
  const bool is_static = r.block_times == block_time_source::machine;
  if (!is_static && !r.observed.completed)
    throw program_error("the run that block times are measured in: " + r.observed.error);
  for (const wcet::scheme s : {wcet::scheme::none, wcet::scheme::pws, wcet::scheme::dws}) r.schemes.push_back(bound(s));
  if (!is_static) bound_as_the_thesis(r, *recorder_, shape_.group.work_items);
  return std::move(result_);
}

}  // namespace pws::platform
