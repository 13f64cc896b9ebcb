// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/exec_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "platform/config/files/environment_text.h"
#include "platform/config/files/output_keys.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/machine_loader.h"
#include "platform/config/machine_schema.h"
#include "platform/config/overrides.h"
#include "sw/loader/names.h"

namespace pws::platform {

namespace {

// A file while it is read.
struct loading_exec {
  exec_config config;
  loaded_machine machine;
  bool from_file = false;
};

void fill_reconvergence(schema<reconvergence::study_options>& s) {
  using o = reconvergence::study_options;
  s.integer("work_items", &o::work_items, "work-item", {0, 65536},
            "limit study of reconvergence: of each launch the first so many; 0: none");
  s.integer_of("warp_size", &o::warp_size, "work-item", {1, 2, 4, 8, 16, 32, 64}, "of the warps that are studied");
  s.integer("max_blocks", &o::max_blocks, "block", {1, 1'000'000},
            "of one trace, or the launch fails; time grows with the square");
}

void fill_exec(schema<exec_config>& s) {
  using c = exec_config;
  constexpr limits any{1, UINT64_MAX};
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
  add_output_keys(
      s, [](auto& exec) -> auto& { return exec.to_write; });
  s.boolean("summary", &c::summary, "print what ran on standard error at the end");
  s.boolean("wcet", &c::bounds, "bound each launch; it fails if it takes longer than its bound");
  static const schema<reconvergence::study_options> study(fill_reconvergence);
  s.group("reconvergence", &c::reconvergence, study);
}

const schema<exec_config>& exec_schema() {
  static const schema<exec_config> s(fill_exec);
  return s;
}

const schema<loading_exec>& file_schema() {
  static const schema<loading_exec> s([](schema<loading_exec>& made) {
    made.custom(machine_key, field_kind::mapping, "",
                [](const value_at& v, loading_exec& to) {
                  to.machine = read_machine(v.node, v.read.issues());
                  to.config.machine = to.machine.config;
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
  });
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

// What only goes together. Rules of the machine have been looked at.
void check_exec(const exec_config& c, issue_list& issues) {
  for (const loop_bound_config& l : c.wcet.loops)
    if (l.offset && l.kernel.empty())
      issues.add(l.where, "wcet.loops", "a bound by offset needs `kernel`: a program may have several");
  const bool timed = c.fidelity == models::fidelity::timing || !c.timing_launches.empty() || !c.timing_kernels.empty();
  const run_conditions conditions{c.machine, timed,
                                  "choose exec.fidelity: timing, or timing_launches or timing_kernels", c.devices};
  const auto require = [&](const std::string& key, const watcher& w, unsigned among = ~0U) {
    for (const unmet_need& n : unmet_needs(w, conditions, among)) issues.add(origin(), key, n.why);
  };
  for (const output_kind& k : output_kinds())
    if (!c.to_write.of(k.name).empty()) require(std::string("exec.") + k.name, k.made_by);
  if (c.bounds) require("exec.wcet", bound_watcher);
  if (const reconvergence::study_options& o = c.reconvergence; o.work_items != 0) {
    require("exec.reconvergence.work_items", reconvergence_watcher);
    if (o.work_items > reconvergence::most_blocks / o.max_blocks)
      issues.add(origin(), "exec.reconvergence.work_items",
                 fmt::format("traces of {} work-items with exec.reconvergence.max_blocks {}: {} blocks in all are the "
                             "limit",
                             o.work_items, o.max_blocks, reconvergence::most_blocks));
  }
  for (const machine_watcher& w : machine_watchers())
    if (w.on(c.machine)) require("machine." + w.keys.front(), w.watches, need::one_device);
  if (c.to_write.of("stats").empty() != (c.to_write.stats_every == 0))
    issues.add(origin(), "exec.stats", "goes with exec.stats_every: the cycles of a row");
  if (c.bounds && c.wcet.block_times == block_time_source::measured && c.fidelity != models::fidelity::timing)
    issues.add(origin(), "exec.wcet", "block times are measured in timing fidelity; set exec.fidelity: timing");
}

// The machine's without base, whose values are in them.
const std::vector<field>& effective_exec_fields() {
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
  for (const output_kind& k : output_kinds())  // the program may go elsewhere before it writes them
    if (std::string& file = loading.config.to_write.of(k.name); !file.empty())
      file = std::filesystem::absolute(file).string();
  check_exec(loading.config, issues);
  models::machine_config& m = loading.config.machine;
  if (m.memory.faults == models::memory_faults::automatic && !loading.config.bounds &&
      !models::finds_hardware_errors(m.check))
    m.memory.faults = models::memory_faults::page;
  issues.throw_if_any();
  loading.config.files = issues.files();
  exec_config& c = loading.config;
  const bool functional =
      c.fidelity == models::fidelity::functional || !c.functional_launches.empty() || !c.functional_kernels.empty();
  c.idle_keys = keys_without_effect(loading.machine, functional);
  if (yaml_node* machine = root.find(machine_key)) *machine = std::move(loading.machine.merged);
  loading.config.effective = effective(std::move(root), effective_exec_fields());
  const std::vector<std::string> idle = keys_without_reader(c.effective, [&c](const std::string& reader) {
    return reader == "wcet" ? c.bounds : !c.to_write.of(reader).empty();
  });
  c.idle_keys.insert(c.idle_keys.end(), idle.begin(), idle.end());
  return std::move(c);
}

exec_config exec_from_environment() {
  const char* path = std::getenv(config_variable);
  std::vector<std::string> overrides;
  std::istringstream lines(environment_text(overrides_variable).value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) overrides.push_back(line);
  return load_exec(path == nullptr ? "" : path, overrides);
}

}  // namespace pws::platform
