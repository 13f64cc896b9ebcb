// SPDX-License-Identifier: Apache-2.0
// Listings of all configuration keys, from the same descriptions that reading and checking use.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/config/files/file_kinds.h"

namespace pws::platform {

// A table of every key of every kind of file: key, type, default, unit, range, meaning.
void print_params(std::ostream& out);

// The same of one key and those below it, at length. Its path may be that of a run file or of a machine file, or only
// end so. Throws input_error, with a suggestion, where no file has such a key.
void print_key(std::ostream& out, const std::string& key);

// By kind of file: a list of keys with type, default, unit, range, choices, meaning.
nlohmann::ordered_json params_json();

// A machine file with every key at its default and a comment on each; load_machine reads it.
void print_params_yaml(std::ostream& out);

// Draft 7. It knows names, types, choices and ranges; what keys must or must not stand together is for `pwsvp check`.
nlohmann::ordered_json json_schema(file_kind kind);

}  // namespace pws::platform
