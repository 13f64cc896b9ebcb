// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/point_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "platform/config/files/exec_config.h"
#include "platform/config/files/run_config.h"
#include "platform/config/schema.h"
#include "platform/machine/host_need.h"
#include "platform/run/program/machine_timing.h"
#include "platform/wcet/graph_bound.h"
#include "sw/loader/hip_compiler.h"
#include "sw/pwscc/command_line.h"

namespace pws::platform::sweep {

namespace {

namespace fs = std::filesystem;

// Each key once: a later value hides an earlier one, and KEY+ adds to a list.
std::vector<setting> settings_at(const experiment& e, const std::vector<size_t>& point) {
  std::vector<setting> all = e.set;
  for (size_t k = 0; k < e.axes.size(); ++k)
    for (const setting& s : e.axes[k].points[point[k]].set) all.push_back(s);
  std::vector<setting> out;
  for (const setting& s : all) {
    const bool adds = s.key.back() == '+';
    const std::string key = adds ? s.key.substr(0, s.key.size() - 1) : s.key;
    const bool is_list = s.value.front() == '[';
    if (adds && !is_list) throw input_error(s.key + ": only lists can be added to");
    auto o = std::find_if(out.begin(), out.end(), [&](const setting& x) { return x.key == key; });
    if (o == out.end())
      out.push_back({key, s.value});
    else if (adds && o->value.front() == '[' && o->value != "[]" && s.value != "[]")
      o->value = o->value.substr(0, o->value.size() - 1) + ", " + s.value.substr(1);
    else if (!adds || o->value == "[]")
      o->value = s.value;
  }
  return out;
}

// The keys below `program` of a HIP program, which pwsvp exec does not have.
struct hip_program {
  std::string source;
  pwscc::split_choice split = pwscc::split_choice::none;
  pwscc::divergence_code divergence = pwscc::divergence_code::none;
  std::vector<std::string> flags, arguments;
};

const schema<hip_program>& hip_program_schema() {
  static const schema<hip_program> s = [] {
    using p = hip_program;
    schema<p> made;
    made.file("source", &p::source, "HIP");
    made.choice("split", &p::split, "pwscc's --split");
    made.choice("divergence", &p::divergence, "pwscc's --divergence");
    made.texts("flags", &p::flags, "pwscc's");
    made.texts("arguments", &p::arguments, "of the program");
    return made;
  }();
  return s;
}

bool take(const setting& s, hip_program& p, issue_list& issues) {
  const std::string prefix = "program.";
  if (s.key.rfind(prefix, 0) != 0) return false;
  const std::string key = s.key.substr(prefix.size());
  yaml_node value;
  if (!parse_yaml_override(s.value, s.key, value, issues)) return true;
  const std::vector<std::string> names = hip_program_schema().names();
  if (std::find(names.begin(), names.end(), key) == names.end()) {
    const std::string known = fmt::format("{}{}", prefix, fmt::join(names, ", " + prefix));
    issues.add(origin(), s.key, "unknown key; known for command exec: " + known);
    return true;
  }
  yaml_node one;
  one.type = yaml_node::kind::mapping;
  one.entries.push_back({key, origin(), std::move(value)});
  reader read(issues);
  hip_program_schema().read(one, "program", p, read);
  return true;
}

// The command's CONFIG at a point that has these settings, of which it is taken: another one than the experiment's is
// in the same folder.
std::string take_config(const experiment& e, std::vector<setting>& settings) {
  const auto s = std::find_if(settings.begin(), settings.end(), [](const setting& x) { return x.key == "config"; });
  if (s == settings.end()) return e.config;
  std::string file = (fs::path(e.config).parent_path() / s->value).string();
  settings.erase(s);
  return file;
}

point_command exec_at(const std::string& file, const std::vector<setting>& settings, const tools& t) {
  point_command c;
  hip_program program;
  issue_list issues("--set");
  std::vector<std::string> overrides;
  for (const setting& s : settings)
    if (!take(s, program, issues)) overrides.push_back(s.key + "=" + s.value);
  if (program.source.empty() && issues.empty())
    issues.add(origin(), "program.source", "this key is required and missing");
  issues.throw_if_any();
  const exec_config config = load_exec(file, overrides);
  c.machine = config.machine;
  c.config = file;
  c.overrides = overrides;
  c.inputs = config.files;
  // As pwscc has it; a conflict is an error here already.
  pwscc::pass_options pass;
  pass.choice = program.split;
  pwscc::settle_divergence(pass, program.divergence, program.split != pwscc::split_choice::none, true);
  program.split = pass.choice;
  // Code without splits is the same for every S.
  const uint32_t contexts =
      program.split == pwscc::split_choice::none ? 0 : models::swfs_to_compile_for(config.machine);
  c.compile = {t.pwscc.string(),
               std::string("--split=") + name_of(program.split),
               "-S",
               std::to_string(contexts),
               "-std=c++17",
               "-O3"};
  if (program.divergence != pwscc::divergence_code::none)
    c.compile.insert(c.compile.begin() + 1, std::string("--divergence=") + name_of(program.divergence));
  if (program.split == pwscc::split_choice::automatic) {
    if (const auto m = timing_to_compile_for(config.machine))
      c.compile.insert(c.compile.end(),
                       {fmt::format("--issue-slot={}", m->round), fmt::format("--memory-slot={}", m->memory_frame),
                        fmt::format("--lds-slot={}", m->lds_frame)});
  }
  c.compile.insert(c.compile.end(), program.flags.begin(), program.flags.end());
  c.compile.push_back(program.source);
  c.flags = program.flags;
  c.arguments = program.arguments;
  c.pwsvp = {t.pwsvp.string(), "exec", file};
  c.report_at = c.pwsvp.size();
  for (const std::string& o : overrides) c.pwsvp.insert(c.pwsvp.end(), {"--set", o});
  c.pwsvp.insert(c.pwsvp.end(), {"--quiet", "--"});
  return c;
}

point_command run_at(const experiment& e, const std::string& file, const std::vector<setting>& settings,
                     const tools& t) {
  point_command c;
  std::vector<std::string> overrides;
  overrides.reserve(settings.size());
  for (const setting& s : settings) overrides.push_back(s.key + "=" + s.value);
  if (e.command == command::graph) {
    c.inputs = load_graph(file, overrides).files;
  } else {
    const run_config config = load_run(file, overrides);
    if (e.command == command::run && !config.save.empty())
      throw input_error("save." + config.save.front().buffer +
                        ": points would write the same file; set `save: {}` in the experiment");
    c.machine = config.machine;
    c.inputs = config.files;
    const std::vector<std::string> source = made_of(config.program.source, config.program.flags, compiled_for::device);
    c.inputs.insert(c.inputs.end(), source.begin(), source.end());
  }
  c.config = file;
  c.overrides = overrides;
  c.pwsvp = {t.pwsvp.string(), name_of(e.command), file};
  if (e.command == command::wcet) c.pwsvp.emplace_back("--observe");
  c.report_at = c.pwsvp.size();
  for (const std::string& o : overrides) c.pwsvp.insert(c.pwsvp.end(), {"--set", o});
  return c;
}

}  // namespace

tools tools::beside_this_program() {
  const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
  tools t;
  t.pwsvp = bin / "pwsvp";
  t.pwscc = bin / "pwscc";
  t.library = bin.parent_path() / "lib" / "libamdhip64.so.5";
  if (!fs::exists(t.library)) t.library = bin / "libamdhip64.so.5";
  for (const char* plugin : {"pws_loop_anchors.so", "pws_predication.so"})
    if (const fs::path file = bin.parent_path() / "lib" / plugin; fs::exists(file)) t.plugins.push_back(file);
  return t;
}

std::vector<std::string> made_of(const std::string& source, const std::vector<std::string>& flags, compiled_for what) {
  static std::mutex lock;
  static std::map<std::tuple<std::string, std::vector<std::string>, compiled_for>, std::vector<std::string>> known;
  const std::lock_guard<std::mutex> hold(lock);
  std::vector<std::string>& files = known[{source, flags, what}];
  if (!files.empty()) return files;
  files.push_back(source);
  if (!loader::hip_compiler::is_source(source)) return files;
  const auto add = [&](const char* side) {
    loader::compile_options options;
    options.flags = flags;
    if (side != nullptr) options.flags.emplace_back(side);
    const loader::hip_compiler compiler(options);
    for (const fs::path& file : compiler.dependencies(source)) files.push_back(file.string());
    files.push_back(compiler.path().string());
  };
  add(nullptr);
  if (what == compiled_for::device_and_host) add("--cuda-host-only");
  return files;
}

point_command command_at(const experiment& e, const std::vector<size_t>& point, const tools& t) {
  return naming_point(e, point, [&] {
    std::vector<setting> settings = settings_at(e, point);
    const std::string file = take_config(e, settings);
    return e.command == command::exec ? exec_at(file, settings, t) : run_at(e, file, settings, t);
  });
}

void check_memory_at(const experiment& e, const std::vector<size_t>& point, const point_command& c) {
  naming_point(e, point, [&] {
    if (c.machine) refuse_beyond_host(*c.machine);
  });
}

std::string point_text(const experiment& e, const std::vector<size_t>& point) {
  std::string text;
  for (size_t k = 0; k < e.axes.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", e.axes[k].name, e.axes[k].points[point[k]].label);
  return text;
}

}  // namespace pws::platform::sweep
