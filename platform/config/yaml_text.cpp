// SPDX-License-Identifier: Apache-2.0
#include "platform/config/yaml_text.h"

#include <nlohmann/json.hpp>

namespace pws::platform {

std::string scalar_text(const std::string& text, bool quoted) {
  const bool plain = !quoted && !text.empty() && text.find_first_of(",[]{}#:&*!|>'\"%@`\n") == std::string::npos;
  return plain ? text : nlohmann::json(text).dump();
}

std::string flow_text(const yaml_node& node) {
  std::string out;
  switch (node.type) {
    case yaml_node::kind::null:
      return "~";
    case yaml_node::kind::scalar:
      return scalar_text(node.text, node.quoted);
    case yaml_node::kind::list:
      for (const yaml_node& item : node.items) out += (out.empty() ? "" : ", ") + flow_text(item);
      return "[" + out + "]";
    case yaml_node::kind::mapping:
      for (const yaml_entry& e : node.entries)
        out += (out.empty() ? "" : ", ") + nlohmann::json(e.key).dump() + ": " + flow_text(e.value);
      return "{" + out + "}";
  }
  return out;
}

}  // namespace pws::platform
