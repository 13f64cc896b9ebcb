// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/measures.h"

#include "platform/config/config_error.h"
#include "platform/config/values/text.h"
#include "platform/reference/report_fields.h"

namespace pws::platform::sweep {

void check_measures(const experiment& e) {
  issue_list issues(e.file);
  for (const measure& m : e.measures) {
    const bool compiler = is_of_compiler(m);
    if (compiler && e.command != command::exec) {
      issues.add(m.where, "measures." + m.name, "compiler.PATH is for command exec, whose programs pwscc compiles");
      continue;
    }
    const std::string prefix = compiler ? compiler_prefix : "";
    const report_kind kind = compiler ? report_kind::compiler : *value_named<report_kind>(name_of(e.command));
    const auto problem = no_report_has(kind, m.path.substr(prefix.size()), prefix);
    if (problem) issues.add(m.where, "measures." + m.name, in_quotes(m.path) + " " + *problem);
  }
  issues.throw_if_any();
}

}  // namespace pws::platform::sweep
