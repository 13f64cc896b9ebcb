// Listings of all configuration keys, from the same descriptions that reading and checking use.
#pragma once

#include <iosfwd>

namespace pws::platform {

// A table of every machine key and every run key: key, type, default, unit, range, meaning.
void print_params(std::ostream& out);

// A machine file with every key at its default and a comment on each; load_machine reads it.
void print_params_yaml(std::ostream& out);

}  // namespace pws::platform
