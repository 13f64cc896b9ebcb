// SPDX-License-Identifier: Apache-2.0
// Which bins of the RTL's functional coverage have to be hit, what hits them, and how the counts of runs are added.
#include "platform/machine/functional_coverage.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/hardware_register.h"
#include "platform/machine/coverage_report.h"
#include "rtl/wrapper/spsimd_rtl.h"
#include "tests/cosim/valu/supported_rows.h"

namespace pws::test::functional_coverage_test {
namespace {

using platform::cosim::cover_bin;
using platform::cosim::cover_point;
using platform::cosim::divergence_event;
using platform::cosim::functional_coverage;
using testing::HasSubstr;

const cover_point& point_named(const std::vector<cover_point>& points, const std::string& name) {
  for (const cover_point& p : points)
    if (p.name == name) return p;
  throw std::out_of_range(name);
}
const cover_bin& bin_named(const functional_coverage& c, const std::string& point, const std::string& name) {
  for (const cover_bin& b : point_named(c.points(), point).bins)
    if (b.name == name) return b;
  throw std::out_of_range(point + ": " + name);
}
// "point: bin" of all that is hit.
std::vector<std::string> hits(const functional_coverage& c) {
  std::vector<std::string> all;
  for (const cover_point& p : c.points())
    for (const cover_bin& b : p.bins)
      for (uint64_t n = 0; n < b.hits; ++n) all.push_back(p.name + ": " + b.name);
  return all;
}
isa::inst vector_instruction(const std::string& mnemonic, isa::vector_encoding encoding,
                             void (*change)(isa::vector_fields&) = nullptr) {
  const isa::opcode_row& row = cosim::vector_row_named(mnemonic);
  isa::vector_fields f = isa::plain_fields(row);
  if (change != nullptr) change(f);
  uint32_t words[2];
  isa::encode_vector(row, encoding, f, words);
  return isa::decode(words, 2, 0x1000);
}

TEST(functional_coverage, wants_what_the_rtl_does_and_nothing_else) {
  const functional_coverage c;
  for (const cover_point& p : c.points()) {
    EXPECT_GT(p.wanted(), 0u) << p.name;
    EXPECT_EQ(p.covered(), 0u) << p.name;
    std::set<std::string> names;
    for (const cover_bin& b : p.bins) EXPECT_TRUE(names.insert(b.name).second) << p.name << ": " << b.name << " twice";
  }
  // Exactly the vector rows that the RTL has to execute in at least one encoding.
  for (const isa::opcode_row& row : isa::vector_rows()) {
    if (row.exec == nullptr) continue;
    bool wanted = false;
    for (const char* e : {"e32", "literal", "vop3", "sdwa", "dpp"})
      wanted = wanted || bin_named(c, "vector instruction", fmt::format("{}, {}", row.mnemonic, e)).wanted;
    EXPECT_EQ(wanted, cosim::must_support(row)) << row.mnemonic;
  }
  EXPECT_TRUE(bin_named(c, "scalar instruction", "s_add_u32, literal").wanted);
  EXPECT_FALSE(bin_named(c, "scalar instruction", "s_addk_i32, literal").wanted);
  EXPECT_FALSE(bin_named(c, "scalar instruction", "s_cbranch_g_fork").wanted);
  EXPECT_FALSE(bin_named(c, "vector instruction", "v_madmk_f32, e32").wanted);
  EXPECT_TRUE(bin_named(c, "vector instruction", "v_madmk_f32, literal").wanted);
  EXPECT_FALSE(bin_named(c, "lanes", "v_readlane_b32, no lane").wanted);
  EXPECT_TRUE(bin_named(c, "modifier", "v_add_f32, neg 1").wanted);
  EXPECT_FALSE(bin_named(c, "modifier", "v_add_f32, neg 2").wanted);
  EXPECT_FALSE(bin_named(c, "modifier", "v_and_b32, neg 0").wanted);
  EXPECT_FALSE(bin_named(c, "divergence", "a child comes back at its merge, children 0").wanted);
  EXPECT_FALSE(bin_named(c, "divergence mask", "a split creates an SWF, one lane").wanted);
}

// Units of RTL come and go in any order.
TEST(functional_coverage, asks_a_unit_of_its_own) {
  auto first = rtl::spsimd_rtl::make();
  { const functional_coverage c; }
  rtl::spsimd_rtl::start s;
  s.spm = s.launched = 1;
  s.parent = 1;
  first->begin(0, s);
  while (first->busy()) first->clock(nullptr);
  auto second = rtl::spsimd_rtl::make();
  EXPECT_EQ(first->state(0), 1u);
  first.reset();
  second.reset();
}

TEST(functional_coverage, an_instruction_hits_what_it_is) {
  functional_coverage c;
  c.vector(vector_instruction("v_add_f32", isa::vector_encoding::vop3,
                              [](isa::vector_fields& f) {
                                f.neg = 2;
                                f.omod = 3;
                              }),
           7, uint64_t{1} << 63, 0x1f0 | 2);
  EXPECT_THAT(hits(c), testing::UnorderedElementsAre(
                           "vector instruction: v_add_f32, vop3", "lanes: v_add_f32, one lane",
                           "modifier: v_add_f32, neg 1", "modifier: v_add_f32, div:2",
                           "rounding and denormals: v_add_f32, down, denormals kept", "lane mask: lane 63 alone",
                           "context: a vector instruction in 7", "vector register: source 0 v0 to v31",
                           "vector register: source 1 v0 to v31", "vector register: destination v0 to v31"));
}

TEST(functional_coverage, sdwa_literals_and_lanes) {
  functional_coverage c;
  c.vector(vector_instruction("v_add_u16", isa::vector_encoding::sdwa,
                              [](isa::vector_fields& f) {
                                f.dst_sel = 4;
                                f.dst_unused = 2;
                                f.sel[0] = 3;
                                f.sext[0] = true;
                              }),
           0, 0, 0);
  c.vector(vector_instruction("v_xor_b32", isa::vector_encoding::e32, [](isa::vector_fields& f) { f.src[0] = 255; }), 9,
           0xaaaaaaaaaaaaaaaa, 0);
  EXPECT_THAT(hits(c),
              testing::UnorderedElementsAre(
                  "vector instruction: v_add_u16, sdwa", "lanes: v_add_u16, no lane", "lane mask: none",
                  "sdwa field: destination word 0, rest preserved", "sdwa field: source 0 byte 3, sign-extended",
                  "sdwa field: source 1 dword", "context: a vector instruction in 0",
                  "vector instruction: v_xor_b32, literal", "lanes: v_xor_b32, some lanes", "lane mask: odd ones",
                  "context: a vector instruction in 9", "vector register: source 0 v0 to v31",
                  "vector register: source 1 v0 to v31", "vector register: destination v0 to v31",
                  "vector register: source 1 v0 to v31", "vector register: destination v0 to v31"));
}

// What a pass of DPP gets from another row, registers by number, and what is left to the model.
TEST(functional_coverage, rows_of_dpp_and_numbers_of_registers) {
  functional_coverage c;
  c.vector(vector_instruction("v_rcp_f32", isa::vector_encoding::dpp,
                              [](isa::vector_fields& f) {
                                f.dpp_ctrl = 0x143;
                                f.src[0] = 256 + 200;
                                f.dst = 200;
                              }),
           0, uint64_t{1} << 31 | uint64_t{1} << 63, 0);
  std::vector<std::string> all = hits(c);
  const auto has = [&](const char* name) { return std::count(all.begin(), all.end(), name) == 1; };
  EXPECT_TRUE(has("dpp row: row_bcast:31, row 3 from another"));
  EXPECT_FALSE(has("dpp row: row_bcast:31, row 2 from another"));
  EXPECT_TRUE(has("dpp row: row_bcast:31, in place"));
  EXPECT_TRUE(has("dpp row: row_bcast:31, quarter rate"));
  EXPECT_TRUE(has("vector register: source 0 v128 to v255"));
  EXPECT_TRUE(has("vector register: destination v128 to v255"));
  EXPECT_FALSE(bin_named(c, "dpp row", "row_bcast:31, row 1 from another").wanted);
  EXPECT_FALSE(bin_named(c, "dpp row", "row_bcast:31, row 3 from itself").wanted);
  EXPECT_FALSE(bin_named(c, "dpp row", "wave_shl, row 3 from another").wanted);
  EXPECT_TRUE(bin_named(c, "dpp row", "wave_rol, row 3 from another").wanted);

  const isa::inst mad = vector_instruction("v_mad_f32", isa::vector_encoding::vop3, [](isa::vector_fields& f) {
    f.src[0] = 90;
    f.src[1] = 256;
    f.src[2] = 92;
  });
  c.left_to_the_model(mad, 0);
  c.left_to_the_model(mad, isa::mode_indexing);
  c.hands_over_m0(platform::cosim::m0_writer::indexing_mode);
  all = hits(c);
  EXPECT_TRUE(has("left to the model: two scalar registers, the second as source 2"));
  EXPECT_TRUE(has("left to the model: VGPR indexing mode"));
  EXPECT_TRUE(has("m0: handed over, written by s_set_gpr_idx_mode"));
}

TEST(functional_coverage, divergence_and_contexts) {
  functional_coverage c;
  c.divergence(divergence_event::creates, 5, 0xff);
  c.begins_first();
  c.begins_after(1);
  c.begins_after(7);
  c.begins_after(8);
  c.leaves(false, false);
  c.leaves(true, true);
  EXPECT_THAT(hits(c),
              testing::UnorderedElementsAre(
                  "divergence: a split creates an SWF, children 5 to 16",
                  "divergence mask: a split creates an SWF, some lanes", "context: no SWF was there before",
                  "context: the cycle after the last SWF left", "context: 2 to 7 cycles after it left",
                  "context: 8 cycles or more after it left", "context: left with nothing under way",
                  "context: left with a scalar result under way", "context: left with a vector result under way"));
}

TEST(functional_coverage, files_are_added_bin_by_bin) {
  functional_coverage c;
  c.divergence(divergence_event::joined, 1, 2);
  const std::string text = platform::cosim::coverage_file(c.points());
  std::vector<cover_point> sum = platform::cosim::coverage_of(text, "a.json");
  EXPECT_EQ(platform::cosim::coverage_file(sum), text);
  platform::cosim::add_coverage(sum, platform::cosim::coverage_of(text, "b.json"), "b.json");
  const cover_point& p = point_named(sum, "divergence");
  EXPECT_EQ(p.covered(), 1u);
  uint64_t n = 0;
  for (const cover_bin& b : p.bins) n += b.hits;
  EXPECT_EQ(n, 2u);

  std::vector<cover_point> other = sum;
  other[3].bins[0].name = "something else";
  try {
    platform::cosim::add_coverage(sum, other, "c.json");
    FAIL() << "added what it has not";
  } catch (const input_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("c.json: modifier: something else: not in the files before"));
  }
  other = sum;
  other.pop_back();
  EXPECT_THROW(platform::cosim::add_coverage(sum, other, "d.json"), input_error);
}

TEST(functional_coverage, what_is_no_coverage_is_refused_by_name) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "x.json: no coverage: "},
      {"[]", "x.json: no coverage: "},
      {R"({"coverage": {"version": 2, "points": []}})", "x.json: coverage of version 2; this program has 1"},
      {R"({"coverage": {"version": 1, "points": [{"name": "p", "bins": {"b": {"hits": -1, "wanted": true}}}]}})",
       "x.json: p, b: hits are no count"},
      {R"({"coverage": {"version": 1, "points": [{"name": "p", "bins": {"b": {"hits": 1}}}]}})",
       "x.json: no coverage: "},
  };
  for (const auto& [text, message] : cases) {
    try {
      platform::cosim::coverage_of(text, "x.json");
      FAIL() << text;
    } catch (const input_error& e) {
      EXPECT_THAT(e.what(), HasSubstr(message));
    }
  }
  EXPECT_THROW(platform::cosim::read_coverage("/there/is/no/such/file.json"), input_error);
}

TEST(functional_coverage, holes_are_named) {
  cover_point p;
  p.name = "lane mask";
  p.bins = {{"none", true, 3}, {"all", false, 0}, {"others", true, 0}, {"odd ones", true, 0}};
  std::ostringstream out;
  platform::cosim::print_coverage(out, {p}, 1);
  EXPECT_EQ(out.str(),
            "lane mask                    1 of      3    33.3 %\n    hole: others\n    and 1 others\n"
            "1 of 3 bins (33.3 %), 2 holes\n");
}

}  // namespace
}  // namespace pws::test::functional_coverage_test
