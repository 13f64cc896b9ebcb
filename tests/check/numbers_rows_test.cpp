// SPDX-License-Identifier: Apache-2.0
// Every instruction that makes numbers or brings them to memory, with operands of which a NaN or an infinity arises, of
// which none does, and that are none themselves. The instructions come from the tables of the instruction set: one
// that is added is tried, or fails here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/check/numbers/float_use.h"
#include "models/check/numbers/number_format.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/opcode_table.h"
#include "tests/check/numbers_fixture.h"

namespace pws::check::test::numbers_rows_test {
namespace {

using isa::opcode_row;
using isa::type;
using isa::vector_encoding;
using testing::ElementsAre;
using testing::IsEmpty;

// Types in a mnemonic, in their order.
std::vector<std::string> types_in(const std::string& mnemonic) {
  std::vector<std::string> found;
  for (size_t at = 0; at != std::string::npos;) {
    const size_t end = mnemonic.find('_', at);
    const std::string word = mnemonic.substr(at, end == std::string::npos ? end : end - at);
    if (word.size() > 1 && std::string("fiubB").find(word[0]) != std::string::npos &&
        word.find_first_not_of("0123456789", 1) == std::string::npos)
      found.push_back(word);
    at = end == std::string::npos ? end : end + 1;
  }
  return found;
}
bool is_float_word(const std::string& w) {
  return w == "f16" || w == "f32" || w == "f64";
}
bool begins(const std::string& s, const char* with) {
  return s.rfind(with, 0) == 0;
}
bool has(const std::string& s, const char* part) {
  return s.find(part) != std::string::npos;
}

// What a row does with numbers, by its mnemonic alone.
float_use use_by_name(const opcode_row& row) {
  const std::string m = row.mnemonic;
  const std::vector<std::string> types = types_in(m);
  const bool of_floats = !types.empty() && is_float_word(types.back());
  if (begins(m, "v_")) {
    if (m == "v_readlane_b32" || m == "v_readfirstlane_b32") return float_use::read_lane;
    if (m == "v_writelane_b32") return float_use::write_lane;
    if (m == "v_cndmask_b32") return float_use::select;
    if (begins(m, "v_cmp")) return float_use::compare;
    if (m == "v_cvt_pkrtz_f16_f32") return float_use::two_halves;
    if (types.empty() && (m == "v_nop" || m == "v_clrexcp")) return float_use::none;
    // v_cvt_f32_ubyte0 and the like: the first is the result's.
    return !types.empty() && is_float_word(types.front()) && !has(m, "_pk") ? float_use::arithmetic : float_use::carry;
  }
  if (m == "split" || m == "merge") return float_use::none;
  if (begins(m, "s_")) {
    if (has(m, "_store_")) return float_use::scalar_store;
    if (has(m, "_load_") || has(m, "time")) return float_use::load;
    return row.dst == type::none ? float_use::none : float_use::scalar;
  }
  if (has(m, "permute") || has(m, "swizzle")) return float_use::exchange_lanes;
  if (of_floats && has(m, "ds_") && !has(m, "cmpst")) return float_use::combine;
  if (has(m, "_src2_") || has(m, "gws") || m == "ds_nop" || has(m, "wbinv") || has(m, "append") || has(m, "consume") ||
      has(m, "ordered"))
    return row.dst == type::none || has(m, "append") || has(m, "consume") ? float_use::none : float_use::load;
  if (has(m, "store_format") || begins(m, "image_store")) return float_use::convert;
  if (has(m, "store") || begins(m, "ds_write")) return float_use::store;
  if (has(m, "load") || begins(m, "ds_read") || begins(m, "image_")) return float_use::load;
  return float_use::replace;
}

TEST(numbers_rows, none_of_the_instruction_set_is_forgotten) {
  // Instructions with a floating-point type in their name of which nothing is to be known, and why. There are none.
  const std::map<std::string, std::string> left_out = {};
  for (const opcode_row* row : isa::all_rows()) {
    if (row->exec == nullptr && row->native != isa::format::smem) continue;  // refused by name
    EXPECT_EQ(static_cast<int>(float_use_of(*row)), static_cast<int>(use_by_name(*row))) << row->mnemonic;
    for (const std::string& t : types_in(row->mnemonic))
      EXPECT_TRUE(!is_float_word(t) || float_use_of(*row) != float_use::none || left_out.count(row->mnemonic) != 0)
          << row->mnemonic;
  }
}

// --- Vector instructions ---------------------------------------------------------------------------

// Finite ones, as bits: zeros, ones, the largest, the smallest; integers as what shifts and scales.
const std::vector<uint64_t>& finite(type t) {
  static const std::vector<uint64_t> f16 = {0, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 1, 0x3800};
  static const std::vector<uint64_t> f32 = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                            0x7f7fffff, 0xff7fffff, 0x00800000, 0x3f000000};
  static const std::vector<uint64_t> f64 = {0,
                                            0x8000000000000000,
                                            0x3ff0000000000000,
                                            0xbff0000000000000,
                                            0x7fefffffffffffff,
                                            0xffefffffffffffff,
                                            0x0010000000000000,
                                            0x3fe0000000000000};
  static const std::vector<uint64_t> whole = {0, 1, 2, 15, 200, 0x7fff, 0xffff, 0x7fffffff};
  return t == type::f16 ? f16 : t == type::f32 ? f32 : t == type::f64 ? f64 : whole;
}
const std::vector<uint64_t>& not_finite(type t) {
  static const std::vector<uint64_t> f16 = {0x7c00, 0xfc00, 0x7e00, 0xfe01};
  static const std::vector<uint64_t> f32 = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001};
  static const std::vector<uint64_t> f64 = {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                            0xfff8000000000001};
  return t == type::f16 ? f16 : t == type::f32 ? f32 : f64;
}

