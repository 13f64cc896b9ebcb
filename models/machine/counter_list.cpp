// SPDX-License-Identifier: Apache-2.0
#include "models/machine/counter_list.h"

namespace pws::models {

void add_counts(const std::vector<counter_row>& rows, void* to, const void* from) {
  for (const counter_row& r : rows) {
    if (r.made) continue;
    uint64_t& count = r.count_in(to);
    const uint64_t more = r.count_in(from);
    count = r.how == combined::sum ? count + more : std::max(count, more);
  }
}

void subtract_counts(const std::vector<counter_row>& rows, void* from, const void* what) {
  for (const counter_row& r : rows)
    if (!r.made && r.how == combined::sum) r.count_in(from) -= r.count_in(what);
}

}  // namespace pws::models
