// SPDX-License-Identifier: Apache-2.0
// `--set a.b=c` on the command line.
#pragma once

#include <string>
#include <vector>

#include "platform/config/yaml_tree.h"

namespace pws::platform {

// What a file's keys have to say about overrides.
struct override_rules {
  // Where a mapping can hold only one of several keys, a new one replaces the old. `place` is the mapping's path; in
  // it "*" stands for any part.
  struct group {
    std::string place;
    std::vector<std::string> keys;
  };
  std::vector<group> alternatives;
  // A key at the top whose value may be a scalar, which is then short for a mapping with this key. Empty: none.
  std::string short_key, short_for;
};

// Puts each "path=value" into the tree, in order. The path's parts are keys, and for elements of a list the index (from
// 0) or the element's `name`; missing keys are made; the value is YAML. Where two name the same key the later one
// counts; one that would drop what another has set below its key is an issue. Files named here are relative to the
// working directory.
void apply_overrides(yaml_node& root, const std::vector<std::string>& overrides, issue_list& issues,
                     const override_rules& rules = {});

}  // namespace pws::platform