class vector_rows : public testing::Test {
 protected:
  static constexpr unsigned dst = 24, first_source = 8;
  static unsigned source(unsigned k) { return first_source + 4 * k; }

  // Lane l has the combination number `first` + l of finite operands; the destination is one too.
  void fill(const opcode_row& row, unsigned first) {
    for (unsigned l = 0; l < 64; ++l) {
      unsigned n = first + l;
      for (unsigned k = 0; k < 4; ++k, n /= 8) {
        const type t = k < 3 ? row.src[k] : row.dst;
        const uint64_t v = finite(t)[k < 3 ? n % 8 : (first + l) / 3 % 8];
        const unsigned r = k < 3 ? source(k) : dst;
        b_.put_in(r, uint64_t{1} << l, static_cast<uint32_t>(v));
        b_.put_in(r + 1, uint64_t{1} << l, static_cast<uint32_t>(v >> 32));
      }
    }
    b_.reset();
  }
  void replace(unsigned k, type t) {
    for (unsigned l = 0; l < 64; ++l) {
      const uint64_t v = not_finite(t)[l % 4];
      b_.put_in(source(k), uint64_t{1} << l, static_cast<uint32_t>(v));
      if (t == type::f64) b_.put_in(source(k) + 1, uint64_t{1} << l, static_cast<uint32_t>(v >> 32));
    }
  }
  // Executes it, stores its result; lanes whose result is no number.
  uint64_t execute(const opcode_row& row, vector_encoding e, uint64_t lanes) {
    isa::vector_fields f = isa::plain_fields(row);
    for (unsigned k = 0; k < isa::source_count(row); ++k) f.src[k] = 256 + source(k);
    f.dst = dst;
    f.literal = row.dst == type::f16 ? 0x4000 : 0x3f800000;  // 2, 1
    uint32_t words[2];
    isa::encode_vector(row, e, f, words);
    b_.bench.state.set_scalar64(isa::exec_lo, lanes);
    b_.bench.state.set_scalar64(isa::vcc_lo, 0);
    b_.execute({words[0], words[1]});
    uint64_t none = 0;
    for (unsigned l = 0; l < 64; ++l) {
      uint64_t v = b_.bench.vgprs[dst].lane[l];
      if (row.dst == type::f64) v |= uint64_t{b_.bench.vgprs[dst + 1].lane[l]} << 32;
      none |= uint64_t{is_no_number(row.dst, v)} << l;
    }
    b_.store(dst, row.dst == type::f64 ? 2 : 1);
    return none & lanes;
  }
  static unsigned combinations(const opcode_row& row) {
    return isa::source_count(row) == 1 ? 8 : isa::source_count(row) == 2 ? 64 : 512;
  }
  static std::vector<const opcode_row*> rows() {
    std::vector<const opcode_row*> all;
    for (const opcode_row& row : isa::vector_rows())
      if (float_use_of(row) == float_use::arithmetic && row.exec != nullptr) all.push_back(&row);
    return all;
  }
  static bool is_inside_division(const std::string& m) { return begins(m, "v_div_scale") || begins(m, "v_div_fmas"); }

  numbers_bench b_;
};

