// SPDX-License-Identifier: Apache-2.0
#include "platform/run/program/scheme_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "base/error.h"
#include "models/flow/flow_graph.h"
#include "models/isa/code/decode.h"
#include "models/isa/hardware_register.h"
#include "models/isa/predicates.h"
#include "models/machine/ids.h"
#include "models/machine/machine_config.h"
#include "sw/cfg/inlined_calls.h"

namespace pws::platform {

namespace {

using models::divergence_points;
using models::swf_contexts;

bool can_set_mode_bit(const isa::inst& i) {
  if (isa::operation_of(i) != isa::operation::set_hardware_register) return false;
  const isa::hardware_register_field f(static_cast<uint32_t>(i.simm));
  if (f.id != isa::hw_mode || (f.mask() >> isa::mode_split_enable_bit & 1) == 0) return false;
  const isa::operand& value = i.src[0];
  return value.kind != isa::operand_kind::constant || (value.value << f.offset >> isa::mode_split_enable_bit & 1) != 0;
}

void add_points(const cfg::function_code& code, code_points& points) {
  for (const isa::inst& i : code.instructions) {
    points.splits |= i.unit == isa::unit::split;
    points.exec_branches |= isa::tests_exec(i);
    points.sets_mode_bit |= can_set_mode_bit(i);
  }
}

// [begin, end) of the image's code.
std::vector<uint32_t> words_of(const loader::image& image, uint64_t begin, uint64_t end) {
  std::vector<uint32_t> words((end - begin) / 4);
  std::memcpy(words.data(), image.bytes.data() + (begin - image.base), words.size() * 4);
  return words;
}

cfg::function_code region(const loader::image& image, uint64_t begin, uint64_t end) {
  const std::vector<uint32_t> words = words_of(image, begin, end);
  isa::program code(words.data(), begin, words.size());
  return cfg::decode_region(code);
}

const loader::extent& extent_of(const loader::image& image, uint64_t address) {
  for (const loader::extent& e : image.extents)
    if (e.executable && e.begin <= address && address < e.end) return e;
  throw input_error(fmt::format("{}: there is no code at {:#x}", image.name, address));
}

// Where the code of the kernel ends: its symbol's size or, without one, the next kernel, or its segment's end.
uint64_t end_of(const loader::code_object& object, const loader::kernel& kernel, const loader::extent& e) {
  uint64_t end = e.end;
  for (const loader::kernel& k : object.kernels())
    if (k.entry_offset > kernel.entry_offset) end = std::min(end, k.entry_offset);
  return kernel.code_size == 0 ? end : std::min(end, kernel.entry_offset + kernel.code_size);
}

// All code that is no kernel's.
void add_functions(const loader::code_object& object, const loader::image& image, code_points& points) {
  std::vector<const loader::kernel*> kernels;
  for (const loader::kernel& k : object.kernels()) kernels.push_back(&k);
  std::sort(kernels.begin(), kernels.end(),
            [](const auto* a, const auto* b) { return a->entry_offset < b->entry_offset; });
  for (const loader::extent& e : image.extents) {
    if (!e.executable) continue;
    uint64_t begin = e.begin;
    for (const loader::kernel* k : kernels) {
      if (k->entry_offset < begin || k->entry_offset >= e.end) continue;
      add_points(region(image, begin, k->entry_offset), points);
      begin = end_of(object, *k, e);
    }
    add_points(region(image, begin, e.end), points);
  }
}

std::string chosen(const models::machine_config& m) {
  return fmt::format("machine.divergence: {}", models::traits_of(m.divergence).name);
}

// Their RTL is on machines with pws alone, and executes whatever the code is.
bool runs_rtl_of_simd_units(const models::machine_config& m) {
  const std::vector<uint32_t>& units = m.cosim.spsimds;
  return m.cosim.mode != models::cosim_mode::model &&
         std::find(units.begin(), units.end(), models::swf_number::simd_unit().value()) != units.end();
}

constexpr const char* as_none = "; it runs as with divergence none. ";

// What gives the code a split where `tried` gave it none.
const char* how_to_split(std::optional<pwscc::split_choice> tried) {
  if (!tried)
    return "Compile with pwscc --split=all (program.split: all of an experiment); where it was, no branch can be split";
  switch (*tried) {
    case pwscc::split_choice::none:
      return "Set program.split to all, auto or marked, or compile with pwscc --split=all";
    case pwscc::split_choice::automatic:
      return "program.split: auto found no branch worth splitting; set it to all";
    case pwscc::split_choice::marked:
      return "program.split: marked found no mark that it can follow; set it to all or auto";
    case pwscc::split_choice::all:
      break;
  }
  return "program.split: all found no branch that it can split; set machine.divergence to none";
}

}  // namespace

code_points& code_points::operator|=(const code_points& other) {
  splits |= other.splits;
  exec_branches |= other.exec_branches;
  sets_mode_bit |= other.sets_mode_bit;
  return *this;
}

bool code_points::operator==(const code_points& other) const {
  return splits == other.splits && exec_branches == other.exec_branches && sets_mode_bit == other.sets_mode_bit;
}

code_points points_of(const loader::program_image& program) {
  code_points points;
  for (const loader::code_object& object : program.code_objects()) {
    const loader::image image = object.load(0);
    for (const loader::extent& e : image.extents)
      if (e.executable) add_points(region(image, e.begin, e.end), points);
  }
  return points;
}

code_points points_of(const loader::found_kernel& k) {
  const loader::image image = k.object->load(0);
  const uint64_t entry = k.kernel->entry_offset;
  const loader::extent& e = extent_of(image, entry);
  const uint64_t end = end_of(*k.object, *k.kernel, e);
  code_points points;
  const cfg::function_code own = region(image, entry, end);
  add_points(own, points);
  if (std::none_of(own.instructions.begin(), own.instructions.end(), isa::is_indirect_jump)) return points;
  code_points with_all_functions = points;
  add_functions(*k.object, image, with_all_functions);
  if (with_all_functions == points) return points;
  const auto instruction = [&image](uint64_t pc) {
    const std::vector<uint32_t> words = words_of(image, pc, std::min(pc + 8, extent_of(image, pc).end));
    return isa::decode(words.data(), static_cast<unsigned>(words.size()), pc);
  };
  try {
    const std::vector<uint32_t> words = words_of(image, entry, end);
    const cfg::function_code code = cfg::decode_function(k.kernel->demangled, words.data(), words.size(), entry);
    add_points(cfg::inline_calls(code, instruction, [](uint64_t) { return std::string(); }).code, points);
  } catch (const std::runtime_error&) {  // it may call any of them
    return with_all_functions;
  }
  return points;
}

code_points points_of(const loader::program_image& program, const run_config& run) {
  code_points points;
  std::set<std::string> kernels;
  for (const run_launch& l : run.launches)
    if (kernels.insert(l.kernel).second) points |= points_of(program.find_kernel(l.kernel));
  return points;
}

std::vector<std::string> scheme_warnings(const models::machine_config& m) {
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  if (scheme.contexts == swf_contexts::wavefront_contexts && m.n_wfc == 1)
    return {
        fmt::format("{} finds no free context for SWFs, because machine.n_wfc is 1 and the wavefront has that one"
                    "{}Set machine.n_wfc to 2 or more",
                    chosen(m), as_none)};
  const bool needs =
      scheme.contexts == swf_contexts::spsimd_units || scheme.contexts == swf_contexts::wavefront_contexts;
  if (!needs || models::provisioned(m).spsimd_per_simd != 0) return {};
  const bool reused = m.spsimd_per_simd != 0;
  return {fmt::format("{} has no context for SWFs, because {} is 0{}Set {} to 1 or more", chosen(m),
                      reused ? "machine.split_points" : "machine.spsimd_per_simd", as_none,
                      reused ? "machine.split_points" : "machine.spsimd_per_simd")};
}

std::vector<std::string> scheme_warnings(const models::machine_config& m, const code_points& code,
                                         std::optional<pwscc::split_choice> split) {
  std::vector<std::string> warnings = scheme_warnings(m);
  if (runs_rtl_of_simd_units(m)) return warnings;
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  if (scheme.acts_at == divergence_points::split_and_merge) {
    if (!code.splits)
      warnings.push_back(fmt::format("{} acts at split and merge, and the code has no split{}{}", chosen(m), as_none,
                                     how_to_split(split)));
    return warnings;
  }
  if (code.splits)
    warnings.push_back(fmt::format(
        "{} does not act at split and merge: those of the code take time and do nothing. Set machine.divergence to a "
        "scheme that acts at them{}",
        chosen(m),
        split.value_or(pwscc::split_choice::none) == pwscc::split_choice::none
            ? ", or take code that was compiled without splits"
            : ", or program.split to none"));
  if (!scheme.splits() || scheme.forms_warps()) return warnings;
  if (!code.exec_branches)
    warnings.push_back(
        fmt::format("{} splits at s_cbranch_execz and s_cbranch_execnz, and the code has neither{}Set "
                    "machine.divergence to another scheme",
                    chosen(m), as_none));
  else if (!m.force_mode_split && !code.sets_mode_bit)
    warnings.push_back(
        fmt::format("{} splits while MODE bit {} is set, and no s_setreg of the code sets it{}Set "
                    "machine.force_mode_split to true",
                    chosen(m), isa::mode_split_enable_bit, as_none));
  return warnings;
}

std::vector<std::string> warnings_of(const run_config& run, const std::function<code_points()>& code) {
  const models::machine_config& m = run.machine;
  std::vector<std::string> warnings = run.idle_keys;
  const auto add = [&warnings](const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  };
  if (run.program.split == pwscc::split_choice::none || models::swfs_to_compile_for(m) != 0) {
    add(scheme_warnings(m, code(), run.program.split));
    return warnings;
  }
  // Why there is no split in the code, which then need not be said again.
  add(scheme_warnings(m));
  warnings.push_back(
      fmt::format("program.split: {} can place no split, because machine.spsimd_per_simd is 0. Set it to 1 or more",
                  name_of(run.program.split)));
  return warnings;
}

std::optional<std::string> idle_stack(const launch_config& launch, const loader::found_kernel& kernel) {
  const loader::kernel_metadata& k = kernel.kernel->metadata;
  if (launch.dynamic_stack == loader::default_dynamic_stack) return std::nullopt;
  if (k.uses_dynamic_stack && launch.dynamic_stack > k.private_segment_fixed_size) return std::nullopt;
  return fmt::format("dynamic_stack has no effect: the code of {} has a stack of {} bytes{}", k.name,
                     k.private_segment_fixed_size,
                     k.uses_dynamic_stack ? "" : ", and does not say that it may need more");
}

std::vector<std::string> warnings_of(const run_config& run, const loader::program_image& program) {
  std::vector<std::string> warnings = warnings_of(run, [&] { return points_of(program, run); });
  for (const run_launch& l : run.launches)
    if (const auto idle = idle_stack(l.shape, program.find_kernel(l.kernel)))
      warnings.push_back(fmt::format("{}: {}launch.{}", l.shape.where.text(), l.below, *idle));
  return warnings;
}

}  // namespace pws::platform
