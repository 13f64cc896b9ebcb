#include "platform/program/scheme_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/flow/flow_graph.h"
#include "models/isa/hardware_register.h"
#include "models/isa/predicates.h"
#include "models/machine/ids.h"
#include "models/machine/provisioning.h"

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

void add_points(const loader::image& image, const loader::extent& e, code_points& points) {
  std::vector<uint32_t> words((e.end - e.begin) / 4);
  std::memcpy(words.data(), image.bytes.data() + (e.begin - image.base), words.size() * 4);
  isa::program code(words.data(), e.begin, words.size());
  for (const isa::inst& i : cfg::decode_region(code).instructions) {
    points.splits |= i.unit == isa::unit::split;
    points.exec_branches |= isa::tests_exec(i);
    points.sets_mode_bit |= can_set_mode_bit(i);
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
const char* how_to_split(pwscc::split_choice tried) {
  switch (tried) {
    case pwscc::split_choice::none:
      return "Set program.split to all, auto or marked, or compile with pwscc --split=all";
    case pwscc::split_choice::automatic:
      return "program.split: auto found none worth its time; set it to all";
    case pwscc::split_choice::marked:
      return "program.split: marked found no mark that it can follow; set it to all or auto";
    case pwscc::split_choice::all:
      break;
  }
  return "program.split: all found no branch to split; set machine.divergence to none";
}

}  // namespace

code_points& code_points::operator|=(const code_points& other) {
  splits |= other.splits;
  exec_branches |= other.exec_branches;
  sets_mode_bit |= other.sets_mode_bit;
  return *this;
}

code_points points_of(const loader::program_image& program) {
  code_points points;
  for (const loader::code_object& object : program.code_objects()) {
    const loader::image image = object.load(0);
    for (const loader::extent& e : image.extents)
      if (e.executable) add_points(image, e, points);
  }
  return points;
}

bool depends_on_code(const models::machine_config& m) {
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  return scheme.splits() && !scheme.forms_warps();
}

std::vector<std::string> scheme_warnings(const models::machine_config& m) {
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  const bool needs =
      scheme.contexts == swf_contexts::spsimd_units || scheme.contexts == swf_contexts::wavefront_contexts;
  if (!needs || models::provisioned(m).spsimd_per_simd != 0) return {};
  const bool reused = m.spsimd_per_simd != 0;
  return {fmt::format("{} has no context for SWFs, because {} is 0{}Set {} to 1 or more", chosen(m),
                      reused ? "machine.split_points" : "machine.spsimd_per_simd", as_none,
                      reused ? "machine.split_points" : "machine.spsimd_per_simd")};
}

std::vector<std::string> scheme_warnings(const models::machine_config& m, const code_points& code,
                                         pwscc::split_choice split) {
  std::vector<std::string> warnings = scheme_warnings(m);
  if (!depends_on_code(m) || runs_rtl_of_simd_units(m)) return warnings;
  if (models::traits_of(m.divergence).acts_at == divergence_points::split_and_merge) {
    if (!code.splits)
      warnings.push_back(fmt::format("{} acts at split and merge, and the code has no split{}{}", chosen(m), as_none,
                                     how_to_split(split)));
    return warnings;
  }
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
    add(depends_on_code(m) ? scheme_warnings(m, code(), run.program.split) : scheme_warnings(m));
    return warnings;
  }
  // Why there is no split in the code, which then need not be said again.
  add(scheme_warnings(m));
  warnings.push_back(
      fmt::format("program.split: {} can place no split, because machine.spsimd_per_simd is 0. Set it to 1 or more",
                  name_of(run.program.split)));
  return warnings;
}

std::vector<std::string> warnings_of(const run_config& run, const loader::program_image& program) {
  return warnings_of(run, [&program] { return points_of(program); });
}

}  // namespace pws::platform
