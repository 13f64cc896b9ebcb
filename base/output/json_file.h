// SPDX-License-Identifier: Apache-2.0
// A report as a file.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "base/output/output_files.h"

namespace pws {

// Throws input_error naming the option that gave the path if the file cannot be written.
void write_json_file(const char* option, const std::string& path, const nlohmann::ordered_json& value);

// Puts out a report with a list that is too long for a tree: an empty one in `value`, below `key` at the top. `next`
// appends an element's text to what it is given, each call another, and says whether there was one. Each is a line.
void put_json(std::ostream& out, const nlohmann::ordered_json& value, const std::string& key,
              const std::function<bool(std::string&)>& next);

// The same as a file. Throws input_error.
void write_json_file(const named_output& output, const nlohmann::ordered_json& value, const std::string& key,
                     const std::function<bool(std::string&)>& next);

}  // namespace pws
