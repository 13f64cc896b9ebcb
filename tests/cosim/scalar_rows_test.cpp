// SPDX-License-Identifier: Apache-2.0
// The RTL's scalar ALU against the instruction semantics: every row of the scalar formats, constrained-random operands,
// results in all registers, SCC, MODE and the next PC, four cycles after the issue. PWS_RTL_VECTORS sets how many
// vectors each format gets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <set>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/host_fp.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"
#include "models/isa/scalar/scalar_semantics.h"
#include "rtl/wrapper/spsimd_rtl.h"
#include "tests/cosim/begun_context.h"

namespace pws::test::scalar_rows_test {
namespace {

using rtl::spsimd_rtl;

unsigned vectors_wanted() {
  const char* n = std::getenv("PWS_RTL_VECTORS");
  return n == nullptr ? 20'000 : static_cast<unsigned>(std::atoi(n));
}

// What the unit leaves to others: the front end, the model, or nobody.
bool belongs_to_the_unit(const isa::opcode_row& r) {
  static const std::set<std::string> left_out = {"s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join"};
  if (r.exec == nullptr || left_out.count(r.mnemonic) != 0) return false;
  return r.unit == isa::unit::salu || r.unit == isa::unit::branch;
}
bool belongs_to_the_unit(const isa::inst& i) {
  constexpr int32_t status = 2;
  return belongs_to_the_unit(*i.row) &&
         (std::strcmp(i.row->mnemonic, "s_getreg_b32") != 0 || (i.simm & 0x3f) != status);
}

class scalar_rows : public testing::TestWithParam<isa::format> {
 protected:
  uint32_t value() {
    constexpr uint32_t corners[] = {0,          1,          2,          31,         32,         63,        64,
                                    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xffff,    0x8000,
                                    0x10000,    0x55555555, 0xaaaaaaaa, 0x00200000, 0x00400020, 0x00080004};
    switch (random_() % 4) {
      case 0:
        return corners[random_() % std::size(corners)];
      case 1:
        return uint32_t{1} << (random_() % 32);
      case 2:
        return static_cast<uint32_t>(random_() % 128) - 64;
      default:
        return static_cast<uint32_t>(random_());
    }
  }
  // A source field: registers, pairs, VCC, M0, EXEC, constants, specials, a literal now and then.
  uint32_t source() {
    constexpr uint32_t special[] = {106, 107, 124, 126, 127, 251, 252, 253, 255};
    switch (random_() % 8) {
      case 0:
        return special[random_() % std::size(special)];
      case 1:
        return 128 + static_cast<uint32_t>(random_() % 81);
      case 2:
        return 240 + static_cast<uint32_t>(random_() % 9);
      default:
        return static_cast<uint32_t>(random_() % 52) * 2 + (random_() % 4 == 0 ? 1 : 0);
    }
  }
  uint32_t destination() {
    constexpr uint32_t special[] = {106, 124, 126, 102};
    return random_() % 8 == 0 ? special[random_() % std::size(special)] : static_cast<uint32_t>(random_() % 51) * 2;
  }
  uint64_t words(const isa::opcode_row& r) {
    const uint32_t dst = destination(), src1 = source(), src0 = source();
    const uint32_t simm = r.native == isa::format::sopk ? immediate(r) : value() & 0xffff;
    return isa::scalar_word(r, dst, src0, src1, simm) | uint64_t{value()} << 32;
  }
  uint32_t immediate(const isa::opcode_row& r) {
    if (std::strstr(r.mnemonic, "reg") == nullptr) return value() & 0xffff;
    return (1 + random_() % 6) | static_cast<uint32_t>(random_() % 32) << 6 |
           static_cast<uint32_t>(random_() % 32) << 11;
  }

  // What `i` begins with.
  isa::wave_state any_state(const isa::inst& i) {
    isa::wave_state s;
    for (uint32_t& r : s.scalar) r = value();
    s.split_mask = random_() % 2 == 0 ? ~uint64_t{0} : random_();
    if (random_() % 8 == 0) s.set_scalar64(isa::exec_lo, 0);
    if (random_() % 8 == 0) s.set_scalar64(isa::vcc_lo, 0);
    if (i.relative_index) s.scalar[isa::m0] = static_cast<uint32_t>(random_() % 40) - 20;
    s.scc = random_() % 2 != 0;
    s.mode = static_cast<uint32_t>(random_()) & 0x0fffffff;
    s.trapsts = static_cast<uint32_t>(random_());
    s.hw_id = static_cast<uint32_t>(random_());
    s.n_sgprs = 102;
    s.n_vgprs = 1 + random_() % 256;
    s.lds_bytes = static_cast<uint32_t>(random_() % 65536);
    return s;
  }

