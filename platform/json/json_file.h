// A report as a file.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "platform/output/output_files.h"

namespace pws::platform {

// Throws input_error naming the option that gave the path if the file cannot be written.
inline void write_json_file(const char* option, const std::string& path, const nlohmann::ordered_json& value) {
  write_output({option, path}, value.dump(2) + "\n");
}

// A report with a list that is too long for a tree: an empty one in `value`, below `key` at the top. `next` appends an
// element's text to what it is given, each call another, and says whether there was one. Each is a line of the file.
inline void write_json_file(const named_output& output, const nlohmann::ordered_json& value, const std::string& key,
                            const std::function<bool(std::string&)>& next) {
  const std::string text = value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const std::string place = "\n  \"" + key + "\": [";  // no text has a line break, and nothing else is indented so
  const size_t end = text.find(place) + place.size();
  write_output(output, [&](std::ostream& out) {
    out << std::string_view(text).substr(0, end);
    std::string element;
    bool first = true;
    while (next(element)) {
      out << (first ? "\n    " : ",\n    ") << element;
      first = false;
      element.clear();
    }
    if (!first) out << "\n  ";
    out << std::string_view(text).substr(end);
  });
}

}  // namespace pws::platform
