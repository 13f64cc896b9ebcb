// SPDX-License-Identifier: Apache-2.0
#include "models/check/init/init_checker.h"

#include <fmt/format.h>

#include "models/check/init/bit_rules.h"
#include "models/isa/code/operand_text.h"
#include "models/isa/memory/image_resource.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::check::init {

namespace {

using isa::inst;
using isa::operation;
using isa::unit;

}  // namespace

site init_checker::at(const context& c, const inst& i, uint64_t lanes) const {
  site s = c.where;
  s.pc = i.pc;
  s.lanes = lanes;
  return s;
}

// Everything that the instruction reads; of vector registers these lanes.
bool init_checker::all_defined(const context& c, const inst& i, uint64_t lanes) const {
  uint64_t vectors = 0;
  uint32_t scalars = i.reads_scc && c.scalars.scc ? 1 : 0;
  for (unsigned k = 0; k < i.n_reads; ++k) {
    const inst::run& r = i.reads[k];
    if (r.is_vgpr)
      for (unsigned n = r.first; n < unsigned{r.first} + r.count && n < c.vectors->size(); ++n)
        vectors |= c.vectors->lanes(n);
    else
      for (unsigned n = r.first; n < unsigned{r.first} + r.count; ++n) scalars |= c.scalars.bits[n];
  }
  return ((vectors & lanes) | scalars) == 0;
}

// What it writes is defined, of vector registers in these lanes.
bool init_checker::define_results(context& c, const inst& i, uint64_t lanes) {
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const inst::run& r = i.writes[k];
    if (r.is_vgpr)
      for (unsigned n = r.first; n < unsigned{r.first} + r.count && n < c.vectors->size(); ++n)
        c.vectors->define(n, lanes);
    else
      for (unsigned n = r.first; n < unsigned{r.first} + r.count; ++n) c.scalars.bits[n] = 0;
  }
  if (i.writes_scc) c.scalars.scc = false;
  return true;
}

void init_checker::executes(context& c, const isa::wave_state& s, const inst& i) {
  if (isa::is_vector_alu(i.unit)) {
    const uint64_t active = s.active();
    const operation o = isa::operation_of(i);
    if (o == operation::write_lane) return write_lane(c, s, i);
    if (o == operation::read_lane || o == operation::read_first_lane) return read_lane(c, s, i);
    const bool plain = i.variant != isa::encoding_variant::dpp && !isa::is_indexed(i, s.mode);
    if (plain && all_defined(c, i, active)) {
      define_results(c, i, active);
      return;
    }
    return vector_alu(c, s, i);
  }
  switch (i.unit) {
    case unit::scalar_memory:
    case unit::vector_memory:
    case unit::lds:
      if (isa::exchanges_lanes(i)) return exchange(c, s, i);
      if (!all_defined(c, i, s.active())) check_addresses(c, s, i);
      return;
    case unit::branch:
      return check_branch(c, s, i);
    case unit::split:
      for (unsigned k = 0; k < 2; ++k) {
        const uint64_t lanes = (k == 0 ? s.split_mask & c.launched : (s.split_mask & c.launched) >> 32) & 0xffffffff;
        use_scalar(c, s, i, i.src[k], lanes, "mask_undefined", "says which work-items split off");
      }
      return;
    case unit::message:
      if ((i.row->flags & isa::reads_m0) != 0)
        use_scalar(c, s, i, isa::scalar_run(isa::m0, 1), ~uint64_t{0}, "m0_undefined", "is sent");
      return;
    default:
      if (all_defined(c, i, 0) && !i.relative_index)
        define_results(c, i, 0);
      else
        scalar_alu(c, s, i);
  }
}

// ---- uses

void init_checker::report(const context& c, const inst& i, const char* rule, uint64_t lanes, std::string what,
                          origin from) {
  const origin_table::entry* first = origins_.find(from);
  if (!sink_.is_new(rule, i.pc, first == nullptr ? 0 : first->where.pc)) return;
  finding f;
  f.check = family::init;
  f.rule = rule;
  f.what = std::move(what);
  f.mend = "write it first";
  f.here = at(c, i, lanes);
  if (first != nullptr) {
    f.other = first->where;
    using kind = origin_table::kind;
    switch (first->what) {
      case kind::vector_register:
        f.other_is = fmt::format("v{}, which nothing has written, is first read by", first->reg);
        f.mend = fmt::format("write v{} first, in these work-items", first->reg);
        break;
      case kind::scalar_register:
        f.other_is = fmt::format("{}, which nothing has written, is first read by",
                                 first->reg == isa::scalar_count ? "SCC" : isa::scalar_text(first->reg, 1));
        f.mend = "write the register first";
        break;
      case kind::lds:
        f.other_is = "LDS that nothing has written is loaded by";
        f.mend = "write these bytes of LDS first: they hold nothing when a workgroup begins";
        break;
      case kind::memory:
        f.other_is = "memory that nothing has written is loaded by";
        f.mend =
            "write this memory first: from the host, by hipMemset, or in a kernel; of a private array, every element";
        break;
    }
  }
  sink_.add(std::move(f));
}

