// SPDX-License-Identifier: Apache-2.0
// Which rows look at the rounding mode: all that round, and no other, in every form and whatever mode the instruction
// before left the host in.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/host_fp.h"
#include "tests/isa/vector_lanes.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_rounding_test {

namespace {

constexpr unsigned dst = 10, sources[3] = {2, 4, 6}, mask_in = 20, mask_out = 30;
constexpr uint32_t denormals_kept = 0xf0, ieee = 0x200;

// MODE for one way to round in both fields, and the host left like this.
uint32_t mode_of(uint32_t round) {
  return ieee | denormals_kept | round << 2 | round;
}

struct outcome {
  lanes value;
  uint64_t vcc = 0, mask = 0;
  bool operator==(const outcome& o) const { return value == o.value && vcc == o.vcc && mask == o.mask; }
};

outcome run(const opcode_row& row, const std::vector<uint32_t>& words, const lanes (&in)[3], uint32_t round) {
  vector_machine m;
  m.state.mode = mode_of(round);
  for (unsigned k = 0; k < source_count(row); ++k) m.write(sources[k], dwords_of(row.src[k]), in[k]);
  m.write(dst, 2, lanes{});
  m.state.set_scalar64(vcc_lo, 0x0123456789abcdef);
  m.state.set_scalar64(mask_in, 0x0123456789abcdef);
  const inst i = decode(words.data(), static_cast<unsigned>(words.size()), 0);
  const host_fp_scope scope;
  host_fp::want(host_fp::current, host_fp::csr(round, 3));
  i.exec(m.state, i);
  return {m.read(dst, 2), m.state.scalar64(vcc_lo), m.state.scalar64(mask_out)};
}

// Every form of a row that lanes reach through registers, with all bits of the sources and with modifiers.
std::vector<std::vector<uint32_t>> forms_of(const opcode_row& row) {
  std::vector<std::vector<uint32_t>> forms;
  const unsigned n = source_count(row);
  if (row.native != format::vop3 && (row.flags & literal_k) == 0)
    forms.push_back({word_e32(row, dst, v(sources[0]), n > 1 ? sources[1] : 0)});
  if ((row.flags & no_vop3) == 0) {
    vop3_fields f;
    f.dst = row.native == format::vopc ? mask_out : dst;
    f.sdst = mask_out;
    for (unsigned k = 0; k < n; ++k) f.src[k] = v(sources[k]);
    if ((row.flags & reads_vcc) != 0) f.src[n] = mask_in;
    forms.push_back(words_vop3(row, f));
    if (n != 0 && is_float(row.src[0])) {
      f.neg = 1;
      forms.push_back(words_vop3(row, f));
    }
  }
  if (row.native == format::vop1 && (row.flags & no_sdwa) == 0 && n == 1) {
    sdwa_word s;
    forms.push_back(words_sdwa(row, dst, sources[0], 0, s));
    s.dst_unused = 2;
    s.dst_sel = s.src0_sel = 5;
    forms.push_back(words_sdwa(row, dst, sources[0], 0, s));
  }
  return forms;
}

void fill(const opcode_row& row, uint64_t round, lanes (&in)[3]) {
  for (unsigned l = 0; l < wave_size; ++l) {
    uint64_t choice = round < 8 ? round * wave_size + l : random_value(round * wave_size + l) >> 8;
    for (unsigned k = 0; k < source_count(row); ++k) {
      const auto& edges = edge_values(row.src[k]);
      in[k][l] = edges[choice % edges.size()];
      choice = random_value(choice) >> 8;
    }
  }
}

TEST(vector_rounding, rows_that_round_and_no_other_look_at_the_mode) {
  // v_fract: the sign of zero; v_cubema_f32 and v_div_scale: overflow.
  const std::set<std::string> rounding = {"v_add_f16",
                                          "v_add_f32",
                                          "v_add_f64",
                                          "v_cubema_f32",
                                          "v_cvt_f16_f32",
                                          "v_cvt_f16_i16",
                                          "v_cvt_f16_u16",
                                          "v_cvt_f32_f64",
                                          "v_cvt_f32_i32",
                                          "v_cvt_f32_u32",
                                          "v_cvt_pknorm_i16_f32",
                                          "v_cvt_pknorm_u16_f32",
                                          "v_div_fmas_f32",
                                          "v_div_fmas_f64",
                                          "v_div_scale_f32",
                                          "v_div_scale_f64",
                                          "v_fma_f16",
                                          "v_fma_f32",
                                          "v_fma_f64",
                                          "v_fract_f16",
                                          "v_fract_f32",
                                          "v_fract_f64",
                                          "v_ldexp_f16",
                                          "v_ldexp_f32",
                                          "v_ldexp_f64",
                                          "v_mac_f16",
                                          "v_mac_f32",
                                          "v_mad_f16",
                                          "v_mad_f32",
                                          "v_mad_legacy_f32",
                                          "v_mul_f16",
                                          "v_mul_f32",
                                          "v_mul_f64",
                                          "v_mul_legacy_f32",
                                          "v_rcp_f64",
                                          "v_rsq_f64",
                                          "v_sqrt_f64",
                                          "v_sub_f16",
                                          "v_sub_f32",
                                          "v_subrev_f16",
                                          "v_subrev_f32",
                                          "v_trig_preop_f64"};
  std::set<std::string> found;
  for (const opcode_row& row : vector_rows()) {
    if (row.dst == type::none) continue;
    if (std::string(row.mnemonic).find("lane") != std::string::npos) continue;  // v_readlane_b32: of a scalar number
    for (uint64_t round = 0; round < 24; ++round) {
      lanes in[3] = {};
      fill(row, round, in);
      for (const std::vector<uint32_t>& words : forms_of(row)) {
        const outcome nearest = run(row, words, in, 0);
        for (uint32_t mode = 1; mode < 4; ++mode)
          if (!(run(row, words, in, mode) == nearest)) found.insert(row.mnemonic);
      }
    }
  }
  std::set<std::string> wrong;
  std::set_symmetric_difference(found.begin(), found.end(), rounding.begin(), rounding.end(),
                                std::inserter(wrong, wrong.end()));
  for (const std::string& name : wrong) ADD_FAILURE() << name << (found.count(name) != 0 ? " looks" : " does not look");
}

// Also rows that round have exact results, whose zeros are positive unless they are a difference.
TEST(vector_rounding, exact_results_are_the_same_in_every_mode) {
  struct exact {
    const char* mnemonic;
    uint64_t from, to;
  };
  const exact all[] = {
      {"v_cvt_f32_u32", 0, 0},
      {"v_cvt_f32_i32", 0, 0},
      {"v_cvt_f64_u32", 0, 0},
      {"v_cvt_f64_i32", 0, 0},
      {"v_cvt_f16_u16", 0, 0},
      {"v_cvt_f16_i16", 0, 0},
      {"v_cvt_f32_u32", 0x80000000, bits_of(0x1p31f)},
      {"v_cvt_f64_u32", 0xffffffff, bits_of(4294967295.0)},
      {"v_cvt_f32_f64", 0, 0},
      {"v_cvt_f32_f64", bits_of(-0.0), bits_of(-0.0f)},
      {"v_cvt_f16_f32", bits_of(-0.0f), 0x8000},
      {"v_fract_f32", bits_of(0.25f), bits_of(0.25f)},
      {"v_fract_f32", bits_of(-0.25f), bits_of(0.75f)},
      {"v_fract_f64", bits_of(0.25), bits_of(0.25)},
      {"v_fract_f64", bits_of(-7.75), bits_of(0.25)},
      {"v_fract_f16", 0x3400, 0x3400},  // 0.25
      {"v_fract_f16", 0xb400, 0x3a00},
  };
  for (const exact& e : all)
    for (uint32_t mode = 0; mode < 4; ++mode) {
      lanes in[3] = {};
      in[0].fill(e.from);
      const opcode_row& row = row_named(e.mnemonic);
      EXPECT_EQ(run(row, {word_e32(row, dst, v(sources[0]))}, in, mode).value, all_of(e.to))
          << e.mnemonic << " " << mode;
    }
  // x - x is -0 where MODE rounds down.
  for (const auto& [mnemonic, whole, minus_zero] :
       {std::tuple{"v_fract_f32", bits_of(3.0f), uint64_t{0x80000000}},
        std::tuple{"v_fract_f32", uint64_t{0}, uint64_t{0x80000000}},
        std::tuple{"v_fract_f64", bits_of(-3.0), uint64_t{0x8000000000000000}},
        std::tuple{"v_fract_f64", uint64_t{0}, uint64_t{0x8000000000000000}},
        std::tuple{"v_fract_f16", uint64_t{0}, uint64_t{0x8000}}})
    for (uint32_t mode = 0; mode < 4; ++mode) {
      lanes in[3] = {};
      in[0].fill(whole);
      const opcode_row& row = row_named(mnemonic);
      EXPECT_EQ(run(row, {word_e32(row, dst, v(sources[0]))}, in, mode).value, all_of(mode == 2 ? minus_zero : 0))
          << mnemonic << " " << mode;
    }
}

}  // namespace

}  // namespace pws::isa::test::vector_rounding_test
