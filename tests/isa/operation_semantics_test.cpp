// SPDX-License-Identifier: Apache-2.0
// Rows do what they are said to be: executed on random numbers, against one formula for each operation and type.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "tests/isa/scalar_words.h"
#include "tests/isa/vector_machine.h"

namespace pws::isa::test::operation_semantics_test {

namespace {

bool has_sign(data_type t) {
  return t == data_type::i8 || t == data_type::i16 || t == data_type::i24 || t == data_type::i32 || t == data_type::i64;
}
bool is_whole(data_type t) {
  return t != data_type::none && t != data_type::f16 && t != data_type::f32 && t != data_type::f64;
}
unsigned bits_in(data_type t) {
  return t == data_type::u24 || t == data_type::i24 ? 24 : 8 * bytes_of(t);
}
uint64_t low(uint64_t x, unsigned bits) {
  return bits >= 64 ? x : x & ((uint64_t{1} << bits) - 1);
}
// The low bits as a number.
int64_t number(uint64_t x, data_type t) {
  const unsigned bits = bits_in(t);
  const uint64_t v = low(x, bits);
  const bool negative = has_sign(t) && (v >> (bits - 1) & 1) != 0;
  return static_cast<int64_t>(negative && bits < 64 ? v | ~uint64_t{0} << bits : v);
}
bool is_less(uint64_t a, uint64_t b, data_type t) {
  return has_sign(t) ? number(a, t) < number(b, t) : low(a, bits_in(t)) < low(b, bits_in(t));
}

// The three from the least on.
std::array<uint64_t, 3> least_of(const meaning& m, std::array<uint64_t, 3> three) {
  std::sort(three.begin(), three.end(), [&](uint64_t a, uint64_t b) { return is_less(a, b, m.of); });
  return three;
}

struct inputs {
  uint64_t a, b, c;  // sources; without a third, c is the destination's old value
  bool flag;         // SCC, or the lane's bit
};

uint64_t logic(operation o, uint64_t a, uint64_t b) {
  switch (o) {
    case operation::bit_and:
      return a & b;
    case operation::bit_or:
      return a | b;
    case operation::bit_xor:
      return a ^ b;
    case operation::bit_andn2:
      return a & ~b;
    case operation::bit_orn2:
      return a | ~b;
    case operation::bit_nand:
      return ~(a & b);
    case operation::bit_nor:
      return ~(a | b);
    case operation::bit_xnor:
      return ~(a ^ b);
    default:
      return ~a;
  }
}

// All bits of a 64-bit result; the caller cuts it. Nothing: an operation that is no function of these.
std::optional<uint64_t> result(const meaning& m, inputs in) {
  if (m.reversed) std::swap(in.a, in.b);
  const int64_t a = number(in.a, m.of), b = number(in.b, m.of);
  const auto product = static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
  const uint64_t count = in.b & (bits_in(m.of) - 1);
  if (is_logic(m.does)) return logic(m.does, in.a, in.b);
  switch (m.does) {
    case operation::move:
      return in.a;
    case operation::conditional_move:
      return in.flag ? in.a : in.c;
    case operation::add:
      return in.a + in.b;
    case operation::add_carry:
      return in.a + in.b + (in.flag ? 1 : 0);
    case operation::subtract:
      return in.a - in.b;
    case operation::subtract_borrow:
      return in.a - in.b - (in.flag ? 1 : 0);
    case operation::multiply:
      return product;
    case operation::multiply_high:
      return product >> 32;
    case operation::multiply_add:
      return product + in.c;
    case operation::minimum:
      return is_less(in.a, in.b, m.of) ? in.a : in.b;
    case operation::maximum:
      return is_less(in.a, in.b, m.of) ? in.b : in.a;
    case operation::minimum3:
      return least_of(m, {in.a, in.b, in.c})[0];
    case operation::median3:
      return least_of(m, {in.a, in.b, in.c})[1];
    case operation::maximum3:
      return least_of(m, {in.a, in.b, in.c})[2];
    case operation::shift_left:
      return in.a << count;
    case operation::shift_right:
      return has_sign(m.of) ? static_cast<uint64_t>(a >> count) : low(in.a, bits_in(m.of)) >> count;
    case operation::sign_extend:
      return static_cast<uint64_t>(a);
    default:
      return std::nullopt;
  }
}
uint64_t width_mask(data_type t, unsigned dwords) {
  return low(~uint64_t{0}, dwords == 2 ? 64 : bits_in(t) == 16 ? 16 : 32);
}

// --- Scalar ----------------------------------------------------------------------------------------

constexpr unsigned src_a = 0, src_b = 2, dst = 4;

uint32_t encode(const opcode_row& row, unsigned immediate = 0) {
  const bool has_immediate = row.native == format::sopk || row.native == format::sopp;
  return scalar_word(row, dst, src_a, has_immediate ? immediate : src_b);
}

class operation_semantics : public testing::Test {
 protected:
  uint64_t any() {
    static constexpr uint64_t edges[] = {0, 1, ~uint64_t{0}, 0x80000000, 0x7fffffff, 0xffffffff, uint64_t{1} << 63};
    const uint64_t r = random_();
    return r % 4 == 0 ? edges[r / 4 % std::size(edges)] : random_();
  }
  inputs some() { return {any(), any(), any(), random_() % 2 != 0}; }

