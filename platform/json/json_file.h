// A report as a file.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace pws::platform {

// Throws input_error naming the option that gave the path if the file cannot be written.
inline void write_json_file(const char* option, const std::string& path, const nlohmann::ordered_json& value) {
  std::ofstream out(path);
  out << value.dump(2) << '\n';
  out.close();
  if (!out) throw input_error(std::string(option) + " " + path + ": cannot be written");
}

}  // namespace pws::platform
