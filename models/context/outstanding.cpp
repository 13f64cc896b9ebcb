// SPDX-License-Identifier: Apache-2.0
#include "models/context/outstanding.h"

namespace pws::models {

// Both in the order of issue, what is in both once. Returns how many there are.
unsigned outstanding::merged(const list& a, unsigned n, const list& b, unsigned m, list& to) {
  unsigned count = 0;
  for (unsigned i = 0, j = 0; i < n || j < m; ++count) {
    if (i < n && j < m && a[i] == b[j]) {
      to[count] = a[i++];
      ++j;
    } else {
      const bool from_a = j == m || (i < n && a[i]->number < b[j]->number);
      to[count] = from_a ? a[i++] : b[j++];
    }
  }
  return count;
}

void outstanding::join(outstanding& other) {
  if (other.count_ == 0) return;
  list all;
  const unsigned count = merged(list_, count_, other.list_, other.count_, all);
  for (unsigned k = 0; k < count; ++k) all[k]->hold();
  clear();
  other.clear();
  list_ = all;
  count_ = count;
}

unsigned outstanding::count_with(const outstanding& other) const {
  list all;
  return merged(list_, count_, other.list_, other.count_, all);
}

cycle_t outstanding::when_at_most(std::initializer_list<const outstanding*> lists, unsigned limit) {
  list all, sum;
  unsigned count = 0;
  for (const outstanding* o : lists) {
    count = merged(all, count, o->list_, o->count_, sum);
    all = sum;
  }
  return when_at_most(all, count, (*lists.begin())->order_, limit);
}

}  // namespace pws::models