  std::mt19937_64 random_{20161108};
};

void execute(wave_state& w, uint32_t word) {
  const uint32_t code[] = {word, 0};
  const inst i = decode(code, 2, 0x1000);
  w.pc = 0x1000 + i.bytes();
  i.exec(w, i);
}

TEST_F(operation_semantics, scalar_rows) {
  std::set<operation> seen;
  for (const opcode_row& row : scalar_rows()) {
    const meaning& m = row.means;
    if (row.exec == nullptr || m.saves_exec || row.native == format::sopc || row.native == format::sopp) continue;
    for (unsigned n = 0; n < 200; ++n) {
      inputs in = some();
      const auto immediate = static_cast<uint32_t>(random_() & 0xffff);
      wave_state w;
      w.scc = in.flag;
      w.set_scalar64(src_a, in.a);
      w.set_scalar64(src_b, in.b);
      w.set_scalar64(dst, in.c);
      if (row.native == format::sopk) {
        in.b = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(immediate)));
        in.a = m.does == operation::move || m.does == operation::conditional_move ? in.b : in.c;
      }
      const unsigned dwords = dwords_of(row.dst);
      const auto expected = m.does == operation::select ? std::optional(in.flag ? in.a : in.b) : result(m, in);
      if (!expected) break;
      execute(w, encode(row, immediate));
      const uint64_t mask = low(~uint64_t{0}, 32 * dwords);
      ASSERT_EQ(w.scalar64(dst) & mask, *expected & mask)
          << row.mnemonic << " of " << std::hex << in.a << ", " << in.b << ", " << in.c << ", " << in.flag;
      seen.insert(m.does);
    }
  }
  EXPECT_EQ(seen.size(), 22u) << "operations of scalar rows that were executed";
}

TEST_F(operation_semantics, saveexec_rows) {
  unsigned rows = 0;
  for (const opcode_row& row : scalar_rows()) {
    if (!row.means.saves_exec) continue;
    ++rows;
    for (unsigned n = 0; n < 100; ++n) {
      const inputs in = some();
      wave_state w;
      w.set_scalar64(src_a, in.a);
      w.set_scalar64(exec_lo, in.b);
      execute(w, encode(row));
      ASSERT_EQ(w.scalar64(dst), in.b) << row.mnemonic;
      ASSERT_EQ(w.scalar64(exec_lo), logic(row.means.does, in.a, in.b)) << row.mnemonic;
    }
  }
  EXPECT_EQ(rows, 8u);
}

bool holds(relation r, uint64_t a, uint64_t b, data_type t) {
  const bool less = is_less(a, b, t), greater = is_less(b, a, t);
  switch (r) {
    case relation::less:
      return less;
    case relation::greater:
      return greater;
    case relation::less_or_equal:
      return !greater;
    case relation::greater_or_equal:
      return !less;
    case relation::equal:
      return !less && !greater;
    case relation::not_equal:
      return less || greater;
    default:
      return r == relation::always;
  }
}

