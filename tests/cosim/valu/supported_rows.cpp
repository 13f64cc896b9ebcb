// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/valu/supported_rows.h"

#include <map>
#include <set>

#include "models/isa/code/opcode_table.h"

namespace pws::cosim {

namespace {

// All relations of a type, v_cmp and v_cmpx.
std::vector<std::string> compares(const std::string& t, const std::vector<std::string>& relations) {
  std::vector<std::string> names;
  for (const char* prefix : {"v_cmp_", "v_cmpx_"})
    for (const std::string& r : relations) names.push_back(prefix + r + "_" + t);
  return names;
}
std::vector<std::string> integer_compares() {
  std::vector<std::string> all;
  for (const char* t : {"i16", "u16", "i32", "u32", "i64", "u64"})
    for (std::string& name : compares(t, {"f", "lt", "eq", "le", "gt", "ne", "ge", "t"})) all.push_back(name);
  return all;
}
std::vector<std::string> float_compares(const std::string& t) {
  std::vector<std::string> all =
      compares(t, {"f", "lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"});
  all.insert(all.end(), {"v_cmp_class_" + t, "v_cmpx_class_" + t});
  return all;
}

std::vector<row_group> make_groups() {
  return {
      {"moves", {"v_nop", "v_clrexcp", "v_mov_b32", "v_cndmask_b32"}},
      {"relative_moves", {"v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32"}},
      {"lane_access", {"v_readlane_b32", "v_writelane_b32", "v_readfirstlane_b32"}},
      {"add",
       {"v_add_u32", "v_sub_u32", "v_subrev_u32", "v_addc_u32", "v_subb_u32", "v_subbrev_u32", "v_add_u16", "v_sub_u16",
        "v_subrev_u16"}},
      {"multiply",
       {"v_mul_i32_i24", "v_mul_hi_i32_i24", "v_mul_u32_u24", "v_mul_hi_u32_u24", "v_mul_lo_u16", "v_mad_i32_i24",
        "v_mad_u32_u24", "v_mad_u64_u32", "v_mad_i64_i32", "v_mad_u16", "v_mad_i16", "v_mul_lo_u32", "v_mul_hi_u32",
        "v_mul_hi_i32"}},
      {"shift",
       {"v_lshrrev_b32", "v_ashrrev_i32", "v_lshlrev_b32", "v_lshlrev_b16", "v_lshrrev_b16", "v_ashrrev_i16",
        "v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64", "v_bfe_u32", "v_bfe_i32", "v_bfm_b32", "v_alignbit_b32",
        "v_alignbyte_b32"}},
      {"bits",
       {"v_not_b32", "v_and_b32", "v_or_b32", "v_xor_b32", "v_bfi_b32", "v_bfrev_b32", "v_ffbh_u32", "v_ffbl_b32",
        "v_ffbh_i32", "v_bcnt_u32_b32", "v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32", "v_perm_b32", "v_cvt_pk_u16_u32",
        "v_cvt_pk_i16_i32"}},
      {"bytes",
       {"v_lerp_u8", "v_sad_u8", "v_sad_hi_u8", "v_sad_u16", "v_sad_u32", "v_msad_u8", "v_qsad_pk_u16_u8",
        "v_mqsad_pk_u16_u8"}},
      {"minmax",
       {"v_min_i32", "v_max_i32", "v_min_u32", "v_max_u32", "v_max_u16", "v_max_i16", "v_min_u16", "v_min_i16",
        "v_min3_i32", "v_min3_u32", "v_max3_i32", "v_max3_u32", "v_med3_i32", "v_med3_u32"}},
      {"integer_compare", integer_compares()},
      {"float_compare", float_compares("f32")},
      {"float_arithmetic",
       {"v_add_f32", "v_sub_f32", "v_subrev_f32", "v_mul_legacy_f32", "v_mul_f32", "v_mac_f32", "v_madmk_f32",
        "v_madak_f32", "v_mad_legacy_f32", "v_mad_f32", "v_fma_f32", "v_ldexp_f32"}},
      {"float_division", {"v_div_fixup_f32", "v_div_scale_f32", "v_div_fmas_f32"}},
      {"transcendental",
       {"v_exp_f32", "v_log_f32", "v_rcp_f32", "v_rcp_iflag_f32", "v_rsq_f32", "v_sqrt_f32", "v_sin_f32", "v_cos_f32",
        "v_exp_legacy_f32", "v_log_legacy_f32"}},
      {"cube", {"v_cubeid_f32", "v_cubesc_f32", "v_cubetc_f32", "v_cubema_f32"}},
      {"float_minmax", {"v_min_f32", "v_max_f32", "v_min3_f32", "v_max3_f32", "v_med3_f32"}},
      {"float_conversion",
       {"v_cvt_f32_i32",       "v_cvt_f32_u32",       "v_cvt_u32_f32",     "v_cvt_i32_f32",    "v_cvt_f16_f32",
        "v_cvt_f32_f16",       "v_cvt_rpi_i32_f32",   "v_cvt_flr_i32_f32", "v_cvt_off_f32_i4", "v_cvt_f32_ubyte0",
        "v_cvt_f32_ubyte1",    "v_cvt_f32_ubyte2",    "v_cvt_f32_ubyte3",  "v_cvt_pk_u8_f32",  "v_cvt_pkaccum_u8_f32",
        "v_cvt_pkrtz_f16_f32", "v_fract_f32",         "v_trunc_f32",       "v_ceil_f32",       "v_rndne_f32",
        "v_floor_f32",         "v_frexp_exp_i32_f32", "v_frexp_mant_f32"}},
      {"double_compare", float_compares("f64")},
      {"double_arithmetic",
       {"v_add_f64", "v_mul_f64", "v_fma_f64", "v_min_f64", "v_max_f64", "v_ldexp_f64", "v_div_fixup_f64",
        "v_div_scale_f64", "v_div_fmas_f64", "v_trig_preop_f64", "v_rcp_f64", "v_rsq_f64", "v_sqrt_f64"}},
      {"double_conversion",
       {"v_cvt_f64_f32", "v_cvt_f32_f64", "v_cvt_f64_i32", "v_cvt_f64_u32", "v_cvt_i32_f64", "v_cvt_u32_f64",
        "v_trunc_f64", "v_ceil_f64", "v_rndne_f64", "v_floor_f64", "v_fract_f64", "v_frexp_exp_i32_f64",
        "v_frexp_mant_f64"}},
      {"half_compare", float_compares("f16")},
      {"half_arithmetic",
       {"v_add_f16", "v_sub_f16", "v_subrev_f16", "v_mul_f16", "v_mac_f16", "v_madmk_f16", "v_madak_f16", "v_mad_f16",
        "v_fma_f16", "v_min_f16", "v_max_f16", "v_ldexp_f16", "v_div_fixup_f16", "v_rcp_f16", "v_sqrt_f16",
        "v_rsq_f16"}},
      {"half_conversion",
       {"v_cvt_f16_u16", "v_cvt_f16_i16", "v_cvt_u16_f16", "v_cvt_i16_f16", "v_trunc_f16", "v_ceil_f16", "v_rndne_f16",
        "v_floor_f16", "v_fract_f16", "v_frexp_exp_i16_f16", "v_frexp_mant_f16"}},
  };
}

}  // namespace

const std::vector<row_group>& supported_groups() {
  static const std::vector<row_group> groups = make_groups();
  return groups;
}

bool must_support(const isa::opcode_row& row) {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const row_group& g : supported_groups()) all.insert(g.mnemonics.begin(), g.mnemonics.end());
    return all;
  }();
  return names.count(row.mnemonic) != 0;
}

const isa::opcode_row& vector_row_named(const std::string& mnemonic) {
  static const std::map<std::string, const isa::opcode_row*> rows = [] {
    std::map<std::string, const isa::opcode_row*> all;
    for (const isa::opcode_row& row : isa::vector_rows()) all[row.mnemonic] = &row;
    return all;
  }();
  return *rows.at(mnemonic);
}

}  // namespace pws::cosim
