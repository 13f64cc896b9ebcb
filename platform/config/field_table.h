// Builds a list of fields.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "platform/config/field.h"

namespace pws::platform {

struct field_table {
  std::vector<field> rows;

  // Without a default it is required. Range and choices are to be filled in.
  field& add(std::string path, field_kind kind, std::string help, const char* default_text = nullptr) {
    field f;
    f.path = std::move(path);
    f.kind = kind;
    f.help = std::move(help);
    f.required = default_text == nullptr;
    f.default_text = default_text == nullptr ? "" : default_text;
    rows.push_back(std::move(f));
    return rows.back();
  }
};

// The field of that path, which is there.
inline const field& field_of(const std::vector<field>& fields, const std::string& path) {
  for (const field& f : fields)
    if (f.path == path) return f;
  std::abort();
}

}  // namespace pws::platform
