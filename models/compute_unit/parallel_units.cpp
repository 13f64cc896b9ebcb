// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/parallel_units.h"

#include <algorithm>

namespace pws::models {

bool parallel_units::run(const std::vector<size_t>& due, cycle_t now) {
  if (due.size() < 2) return false;
  if (!std::all_of(due.begin(), due.end(), [this](size_t n) { return cus_[n]->may_run_beside(); })) return false;
  threads_.run(due.size(), [&](size_t n) { cus_[due[n]]->run_beside(threads_, n, now); });
  for (const size_t n : due) cus_[n]->ran_beside();
  return true;
}

}  // namespace pws::models