  // An SWF begins at `pc`, in a context that has none by then.
  void begin(unsigned context, uint64_t pc, const isa::wave_state& s) {
    spsimd_rtl::start start;
    start.pc = pc;
    start.spm = s.split_mask;
    start.launched = ~uint64_t{0};
    start.parent = 1;
    start.hw_id = s.hw_id;
    start.gpr_alloc = isa::get_hardware_register(s, 5u | 31u << 11);
    start.lds_alloc = isa::get_hardware_register(s, 6u | 31u << 11);
    if (unit_->state(context) != 0) {
      unit_->leave(context);
      unit_->clock(nullptr);
    }
    begin_with(*unit_, context, start, s.scalar, {s.scc, s.mode, s.trapsts});
  }

  // The instruction retires in time, and the unit's registers are those of `s`.
  void expect_same(unsigned context, const isa::wave_state& before, const isa::wave_state& s, const std::string& what) {
    unsigned cycles = 0, retired = spsimd_rtl::none;
    while (retired == spsimd_rtl::none && cycles < 10) {
      retired = unit_->clock(nullptr).scalar;
      ++cycles;
    }
    ASSERT_EQ(retired, context) << what;
    ASSERT_EQ(cycles, spsimd_rtl::scalar_latency) << what;
    for (unsigned k = 0; k < isa::scalar_count; ++k)
      ASSERT_EQ(unit_->scalar(context)[k], s.scalar[k]) << what << ": register " << k << ", before " << before.scalar[k]
                                                        << ", scc " << before.scc << ", m0 " << before.scalar[isa::m0];
    const spsimd_rtl::status_registers status = unit_->status(context);
    ASSERT_EQ(status.scc, s.scc) << what;
    ASSERT_EQ(status.mode, s.mode) << what;
    ASSERT_EQ(status.trapsts, s.trapsts) << what;
    ASSERT_EQ(unit_->pc(context), s.pc) << what;
    ASSERT_EQ(unit_->spm(context), s.split_mask) << what;
  }

  std::mt19937_64 random_{2024};
  std::unique_ptr<spsimd_rtl> unit_ = spsimd_rtl::make();
};

TEST_P(scalar_rows, agree_with_the_model) {
  std::vector<const isa::opcode_row*> rows;
  for (const isa::opcode_row& r : isa::scalar_rows())
    if (r.native == GetParam() && r.unit != isa::unit::split && r.unit != isa::unit::merge) rows.push_back(&r);
  const isa::host_fp_scope fp;
  std::set<std::string> executed;
  uint64_t done = 0;
  for (unsigned n = 0; n < vectors_wanted(); ++n) {
    const isa::opcode_row& row = *rows[n % rows.size()];
    const uint64_t instr = words(row);
    const uint32_t raw[2] = {static_cast<uint32_t>(instr), static_cast<uint32_t>(instr >> 32)};
    const uint64_t pc = 0x100000000 + 4 * (random_() % 100000);
    isa::inst i;
    try {
      i = isa::decode(raw, 2, pc);
    } catch (const program_error&) {
      continue;  // a reserved field, an odd pair
    }

    isa::wave_state s = any_state(i);
    const auto context = static_cast<unsigned>(random_() % spsimd_rtl::contexts);
    begin(context, pc, s);

    const spsimd_rtl::scalar_answer answer = unit_->issue_scalar(context, instr, pc, 0);
    const std::string what = fmt::format("{} ({:#010x} {:#010x})", isa::disassemble(i), raw[0], raw[1]);
    if (!belongs_to_the_unit(i)) {
      ASSERT_FALSE(answer.supported) << what;
      continue;
    }
    isa::wave_state before = s;
    s.pc = pc + i.bytes();
    try {
      i.exec(s, i);
    } catch (const program_error&) {
      unit_ = spsimd_rtl::make();  // an index outside the registers, a hardware register that is not there
      continue;
    }
    ASSERT_TRUE(answer.supported) << what;
    ASSERT_EQ(answer.next_pc, s.pc) << what;
    ASSERT_NO_FATAL_FAILURE(expect_same(context, before, s, what));
    executed.insert(row.mnemonic);
    ++done;
  }
  // All rows that the unit has came to be executed, most of the time.
  EXPECT_GT(done, vectors_wanted() / 4);
  for (const isa::opcode_row* r : rows)
    EXPECT_EQ(executed.count(r->mnemonic), belongs_to_the_unit(*r) ? 1u : 0u) << r->mnemonic;
}

constexpr isa::format formats[] = {isa::format::sop2, isa::format::sop1, isa::format::sopk, isa::format::sopc,
                                   isa::format::sopp};

std::string name_of(const testing::TestParamInfo<isa::format>& f) {
  constexpr const char* names[] = {"sop2", "sop1", "sopk", "sopc", "sopp"};
  return names[f.index];
}

INSTANTIATE_TEST_SUITE_P(all, scalar_rows, testing::ValuesIn(formats), name_of);

}  // namespace
}  // namespace pws::test::scalar_rows_test