TEST_F(vector_rows, of_finite_operands_it_is_found_in_exactly_the_lanes_that_have_it) {
  std::set<std::string> never;
  for (const opcode_row* row : rows())
    for (const vector_encoding e : isa::encodings_of(*row)) {
      const std::string name = row->mnemonic;
      bool any = false;
      for (unsigned first = 0; first < combinations(*row); first += 64) {
        fill(*row, first);
        const uint64_t lanes = execute(*row, e, ~uint64_t{0});
        any = any || lanes != 0;
        if (lanes == 0 || is_inside_division(name)) {
          ASSERT_THAT(b_.found(), IsEmpty()) << name;
          continue;
        }
        uint64_t found = 0;
        for (const finding& f : b_.sink.all) {
          found |= f.here.lanes;
          ASSERT_EQ(f.here.pc, 0x1000u) << name;
        }
        // Integers' reciprocal is a rule of its own. Of NaNs and infinities of one instruction each is a place.
        if (name == "v_rcp_iflag_f32") {
          ASSERT_THAT(b_.found(), ElementsAre("integer_division_by_zero 1000 0"));
        } else {
          ASSERT_NE(found, 0u) << name;
          ASSERT_EQ(found, lanes) << name;
        }
      }
      if (!any) never.insert(name);
    }
  // These make finite numbers of finite ones.
  const std::set<std::string> always_finite = {
      "v_cvt_f64_i32", "v_cvt_f32_i32",    "v_cvt_f32_u32",    "v_cvt_f32_f16",    "v_cvt_off_f32_i4",
      "v_cvt_f64_f32", "v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3",
      "v_cvt_f64_u32", "v_trunc_f64",      "v_ceil_f64",       "v_rndne_f64",      "v_floor_f64",
      "v_fract_f32",   "v_trunc_f32",      "v_ceil_f32",       "v_rndne_f32",      "v_floor_f32",
      "v_sin_f32",     "v_cos_f32",        "v_frexp_mant_f64", "v_fract_f64",      "v_frexp_mant_f32",
      "v_cvt_f16_i16", "v_frexp_mant_f16", "v_floor_f16",      "v_ceil_f16",       "v_trunc_f16",
      "v_rndne_f16",   "v_fract_f16",      "v_sin_f16",        "v_cos_f16",        "v_min_f32",
      "v_max_f32",     "v_max_f16",        "v_min_f16",        "v_min3_f32",       "v_max3_f32",
      "v_med3_f32",    "v_cubeid_f32",     "v_cubesc_f32",     "v_cubetc_f32",     "v_min_f64",
      "v_max_f64",     "v_trig_preop_f64"};
  EXPECT_EQ(never, always_finite);
}

TEST_F(vector_rows, of_an_operand_that_is_none_it_does_not_arise) {
  for (const opcode_row* row : rows())
    for (const vector_encoding e : isa::encodings_of(*row)) {
      const std::string name = row->mnemonic;
      const unsigned n = isa::source_count(*row);
      for (unsigned k = begins(name, "v_div_fixup") ? 1 : 0; k < n; ++k) {
        if (!isa::is_float(row->src[k])) continue;
        if ((row->flags & isa::literal_k) != 0 && k > 0) continue;  // the register's number depends on the form
        for (unsigned first = 0; first < combinations(*row); first += 64) {
          fill(*row, first);
          replace(k, row->src[k]);
          execute(*row, e, ~uint64_t{0});
          ASSERT_THAT(b_.found(), IsEmpty()) << name << ", source " << k;
        }
      }
    }
}

TEST_F(vector_rows, one_lane_and_none) {
  for (const opcode_row* row : rows())
    for (const vector_encoding e : isa::encodings_of(*row)) {
      const std::string name = row->mnemonic;
      if (is_inside_division(name)) continue;
      fill(*row, 0);
      uint64_t lanes = execute(*row, e, ~uint64_t{0});
      if (lanes == 0) continue;
      lanes &= 0 - lanes;
      fill(*row, 0);
      ASSERT_EQ(execute(*row, e, lanes), lanes) << name;
      ASSERT_EQ(b_.sink.all.size(), 1u) << name;
      ASSERT_EQ(b_.sink.all[0].here.lanes, lanes) << name;
      fill(*row, 0);
      execute(*row, e, 0);
      ASSERT_THAT(b_.found(), IsEmpty()) << name;
    }
}

// --- Memory ----------------------------------------------------------------------------------------

class memory_rows_of_numbers : public testing::Test {
 protected:
  static constexpr unsigned address = 8, data = 12, data2 = 16, dst = 20;
  static constexpr uint64_t lane_bit = uint64_t{1} << numbers_bench::lane;

