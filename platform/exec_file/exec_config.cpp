#include "platform/exec_file/exec_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "platform/config/schema/overrides.h"
#include "platform/machine_file/machine_loader.h"
#include "platform/machine_file/machine_schema.h"
#include "platform/run_file/run_schema.h"
#include "sw/loader/names.h"

namespace pws::platform {

namespace {

// A file while it is read.
struct loading_exec {
  exec_config config;
  yaml_node merged_machine;  // its layers as one
  bool from_file = false;
};

// A file that the program writes. It may go elsewhere before, so the path is absolute.
void output(schema<exec_config>& s, const char* name, std::string exec_config::*place, const char* help) {
  s.text(name, place, help).by_default("none").step(3).then([place](const value_at& v, exec_config& c) {
    c.*place = std::filesystem::absolute(resolved_path(v.node.where, c.*place)).string();
  });
}

schema<exec_config> make_exec() {
  using c = exec_config;
  constexpr limits any{1, UINT64_MAX};
  schema<c> s;
  s.choice("fidelity", &c::fidelity, "of launches that no key below names")
      .by_default("the machine's; without a file functional");
  s.integers("timing_launches", &c::timing_launches, "", any, "by number, from 1; numbers beat names").step(1);
  s.integers("functional_launches", &c::functional_launches, "", any, "by number, from 1").step(1);
  s.texts("timing_kernels", &c::timing_kernels, "by name, mangled or as in the source").step(2);
  s.texts("functional_kernels", &c::functional_kernels, "by name; beats timing_kernels").step(2);
  s.integers("trace_launches", &c::trace_launches, "", any,
             "launches in waveform and timeline; neither key: all of timing fidelity")
      .step(1);
  s.texts("trace_kernels", &c::trace_kernels, "kernels in waveform and timeline").step(2);
  s.integer("devices", &c::devices, "", {1, models::most_machines}, "GPUs that the program has, each such a machine");
  output(s, "vcd", &c::vcd, "file for the waveform");
  output(s, "rtl_vcd", &c::rtl_vcd, "file for the waveform of each SpSIMD unit's RTL");
  output(s, "rtl_coverage", &c::rtl_coverage, "file for what has been covered of the SpSIMD units' RTL");
  output(s, "timeline", &c::timeline, "file for the Chrome trace");
  output(s, "profile", &c::profile, "file for what each source line took: .html, or .callgrind for kcachegrind");
  output(s, "coverage", &c::coverage, "file for how often each source line ran, for lcov and genhtml");
  output(s, "report", &c::report, "file for the JSON report");
  s.boolean("summary", &c::summary, "print what ran on standard error at the end");
  s.boolean("wcet", &c::bounds, "bound each launch; it fails if it takes longer than its bound");
  return s;
}

const schema<exec_config>& exec_schema() {
  static const schema<exec_config> s = make_exec();
  return s;
}

const schema<loading_exec>& file_schema() {
  static const schema<loading_exec> s = [] {
    schema<loading_exec> made;
    made.custom(machine_key, field_kind::mapping, "",
                [](const value_at& v, loading_exec& to) {
                  loaded_machine machine = read_machine(v.node, v.read.issues());
                  to.config.machine = machine.config;
                  to.config.idle_keys = keys_without_effect(machine);
                  to.merged_machine = std::move(machine.merged);
                  if (to.from_file) to.config.fidelity = to.config.machine.fidelity;
                  return true;
                })
        .unlisted();
    made.group("exec", &loading_exec::config, exec_schema());
    made.custom("wcet", field_kind::mapping, "",
                [](const value_at& v, loading_exec& to) {
                  return wcet_schema().read(v.node, v.path, to.config.wcet, v.read);
                })
        .unlisted();
    return made;
  }();
  return s;
}

bool names_launch(const std::vector<uint64_t>& launches, uint64_t launch) {
  return std::find(launches.begin(), launches.end(), launch) != launches.end();
}

bool names_kernel(const std::vector<std::string>& names, const std::string& mangled, const std::string& demangled) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& n) { return loader::is_name_of(n, mangled, demangled); });
}

}  // namespace

const std::vector<field>& exec_fields() {
  static const std::vector<field> all = file_schema().fields();
  return all;
}

models::fidelity exec_config::fidelity_of(uint64_t launch, const std::string& mangled,
                                          const std::string& demangled) const {
  if (names_launch(functional_launches, launch)) return models::fidelity::functional;
  if (names_launch(timing_launches, launch)) return models::fidelity::timing;
  if (names_kernel(functional_kernels, mangled, demangled)) return models::fidelity::functional;
  if (names_kernel(timing_kernels, mangled, demangled)) return models::fidelity::timing;
  return fidelity;
}

bool exec_config::traces(uint64_t launch, const std::string& mangled, const std::string& demangled) const {
  if (trace_launches.empty() && trace_kernels.empty()) return true;
  return names_launch(trace_launches, launch) || names_kernel(trace_kernels, mangled, demangled);
}

