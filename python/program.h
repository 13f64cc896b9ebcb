// SPDX-License-Identifier: Apache-2.0
// Programs as Python has them: compiled or read, with what their kernels want to be given.
#pragma once

#include <string>
#include <vector>

#include "platform/config/machine_loader.h"
#include "platform/config/yaml_tree.h"
#include "platform/run/program/compiled_program.h"

namespace pws::python {

class program {
 public:
  // `keys` is what a run file has below `program`, as YAML. Compiled for that machine. Throws input_error.
  program(const std::string& keys, const platform::yaml_source& machine, const std::vector<std::string>& overrides);

  const loader::program_image& image() const { return compiled_.image; }
  const platform::program_config& config() const { return config_; }
  // JSON: name, mangled name, parameters (name, kind, size), workgroups and registers of each kernel.
  std::string kernels() const;

 private:
  platform::program_config config_;
  platform::compiled_program compiled_;
};

// What a configuration's schema has against a value, without places: of a text that Python has made there are none.
std::string problems_of(const platform::config_error& e);

}  // namespace pws::python
