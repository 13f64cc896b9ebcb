#include "platform/exec_file/exec_config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "platform/config/field_table.h"
#include "platform/config/overrides.h"
#include "platform/config/reader.h"
#include "platform/machine_file/machine_loader.h"
#include "platform/run_file/run_loader.h"
#include "sw/loader/names.h"

namespace pws::platform {

namespace {

const std::vector<std::string> fidelity_names = {"functional", "timing"};
const std::vector<std::string> truth_names = {"false", "true"};

std::vector<field> make_fields() {
  field_table t;
  const auto add = [&](const char* key, field_kind kind, const char* help, const char* default_text) -> field& {
    return t.add(std::string("exec.") + key, kind, help, default_text);
  };
  const auto launches = [&](const char* key, const char* help) {
    field& f = add(key, field_kind::integer_list, help, "[]");
    f.min = 1;
    f.max = UINT64_MAX;
  };
  field& fidelity = add("fidelity", field_kind::choice, "of launches that no key below names",
                        "the machine's; without a file functional");
  fidelity.choices = fidelity_names;
  launches("timing_launches", "by number, from 1; numbers beat names");
  launches("functional_launches", "by number, from 1");
  add("timing_kernels", field_kind::text_list, "by name, mangled or as in the source", "[]");
  add("functional_kernels", field_kind::text_list, "by name; beats timing_kernels", "[]");
  launches("trace_launches", "launches in waveform and timeline; neither key: all of timing fidelity");
  add("trace_kernels", field_kind::text_list, "kernels in waveform and timeline", "[]");
  add("vcd", field_kind::text, "file for the waveform", "none");
  add("rtl_vcd", field_kind::text, "file for the waveform of each SpSIMD unit's RTL", "none");
  add("timeline", field_kind::text, "file for the Chrome trace", "none");
  add("report", field_kind::text, "file for the JSON report", "none");
  field& summary = add("summary", field_kind::choice, "print what ran on standard error at the end", "false");
  summary.choices = truth_names;
  field& bounds =
      add("wcet", field_kind::choice, "bound each launch; it fails if it takes longer than its bound", "false");
  bounds.choices = truth_names;
  return t.rows;
}

const field& field_of(const std::string& path) {
  return platform::field_of(exec_fields(), path);
}

void read_exec(const yaml_node& node, exec_config& c, reader& read) {
  const std::string top = "exec";
  if (!read.mapping(node, top)) return;
  read.keys(node, top, keys_below(exec_fields(), top));
  const auto chosen = [&](const char* key) -> std::optional<size_t> {
    const yaml_node* value = node.find(key);
    const std::string path = path_join(top, key);
    return value == nullptr ? std::nullopt : read.choice(*value, path, field_of(path));
  };
  const auto numbers = [&](const char* key, std::vector<uint64_t>& to) {
    const std::string path = path_join(top, key);
    if (const yaml_node* value = node.find(key))
      if (const auto list = read.integers(*value, path, field_of(path))) to = *list;
  };
  const auto names = [&](const char* key, std::vector<std::string>& to) {
    if (const yaml_node* value = node.find(key))
      if (const auto list = read.texts(*value, path_join(top, key))) to = *list;
  };
  const auto file = [&](const char* key, std::string& to) {
    if (const yaml_node* value = node.find(key))
      if (const auto text = read.text(*value, path_join(top, key)))
        to = std::filesystem::absolute(resolved_path(value->where, *text)).string();  // the program may go elsewhere
  };
  if (const auto f = chosen("fidelity")) c.fidelity = *f == 0 ? models::fidelity::functional : models::fidelity::timing;
  if (const auto s = chosen("summary")) c.summary = *s == 1;
  if (const auto b = chosen("wcet")) c.bounds = *b == 1;
  numbers("timing_launches", c.timing_launches);
  numbers("functional_launches", c.functional_launches);
  numbers("trace_launches", c.trace_launches);
  names("timing_kernels", c.timing_kernels);
  names("functional_kernels", c.functional_kernels);
  names("trace_kernels", c.trace_kernels);
  file("vcd", c.vcd);
  file("rtl_vcd", c.rtl_vcd);
  file("timeline", c.timeline);
  file("report", c.report);
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
  static const std::vector<field> fields = make_fields();
  return fields;
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

exec_config load_exec(const std::string& path, const std::vector<std::string>& overrides) {
  exec_config c;
  issue_list issues(path.empty() ? overrides_variable : path);
  reader read(issues);
  yaml_node root;
  root.type = yaml_node::kind::mapping;
  if (!path.empty()) {
    yaml_node file;
    if (!parse_yaml_file(path, "", file, issues) || !read.mapping(file, "")) issues.throw_if_any();
    if (file.find("machine") != nullptr || file.find("exec") != nullptr || file.find("wcet") != nullptr) {
      root = std::move(file);
    } else {
      root.where = file.where;
      root.entries.push_back({"machine", file.where, std::move(file)});
    }
  }
  apply_overrides(root, overrides, issues);
  read.keys(root, "", {"machine", "exec", "wcet"});
  if (const yaml_node* node = root.find("machine")) {
    c.machine = read_machine(*node, issues).config;
    if (!path.empty()) c.fidelity = c.machine.fidelity;
  }
  if (const yaml_node* node = root.find("exec")) read_exec(*node, c, read);
  if (const yaml_node* node = root.find("wcet")) read_wcet(*node, c.wcet, read);
  for (const loop_bound_config& l : c.wcet.loops)
    if (l.offset && l.kernel.empty())
      issues.add(l.where, "wcet.loops", "a bound by offset needs `kernel`: a program may have several");
  const bool timed = c.fidelity == models::fidelity::timing || !c.timing_launches.empty() || !c.timing_kernels.empty();
  for (const auto& [key, file] : {std::pair{"exec.vcd", c.vcd}, std::pair{"exec.timeline", c.timeline}})
    if (!file.empty() && !timed)
      issues.add(origin(), key,
                 "functional launches have no time to show; choose exec.fidelity: timing, or timing_launches or "
                 "timing_kernels");
  if (!c.rtl_vcd.empty() && c.machine.cosim.mode == models::cosim_mode::model)
    issues.add(origin(), "exec.rtl_vcd", "no RTL runs; set machine.cosim.mode: rtl or lockstep");
  const bool measured = c.wcet.block_times == block_time_source::measured;
  if (c.bounds && measured && c.fidelity != models::fidelity::timing)
    issues.add(origin(), "exec.wcet", "block times are measured in timing fidelity; set exec.fidelity: timing");
  if (c.bounds && measured && !c.timeline.empty())
    issues.add(origin(), "exec.timeline", "cannot be written while block times are measured");
  issues.throw_if_any();
  c.files = issues.files();
  return c;
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
