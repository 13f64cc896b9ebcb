// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/float_unit.h"

#include <Vdouble_unit.h>
#include <Vhalf_unit.h>
#include <Vsingle_unit.h>
#include <Vvalu_trans.h>

#include <type_traits>

namespace pws::rtl_test {

namespace {

template <class Reference>
using port = std::remove_reference_t<Reference>;

// fpu_pkg::result_mode_t, of single precision or of the others.
uint16_t result_mode(const float_inputs& in, bool single) {
  const uint32_t round = in.mode >> (single ? 0 : 2) & 3, denorm = in.mode >> (single ? 4 : 6) & 3;
  const uint32_t dx10_clamp = in.mode >> 8 & 1, ieee = in.mode >> 9 & 1;
  return static_cast<uint16_t>(round << 7 | denorm << 5 | (in.omod & 3) << 3 | (in.clamp ? 4u : 0u) | ieee << 1 |
                               dx10_clamp);
}

template <class Unit>
float_outputs evaluated(Unit& u, const float_inputs& in) {
  const bool single = in.unit == precision::single_precision;
  u.en_i = 1;
  u.op_i = static_cast<uint8_t>(in.op);
  u.relation_i = in.relation & 15;
  u.a_i = static_cast<port<decltype(u.a_i)>>(in.a);
  u.b_i = static_cast<port<decltype(u.b_i)>>(in.b);
  u.c_i = static_cast<port<decltype(u.c_i)>>(in.c);
  u.flag_i = in.flag ? 1 : 0;
  u.mode_i = result_mode(in, single);
  u.other_mode_i = result_mode(in, !single);
  u.eval();
  return {u.result_o, u.flag_o != 0};
}

}  // namespace

struct float_units::verilated {
  VerilatedContext context;
  Vsingle_unit single_unit{&context};
  Vdouble_unit double_unit{&context};
  Vhalf_unit half_unit{&context};
  Vvalu_trans trans_unit{&context};
};

float_units::float_units() : model_(std::make_unique<verilated>()) {}
float_units::~float_units() {
  model_->single_unit.final();
  model_->double_unit.final();
  model_->half_unit.final();
  model_->trans_unit.final();
}

float_outputs float_units::evaluate(const float_inputs& in) {
  if (in.unit == precision::half_precision) return evaluated(model_->half_unit, in);
  if (in.unit == precision::double_precision) return evaluated(model_->double_unit, in);
  if (in.op >= fpu_op::exp || in.op == fpu_op::rcp || in.op == fpu_op::sqrt || in.op == fpu_op::rsq) {
    Vvalu_trans& u = model_->trans_unit;
    u.en_i = 1;
    u.op_i = static_cast<uint8_t>(in.op);
    u.a_i = static_cast<uint32_t>(in.a);
    u.mode_i = result_mode(in, true);
    u.eval();
    return {u.result_o, false};
  }
  return evaluated(model_->single_unit, in);
}

}  // namespace pws::rtl_test
