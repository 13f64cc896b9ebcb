// SPDX-License-Identifier: Apache-2.0
#include "python/program.h"

#include <nlohmann/json.hpp>

#include "platform/config/files/run_schema.h"
#include "platform/machine/kernel_launch.h"

namespace pws::python {

using namespace platform;

namespace {

program_config read_keys(const std::string& keys) {
  const yaml_source from("program", keys);
  issue_list issues(from.name);
  reader read(issues);
  yaml_node root;
  program_config config;
  try {
    if (parse_yaml_file(from, "", root, issues) && read.mapping(root, ""))
      program_schema().read(root, "program", config, read);
    issues.throw_if_any();
  } catch (const config_error& e) {
    throw input_error(problems_of(e));
  }
  config.where = origin();
  return config;
}

compiled_program compiled(const program_config& program, const yaml_source& machine,
                          const std::vector<std::string>& overrides) {
  run_config config;
  config.machine = load_machine(machine, overrides);
  config.program = program;
  config.program.where = origin(std::make_shared<const std::string>(program.source), 1, 1);
  return compile_program(config, assembly_text::not_wanted);
}

}  // namespace

std::string problems_of(const config_error& e) {
  std::string text;
  for (const config_issue& i : e.issues())
    text += (text.empty() ? "" : "\n") + (i.path.empty() ? "" : i.path + ": ") + i.problem;
  return text;
}

program::program(const std::string& keys, const yaml_source& machine, const std::vector<std::string>& overrides)
    : config_(read_keys(keys)), compiled_(compiled(config_, machine, overrides)) {}

std::string program::kernels() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const loader::found_kernel& found : image().kernels()) {
    const loader::kernel& k = *found.kernel;
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (size_t n = 0; n < k.metadata.explicit_arguments(); ++n) {
      const loader::kernel_argument& a = k.metadata.arguments[n];
      parameters.push_back(
          {{"name", a.name}, {"type", a.type_name}, {"kind", std::string(to_string(a.kind))}, {"size", a.size}});
    }
    all.push_back({{"name", k.metadata.name},
                   {"demangled", k.demangled},
                   {"parameters", std::move(parameters)},
                   {"largest_workgroup", largest_workgroup(k)},
                   {"vgprs", k.descriptor.n_vgprs},
                   {"sgprs", k.descriptor.n_sgprs},
                   {"lds_bytes", k.metadata.group_segment_fixed_size},
                   {"private_bytes", k.metadata.private_segment_fixed_size}});
  }
  return all.dump();
}

}  // namespace pws::python
