// What an instruction reads and writes, for the pipeline's dependency checks and the compiler pass.
#include <algorithm>

#include "models/isa/code/decode.h"
#include "models/isa/hardware_register.h"
#include "models/isa/predicates.h"

namespace pws::isa {

namespace {

void add_run(inst::run* runs, uint8_t& n, unsigned first, unsigned count, bool is_vgpr) {
  for (unsigned k = 0; k < n; ++k)
    if (runs[k].first == first && runs[k].count == count && runs[k].is_vgpr == is_vgpr) return;
  runs[n].first = static_cast<uint16_t>(first);
  runs[n].count = static_cast<uint8_t>(count);
  runs[n].is_vgpr = is_vgpr;
  ++n;
}

void add_operand(inst::run* runs, uint8_t& n, const operand& o) {
  if (o.kind == operand_kind::scalar || o.kind == operand_kind::vgpr)
    add_run(runs, n, o.index, o.dwords, o.kind == operand_kind::vgpr);
}

void read_scalar(inst& i, unsigned first, unsigned count) {
  add_run(i.reads, i.n_reads, first, count, false);
}

bool follows_exec(format f) {
  switch (f) {
    case format::vop1:
    case format::vop2:
    case format::vop3:
    case format::vopc:
    case format::vintrp:
    case format::ds:
    case format::flat:
    case format::mubuf:
    case format::mtbuf:
    case format::mimg:
      return true;
    default:
      return false;
  }
}

// Bits of STATUS that are made of other registers.
constexpr uint32_t status_scc = 1u << 0, status_execz = 1u << 9, status_vccz = 1u << 10;

// Those that an s_getreg names.
uint32_t status_bits(const inst& i) {
  if (i.row->means.does != operation::get_hardware_register) return 0;
  const hardware_register_field f(static_cast<uint32_t>(i.simm));
  return f.id == hw_status ? f.mask() : 0;
}

}  // namespace

void fill_scoreboard(inst& i) {
  const uint32_t flags = i.row->flags;
  for (unsigned n = 0; n < i.n_src; ++n) {
    const operand& o = i.src[n];
    add_operand(i.reads, i.n_reads, o);
    if (o.kind == operand_kind::vccz) read_scalar(i, vcc_lo, 2);
    if (o.kind == operand_kind::execz) read_scalar(i, exec_lo, 2);
    if (o.kind == operand_kind::scc) i.reads_scc = true;
    const bool special = o.kind == operand_kind::vccz || o.kind == operand_kind::execz || o.kind == operand_kind::scc;
    if (special || touches_exec(o)) i.special_src = true;
    if (o.kind == operand_kind::execz || touches_exec(o)) i.reads_exec = true;
  }
  const bool keeps_rest = i.variant == encoding_variant::sdwa && i.sdwa.dst_unused == 2;  // UNUSED_PRESERVE
  if ((flags & reads_dst) != 0 || keeps_rest) {
    add_operand(i.reads, i.n_reads, i.dst);
    if ((flags & row_flag::writes_m0) != 0) add_run(i.writes, i.n_writes, m0, 1, false);
    if (touches_exec(i.dst)) i.reads_exec = true;
  }
  if ((flags & implicit_vcc) != 0) read_scalar(i, vcc_lo, 2);
  if ((flags & row_flag::reads_m0) != 0 || i.lds_bit) read_scalar(i, m0, 1);
  if ((flags & row_flag::reads_exec) != 0 || (follows_exec(i.native) && (flags & ignores_exec) == 0)) {
    i.reads_exec = true;
    read_scalar(i, exec_lo, 2);
  }
  if ((flags & row_flag::reads_scc) != 0) i.reads_scc = true;
  const uint32_t status = status_bits(i);
  if ((status & status_scc) != 0) i.reads_scc = true;
  if ((status & status_execz) != 0) {
    i.reads_exec = true;
    read_scalar(i, exec_lo, 2);
  }
  if ((status & status_vccz) != 0) read_scalar(i, vcc_lo, 2);

  add_operand(i.writes, i.n_writes, i.dst);
  add_operand(i.writes, i.n_writes, i.sdst);
  if ((flags & row_flag::writes_exec) != 0) {
    i.writes_exec = true;
    add_run(i.writes, i.n_writes, exec_lo, 2, false);
  }
  if ((flags & row_flag::writes_m0) != 0) add_run(i.writes, i.n_writes, m0, 1, false);
  if (touches_exec(i.dst) || touches_exec(i.sdst)) i.writes_exec = true;
  i.writes_scc = (flags & row_flag::writes_scc) != 0;
  i.relative_index = (flags & row_flag::relative_index) != 0;
  const auto note_vgprs = [&](const inst::run* runs, unsigned n) {
    for (unsigned k = 0; k < n; ++k)
      if (runs[k].is_vgpr) i.vgpr_end = std::max(i.vgpr_end, static_cast<uint16_t>(runs[k].first + runs[k].count));
  };
  note_vgprs(i.reads, i.n_reads);
  note_vgprs(i.writes, i.n_writes);
  if (i.native != format::mimg) return;
  // An image address has at least one register. How many more depends on the resource, which only the executor sees: it
  // checks them.
  i.vgpr_end = static_cast<uint16_t>(i.src[0].index + 1u);
  for (const operand* o : {&i.src[1], &i.dst})
    if (o->kind == operand_kind::vgpr) i.vgpr_end = std::max(i.vgpr_end, static_cast<uint16_t>(o->index + o->dwords));
}

}  // namespace pws::isa
