// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "platform/config/effective.h"
#include "platform/config/files/output_keys.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/machine_schema.h"
#include "platform/config/overrides.h"

namespace pws::platform {

namespace {

void fill_run(schema<loading_run>& s) {
  using k = field_kind;
  using r = loading_run;
  s.custom(machine_key, k::mapping, "a machine file, or a mapping of machine keys with an optional `base` file",
           [](const value_at& v, r& run) {
             run.machine = read_machine(v.node, v.read.issues());
             run.config.machine = run.machine.config;
             return true;
           })
      .required()
      .or_short(k::text)
      .lists("", machine_layer_keys());
  s.mapping(
       "program", [](auto& run) -> auto& { return run.config.program; }, program_schema(), "what runs")
      .required();
  const auto& launch = s.custom("launch", k::mapping, "how it is launched",
                                [](const value_at& v, r& run) {
                                  run.config.launches.resize(1);
                                  return read_launch(v, run.config.launches.front().shape, run.machine);
                                })
                           .lists("", launch_schema())
                           .step(1);
  const auto& launches =
      s.custom("launches", k::list,
               "in place of launch and program.kernel: several, one after the other on the same machine and buffers",
               read_launches)
          .lists("*.", step_schema())
          .step(1);
  s.one_of({&launch, &launches});
  s.custom("arguments", k::list,
           "the kernel's parameters in order, or what `launches` names: scalars (value), buffers (count, init), "
           "structures (struct, bytes)",
           read_arguments)
      .by_default("[]")
      .lists("*.", argument_keys());
  s.names_to("expect", "by buffer: what it must hold after the run",
             [](const value_at& v, const yaml_entry& e, r& run) { return read_expect(v, e, run, run.config.expect); })
      .by_default("{}")
      .lists("*.", expect_schema());
  add_save(s);
  static const schema<outputs> files = [] {
    schema<outputs> made;
    add_output_keys(
        made, [](auto& of_run) -> auto& { return of_run; });
    return made;
  }();
  s.mapping(
       "outputs", [](auto& run) -> auto& { return run.config.to_write; }, files,
       "files that `pwsvp run` writes, as its options of these names")
      .by_default("{}");
  s.mapping(
       "wcet", [](auto& run) -> auto& { return run.config.wcet; }, wcet_schema(),
       "for `pwsvp wcet`; a run does not need it")
      .by_default("{}");
}

const schema<loading_run>& run_schema() {
  static const schema<loading_run> s(fill_run);
  return s;
}

// Those of the machine too, and no base, whose values are in it.
const std::vector<field>& effective_fields() {
  static const std::vector<field> all = [] {
    std::vector<field> fields = machine_fields_below(machine_key);
    for (const field& f : run_fields())
      if (f.path.rfind(machine_key, 0) != 0) fields.push_back(f);
    return fields;
  }();
  return all;
}

// Buffers that structures point to: no parameters of the kernel, unless `launches` name them.
std::vector<size_t> pointed_to(const std::vector<argument_config>& arguments) {
  std::vector<size_t> buffers;
  for (const argument_config& a : arguments)
    if (const auto* structure = std::get_if<bytes_argument>(&a.value))
      for (const bytes_argument::pointer& p : structure->pointers)
        if (std::find(buffers.begin(), buffers.end(), p.argument) == buffers.end()) buffers.push_back(p.argument);
  return buffers;
}

// `program.kernel` goes with `launch`.
void check_kernel(const yaml_node& root, run_config& config, reader& read) {
  const yaml_node* program = root.find("program");
  if (program == nullptr || !program->is_mapping()) return;
  if (root.find("launches") == nullptr) {
    read.required(*program, "program", "kernel");
    if (config.launches.empty()) return;  // refused
    config.launches.front().kernel = config.program.kernel;
    config.launches.front().kernel_where = config.program.kernel_where;
    config.launches.front().left_out = pointed_to(config.arguments);
  } else if (const yaml_node* kernel = program->find("kernel")) {
    read.issue(kernel->where, "program.kernel", "cannot stand beside launches, each of which names its own");
  }
}

}  // namespace

const std::vector<field>& run_fields() {
  static const std::vector<field> all = run_schema().fields();
  return all;
}

std::vector<std::string> input_files(const run_config& run) {
  std::vector<std::string> all = run.files;
  run.effective.files(all);
  std::vector<std::string> once;
  for (const std::string& f : all)
    if (std::find(once.begin(), once.end(), f) == once.end()) once.push_back(f);
  return once;
}

run_config load_run(const yaml_source& from, const std::vector<std::string>& overrides) {
  issue_list issues(from.name);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(from, "", root, issues) || !read.mapping(root, "")) issues.throw_if_any();
  override_rules rules = machine_override_rules();
  rules.alternatives = {{"launch", launch_schema().alternatives()},
                        {"launches.*.launch", launch_schema().alternatives()},
                        {"arguments.*.init", init_schema().alternatives()},
                        {"launches.*.expect.*", expect_schema().alternatives()},
                        {"expect.*", expect_schema().alternatives()}};
  apply_overrides(root, overrides, issues, rules);
  loading_run run;
  run.config.file = from.name;
  run_schema().read(root, "", run, read);
  check_kernel(root, run.config, read);
  issues.throw_if_any();
  run.config.files = issues.files();
  run.config.idle_keys = keys_without_effect(run.machine, run.machine.config.fidelity == models::fidelity::functional);
  if (yaml_node* machine = root.find(machine_key)) *machine = std::move(run.machine.merged);
  run.config.effective = effective(std::move(root), effective_fields());
  return std::move(run.config);
}

}  // namespace pws::platform
