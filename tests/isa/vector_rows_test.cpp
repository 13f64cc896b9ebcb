// SPDX-License-Identifier: Apache-2.0
// Every row of the vector tables against its reference: edge and random values, in the 32-bit and the VOP3 form, under
// masks from all lanes off to all on, with a split mask, with guards around the destination.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/isa/code/opcode_table.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_rows_test {

namespace {

constexpr unsigned dst_register = 10;
constexpr unsigned src_register[3] = {2, 4, 6};
constexpr unsigned mask_in = 20, mask_out = 30;  // scalar pairs of the VOP3 form

const std::map<std::string, reference>& references() {
  static const std::map<std::string, reference> all = [] {
    std::vector<reference> list;
    add_integer_references(list);
    add_single_references(list);
    add_double_references(list);
    add_half_references(list);
    add_conversion_references(list);
    add_compare_references(list);
    std::map<std::string, reference> by_name;
    for (reference& r : list) {
      std::string name = r.mnemonic;
      EXPECT_TRUE(by_name.emplace(std::move(name), std::move(r)).second) << "two references";
    }
    return by_name;
  }();
  return all;
}

// Rows that are no function of a lane, or whose meaning is that of a whole sequence: tested in files of their own.
const std::set<std::string>& tested_elsewhere() {
  static const std::set<std::string> names = {"v_nop",           "v_clrexcp",        "v_readfirstlane_b32",
                                              "v_readlane_b32",  "v_writelane_b32",  "v_movreld_b32",
                                              "v_movrels_b32",   "v_movrelsd_b32",   "v_div_scale_f32",
                                              "v_div_scale_f64", "v_trig_preop_f64", "v_mqsad_u32_u8"};
  return names;
}

bool nan_of(type t, uint64_t x) {
  switch (t) {
    case type::f16:
      return (x & 0x7fff) > 0x7c00;
    case type::f32:
      return (x & 0x7fffffff) > 0x7f800000;
    case type::f64:
      return (x & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default:
      return false;
  }
}
bool quiet_nan_of(type t, uint64_t x) {
  const uint64_t quiet = t == type::f16 ? 0x200 : t == type::f32 ? 0x400000 : 0x8000000000000;
  return nan_of(t, x) && (x & quiet) != 0;
}
uint64_t quiet_bit_of(type t) {
  return t == type::f16 ? 0x200 : t == type::f32 ? 0x400000 : 0x8000000000000;
}
// Which NaN an operation gives: its first source that is one, made quiet; the positive default NaN if there is none.
// A NaN of another width keeps sign and what of its payload fits, which the conversions' own references compute.
bool right_nan(uint64_t got, const opcode_row& row, const lane_input& in) {
  const type t = row.dst;
  const unsigned n = source_count(row);
  for (unsigned k = 0; k < n; ++k) {
    if (!nan_of(row.src[k], in.src[k])) continue;
    if (row.src[k] != t) return quiet_nan_of(t, got);
    const uint64_t bits = t == type::f16 ? in.src[k] & 0xffff : t == type::f32 ? in.src[k] & 0xffffffff : in.src[k];
    return got == (bits | quiet_bit_of(t));
  }
  const uint64_t old = t == type::f16 ? in.old & 0xffff : in.old;
  if ((row.flags & reads_dst) != 0 && nan_of(t, old)) return got == (old | quiet_bit_of(t));
  return got == (t == type::f16 ? 0x7e00u : t == type::f32 ? 0x7fc00000u : 0x7ff8000000000000u);
}
bool acceptable(uint64_t got, uint64_t want, const opcode_row& row, const lane_input& in, accuracy allowed) {
  const type t = row.dst;
  if (allowed == accuracy::bits) return got == want;
  if (nan_of(t, want)) return allowed == accuracy::own_nan ? got == want : right_nan(got, row, in);
  if (got == want) return true;
  if (allowed == accuracy::own_nan) return false;
  if (allowed == accuracy::any_nan || nan_of(t, got)) return false;
  // Neighbouring patterns; a zero's or an infinity's neighbour counts only on its own side.
  return (got > want ? got - want : want - got) <= 1;
}

struct tuples {
  lanes src[3];
};

// The rounds of 64 tuples for a row: all combinations of edge values for one or two sources, a spread of them for
// three, then random ones.
std::vector<tuples> rounds_of(const opcode_row& row) {
  const unsigned n = source_count(row);
  uint64_t combinations = 1;
  for (unsigned k = 0; k < n; ++k) combinations *= edge_values(row.src[k]).size();
  const uint64_t n_edge = (std::min<uint64_t>(combinations, 4096) + wave_size - 1) / wave_size;
  constexpr uint64_t n_random = 8;
  std::vector<tuples> rounds(n_edge + n_random);
  for (uint64_t r = 0; r < rounds.size(); ++r)
    for (unsigned l = 0; l < wave_size; ++l) {
      const uint64_t t = r * wave_size + l;
      uint64_t choice = combinations <= 4096 ? t : random_value(t) >> 8;
      for (unsigned k = 0; k < n; ++k) {
        const auto& edges = edge_values(row.src[k]);
        const uint64_t wild = random_value(3 * t + k) & (dwords_of(row.src[k]) == 2 ? ~uint64_t{0} : 0xffffffff);
        rounds[r].src[k][l] = r < n_edge ? edges[choice % edges.size()] : wild;
        choice /= edges.size();
      }
    }
  return rounds;
}

class vector_row : public ::testing::TestWithParam<const opcode_row*> {
 protected:
  const opcode_row& row() const { return *GetParam(); }
  bool has(uint32_t flag) const { return (row().flags & flag) != 0; }
  bool compares() const { return row().native == format::vopc; }

  // Puts the sources in place, runs one form, and compares every lane. `literal`: the value of a mandatory literal.
  void check(bool vop3, const tuples& in, uint64_t exec, uint64_t split, uint64_t salt) {
    const reference& ref = references().at(row().mnemonic);
    const unsigned n = source_count(row());
    const unsigned dwords = compares() ? 0 : dwords_of(row().dst);
    vector_machine m;
    lanes guard{}, old{};
    for (unsigned l = 0; l < wave_size; ++l) {
      guard[l] = random_value(salt + l);
      old[l] = salt % 2 == 0 ? random_value(salt + 100 + l)
                             : edge_values(row().dst)[(salt + l) % edge_values(row().dst).size()];
    }
    m.write(dst_register - 1, 1, guard);
    m.write(dst_register + std::max(dwords, 1u), 1, guard);
    if (dwords != 0) m.write(dst_register, dwords, old);
    old = m.read(dst_register, std::max(dwords, 1u));
    tuples sources = in;
    std::vector<uint32_t> words = encode(vop3, sources);
    for (unsigned k = 0; k < n; ++k) m.write(src_register[k], dwords_of(row().src[k]), sources.src[k]);
    const uint64_t flags_in = random_value(salt + 7);
    const bool explicit_mask = vop3 && !has(implicit_vcc);
    m.state.set_scalar64(explicit_mask ? mask_in : vcc_lo, flags_in);
    m.state.set_scalar64(exec_lo, exec);
    m.state.split_mask = split;
    const uint64_t active = exec & split;
    const wave_state before = m.state;

    m.run(words);

    const lanes got = m.read(dst_register, std::max(dwords, 1u));
    const uint64_t flags_out = m.state.scalar64(vop3 ? mask_out : vcc_lo);
    uint64_t want_flags = 0;
    for (unsigned l = 0; l < wave_size; ++l) {
      if ((active >> l & 1) == 0) {
        ASSERT_EQ(got[l], old[l]) << "inactive lane " << l << " was written";
        continue;
      }
      const lane_input input{
          {sources.src[0][l], sources.src[1][l], sources.src[2][l]}, old[l], (flags_in >> l & 1) != 0, l, true};
      const lane_output want = ref.compute(input);
      want_flags |= static_cast<uint64_t>(want.flag) << l;
      if (dwords == 0) continue;
      ASSERT_TRUE(acceptable(got[l], want.value, row(), input, ref.allowed))
          << std::hex << "lane " << std::dec << l << std::hex << ": got 0x" << got[l] << " want 0x" << want.value
          << " from 0x" << input.src[0] << " 0x" << input.src[1] << " 0x" << input.src[2] << " old 0x" << input.old
          << " flag " << input.flag;
    }
    if (compares() || has(writes_vcc)) {
      ASSERT_EQ(flags_out, want_flags) << std::hex << flags_out << " " << want_flags;
    }
    ASSERT_EQ(m.state.scalar64(exec_lo), has(writes_exec) ? want_flags : exec);
    ASSERT_EQ(m.read(dst_register - 1, 1), truncated(guard));
    ASSERT_EQ(m.read(dst_register + std::max(dwords, 1u), 1), truncated(guard));
    expect_other_scalars_unchanged(before, m.state, vop3);
  }

 private:
  static lanes truncated(lanes x) {
    for (uint64_t& value : x) value &= 0xffffffff;
    return x;
  }
  void expect_other_scalars_unchanged(const wave_state& before, const wave_state& after, bool vop3) const {
    const unsigned written = vop3 ? mask_out : unsigned{vcc_lo};
    const bool writes_mask = compares() || has(writes_vcc);
    for (unsigned k = 0; k < scalar_count; ++k) {
      const bool may_change = (writes_mask && (k == written || k == written + 1)) || (has(writes_exec) && k >= exec_lo);
      if (!may_change) {
        ASSERT_EQ(after.scalar[k], before.scalar[k]) << "scalar " << k;
      }
    }
  }
  // The words, and the sources as the form sees them: a literal is the same for all lanes.
  std::vector<uint32_t> encode(bool vop3, tuples& in) const {
    const unsigned n = source_count(row());
    const bool madmk = row().opcode == 0x17 || row().opcode == 0x24;
    if (has(literal_k)) {
      const unsigned k_at = madmk ? 1 : 2;
      const uint64_t mask = row().src[0] == type::f16 ? 0xffff : 0xffffffff;
      const uint64_t k = in.src[k_at][0] & mask;
      in.src[k_at].fill(k);
      return {word_e32(row(), dst_register, v(src_register[0]), src_register[madmk ? 2 : 1]), static_cast<uint32_t>(k)};
    }
    if (!vop3) return {word_e32(row(), dst_register, v(src_register[0]), n > 1 ? src_register[1] : 0)};
    vop3_fields f;
    f.dst = compares() ? mask_out : dst_register;
    f.sdst = mask_out;
    for (unsigned k = 0; k < n; ++k) f.src[k] = v(src_register[k]);
    if (has(reads_vcc)) f.src[n] = mask_in;
    return words_vop3(row(), f);
  }
};

TEST_P(vector_row, matches_its_reference) {
  const std::vector<tuples> rounds = rounds_of(row());
  const bool short_form = row().native != format::vop3;
  const bool long_form = !has(no_vop3);
  uint64_t salt = 0;
  for (const tuples& round : rounds) {
    SCOPED_TRACE("round " + std::to_string(salt));
    const uint64_t exec = test_masks()[salt % test_masks().size()];
    const uint64_t split = salt % 3 == 0 ? 0xfffffffffffffff0 : everyone;
    if (short_form) check(false, round, everyone, everyone, salt);
    if (short_form) check(false, round, exec, split, salt);
    if (long_form) check(true, round, everyone, everyone, salt);
    if (long_form) check(true, round, exec, split, salt + 1);
    if (HasFatalFailure()) return;
    ++salt;
  }
}

std::vector<const opcode_row*> rows_with_reference() {
  std::vector<const opcode_row*> rows;
  for (const opcode_row& row : vector_rows())
    if (references().count(row.mnemonic) != 0) rows.push_back(&row);
  return rows;
}
INSTANTIATE_TEST_SUITE_P(rows, vector_row, ::testing::ValuesIn(rows_with_reference()),
                         [](const auto& test) { return std::string(test.param->mnemonic); });

TEST(vector_rows, have_a_vector_each) {
  std::string without;
  for (const opcode_row& row : vector_rows())
    if (references().count(row.mnemonic) == 0 && tested_elsewhere().count(row.mnemonic) == 0)
      without += std::string(without.empty() ? "" : " ") + row.mnemonic;
  std::printf("vector rows without a vector: %s\n", without.empty() ? "none" : without.c_str());
  EXPECT_EQ(without, "");
}

TEST(vector_rows, references_have_a_row_each) {
  std::set<std::string> names;
  for (const opcode_row& row : vector_rows()) names.insert(row.mnemonic);
  for (const auto& [name, ref] : references()) EXPECT_EQ(names.count(name), 1u) << name;
  for (const std::string& name : tested_elsewhere()) EXPECT_EQ(names.count(name), 1u) << name;
}

}  // namespace

}  // namespace pws::isa::test::vector_rows_test
