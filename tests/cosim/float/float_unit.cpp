#include "tests/cosim/float/float_unit.h"

#include <Vvalu_float.h>
#include <Vvalu_trans.h>

namespace pws::rtl_test {

struct float_unit::verilated {
  VerilatedContext context;
  Vvalu_float unit{&context};
  Vvalu_trans trans{&context};

  float_outputs transcendental(const float_inputs& in) {
    trans.en_i = 1;
    trans.op_i = static_cast<uint8_t>(in.op);
    trans.a_i = in.a;
    trans.round_i = in.mode & 3;
    trans.denorm_i = in.mode >> 4 & 3;
    trans.dx10_clamp_i = in.mode >> 8 & 1;
    trans.ieee_i = in.mode >> 9 & 1;
    trans.omod_i = in.omod & 3;
    trans.clamp_i = in.clamp ? 1 : 0;
    trans.eval();
    return {trans.result_o, false};
  }
};

float_unit::float_unit() : model_(std::make_unique<verilated>()) {}
float_unit::~float_unit() {
  model_->unit.final();
  model_->trans.final();
}

float_outputs float_unit::evaluate(const float_inputs& in) {
  if (in.op >= fpu_op::exp) return model_->transcendental(in);
  Vvalu_float& u = model_->unit;
  u.en_i = 1;
  u.op_i = static_cast<uint8_t>(in.op);
  u.relation_i = in.relation & 15;
  u.a_i = in.a;
  u.b_i = in.b;
  u.c_i = in.c;
  u.flag_i = in.flag ? 1 : 0;
  u.round_i = in.mode & 3;
  u.half_round_i = in.mode >> 2 & 3;
  u.denorm_i = in.mode >> 4 & 3;
  u.half_denorm_i = in.mode >> 6 & 3;
  u.dx10_clamp_i = in.mode >> 8 & 1;
  u.ieee_i = in.mode >> 9 & 1;
  u.omod_i = in.omod & 3;
  u.clamp_i = in.clamp ? 1 : 0;
  u.eval();
  return {u.result_o, u.flag_o != 0};
}

}  // namespace pws::rtl_test
