#include "tests/cosim/float/float_unit.h"

#include <Vvalu_float.h>

namespace pws::rtl_test {

struct float_unit::verilated {
  VerilatedContext context;
  Vvalu_float unit{&context};
};

float_unit::float_unit() : model_(std::make_unique<verilated>()) {}
float_unit::~float_unit() {
  model_->unit.final();
}

float_outputs float_unit::evaluate(const float_inputs& in) {
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
