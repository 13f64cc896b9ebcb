// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/vector_clock.h"

namespace pws::check {

knowledge united(const knowledge& a, const knowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (a->covers(*b)) return a;
  if (b->covers(*a)) return b;
  auto both = std::make_shared<vector_clock>(*a);
  both->learn(*b);
  return both;
}

}  // namespace pws::check
