// SPDX-License-Identifier: Apache-2.0
#include "tests/check/mutation/wait_witness.h"

#include <algorithm>

namespace pws::test {

namespace {

void append(std::vector<uint16_t>& to, const isa::inst& i) {
  for (unsigned k = 0; k < i.n_writes; ++k)
    for (unsigned r = 0; r < i.writes[k].count; ++r)
      to.push_back(static_cast<uint16_t>((i.writes[k].is_vgpr ? 256 : 0) + i.writes[k].first + r));
}

bool names_one_of(const isa::inst& i, const std::vector<uint16_t>& registers) {
  const auto in = [&](const isa::inst::run* runs, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
      const unsigned first = (runs[k].is_vgpr ? 256u : 0u) + runs[k].first;
      for (const uint16_t r : registers)
        if (r >= first && r < first + runs[k].count) return true;
    }
    return false;
  };
  return in(i.reads, i.n_reads) || in(i.writes, i.n_writes);
}

}  // namespace

void wait_witness::wave_started(uint32_t, const models::wf_context& c, models::cycle_t) {
  contexts_[&c] = {};
}

void wait_witness::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  context& x = contexts_[&c];
  if (i.unit == isa::unit::waitcnt) {
    const isa::waitcnt_fields w = isa::waitcnt(i);
    wait_record& r = records_[i.pc];
    r.offset = i.pc - c.group->launch.of->setup.entry;
    ++r.executed;
    x.of_open.clear();
    if (w.vmcnt < 15) x.of_open = x.vm;
    if (w.lgkmcnt < 15) x.of_open.insert(x.of_open.end(), x.lgkm.begin(), x.lgkm.end());
    x.lds_of_open = w.lgkmcnt < 15 && x.lds;
    const bool any = !x.of_open.empty() || x.lds_of_open;
    r.with_operations += any;
    x.open = any ? &r : nullptr;
    if (w.vmcnt == 0) x.vm.clear();
    if (w.lgkmcnt == 0) {
      x.lgkm.clear();
      x.lds = false;
    }
    return;
  }
  if (x.open != nullptr &&
      (names_one_of(i, x.of_open) || (i.unit == isa::unit::barrier && x.lds_of_open && c.group->waves.size() > 1))) {
    ++x.open->used_before_next;
    x.open = nullptr;
  }
  switch (i.unit) {
    case isa::unit::scalar_memory:
      append(x.lgkm, i);
      break;
    case isa::unit::lds:
      append(x.lgkm, i);
      x.lds = true;
      break;
    case isa::unit::vector_memory:
      append(x.vm, i);
      break;
    default:
      break;
  }
}

std::vector<wait_record> wait_witness::records() const {
  std::vector<wait_record> all;
  for (const auto& [pc, r] : records_) all.push_back(r);
  return all;
}

}  // namespace pws::test
