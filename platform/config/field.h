// SPDX-License-Identifier: Apache-2.0
// The description of one configuration key. Reading, range checks, "did you mean", defaults and the `params` listing
// all come from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/values/number.h"

namespace pws::platform {

// What a key takes.
enum class field_kind {
  integer,
  integer_list,
  real,
  boolean,
  choice,  // one of `choices`
  text,
  text_list,
  file,     // path of a readable regular file
  mapping,  // has keys of its own, described by further fields
  list,     // of mappings described by further fields
};

struct field {
  // Keys from the top, joined by dots; "*" stands for any name (of an argument or a buffer).
  std::string path;
  field_kind kind = field_kind::integer;
  std::string type_name;  // in place of the kind's
  std::string unit;       // "" for plain counts
  int128 min = 0;         // of integers and of list elements; both 0: no range
  int128 max = 0;
  std::vector<std::string> choices;  // names, or numbers, that are allowed; empty = the whole range
  std::string help;                  // one line
  std::string default_text;          // as one would write it; "" = none
  bool default_in_words = false;     // it may be words that are no value: "the rest"
  bool may_be_nothing = false;       // a key without a value says that it is not set, which is the default
  bool required = false;
  bool is_written = false;  // a text that names a file to write, from the folder of its run file as those to read
  std::optional<field_kind> short_form;  // what may stand in place of a mapping or a list

  std::string type_text() const;   // "integer", "fcfs | fr_fcfs", ...
  std::string range_text() const;  // "1..256", or "" where there is none
};

}  // namespace pws::platform
