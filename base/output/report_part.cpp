// SPDX-License-Identifier: Apache-2.0
#include "base/output/report_part.h"

namespace pws::detail {

void list_field(std::vector<report_field>& to, std::string_view path, value_kind kind, std::string_view unit,
                std::string_view meaning) {
  to.push_back({std::string(path), kind, std::string(unit), std::string(meaning)});
}
void list_fields(std::vector<report_field>& to, std::string_view name, const std::vector<report_field>& fields) {
  for (const report_field& f : fields)
    list_field(to, name.empty() ? f.path : std::string(name) + "." + f.path, f.kind, f.unit, f.meaning);
}

}  // namespace pws::detail
