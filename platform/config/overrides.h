// `--set a.b=c` on the command line.
#pragma once

#include <string>
#include <vector>

#include "platform/config/yaml_tree.h"

namespace pws::platform {

// Puts each "path=value" into the tree, in order. The path's parts are keys, and for elements of a list the index (from
// 0) or the element's `name`; missing keys are made; the value is YAML. Where a mapping holds one of several
// alternatives (a buffer's init, what is expected of a buffer), the new one replaces the old. Files named here are
// relative to the working directory.
void apply_overrides(yaml_node& root, const std::vector<std::string>& overrides, issue_list& issues);

}  // namespace pws::platform
