// SPDX-License-Identifier: Apache-2.0
// The keys of a file as a tree, made of a schema's list of fields.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/config/field.h"

namespace pws::platform {

// A key and those below it. "*": elements of a list, or keys that the user names.
struct key_node {
  const field* about = nullptr;
  std::vector<std::pair<std::string, key_node>> below;

  // That of a path of names joined by dots, made where it is not there.
  key_node& at(std::string_view path) {
    const size_t dot = path.find('.');
    const std::string name(path.substr(0, dot));
    auto found = std::find_if(below.begin(), below.end(), [&](const auto& b) { return b.first == name; });
    if (found == below.end()) found = below.insert(below.end(), {name, key_node{}});
    return dot == std::string_view::npos ? found->second : found->second.at(path.substr(dot + 1));
  }
};

}  // namespace pws::platform