  static std::vector<const opcode_row*> rows(float_use use) {
    std::vector<const opcode_row*> all;
    for (const opcode_row& row : isa::memory_rows())
      if (float_use_of(row) == use && row.exec != nullptr) all.push_back(&row);
    return all;
  }
  // The first of two addresses of 8 bytes each in LDS or memory.
  uint64_t there() const {
    uint64_t v;
    std::memcpy(&v, at(), sizeof v);
    return v;
  }
  void put_there(uint64_t v, uint64_t second = 0) {
    std::memcpy(at(), &v, sizeof v);
    std::memcpy(at() + 64, &second, sizeof second);
  }
  void execute(const opcode_row& row, bool glc) {
    row_ = &row;
    if (row.native == isa::format::ds) {
      b_.put(address, 0x100);
      const bool src2 = row.src[1] == type::none;
      const bool two = (row.flags & isa::double_access) != 0;
      b_.execute(isa::test::encode_ds(row, dst, address, data, data2, src2 ? 16 : 0, two ? 8 : 0));
    } else if (row.native == isa::format::flat) {
      for (int l = 0; l < 64; ++l) b_.bench.set_address(address, l, memory_bench::data + 0x100);
      b_.execute(isa::test::encode_flat(row, dst, address, data, glc));
    } else {
      b_.bench.state.scalar[8] = static_cast<uint32_t>(memory_bench::data + 0x100);
      b_.bench.state.scalar[9] = static_cast<uint32_t>((memory_bench::data + 0x100) >> 32);
      b_.bench.state.scalar[10] = 0x1000;  // bytes
      b_.bench.state.scalar[11] = 0x24fac;
      isa::test::mubuf_fields f;
      f.data = data;
      f.glc = glc;
      b_.execute(isa::test::encode_mubuf(row, f));
    }
  }
  // An infinity that has arisen in that register: a double with its lower half, or a float in both.
  void make_infinity(unsigned r, bool wide) {
    b_.put64(30, 0);
    const opcode_row& row = *isa::find_row(isa::format::vop1, wide ? 0x25 : 0x22);  // v_rcp
    isa::vector_fields f = isa::plain_fields(row);
    f.dst = r;
    f.src[0] = 256 + 30;
    uint32_t words[2];
    isa::encode_vector(row, vector_encoding::e32, f, words);
    b_.execute({words[0]});
  }

  numbers_bench b_;

 private:
  uint8_t* at() const {
    auto& bench = const_cast<memory_bench&>(b_.bench);
    return row_ == nullptr || row_->native == isa::format::ds ? bench.lds.data() + 0x100
                                                              : bench.host(memory_bench::data + 0x100);
  }
  const opcode_row* row_ = nullptr;
};

TEST_F(memory_rows_of_numbers, what_arises_in_lds_is_found_there) {
  std::set<std::string> made;
  for (const opcode_row* row : rows(float_use::combine)) {
    const type t = combined_type(*row);
    for (const uint64_t old : finite(t))
      for (const uint64_t operand : finite(t)) {
        b_.reset();
        b_.put64(data, operand);
        put_there(old, operand);
        execute(*row, false);
        const bool none = is_no_number(t, there());
        if (!none) {
          ASSERT_THAT(b_.found(), IsEmpty()) << row->mnemonic;
          continue;
        }
        made.insert(row->mnemonic);
        ASSERT_EQ(b_.sink.all.size(), 1u) << row->mnemonic;
        ASSERT_EQ(b_.sink.all[0].here.pc, 0x1000u);
        ASSERT_EQ(b_.sink.all[0].here.lanes, lane_bit);
      }
    for (const uint64_t other : not_finite(t))
      for (const bool first : {true, false}) {
        b_.reset();
        b_.put64(data, first ? finite(t)[2] : other);
        put_there(first ? other : finite(t)[2], first ? finite(t)[2] : other);
        execute(*row, false);
        ASSERT_THAT(b_.found(), IsEmpty()) << row->mnemonic;
      }
  }
  EXPECT_EQ(made, (std::set<std::string>{"ds_add_f32", "ds_add_rtn_f32", "ds_add_src2_f32"}));
}

TEST_F(memory_rows_of_numbers, no_lane_makes_nothing_in_lds) {
  for (const opcode_row* row : rows(float_use::combine)) {
    b_.reset();
    b_.bench.state.set_scalar64(isa::exec_lo, 0);
    b_.put64(data, finite(combined_type(*row))[4]);
    put_there(finite(combined_type(*row))[4]);
    execute(*row, false);
    ASSERT_THAT(b_.found(), IsEmpty()) << row->mnemonic;
  }
}

