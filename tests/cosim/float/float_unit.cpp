// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/float_unit.h"

#include <Vvalu_double.h>
#include <Vvalu_float.h>
#include <Vvalu_half.h>
#include <Vvalu_trans.h>

#include <type_traits>

namespace pws::rtl_test {

namespace {

template <class Reference>
using port = std::remove_reference_t<Reference>;

// The ports that all units have.
template <class Unit>
float_outputs evaluated(Unit& u, const float_inputs& in) {
  u.en_i = 1;
  u.op_i = static_cast<uint8_t>(in.op);
  u.relation_i = in.relation & 15;
  u.a_i = static_cast<port<decltype(u.a_i)>>(in.a);
  u.b_i = static_cast<port<decltype(u.b_i)>>(in.b);
  u.c_i = static_cast<port<decltype(u.c_i)>>(in.c);
  u.dx10_clamp_i = in.mode >> 8 & 1;
  u.ieee_i = in.mode >> 9 & 1;
  u.omod_i = in.omod & 3;
  u.clamp_i = in.clamp ? 1 : 0;
  u.eval();
  return {u.result_o, u.flag_o != 0};
}

}  // namespace

struct float_units::verilated {
  VerilatedContext context;
  Vvalu_float single_unit{&context};
  Vvalu_double double_unit{&context};
  Vvalu_half half_unit{&context};
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
  const auto low_round = static_cast<uint8_t>(in.mode & 3), low_denorm = static_cast<uint8_t>(in.mode >> 4 & 3);
  const auto high_round = static_cast<uint8_t>(in.mode >> 2 & 3), high_denorm = static_cast<uint8_t>(in.mode >> 6 & 3);
  if (in.unit == precision::half_precision) {
    Vvalu_half& u = model_->half_unit;
    u.round_i = high_round;
    u.denorm_i = high_denorm;
    return evaluated(u, in);
  }
  if (in.unit == precision::double_precision) {
    Vvalu_double& u = model_->double_unit;
    u.flag_i = in.flag ? 1 : 0;
    u.round_i = high_round;
    u.denorm_i = high_denorm;
    u.single_round_i = low_round;
    u.single_denorm_i = low_denorm;
    return evaluated(u, in);
  }
  if (in.op >= fpu_op::exp || in.op == fpu_op::rcp || in.op == fpu_op::sqrt || in.op == fpu_op::rsq) {
    Vvalu_trans& u = model_->trans_unit;
    u.en_i = 1;
    u.op_i = static_cast<uint8_t>(in.op);
    u.a_i = static_cast<uint32_t>(in.a);
    u.round_i = low_round;
    u.denorm_i = low_denorm;
    u.dx10_clamp_i = in.mode >> 8 & 1;
    u.ieee_i = in.mode >> 9 & 1;
    u.omod_i = in.omod & 3;
    u.clamp_i = in.clamp ? 1 : 0;
    u.eval();
    return {u.result_o, false};
  }
  Vvalu_float& u = model_->single_unit;
  u.flag_i = in.flag ? 1 : 0;
  u.round_i = low_round;
  u.denorm_i = low_denorm;
  u.half_round_i = high_round;
  u.half_denorm_i = high_denorm;
  return evaluated(u, in);
}

}  // namespace pws::rtl_test
