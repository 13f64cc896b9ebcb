// SPDX-License-Identifier: Apache-2.0
#include "platform/config/field.h"

namespace pws::platform {

std::string field::type_text() const {
  if (!type_name.empty()) return type_name;
  if (!choices.empty()) {
    std::string all;
    for (const std::string& choice : choices) all += (all.empty() ? "" : " | ") + choice;
    return all;
  }
  switch (kind) {
    case field_kind::integer:
      return "integer";
    case field_kind::integer_list:
      return "list of integers";
    case field_kind::real:
      return "number";
    case field_kind::boolean:
    case field_kind::choice:
    case field_kind::text:
      return "text";
    case field_kind::text_list:
      return "list of texts";
    case field_kind::file:
      return "file";
    case field_kind::mapping:
      return "mapping";
    case field_kind::list:
      return "list of mappings";
  }
  return "";
}

std::string field::range_text() const {
  if ((min == 0 && max == 0) || !choices.empty()) return "";
  return to_text(min) + ".." + to_text(max);
}

}  // namespace pws::platform