namespace {

// What is of one machine.
void check_devices(const exec_config& c, issue_list& issues) {
  const auto refuse = [&](bool asked, const char* key, const char* what) {
    if (asked)
      issues.add(origin(), key, fmt::format("exec.devices is {}: {} is of one machine; 1 is needed", c.devices, what));
  };
  refuse(!c.vcd.empty(), "exec.vcd", "a waveform");
  refuse(!c.timeline.empty(), "exec.timeline", "a timeline");
  refuse(!c.profile.empty(), "exec.profile", "a profile");
  refuse(!c.coverage.empty(), "exec.coverage", "coverage");
  refuse(c.bounds, "exec.wcet", "a bound");
  refuse(models::finds_hardware_errors(c.machine.check), "machine.check", "what checks know of memory");
  refuse(c.machine.check.loop_bounds, "machine.check.loop_bounds", "a count of loops");
  refuse(c.machine.trace.branch_uniformity, "machine.trace.branch_uniformity", "a count of branches");
  refuse(c.machine.cosim.mode != models::cosim_mode::model, "machine.cosim.mode", "RTL that runs beside the model");
}

// What only goes together.
void check_exec(const exec_config& c, issue_list& issues) {
  for (const loop_bound_config& l : c.wcet.loops)
    if (l.offset && l.kernel.empty())
      issues.add(l.where, "wcet.loops", "a bound by offset needs `kernel`: a program may have several");
  const bool timed = c.fidelity == models::fidelity::timing || !c.timing_launches.empty() || !c.timing_kernels.empty();
  for (const auto& [key, file] : {std::pair{"exec.vcd", c.vcd}, std::pair{"exec.timeline", c.timeline}})
    if (!file.empty() && !timed)
      issues.add(origin(), key,
                 "functional launches have no time to show; choose exec.fidelity: timing, or timing_launches or "
                 "timing_kernels");
  for (const auto& [key, file] : {std::pair{"exec.rtl_vcd", c.rtl_vcd}, std::pair{"exec.rtl_coverage", c.rtl_coverage}})
    if (!file.empty() && c.machine.cosim.mode == models::cosim_mode::model)
      issues.add(origin(), key, "no RTL runs; set machine.cosim.mode: rtl or lockstep");
  if (c.bounds &&
      (c.machine.memory.faults == models::memory_faults::page || c.machine.memory.faults == models::memory_faults::off))
    issues.add(origin(), "exec.wcet",
               "bounds take it for granted that accesses stay in allocations; set machine.memory.faults: allocation");
  if (c.machine.hardware_queues > 1) {
    const std::string queues = fmt::format("machine.hardware_queues is {}", c.machine.hardware_queues);
    if (c.bounds)
      issues.add(origin(), "exec.wcet", queues + ": a kernel that others run beside has no bound; 1 is needed");
    for (const auto& [key, what, file] : {std::tuple{"exec.profile", "a profile follows", c.profile},
                                          std::tuple{"exec.coverage", "coverage follows", c.coverage}})
      if (!file.empty())
        issues.add(origin(), key, fmt::format("{}: {} one launch at a time; 1 is needed", queues, what));
  }
  if (c.devices > 1) check_devices(c, issues);
  const bool measured = c.wcet.block_times == block_time_source::measured;
  if (c.bounds && measured && c.fidelity != models::fidelity::timing)
    issues.add(origin(), "exec.wcet", "block times are measured in timing fidelity; set exec.fidelity: timing");
  if (c.bounds && measured && !c.timeline.empty())
    issues.add(origin(), "exec.timeline", "cannot be written while block times are measured");
}

// The machine's without base, whose values are in them.
const std::vector<field>& effective_fields() {
  static const std::vector<field> all = [] {
    std::vector<field> fields = machine_fields_below(machine_key);
    fields.insert(fields.end(), exec_fields().begin(), exec_fields().end());
    for (const field& f : run_fields())
      if (f.path.rfind("wcet", 0) == 0) fields.push_back(f);
    return fields;
  }();
  return all;
}

}  // namespace

exec_config load_exec(const std::string& path, const std::vector<std::string>& overrides) {
  loading_exec loading;
  loading.from_file = !path.empty();
  issue_list issues(path.empty() ? overrides_variable : path);
  reader read(issues);
  yaml_node root;
  root.type = yaml_node::kind::mapping;
  if (!path.empty()) {
    yaml_node file;
    if (!parse_yaml_file(path, "", file, issues) || !read.mapping(file, "")) issues.throw_if_any();
    const std::vector<std::string> keys = file_schema().names();
    if (std::any_of(keys.begin(), keys.end(), [&file](const std::string& key) { return file.find(key) != nullptr; })) {
      root = std::move(file);
    } else {
      root.where = file.where;
      root.entries.push_back({machine_key, file.where, std::move(file)});
    }
  }
  apply_overrides(root, overrides, issues, machine_override_rules());
  file_schema().read(root, "", loading, read);
  check_exec(loading.config, issues);
  models::machine_config& m = loading.config.machine;
  if (m.memory.faults == models::memory_faults::automatic && !loading.config.bounds &&
      !models::finds_hardware_errors(m.check))
    m.memory.faults = models::memory_faults::page;
  issues.throw_if_any();
  loading.config.files = issues.files();
  if (yaml_node* machine = root.find(machine_key)) *machine = std::move(loading.merged_machine);
  loading.config.effective = effective(std::move(root), effective_fields());
  return std::move(loading.config);
}

exec_config exec_from_environment() {
  const char* path = std::getenv(config_variable);
  const char* set = std::getenv(overrides_variable);
  std::vector<std::string> overrides;
  std::istringstream lines(set == nullptr ? "" : set);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) overrides.push_back(line);
  return load_exec(path == nullptr ? "" : path, overrides);
}

}  // namespace pws::platform
