// SPDX-License-Identifier: Apache-2.0
// From a tree to models::machine_config.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/effective.h"
#include "platform/config/outputs.h"
#include "platform/config/overrides.h"
#include "platform/config/reader.h"

namespace pws::platform {

// A machine and where each of its values came from, for the cross-field rules.
struct loaded_machine {
  models::machine_config config;
  // Who gave a value.
  struct setter {
    origin where;
    int layer = 0;  // higher wins over lower: base files, the file itself, the command line
  };
  std::map<std::string, setter> setters;  // by path ("n_cu"); values at their default have none
  yaml_node merged;                       // the layers as one mapping, without `base`
  std::set<std::string> bad;              // paths whose value was refused: rules about them would only confuse

  bool known_good(const std::vector<std::string>& paths) const;  // none of them was refused
  // The place to blame when these values do not go together: where the one from the highest layer is given.
  origin place(const std::vector<std::string>& paths) const;
};

// The key in run files and the like that holds a machine, and how overrides treat it: `machine: file` is short for
// `machine: {base: file}`.
inline constexpr const char* machine_key = "machine";
override_rules machine_override_rules();  // for read_tree

// `node` is the value of the key `machine`: the name of a machine file, or a mapping of machine keys with an optional
// `base` file. Base files are read first, each checked on its own; then the cross-field rules.
loaded_machine read_machine(const yaml_node& node, issue_list& issues);

// Keys that were given a value of their own and that the chosen divergence scheme does not read, each in words with its
// place; given where the scheme was chosen or over that, not in a file below. None where an override chose divergence
// none. `functional`: there may be launches of functional fidelity.
std::vector<std::string> keys_without_effect(const loaded_machine& machine, bool functional = true);

// Keys given to exec that only outputs or bounds read (keys_of_outputs) which are not wanted, in words. A machine file
// may have them for other commands.
std::vector<std::string> keys_without_reader(const effective_value& root,
                                             const std::function<bool(const std::string&)>& is_wanted);
// Outputs given on the command line to a command that does not write them, in words.
std::vector<std::string> outputs_without_effect(const effective_value& root, const std::string& command);

// Reads a machine file, or its text. The paths in `overrides` may begin with "machine." or not.
loaded_machine load_machine_layers(const yaml_source& from, const std::vector<std::string>& overrides = {});
// The same, without the layers that it is made of.
models::machine_config load_machine(const yaml_source& from, const std::vector<std::string>& overrides = {});

// machine_rules.cpp
void check_machine_rules(const loaded_machine& machine, issue_list& issues);

}  // namespace pws::platform
