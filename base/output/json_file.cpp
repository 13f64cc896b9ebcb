// SPDX-License-Identifier: Apache-2.0
#include "base/output/json_file.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace pws {

void write_json_file(const char* option, const std::string& path, const nlohmann::ordered_json& value) {
  write_output({option, path}, value.dump(2) + "\n");
}

void put_json(std::ostream& out, const nlohmann::ordered_json& value, const std::string& key,
              const std::function<bool(std::string&)>& next) {
  constexpr size_t most = size_t{1} << 18;  // bytes that are put out at a time
  const std::string text = value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const std::string place = "\n  \"" + key + "\": [";  // no text has a line break, and nothing else is indented so
  const size_t end = text.find(place) + place.size();
  out << std::string_view(text).substr(0, end);
  const std::string_view between = ",\n    ", before = between.substr(1);
  std::string elements(before);
  bool first = true;
  for (; next(elements); first = false) {
    if (elements.size() >= most) {
      out << elements;
      elements.clear();
    }
    elements += between;
  }
  elements.erase(elements.size() - (first ? before : between).size());
  out << elements << (first ? "" : "\n  ") << std::string_view(text).substr(end);
}

void write_json_file(const named_output& output, const nlohmann::ordered_json& value, const std::string& key,
                     const std::function<bool(std::string&)>& next) {
  write_output(output, [&](std::ostream& out) { put_json(out, value, key, next); });
}

}  // namespace pws
