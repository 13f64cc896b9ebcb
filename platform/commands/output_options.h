// SPDX-License-Identifier: Apache-2.0
// The files that run and exec write (platform/config/outputs.h), as options of a command.
#pragma once

#include <string>
#include <vector>

#include "base/output/output_files.h"
#include "platform/config/outputs.h"

namespace CLI {
class App;
}

namespace pws::platform {

void add_output_options(CLI::App& command, outputs& files);

// As prepare_outputs, of these and `more`; also throws input_error where a file's name is of no format that there is.
void prepare(const outputs& files, const std::vector<named_output>& more, const std::vector<std::string>& inputs);

// Those that are wanted, with their options.
std::vector<named_output> wanted_outputs(const outputs& files);

}  // namespace pws::platform
