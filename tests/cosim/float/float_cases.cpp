// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/float_cases.h"

#include <cstring>

namespace pws::rtl_test {

namespace {

#define PWS_RELATIONS(t)                                                                                            \
  {                                                                                                                 \
    "v_cmp_f_" t, "v_cmp_lt_" t, "v_cmp_eq_" t, "v_cmp_le_" t, "v_cmp_gt_" t, "v_cmp_lg_" t, "v_cmp_ge_" t,         \
        "v_cmp_o_" t, "v_cmp_u_" t, "v_cmp_nge_" t, "v_cmp_nlg_" t, "v_cmp_ngt_" t, "v_cmp_nle_" t, "v_cmp_neq_" t, \
        "v_cmp_nlt_" t, "v_cmp_tru_" t                                                                              \
  }
constexpr const char* half_relations[16] = PWS_RELATIONS("f16");
constexpr const char* single_relations[16] = PWS_RELATIONS("f32");
constexpr const char* double_relations[16] = PWS_RELATIONS("f64");
#undef PWS_RELATIONS

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
  const std::vector<float_case> doubles = {
      {"double_sums", "v_add_f64", fpu_op::add, {k::number, k::number}, r::sum},
      {"double_products", "v_mul_f64", fpu_op::mul, {k::number, k::number}, r::product},
      {"double_fused", "v_fma_f64", fpu_op::fma, {k::number, k::number, k::number}, r::fused},

      {"double_order", "v_min_f64", fpu_op::min, {k::number, k::number}, r::sum},
      {"double_order", "v_max_f64", fpu_op::max, {k::number, k::number}, r::sum},

      {"double_whole", "v_trunc_f64", fpu_op::trunc, {k::number}},
      {"double_whole", "v_ceil_f64", fpu_op::ceil, {k::number}},
      {"double_whole", "v_rndne_f64", fpu_op::rndne, {k::number}},
      {"double_whole", "v_floor_f64", fpu_op::floor, {k::number}},
      {"double_whole", "v_fract_f64", fpu_op::fract, {k::number}},

      {"double_conversion", "v_cvt_f64_f32", fpu_op::cvt_f64_f32, {k::single}},
      {"double_conversion", "v_cvt_f32_f64", fpu_op::cvt_f32_f64, {k::narrowed}},
      {"double_conversion", "v_cvt_f64_i32", fpu_op::cvt_f64_i32, {k::integer}},
      {"double_conversion", "v_cvt_f64_u32", fpu_op::cvt_f64_u32, {k::integer}},
      {"double_conversion", "v_cvt_i32_f64", fpu_op::cvt_i32_f64, {k::number}},
      {"double_conversion", "v_cvt_u32_f64", fpu_op::cvt_u32_f64, {k::number}},

      {"double_exponent", "v_ldexp_f64", fpu_op::ldexp, {k::number, k::exponent}},
      {"double_exponent", "v_frexp_exp_i32_f64", fpu_op::frexp_exp, {k::number}},
      {"double_exponent", "v_frexp_mant_f64", fpu_op::frexp_mant, {k::number}},
      {"double_exponent", "v_trig_preop_f64", fpu_op::trig_preop, {k::number, k::bits}},

      {"double_roots", "v_rcp_f64", fpu_op::rcp, {k::number}},
      {"double_roots", "v_sqrt_f64", fpu_op::sqrt, {k::number}},
      {"double_roots", "v_rsq_f64", fpu_op::rsq, {k::number}},

      {"double_division", "v_div_scale_f64", fpu_op::div_scale, {k::number, k::number, k::number}, r::quotient},
      {"double_division", "v_div_fmas_f64", fpu_op::div_fmas, {k::number, k::number, k::number}, r::fused},
      {"double_division", "v_div_fmas_f64", fpu_op::div_fmas, {k::number, k::number, k::number}, r::last_step},
      {"double_division", "v_div_fixup_f64", fpu_op::div_fixup, {k::number, k::number, k::number}, r::quotient},

      {"double_compare", "v_cmp_class_f64", fpu_op::cmp_class, {k::number, k::mask}},
  };
  const std::vector<float_case> halves = {
      {"half_sums", "v_add_f16", fpu_op::add, {k::number, k::number}, r::sum},
      {"half_sums", "v_sub_f16", fpu_op::sub, {k::number, k::number}, r::sum},
      {"half_sums", "v_subrev_f16", fpu_op::sub_rev, {k::number, k::number}, r::sum},
      {"half_products", "v_mul_f16", fpu_op::mul, {k::number, k::number}, r::product},
      {"half_unfused", "v_mad_f16", fpu_op::mad, {k::number, k::number, k::number}, r::fused},
      {"half_unfused", "v_mac_f16", fpu_op::mad, {k::number, k::number, k::number}, r::fused},
      {"half_fused", "v_fma_f16", fpu_op::fma, {k::number, k::number, k::number}, r::fused},

      {"half_order", "v_min_f16", fpu_op::min, {k::number, k::number}, r::sum},
      {"half_order", "v_max_f16", fpu_op::max, {k::number, k::number}, r::sum},

      {"half_whole", "v_trunc_f16", fpu_op::trunc, {k::number}},
      {"half_whole", "v_ceil_f16", fpu_op::ceil, {k::number}},
      {"half_whole", "v_rndne_f16", fpu_op::rndne, {k::number}},
      {"half_whole", "v_floor_f16", fpu_op::floor, {k::number}},
      {"half_whole", "v_fract_f16", fpu_op::fract, {k::number}},

      {"half_conversion", "v_cvt_f16_i16", fpu_op::cvt_f16_i16, {k::integer}},
      {"half_conversion", "v_cvt_f16_u16", fpu_op::cvt_f16_u16, {k::integer}},
      {"half_conversion", "v_cvt_i16_f16", fpu_op::cvt_i16_f16, {k::number}},
      {"half_conversion", "v_cvt_u16_f16", fpu_op::cvt_u16_f16, {k::number}},

      {"half_exponent", "v_ldexp_f16", fpu_op::ldexp, {k::number, k::exponent}},
      {"half_exponent", "v_frexp_exp_i16_f16", fpu_op::frexp_exp, {k::number}},
      {"half_exponent", "v_frexp_mant_f16", fpu_op::frexp_mant, {k::number}},

      {"half_roots", "v_rcp_f16", fpu_op::rcp, {k::number}},
      {"half_roots", "v_sqrt_f16", fpu_op::sqrt, {k::number}},
      {"half_roots", "v_rsq_f16", fpu_op::rsq, {k::number}},

      {"half_division", "v_div_fixup_f16", fpu_op::div_fixup, {k::number, k::number, k::number}, r::quotient},

      {"half_compare", "v_cmp_class_f16", fpu_op::cmp_class, {k::number, k::mask}},
  };
  const auto add_compares = [&](const char* group, precision unit, const char* const(&names)[16]) {
    for (unsigned n = 0; n < 16; ++n)
      cases.push_back({group, names[n], fpu_op::cmp, {k::number, k::number}, r::sum, n, unit});
  };
  add_compares("compare", precision::single_precision, single_relations);
  const auto add = [&](const std::vector<float_case>& more, precision unit) {
    for (float_case c : more) {
      c.unit = unit;
      cases.push_back(c);
    }
  };
  add(doubles, precision::double_precision);
  add_compares("double_compare", precision::double_precision, double_relations);
  add(halves, precision::half_precision);
  add_compares("half_compare", precision::half_precision, half_relations);
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
