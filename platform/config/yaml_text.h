// SPDX-License-Identifier: Apache-2.0
// YAML from a tree.
#pragma once

#include <string>

#include "platform/config/yaml_tree.h"

namespace pws::platform {

// In one line. JSON is YAML, and a plain scalar stays as it is.
std::string flow_text(const yaml_node& node);

// A key, or a text, that YAML reads back as this text.
std::string scalar_text(const std::string& text, bool quoted = false);

}  // namespace pws::platform
