// SPDX-License-Identifier: Apache-2.0
// `pwsvp run` and `pwsvp wcet` for Python.
#pragma once

#include <string>
#include <vector>

#include "platform/config/outputs.h"
#include "platform/config/yaml_tree.h"

namespace pws::python {

// Reports as JSON: that of --report, and what the command prints.
struct report_texts {
  std::string json, screen;
};

// Runs a run file on a machine of its own. Throws input_error; run_failed with the report where the command's exit code
// is 1, if `check`.
report_texts run_file(const platform::yaml_source& from, const std::vector<std::string>& overrides,
                      const platform::outputs& files, bool check);
// Bounds it, and runs it too with `observe`. Throws input_error; run_failed where the run fails or breaks its bound.
report_texts bound_file(const platform::yaml_source& from, const std::vector<std::string>& overrides, bool observe);

}  // namespace pws::python
