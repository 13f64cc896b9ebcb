#include "tests/cosim/float/float_cases.h"

#include <cstring>

namespace pws::rtl_test {

namespace {

std::vector<float_case> make_cases() {
  using k = operand_class;
  using r = operand_relation;
  std::vector<float_case> cases = {
      {"sums", "v_add_f32", fpu_op::add, {k::number, k::number}, r::sum},
      {"sums", "v_sub_f32", fpu_op::sub, {k::number, k::number}, r::sum},
      {"sums", "v_subrev_f32", fpu_op::sub_rev, {k::number, k::number}, r::sum},

      {"products", "v_mul_f32", fpu_op::mul, {k::number, k::number}, r::product},
      {"products", "v_mul_legacy_f32", fpu_op::mul_legacy, {k::number, k::number}, r::product},

      {"unfused", "v_mad_f32", fpu_op::mad, {k::number, k::number, k::number}, r::fused},
      {"unfused", "v_mac_f32", fpu_op::mad, {k::number, k::number, k::number}, r::fused},
      {"unfused", "v_mad_legacy_f32", fpu_op::mad_legacy, {k::number, k::number, k::number}, r::fused},

      {"fused", "v_fma_f32", fpu_op::fma, {k::number, k::number, k::number}, r::fused},

      {"order", "v_min_f32", fpu_op::min, {k::number, k::number}, r::sum},
      {"order", "v_max_f32", fpu_op::max, {k::number, k::number}, r::sum},
      {"order", "v_min3_f32", fpu_op::min3, {k::number, k::number, k::number}},
      {"order", "v_max3_f32", fpu_op::max3, {k::number, k::number, k::number}},
      {"order", "v_med3_f32", fpu_op::med3, {k::number, k::number, k::number}},
      {"order", "v_cndmask_b32", fpu_op::cndmask, {k::number, k::number}},

      {"whole", "v_trunc_f32", fpu_op::trunc, {k::number}},
      {"whole", "v_ceil_f32", fpu_op::ceil, {k::number}},
      {"whole", "v_rndne_f32", fpu_op::rndne, {k::number}},
      {"whole", "v_floor_f32", fpu_op::floor, {k::number}},
      {"whole", "v_fract_f32", fpu_op::fract, {k::number}},

      {"to_float", "v_cvt_f32_i32", fpu_op::cvt_f32_i32, {k::integer}},
      {"to_float", "v_cvt_f32_u32", fpu_op::cvt_f32_u32, {k::integer}},
      {"to_float", "v_cvt_off_f32_i4", fpu_op::cvt_off_f32_i4, {k::bits}},
      {"to_float", "v_cvt_f32_ubyte0", fpu_op::cvt_f32_ubyte0, {k::bits}},
      {"to_float", "v_cvt_f32_ubyte1", fpu_op::cvt_f32_ubyte1, {k::bits}},
      {"to_float", "v_cvt_f32_ubyte2", fpu_op::cvt_f32_ubyte2, {k::bits}},
      {"to_float", "v_cvt_f32_ubyte3", fpu_op::cvt_f32_ubyte3, {k::bits}},

      {"to_integer", "v_cvt_u32_f32", fpu_op::cvt_u32_f32, {k::number}},
      {"to_integer", "v_cvt_i32_f32", fpu_op::cvt_i32_f32, {k::number}},
      {"to_integer", "v_cvt_rpi_i32_f32", fpu_op::cvt_rpi_i32_f32, {k::number}},
      {"to_integer", "v_cvt_flr_i32_f32", fpu_op::cvt_flr_i32_f32, {k::number}},
      {"to_integer", "v_cvt_pk_u8_f32", fpu_op::cvt_pk_u8_f32, {k::number, k::byte_number, k::bits}},

      {"half", "v_cvt_f16_f32", fpu_op::cvt_f16_f32, {k::narrowed}},
      {"half", "v_cvt_f32_f16", fpu_op::cvt_f32_f16, {k::half}},
      {"half", "v_cvt_pkrtz_f16_f32", fpu_op::cvt_pkrtz_f16_f32, {k::narrowed, k::narrowed}},

      {"exponent", "v_ldexp_f32", fpu_op::ldexp, {k::number, k::exponent}},
      {"exponent", "v_frexp_exp_i32_f32", fpu_op::frexp_exp, {k::number}},
      {"exponent", "v_frexp_mant_f32", fpu_op::frexp_mant, {k::number}},

      {"division", "v_div_scale_f32", fpu_op::div_scale, {k::number, k::number, k::number}, r::quotient},
      {"division", "v_div_fmas_f32", fpu_op::div_fmas, {k::number, k::number, k::number}, r::fused},
      {"division", "v_div_fmas_f32", fpu_op::div_fmas, {k::number, k::number, k::number}, r::last_step},
      {"division", "v_div_fixup_f32", fpu_op::div_fixup, {k::number, k::number, k::number}, r::quotient},

      {"transcendental", "v_exp_f32", fpu_op::exp, {k::number}},
      {"transcendental", "v_exp_f32", fpu_op::exp, {k::logarithm}},
      {"transcendental", "v_log_f32", fpu_op::log, {k::number}},
      {"transcendental", "v_rcp_f32", fpu_op::rcp, {k::number}},
      {"transcendental", "v_rsq_f32", fpu_op::rsq, {k::number}},
      {"transcendental", "v_sqrt_f32", fpu_op::sqrt, {k::number}},
      {"transcendental", "v_sin_f32", fpu_op::sin, {k::number}},
      {"transcendental", "v_sin_f32", fpu_op::sin, {k::turns}},
      {"transcendental", "v_cos_f32", fpu_op::cos, {k::number}},
      {"transcendental", "v_cos_f32", fpu_op::cos, {k::turns}},

      {"compare", "v_cmp_class_f32", fpu_op::cmp_class, {k::number, k::mask}},
  };
  static const char* const relations[16] = {"v_cmp_f_f32",   "v_cmp_lt_f32",  "v_cmp_eq_f32",  "v_cmp_le_f32",
                                            "v_cmp_gt_f32",  "v_cmp_lg_f32",  "v_cmp_ge_f32",  "v_cmp_o_f32",
                                            "v_cmp_u_f32",   "v_cmp_nge_f32", "v_cmp_nlg_f32", "v_cmp_ngt_f32",
                                            "v_cmp_nle_f32", "v_cmp_neq_f32", "v_cmp_nlt_f32", "v_cmp_tru_f32"};
  for (unsigned n = 0; n < 16; ++n)
    cases.push_back({"compare", relations[n], fpu_op::cmp, {k::number, k::number}, r::sum, n});
  return cases;
}

}  // namespace

const std::vector<float_case>& float_cases() {
  static const std::vector<float_case> cases = make_cases();
  return cases;
}

std::vector<const char*> float_groups() {
  std::vector<const char*> groups;
  for (const float_case& c : float_cases())
    if (groups.empty() || std::strcmp(groups.back(), c.group) != 0) groups.push_back(c.group);
  return groups;
}

}  // namespace pws::rtl_test
