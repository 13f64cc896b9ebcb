// SPDX-License-Identifier: Apache-2.0
// Every key of a machine file and its member of models::machine_config. Defaults are those of a default-constructed
// one.
#pragma once

#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/schema.h"

namespace pws::platform {

const schema<models::machine_config>& machine_schema();  // all keys of a machine

// What stands beside a machine's own keys, or as a text in their place: the machine file whose values hold where this
// one has none.
struct machine_layer {
  std::string base;
};
// The keys of a machine file beside those of the machine.
struct machine_layer_schema : schema<machine_layer> {
  const key& base =
      file("base", &machine_layer::base, "machine file whose values hold where this one has none").by_default("");
};
const machine_layer_schema& machine_layer_keys();  // the only one

// The keys of machine_schema for listings, with the config's values in place of the defaults.
std::vector<field> machine_fields(const models::machine_config& config = {});

// The same with `machine.` in front, as in files that have a machine.
std::vector<field> machine_fields_below(const std::string& key);

}  // namespace pws::platform