void init_checker::use_scalar(context& c, const isa::wave_state& s, const inst& i, const isa::operand& o,
                              uint64_t looked_at, const char* rule, const char* as) {
  if (o.kind != isa::operand_kind::scalar && o.kind != isa::operand_kind::scc) return;
  uint64_t bits = 0;
  if (o.kind == isa::operand_kind::scc)
    bits = c.scalars.scc ? 1 : 0;
  else
    for (unsigned k = 0; k < o.dwords; ++k)
      bits |= k < 2 ? uint64_t{c.scalars.bits[o.index + k]} << (32 * k) : c.scalars.bits[o.index + k];
  bits &= looked_at;
  if (bits == 0) return;
  if (s.active() == 0) return;  // nobody's work
  const origin from = scalar_origin(c, i, o);
  for (unsigned k = 0; k < o.dwords && o.kind == isa::operand_kind::scalar; ++k) c.scalars.bits[o.index + k] = 0;
  if (o.kind == isa::operand_kind::scc) c.scalars.scc = false;
  const std::string name = o.kind == isa::operand_kind::scc ? "SCC"
                           : o.dwords > 1                   ? isa::scalar_text(o.index, o.dwords)
                                                            : isa::scalar_text(o.index, 1);
  report(c, i, rule, 0, fmt::format("{} {} and is undefined", name, as), from);
}

void init_checker::use_vector(context& c, const isa::wave_state&, const inst& i, unsigned r, uint64_t lanes) {
  if (r >= c.vectors->size()) return;
  lanes &= c.vectors->lanes(r);
  if (lanes == 0) return;
  const origin from = vector_origin(c, i, r);
  c.vectors->define(r, lanes);
  report(c, i, "address_undefined", lanes, fmt::format("v{} gives an address and is undefined", r), from);
}

void init_checker::use_mask(context& c, const inst& i, uint64_t lanes, origin from) {
  report(c, i, "mask_undefined", lanes, "whether these work-items go on (EXEC) depends on something undefined", from);
}

void init_checker::check_branch(context& c, const isa::wave_state& s, const inst& i) {
  isa::operand o = isa::scalar_run(isa::vcc_lo, 2);
  if (isa::tests_scc(i) && c.scalars.scc) {
    o.kind = isa::operand_kind::scc;
    use_scalar(c, s, i, o, 1, "branch_undefined", "decides a branch");
  } else if (isa::tests_vcc(i) && undefined_zero_test({s.vcc(), c.scalars.bits64(isa::vcc_lo)})) {
    use_scalar(c, s, i, o, ~uint64_t{0}, "branch_undefined", "decides a branch");
  } else if (isa::is_indirect_jump(i)) {
    use_scalar(c, s, i, i.src[0], ~uint64_t{0}, "jump_undefined", "says where the program goes on");
    define_results(c, i, 0);
  } else if (isa::operation_of(i) == operation::fork || isa::operation_of(i) == operation::join) {
    for (unsigned k = 0; k < i.n_src; ++k)
      use_scalar(c, s, i, i.src[k], ~uint64_t{0}, "branch_undefined", "decides a branch");
    define_results(c, i, 0);
  }
}

namespace {

unsigned address_registers(const isa::wave_state& s, const inst& i) {
  return i.native == isa::format::mimg ? isa::image_address_registers_or_fewest(s, i) : i.src[0].dwords;
}

}  // namespace

// A memory instruction's address, resource and M0 must be defined; the values that it stores need not be.
void init_checker::check_addresses(context& c, const isa::wave_state& s, const inst& i) {
  const char* const rule = "address_undefined";
  const char* const as = "gives an address";
  constexpr uint64_t all = ~uint64_t{0};
  if (i.unit == unit::scalar_memory) {
    use_scalar(c, s, i, i.src[0], all, rule, as);
    use_scalar(c, s, i, i.src[3], all, rule, as);
    return;
  }
  const isa::operand& address = i.src[0];
  const unsigned n_address = address.kind == isa::operand_kind::vgpr ? address_registers(s, i) : 0;
  for (unsigned k = 0; k < n_address; ++k) use_vector(c, s, i, address.index + k, s.active());
  if (i.unit == unit::vector_memory && i.native != isa::format::flat) {
    use_scalar(c, s, i, i.src[2], all, rule, as);
    use_scalar(c, s, i, i.src[3], all, rule, as);
  }
  const bool gives_offset = i.lds_bit || isa::operation_of(i) == operation::count_active_lanes;
  if ((i.row->flags & isa::reads_m0) != 0 || i.lds_bit)
    use_scalar(c, s, i, isa::scalar_run(isa::m0, 1), all, "m0_undefined",
               gives_offset ? "gives an offset in LDS" : "limits LDS");
}

// ---- what the host reads

void init_checker::host_reads(uint64_t address, uint64_t bytes) {
  // Shorter runs are what a compiler leaves between the members of a structure.
  constexpr uint64_t shortest = 4;
  const uint64_t end = address + bytes;
  for (memory_shadow::run r = memory_.next_undefined(address, end); r.begin < r.end;
       r = memory_.next_undefined(r.end, end)) {
    if (r.end - r.begin < shortest) continue;
    const origin from = memory_.from(r.begin);
    const origin_table::entry* first = origins_.find(from);
    if (!sink_.is_new("host_read_undefined", 0, first == nullptr ? 0 : first->where.pc)) continue;
    finding f;
    f.check = family::init;
    f.rule = "host_read_undefined";
    f.what = fmt::format("the host reads {} bytes that are undefined", r.end - r.begin);
    f.space = memory_space::global;
    f.address = r.begin;
    f.bytes = static_cast<uint32_t>(std::min<uint64_t>(r.end - r.begin, UINT32_MAX));
    f.mend = "write them first: in a kernel, or from the host";
    if (first != nullptr) {
      f.other = first->where;
      f.other_is = "what was stored there comes from";
    }
    sink_.add(std::move(f));
  }
}

}  // namespace pws::check::init