TEST_F(operation_semantics, scalar_compares) {
  for (const opcode_row& row : scalar_rows()) {
    if (row.means.does != operation::compare) continue;
    for (unsigned n = 0; n < 200; ++n) {
      const inputs in = some();
      uint64_t a = in.a, b = n % 5 == 0 ? in.a : in.b;
      wave_state w;
      w.set_scalar64(src_a, a);
      w.set_scalar64(src_b, b);
      w.set_scalar64(dst, a);
      const auto immediate = static_cast<uint16_t>(b);
      if (row.native == format::sopk) {
        b = has_sign(row.means.of) ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(immediate)))
                                   : immediate;
        if (n % 5 == 0) w.set_scalar64(dst, a = b);
      }
      execute(w, encode(row, immediate));
      ASSERT_EQ(w.scc, holds(row.means.compares, a, b, row.means.of)) << row.mnemonic << " of " << a << ", " << b;
    }
  }
}

// In each state of what branches test.
TEST_F(operation_semantics, branches) {
  for (const opcode_row& row : scalar_rows()) {
    if (row.native != format::sopp || row.unit != unit::branch) continue;
    for (unsigned state = 0; state < 8; ++state) {
      const bool scc = (state & 1) != 0, vcc = (state & 2) != 0, exec = (state & 4) != 0;
      wave_state w;
      w.scc = scc;
      w.set_scalar64(vcc_lo, vcc ? uint64_t{1} << 40 : 0);
      w.set_scalar64(exec_lo, exec ? uint64_t{1} << 40 : 0);
      execute(w, encode(row, 0x10));
      bool taken = false;
      switch (row.means.taken_if) {
        case branch_condition::none:
          ADD_FAILURE() << row.mnemonic << " is a branch";
          break;
        case branch_condition::always:
          taken = true;
          break;
        case branch_condition::scc_zero:
        case branch_condition::scc_one:
          taken = scc == (row.means.taken_if == branch_condition::scc_one);
          break;
        case branch_condition::vcc_zero:
        case branch_condition::vcc_nonzero:
          taken = vcc == (row.means.taken_if == branch_condition::vcc_nonzero);
          break;
        case branch_condition::exec_zero:
        case branch_condition::exec_nonzero:
          taken = exec == (row.means.taken_if == branch_condition::exec_nonzero);
          break;
        case branch_condition::debugger:
          break;
      }
      EXPECT_EQ(w.pc, taken ? 0x1044u : 0x1004u) << row.mnemonic << " in state " << state;
    }
  }
}

// --- Vector ----------------------------------------------------------------------------------------

std::vector<uint32_t> vector_words(const opcode_row& row) {
  if (row.native == format::vop3) {
    vop3_fields f;
    f.dst = 12;
    f.sdst = vcc_field;
    for (unsigned n = 0; n < source_count(row); ++n) f.src[n] = v(4 * n);
    return words_vop3(row, f);
  }
  return {word_e32(row, 12, v(0), 4)};
}

TEST_F(operation_semantics, vector_rows) {
  std::set<operation> seen;
  for (const opcode_row& row : vector_rows()) {
    const meaning& m = row.means;
    const bool relative = (row.flags & relative_index) != 0;
    if (row.native == format::vopc || !is_whole(m.of) || relative) continue;
    vector_machine machine;
    lanes source[3], old;
    uint64_t flags = 0;
    for (unsigned l = 0; l < wave_size; ++l) {
      for (lanes& s : source) s[l] = any();
      old[l] = any();
      flags = flags << 1 | (random_() & 1);
    }
    for (unsigned n = 0; n < 3; ++n) machine.write(4 * n, 2, source[n]);
    machine.write(12, 2, old);
    machine.state.set_scalar64(vcc_lo, flags);
    machine.state.set_scalar64(exec_lo, everyone);
    const auto of_lane = [&](unsigned l) {
      return result(m, {source[0][l], source[1][l], source[2][l], (flags >> l & 1) != 0});
    };
    if (!of_lane(0)) continue;
    seen.insert(m.does);
    machine.run(vector_words(row));
    const lanes got = machine.read(12, 2);
    const uint64_t mask = width_mask(m.of, dwords_of(row.dst));
    for (unsigned l = 0; l < wave_size; ++l)
      ASSERT_EQ(got[l] & mask, *of_lane(l) & mask) << row.mnemonic << " in lane " << l << " of " << std::hex
                                                   << source[0][l] << ", " << source[1][l] << ", " << source[2][l];
  }
  EXPECT_EQ(seen.size(), 19u) << "operations of vector rows that were executed";
}

}  // namespace

}  // namespace pws::isa::test::operation_semantics_test
