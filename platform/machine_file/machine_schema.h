// Every key of a machine file: the one description of each (see field.h) and its place in models::machine_config.
#pragma once

#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/field.h"

namespace pws::platform {

struct machine_field : field {
  // A field's value as numbers: one for integers and choices (the index in `choices` of an enum's name, the number
  // itself where the choices are numbers), any count for lists.
  using numbers = std::vector<uint64_t>;
  numbers (*get)(const models::machine_config&) = nullptr;
  void (*set)(models::machine_config&, const numbers&) = nullptr;
};

// In the order of the struct. Defaults are those of a default-constructed models::machine_config.
const std::vector<machine_field>& machine_fields();

// The field of this path ("memory.dram.t_rcd"), or nullptr.
const machine_field* find_machine_field(std::string_view path);

// The value of `f` in `config` as one would write it in YAML.
std::string machine_value_text(const machine_field& f, const models::machine_config& config);

}  // namespace pws::platform