// Whether the operand has come to memory is seen there.
TEST_F(memory_rows_of_numbers, an_atomic_that_leaves_it_there_is_as_a_store) {
  std::set<std::string> kept, kept_not;
  for (const float_use use : {float_use::replace, float_use::combine})
    for (const opcode_row* row : rows(use)) {
      if (row->src[1] == type::none) continue;  // of LDS alone
      const std::string name = row->mnemonic;
      const bool wide = has(name, "64") || has(name, "_x2");
      for (const uint64_t old : {uint64_t{0}, wide ? uint64_t{0x3ff0000000000000} : uint64_t{0x3f800000}, ~uint64_t{0}})
        for (const bool glc : {false, true}) {
          b_.reset();
          const uint64_t infinity = wide ? 0x7ff0000000000000 : 0x7f800000;
          b_.put64(data, 0);
          b_.put64(data + 2, 0);
          b_.put64(data2, 0);
          const bool ds_compares = row->src[2] != type::none && (row->flags & isa::double_access) == 0;
          make_infinity(ds_compares ? data2 : data, wide);
          put_there(old, old);
          const uint64_t pc = b_.pc;
          execute(*row, glc);
          const uint64_t left = wide ? there() : there() & 0xffffffff;
          const bool is = left == infinity;
          (is ? kept : kept_not).insert(name);
          if (!is) {
            EXPECT_THAT(b_.found(), IsEmpty()) << name;
            continue;
          }
          ASSERT_EQ(b_.sink.all.size(), 1u) << name << (glc ? " glc" : "");
          EXPECT_EQ(b_.sink.all[0].rule, "infinity_arises");
          EXPECT_EQ(b_.sink.all[0].other->pc, pc) << name;
        }
    }
  for (const char* name : {"flat_atomic_swap", "flat_atomic_cmpswap", "flat_atomic_cmpswap_x2", "buffer_atomic_swap",
                           "buffer_atomic_cmpswap", "ds_wrxchg_rtn_b32", "ds_cmpst_b32", "ds_cmpst_rtn_b64",
                           "ds_cmpst_f32", "ds_max_f32", "ds_max_rtn_f64", "flat_atomic_smax", "ds_wrxchg2_rtn_b32"})
    EXPECT_EQ(kept.count(name), 1u) << name;
  for (const char* name : {"flat_atomic_cmpswap", "ds_cmpst_rtn_b32", "ds_cmpst_f64", "ds_min_f32"})
    EXPECT_EQ(kept_not.count(name), 1u) << name;
}

TEST_F(memory_rows_of_numbers, stores_of_a_number_or_more) {
  std::set<std::string> silent;
  for (const opcode_row* row : rows(float_use::store)) {
    b_.reset();
    b_.put64(data, 0);
    b_.put64(data + 2, 0);
    b_.put64(data2, 0);
    make_infinity(data, false);
    const uint64_t pc = b_.pc;
    execute(*row, false);
    if (b_.sink.all.empty()) {
      silent.insert(row->mnemonic);
      continue;
    }
    EXPECT_EQ(b_.sink.all[0].other->pc, pc) << row->mnemonic;
  }
  EXPECT_EQ(silent, (std::set<std::string>{"ds_write_b8", "flat_store_byte", "buffer_store_byte"}));
}

TEST_F(memory_rows_of_numbers, a_format_that_is_too_small) {
  constexpr uint32_t x16_floating = 0x00000fac | 7u << 12 | 2u << 15, x32_floating = 0x00000fac | 7u << 12 | 4u << 15;
  for (const uint32_t format : {x16_floating, x32_floating})
    for (const uint32_t value : {0x47c35000u, 0x3f800000u, 0x7f800000u}) {  // 1e5, 1, infinity
      b_.reset();
      b_.put(data, value);
      isa::wave_state& s = b_.bench.state;
      s.scalar[8] = static_cast<uint32_t>(memory_bench::data + 0x100);
      s.scalar[9] = static_cast<uint32_t>((memory_bench::data + 0x100) >> 32) | 4u << 16;  // elements of 4 bytes
      s.scalar[10] = 0x1000;
      s.scalar[11] = format;
      isa::test::mubuf_fields f;
      f.data = data;
      b_.execute(isa::test::encode_mubuf(isa::test::memory_row("buffer_store_format_x"), f));
      if (format == x16_floating && value == 0x47c35000u)
        EXPECT_THAT(b_.found(), ElementsAre("infinity_arises 1000 0"));
      else
        EXPECT_THAT(b_.found(), IsEmpty()) << value;
    }
}

}  // namespace
}  // namespace pws::check::test::numbers_rows_test
