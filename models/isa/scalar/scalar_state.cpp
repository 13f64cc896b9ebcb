// SPDX-License-Identifier: Apache-2.0
// Scalar reads and writes that are not plain register accesses.
#include <fmt/format.h>

#include "base/error.h"
#include "base/popcount.h"
#include "models/isa/allocation.h"
#include "models/isa/hardware_register.h"
#include "models/isa/scalar/scalar_executors.h"
#include "models/isa/scalar/scalar_semantics.h"

namespace pws::isa {

uint64_t special_source(const wave_state& w, const operand& o) {
  switch (o.kind) {
    case operand_kind::vccz:
      return w.vcc() == 0 ? 1 : 0;
    case operand_kind::execz:
      return w.active() == 0 ? 1 : 0;
    case operand_kind::scc:
      return w.scc ? 1 : 0;
    case operand_kind::constant:
      return o.value;
    default:
      break;
  }
  if (o.index < exec_lo) return o.dwords == 2 ? w.scalar64(o.index) : w.scalar[o.index];
  const uint64_t exec = w.active();
  if (o.dwords == 2) return exec;
  return o.index == exec_lo ? exec & 0xffffffff : exec >> 32;
}

unsigned relative_register(const wave_state& w, const operand& o) {
  if (o.kind != operand_kind::scalar) throw program_error("relative access needs a scalar register");
  const unsigned limit = w.n_sgprs != 0 && w.n_sgprs < sgpr_limit ? w.n_sgprs : unsigned{sgpr_limit};
  const int64_t offset = static_cast<int32_t>(w.scalar[m0]);
  const int64_t index = o.index + offset;
  if (index < 0 || index + o.dwords > limit)
    throw program_error(fmt::format("relative access to scalar register {} (m0 = {}) is outside the wavefront's {}",
                                    index, offset, limit));
  if (index % o.dwords != 0) throw program_error(fmt::format("relative access to a misaligned pair at s{}", index));
  return static_cast<unsigned>(index);
}

namespace {

// MODE beyond the floating-point fields.
constexpr uint32_t skip_vector = 1u << 28;
constexpr unsigned csp_shift = 29, csp_limit = 8;

unsigned stack_register(const wave_state& w, unsigned depth, const char* what) {
  const unsigned limit = w.n_sgprs != 0 && w.n_sgprs < sgpr_limit ? w.n_sgprs : unsigned{sgpr_limit};
  if (depth >= csp_limit || 4 * depth + 4 > limit)
    throw program_error(
        fmt::format("{}: branch stack entry {} is outside its {} entries or the wavefront's {} scalar "
                    "registers",
                    what, static_cast<int>(depth), csp_limit, limit));
  return 4 * depth;
}
void set_depth(wave_state& w, unsigned depth) {
  w.mode = (w.mode & ((1u << csp_shift) - 1)) | depth << csp_shift;
}

}  // namespace

void fork(wave_state& w, uint64_t condition, uint64_t target) {
  const uint64_t exec = w.active(), pass = condition & exec, fail = ~condition & exec;
  if (pass == exec) {
    w.pc = target;
    return;
  }
  if (fail == exec) return;
  const unsigned depth = w.mode >> csp_shift;
  // The last value of CSP is full: counting it would wrap around to an empty stack.
  const unsigned entry = stack_register(w, depth + 1 == csp_limit ? csp_limit : depth, "s_cbranch_fork");
  const bool fail_first = popcount(fail) < popcount(pass);
  w.set_scalar64(entry, fail_first ? pass : fail);
  w.set_scalar64(entry + 2, fail_first ? target : w.pc);
  w.set_scalar64(exec_lo, fail_first ? fail : pass);
  if (!fail_first) w.pc = target;
  set_depth(w, depth + 1);
}
void join(wave_state& w, uint32_t saved_depth) {
  const unsigned depth = w.mode >> csp_shift;
  if (depth == saved_depth) return;
  const unsigned entry = stack_register(w, depth - 1, "s_cbranch_join");
  w.set_scalar64(exec_lo, w.scalar64(entry));
  w.pc = w.scalar64(entry + 2);
  set_depth(w, depth - 1);
}

void set_gpr_index(wave_state& w, uint32_t index) {
  w.scalar[m0] = (w.scalar[m0] & ~0xffu) | (index & 0xff);
}
void set_gpr_index_operands(wave_state& w, uint32_t operands) {
  w.scalar[m0] = (w.scalar[m0] & ~0xf000u) | (operands & 0xf) << 12;
}
void enable_gpr_index(wave_state& w, bool on) {
  w.mode = on ? w.mode | mode_indexing : w.mode & ~mode_indexing;
}

namespace {

uint32_t status(const wave_state& w) {
  constexpr uint32_t valid = 1u << 16;
  return (w.scc ? 1u : 0u) | (w.active() == 0 ? 1u << 9 : 0u) | (w.vcc() == 0 ? 1u << 10 : 0u) | valid;
}
// Sizes are in allocation granules minus one.
uint32_t gpr_alloc(const wave_state& w) {
  const uint32_t v = granules_of(w.n_vgprs, vgpr_granule), s = granules_of(w.n_sgprs, sgpr_granule);
  return (v == 0 ? 0 : (v - 1) & 0x3f) << 8 | (s == 0 ? 0 : (s - 1) & 0xf) << 24;
}
// LDS size in granules of 64 dwords.
uint32_t lds_alloc(const wave_state& w) {
  return (((w.lds_bytes + 255) / 256) & 0x1ff) << 12;
}

}  // namespace

uint32_t get_hardware_register(const wave_state& w, uint32_t where) {
  const hardware_register_field f(where);
  uint32_t v = 0;
  switch (f.id) {
    case hw_mode:
      v = w.mode;
      break;
    case hw_status:
      v = status(w);
      break;
    case hw_trapsts:
      v = w.trapsts;
      break;
    case hw_id:
      v = w.hw_id;
      break;
    case hw_gpr_alloc:
      v = gpr_alloc(w);
      break;
    case hw_lds_alloc:
      v = lds_alloc(w);
      break;
    default:
      throw program_error(fmt::format("unimplemented s_getreg of hardware register {}", f.id));
  }
  return (v & f.mask()) >> f.offset;
}

void set_hardware_register(wave_state& w, uint32_t where, uint32_t value) {
  const hardware_register_field f(where);
  uint32_t* reg = f.id == hw_mode ? &w.mode : f.id == hw_trapsts ? &w.trapsts : nullptr;
  if (reg == nullptr) throw program_error(fmt::format("unimplemented s_setreg of hardware register {}", f.id));
  const uint32_t fresh = (*reg & ~f.mask()) | ((value << f.offset) & f.mask());
  if (f.id == hw_mode && (fresh & skip_vector) != 0)
    throw program_error("unimplemented s_setreg of MODE.vskip: vector instructions cannot be skipped");
  *reg = fresh;
}

}  // namespace pws::isa
