#include "platform/config/field.h"

namespace pws::platform {

std::string field::type_text() const {
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
    case field_kind::number:
      return "number of the argument's type";
    case field_kind::numbers:
      return "list of such numbers";
    case field_kind::size:
      return "list of 1 to 3 integers";
  }
  return "";
}

std::string field::range_text() const {
  const bool has_range = kind == field_kind::integer || kind == field_kind::integer_list || kind == field_kind::size;
  if (!has_range || !choices.empty()) return "";
  return to_text(min) + ".." + to_text(max);
}

}  // namespace pws::platform
