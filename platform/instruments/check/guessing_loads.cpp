// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/guessing_loads.h"

#include <string_view>

#include "base/error.h"
#include "models/check/waits/register_set.h"
#include "models/isa/predicates.h"

namespace pws::platform {

namespace {

constexpr unsigned looked_at = 64;  // instructions

using check::register_set;
using isa::inst;

inst::run run_of(const isa::operand& o) {
  inst::run r;
  if (o.kind != isa::operand_kind::vgpr && o.kind != isa::operand_kind::scalar) return r;
  r.first = o.index;
  r.count = o.dwords;
  r.is_vgpr = o.kind == isa::operand_kind::vgpr;
  return r;
}

bool has_all(const register_set& s, const inst::run& r) {
  register_set both = s, wanted;
  wanted.add(r);
  both.add(wanted);
  return r.count != 0 && both.words == s.words;
}

void remove(register_set& s, const inst::run& r) {
  register_set gone;
  gone.add(r);
  for (size_t k = 0; k < s.words.size(); ++k) s.words[k] &= ~gone.words[k];
}

// The registers with what a compare-and-swap expects; none: `i` is none.
inst::run expected_by(const inst& i) {
  if (isa::operation_of(i) != isa::operation::compare_and_exchange) return {};
  inst::run r = run_of(i.src[1]);
  if (i.unit == isa::unit::lds) return r;
  r.count = static_cast<uint8_t>(r.count / 2);  // behind the new value
  r.first = static_cast<uint16_t>(r.first + r.count);
  return r;
}

}  // namespace

bool is_guess(isa::program& code, const inst& load) {
  if (load.lds_bit || load.dst.dwords > 2) return false;
  register_set copies;
  copies.add(run_of(load.dst));
  uint64_t pc = load.pc + load.bytes();
  try {
    for (unsigned n = 0; n < looked_at && !copies.empty(); ++n) {
      const inst& i = code.at(pc);
      if (i.unit == isa::unit::end || isa::is_indirect_jump(i)) return false;
      pc = i.pc + i.bytes();
      if (isa::branch_condition_of(i) == isa::branch_condition::always) {
        pc = i.target;
        continue;
      }
      if (const inst::run expected = expected_by(i); expected.count != 0 && has_all(copies, expected)) return true;
      const bool copied = isa::operation_of(i) == isa::operation::move && has_all(copies, run_of(i.src[0]));
      for (unsigned k = 0; k < i.n_writes; ++k) remove(copies, i.writes[k]);
      if (copied) copies.add(run_of(i.dst));
    }
  } catch (const program_error&) {  // no code any more
  }
  return false;
}

}  // namespace pws::platform
