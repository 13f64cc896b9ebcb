// A report as a file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/output/output_files.h"

namespace pws::platform {

// Throws input_error naming the option that gave the path if the file cannot be written.
inline void write_json_file(const char* option, const std::string& path, const nlohmann::ordered_json& value) {
  write_output({option, path}, value.dump(2) + "\n");
}

}  // namespace pws::platform
