// SPDX-License-Identifier: Apache-2.0
// The Verilated floating-point units (rtl/fp_unit.sv, valu_trans.sv) as functions of their inputs.
#pragma once

#include <cstdint>
#include <memory>

#include "tests/cosim/float/float_operands.h"

namespace pws::rtl_test {

// valu_pkg::float_op_e, in its order.
enum class fpu_op : uint8_t {
  add,
  sub,
  sub_rev,
  mul,
  mul_legacy,
  mad,
  mad_legacy,
  fma,
  ldexp,
  div_scale,
  div_fmas,
  div_fixup,
  min,
  max,
  min3,
  max3,
  med3,
  trunc,
  ceil,
  rndne,
  floor,
  fract,
  frexp_exp,
  frexp_mant,
  cvt_f32_i32,
  cvt_f32_u32,
  cvt_u32_f32,
  cvt_i32_f32,
  cvt_rpi_i32_f32,
  cvt_flr_i32_f32,
  cvt_off_f32_i4,
  cvt_f32_ubyte0,
  cvt_f32_ubyte1,
  cvt_f32_ubyte2,
  cvt_f32_ubyte3,
  cvt_pk_u8_f32,
  cvt_pkrtz_f16_f32,
  cvt_f16_f32,
  cvt_f32_f16,
  cndmask,
  cmp,
  cmp_class,
  cvt_f64_f32,
  cvt_f32_f64,
  cvt_f64_i32,
  cvt_f64_u32,
  cvt_i32_f64,
  cvt_u32_f64,
  trig_preop,
  rcp,
  sqrt,
  rsq,
  cvt_f16_i16,
  cvt_f16_u16,
  cvt_i16_f16,
  cvt_u16_f16,
  exp,
  log,
  sin,
  cos
};
constexpr unsigned fpu_op_count = static_cast<unsigned>(fpu_op::cos) + 1;

struct float_inputs {
  precision unit = precision::single_precision;
  fpu_op op = fpu_op::add;
  unsigned relation = 0;
  uint64_t a = 0, b = 0, c = 0;  // sources, neg and abs applied
  bool flag = false;
  uint32_t mode = 0;  // HW_REG_MODE[9:0]
  unsigned omod = 0;
  bool clamp = false;
};
struct float_outputs {
  uint64_t result;
  bool flag;
};

class float_units {
 public:
  float_units();
  ~float_units();
  float_outputs evaluate(const float_inputs& in);

 private:
  struct verilated;
  std::unique_ptr<verilated> model_;
};

}  // namespace pws::rtl_test
