// SPDX-License-Identifier: Apache-2.0
// What reports say of the configuration: from the keys themselves.
#include "platform/reference/report_fields.h"

namespace pws::platform::reference {

namespace {

// The kind of value that a key has. A mapping counts as a value where a word may stand in its place.
std::optional<value_kind> kind_of(const field& f) {
  switch (f.kind) {
    case field_kind::integer:
    case field_kind::real:
      return value_kind::number;
    case field_kind::boolean:
      return value_kind::truth;
    case field_kind::integer_list:
    case field_kind::text_list:
      return value_kind::list;
    case field_kind::list:  // a value only where it is empty
      return f.default_text.empty() ? std::nullopt : std::optional(value_kind::list);
    case field_kind::choice:
    case field_kind::file:
      return value_kind::text;
    case field_kind::text:
      return f.type_name.empty() ? value_kind::text : value_kind::number;
    case field_kind::mapping:
      if (f.short_form == field_kind::text) return value_kind::text;
      break;
  }
  if (f.default_text.empty() || f.default_text == "{}") return std::nullopt;
  return value_kind::text;
}

}  // namespace

std::vector<report_field> configuration(file_kind of_file) {
  field_list all;
  for (const field& f : file_fields(of_file)) {
    if (f.path == "machine" || f.path == "machine.base") continue;  // the machine's keys have what it says
    if (const auto kind = kind_of(f)) all.add({f.path, *kind, f.unit, f.help}, "configuration");
  }
  constexpr row inputs[] = {
      {"inputs.version", value_kind::text, "", "of pwsvp"},
      {"inputs.files.*.file", value_kind::text, "", "that decides the run"},
      {"inputs.files.*.sha256", value_kind::text, "", "of its contents"},
  };
  return all.add(inputs).take();
}

}  // namespace pws::platform::reference
