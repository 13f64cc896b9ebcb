// The description of one configuration key. Reading, range checks, "did you mean", defaults and the `params` listing
// all come from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/number.h"

namespace pws::platform {

enum class field_kind {
  integer,
  integer_list,
  real,
  choice,  // one of `choices`
  text,
  text_list,
  file,     // path of a readable regular file
  mapping,  // has keys of its own, described by further fields
  list,     // of mappings described by further fields
  number,   // of the type that the argument has
  numbers,  // a list of such
  size,     // one to three positive integers, or a single one
};

struct field {
  // Keys from the top, joined by dots; "*" stands for any name (of an argument or a buffer).
  std::string path;
  field_kind kind = field_kind::integer;
  std::string unit;  // "" for plain counts
  int128 min = 0;    // of integers and of list elements
  int128 max = 0;
  std::vector<std::string> choices;  // names, or numbers, that are allowed; empty = the whole range
  std::string help;                  // one line
  std::string default_text;          // as one would write it; "" = none
  bool required = false;

  std::string type_text() const;   // "integer", "fcfs | fr_fcfs", ...
  std::string range_text() const;  // "1..256", or "" where there is none
};

// The keys that a mapping at `prefix` may have, according to the fields (those with a "*" there are left out).
template <class Fields>
std::vector<std::string> keys_below(const Fields& fields, std::string_view prefix) {
  std::vector<std::string> keys;
  for (const auto& f : fields) {
    std::string_view rest = f.path;
    if (!prefix.empty()) {
      if (rest.size() <= prefix.size() || rest.substr(0, prefix.size()) != prefix || rest[prefix.size()] != '.')
        continue;
      rest.remove_prefix(prefix.size() + 1);
    }
    const std::string key(rest.substr(0, rest.find('.')));
    if (key != "*" && (keys.empty() || keys.back() != key)) keys.push_back(key);
  }
  return keys;
}

}  // namespace pws::platform
