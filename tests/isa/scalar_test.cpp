// SPDX-License-Identifier: Apache-2.0
// Semantics of the scalar instructions.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/opcode_row.h"
#include "models/isa/scalar/split_operand.h"
#include "models/isa/wave_state.h"
#include "tests/isa/row_coverage.h"
#include "tests/isa/scalar_vectors.h"
#include "tests/isa/scalar_words.h"

namespace pws::isa::test::scalar_test {

namespace {

constexpr unsigned src_a = 0, src_b = 2, dst = 4;
constexpr uint64_t pc = 0x1000;

void run(wave_state& w, uint32_t word, uint32_t second = 0) {
  const uint32_t code[] = {word, second};
  const inst i = decode(code, 2, pc);
  w.pc = pc + i.bytes();
  i.exec(w, i);
  note_executed(*i.row);
}

const opcode_row* row_named(const char* mnemonic) {
  for (const opcode_row& row : scalar_rows())
    if (std::strcmp(row.mnemonic, mnemonic) == 0) return &row;
  return nullptr;
}

TEST(scalar, vectors) {
  for (const scalar_vector& v : scalar_vectors()) {
    const opcode_row* row = row_named(v.mnemonic);
    ASSERT_NE(row, nullptr) << v.mnemonic;
    wave_state w;
    w.scc = v.scc;
    const bool sopk = row->native == format::sopk;
    if (sopk) {
      w.set_scalar64(dst, v.a);
      run(w, scalar_word(*row, dst, 0, static_cast<unsigned>(v.b)));
    } else {
      w.set_scalar64(src_a, v.a);
      w.set_scalar64(src_b, v.b);
      if (row->native == format::sop1) w.set_scalar64(dst, v.b);
      run(w, scalar_word(*row, dst, src_a, src_b));
    }
    const std::string what = std::string(v.mnemonic) + " " + std::to_string(v.a) + ", " + std::to_string(v.b);
    if (row->native != format::sopc) {
      const uint64_t r = dwords_of(row->dst) == 2 ? w.scalar64(dst) : w.scalar[dst];
      EXPECT_EQ(r, v.result) << what;
      if (dwords_of(row->dst) == 1 && row->native == format::sop2) {
        EXPECT_EQ(w.scalar[dst + 1], 0u) << what << " wrote a second register";
      }
    }
    EXPECT_EQ(w.scc, v.result_scc) << what;
    EXPECT_EQ(w.pc, pc + 4) << what;
    EXPECT_EQ(w.scalar64(exec_lo), 0u) << what << " wrote EXEC";
  }
}

// Rows tested below, each by a test of its own.
const std::set<std::string> tested_elsewhere = {"s_getpc_b64",
                                                "s_setpc_b64",
                                                "s_swappc_b64",
                                                "s_movrels_b32",
                                                "s_movrels_b64",
                                                "s_movreld_b32",
                                                "s_movreld_b64",
                                                "s_and_saveexec_b64",
                                                "s_or_saveexec_b64",
                                                "s_xor_saveexec_b64",
                                                "s_andn2_saveexec_b64",
                                                "s_orn2_saveexec_b64",
                                                "s_nand_saveexec_b64",
                                                "s_nor_saveexec_b64",
                                                "s_xnor_saveexec_b64",
                                                "s_getreg_b32",
                                                "s_setreg_b32",
                                                "s_setreg_imm32_b32",
                                                "s_cbranch_g_fork",
                                                "s_cbranch_i_fork",
                                                "s_cbranch_join",
                                                "s_set_gpr_idx_on",
                                                "s_set_gpr_idx_idx",
                                                "split",
                                                "merge"};

TEST(scalar, every_row_has_a_vector) {
  std::set<std::string> tested = tested_elsewhere;
  for (const scalar_vector& v : scalar_vectors()) tested.insert(v.mnemonic);
  for (const opcode_row& row : scalar_rows()) {
    if (row.exec == nullptr || row.native == format::sopp)
      continue;  // refused; SOPP: the tests of branches and no effect
    EXPECT_EQ(tested.count(row.mnemonic), 1u) << row.mnemonic << " has no vector";
  }
}

// What split and merge do is the machine's business; the instructions themselves change nothing.
TEST(scalar, split_and_merge) {
  wave_state w;
  for (unsigned k = 0; k < scalar_count; ++k) w.scalar[k] = 0x01010101u * k;
  w.split_mask = 0xffff0000ffff0000;
  const wave_state before = w;
  const auto operand_of = [&](uint32_t word) { return split_operand(w, decode(&word, 1, pc)); };
  EXPECT_EQ(operand_of(0xbf140c0a), 0x0c0c0c0c0a0a0a0au);  // split s10, s12
  EXPECT_EQ(operand_of(0xbf147f7e), w.active());           // split exec_lo, exec_hi
  EXPECT_EQ(operand_of(0xbf14c180), 0xffffffff00000000u);  // split 0, -1
  run(w, 0xbf140c0a);
  run(w, 0xbf150000);
  EXPECT_EQ(std::memcmp(w.scalar, before.scalar, sizeof w.scalar), 0);
  EXPECT_EQ(w.split_mask, before.split_mask);
  EXPECT_EQ(w.scc, before.scc);
  EXPECT_EQ(w.pc, pc + 4);
}

TEST(scalar, saveexec) {
  struct {
    const char* mnemonic;
    uint64_t exec;
  } const cases[] = {{"s_and_saveexec_b64", 0x8},
                     {"s_or_saveexec_b64", 0xe},
                     {"s_xor_saveexec_b64", 0x6},
                     {"s_andn2_saveexec_b64", 0x2},
                     {"s_orn2_saveexec_b64", ~uint64_t{4}},
                     {"s_nand_saveexec_b64", ~uint64_t{8}},
                     {"s_nor_saveexec_b64", ~uint64_t{0xe}},
                     {"s_xnor_saveexec_b64", ~uint64_t{6}}};
  for (const auto& c : cases) {
    wave_state w;
    // EM 0x1c, SpM without bit 4: instructions see 0xc. Bit 4 must not leak into what is saved.
    w.set_scalar64(exec_lo, 0x1c);
    w.split_mask = ~uint64_t{0x10};
    w.set_scalar64(src_a, 0xa);
    run(w, scalar_word(*row_named(c.mnemonic), dst, src_a, 0));
    EXPECT_EQ(w.scalar64(dst), 0xcu) << c.mnemonic;
    EXPECT_EQ(w.scalar64(exec_lo), c.exec) << c.mnemonic;
    EXPECT_TRUE(w.scc) << c.mnemonic;
  }
  wave_state w;
  w.scc = true;
  w.set_scalar64(exec_lo, 0xf);
  run(w, scalar_word(*row_named("s_and_saveexec_b64"), dst, 128, 0));
  EXPECT_EQ(w.scalar64(exec_lo), 0u);
  EXPECT_FALSE(w.scc);
}

TEST(scalar, saveexec_into_its_own_source) {
  wave_state w;
  w.set_scalar64(exec_lo, 0xf0);
  w.set_scalar64(src_a, 0x3c);
  run(w, scalar_word(*row_named("s_and_saveexec_b64"), src_a, src_a, 0));
  EXPECT_EQ(w.scalar64(src_a), 0xf0u);
  EXPECT_EQ(w.scalar64(exec_lo), 0x30u);
}

TEST(scalar, exec_is_read_through_the_split_mask_and_written_whole) {
  wave_state w;
  w.set_scalar64(exec_lo, 0xffff0000ffff0000);
  w.split_mask = 0x00000000ff00ffff | uint64_t{0xff} << 56;
  run(w, scalar_word(*row_named("s_mov_b64"), dst, exec_lo, 0));
  EXPECT_EQ(w.scalar64(dst), 0xff000000ff000000);
  run(w, scalar_word(*row_named("s_mov_b32"), dst, exec_lo, 0));
  EXPECT_EQ(w.scalar[dst], 0xff000000u);
  run(w, scalar_word(*row_named("s_mov_b32"), dst, exec_hi, 0));
  EXPECT_EQ(w.scalar[dst], 0xff000000u);
  run(w, scalar_word(*row_named("s_add_u32"), dst, exec_hi, 129));  // a constant beside a special source
  EXPECT_EQ(w.scalar[dst], 0xff000001u);
  run(w, scalar_word(*row_named("s_mov_b64"), exec_lo, 193, 0));
  EXPECT_EQ(w.scalar64(exec_lo), ~uint64_t{0}) << "writes go to EM, not through SpM";
  EXPECT_EQ(w.split_mask, 0xff000000ff00ffff);
  run(w, scalar_word(*row_named("s_bitset0_b32"), exec_lo, 128, 0));
  EXPECT_EQ(w.scalar64(exec_lo), 0xffffffffff00fffe) << "the old value is a read";
}

TEST(scalar, special_sources) {
  wave_state w;
  const auto value = [&](unsigned field) {
    run(w, scalar_word(*row_named("s_mov_b32"), dst, field, 0));
    return w.scalar[dst];
  };
  w.scc = true;
  EXPECT_EQ(value(251), 1u) << "vccz";
  EXPECT_EQ(value(252), 1u) << "execz";
  EXPECT_EQ(value(253), 1u) << "scc";
  w.scc = false;
  w.set_scalar64(vcc_lo, uint64_t{1} << 63);
  w.set_scalar64(exec_lo, 1);
  EXPECT_EQ(value(251), 0u);
  EXPECT_EQ(value(252), 0u);
  EXPECT_EQ(value(253), 0u);
  w.split_mask = ~uint64_t{1};
  EXPECT_EQ(value(252), 1u) << "execz is about EM & SpM";
}

TEST(scalar, literals_and_inline_constants) {
  wave_state w;
  run(w, 0x8004ff00 | src_a, 0x80000000);  // s_add_u32 s4, s0, literal
  EXPECT_EQ(w.scalar[dst], 0x80000000u);
  EXPECT_EQ(w.pc, pc + 8);
  run(w, scalar_word(*row_named("s_mov_b64"), dst, 255, 0), 0xffffffff);
  EXPECT_EQ(w.scalar64(dst), 0xffffffffu) << "b64: zero-extended";
  run(w, scalar_word(*row_named("s_ashr_i64"), dst, 255, 128), 0xffffffff);
  EXPECT_EQ(w.scalar64(dst), ~uint64_t{0}) << "i64: sign-extended";
  run(w, scalar_word(*row_named("s_mov_b64"), dst, 208, 0));
  EXPECT_EQ(static_cast<int64_t>(w.scalar64(dst)), -16);
  run(w, scalar_word(*row_named("s_mov_b64"), dst, 242, 0));
  EXPECT_EQ(w.scalar64(dst), 0x3ff0000000000000u);
  run(w, scalar_word(*row_named("s_mov_b32"), dst, 248, 0));
  EXPECT_EQ(w.scalar[dst], 0x3e22f983u);
}

TEST(scalar, program_counter) {
  wave_state w;
  run(w, scalar_word(*row_named("s_getpc_b64"), dst, 0, 0));
  EXPECT_EQ(w.scalar64(dst), pc + 4);
  w.set_scalar64(src_a, 0x123456789000);
  run(w, scalar_word(*row_named("s_setpc_b64"), 0, src_a, 0));
  EXPECT_EQ(w.pc, 0x123456789000u);
  run(w, scalar_word(*row_named("s_swappc_b64"), src_a, src_a,
                     0));  // the target is read before the return address is written
  EXPECT_EQ(w.pc, 0x123456789000u);
  EXPECT_EQ(w.scalar64(src_a), pc + 4);
}

TEST(scalar, branches) {
  const auto taken = [](const char* mnemonic, bool scc, uint64_t vcc, uint64_t exec, uint64_t split = ~uint64_t{0}) {
    wave_state w;
    w.scc = scc;
    w.set_scalar64(vcc_lo, vcc);
    w.set_scalar64(exec_lo, exec);
    w.split_mask = split;
    run(w, scalar_word(*row_named(mnemonic), 0, 0, 0xfffe));  // two dwords before the next instruction
    EXPECT_TRUE(w.pc == pc - 4 || w.pc == pc + 4) << mnemonic;
    return w.pc == pc - 4;
  };
  constexpr uint64_t high = uint64_t{1} << 63;
  EXPECT_TRUE(taken("s_branch", false, 0, 0));
  EXPECT_TRUE(taken("s_cbranch_scc0", false, 0, 0));
  EXPECT_FALSE(taken("s_cbranch_scc0", true, 0, 0));
  EXPECT_TRUE(taken("s_cbranch_scc1", true, 0, 0));
  EXPECT_FALSE(taken("s_cbranch_scc1", false, 0, 0));
  EXPECT_TRUE(taken("s_cbranch_vccz", false, 0, 1));
  EXPECT_FALSE(taken("s_cbranch_vccz", false, high, 1));
  EXPECT_TRUE(taken("s_cbranch_vccnz", false, high, 0));
  EXPECT_FALSE(taken("s_cbranch_vccnz", false, 0, 1));
  EXPECT_TRUE(taken("s_cbranch_execz", false, 1, 0));
  EXPECT_FALSE(taken("s_cbranch_execz", false, 0, high));
  EXPECT_TRUE(taken("s_cbranch_execz", false, 0, high, ~high)) << "EM & SpM is empty";
  EXPECT_TRUE(taken("s_cbranch_execnz", false, 0, high));
  EXPECT_FALSE(taken("s_cbranch_execnz", false, 0, high, ~high));
}

TEST(scalar, relative_registers) {
  wave_state w;
  w.n_sgprs = 32;
  w.scalar[m0] = 8;
  w.scalar[8] = 77;
  w.set_scalar64(10, 0x1122334455667788);
  run(w, scalar_word(*row_named("s_movrels_b32"), dst, 0, 0));
  EXPECT_EQ(w.scalar[dst], 77u);
  run(w, scalar_word(*row_named("s_movrels_b64"), dst, 2, 0));
  EXPECT_EQ(w.scalar64(dst), 0x1122334455667788u);
  run(w, scalar_word(*row_named("s_movreld_b32"), 6, 129, 0));
  EXPECT_EQ(w.scalar[14], 1u);
  run(w, scalar_word(*row_named("s_movreld_b64"), 8, 193, 0));
  EXPECT_EQ(w.scalar64(16), ~uint64_t{0});
  w.scalar[m0] = 31;
  run(w, scalar_word(*row_named("s_movrels_b32"), dst, 0, 0));
  w.scalar[m0] = 32;
  EXPECT_THROW(run(w, scalar_word(*row_named("s_movrels_b32"), dst, 0, 0)), program_error);
  w.scalar[m0] = static_cast<uint32_t>(-1);
  EXPECT_THROW(run(w, scalar_word(*row_named("s_movreld_b32"), 0, 129, 0)), program_error);
  w.scalar[m0] = 3;
  EXPECT_THROW(run(w, scalar_word(*row_named("s_movreld_b64"), 0, 129, 0)), program_error) << "misaligned";
  w.scalar[m0] = 0;
  EXPECT_THROW(run(w, scalar_word(*row_named("s_movrels_b32"), dst, 129, 0)), program_error)
      << "a constant has no neighbours";
}

// The diverging program of the ISA's description: both sides run, the smaller one first, and meet at the join.
TEST(scalar, branch_stack) {
  constexpr uint64_t all = 0xffff, few = 0x00f0, target = 0x9000, join_pc = pc + 4;
  const opcode_row &fork = *row_named("s_cbranch_g_fork"), &join = *row_named("s_cbranch_join");
  wave_state w;
  w.n_sgprs = 48;
  w.mode = 0x3c0;
  const auto start = [&](uint64_t condition) {
    w.set_scalar64(exec_lo, all);
    w.set_scalar64(40, condition);
    w.set_scalar64(42, target);
    run(w, scalar_word(fork, 0, 40, 42));
  };
  start(all | uint64_t{1} << 60);
  EXPECT_EQ(w.pc, target) << "all lanes take it";
  EXPECT_EQ(w.mode, 0x3c0u);
  start(uint64_t{1} << 60);
  EXPECT_EQ(w.pc, pc + 4) << "no active lane takes it";
  EXPECT_EQ(w.scalar64(exec_lo), all);
  start(few);  // 4 take it, 12 do not: they go first
  EXPECT_EQ(w.pc, target);
  EXPECT_EQ(w.scalar64(exec_lo), few);
  EXPECT_EQ(w.scalar64(0), all & ~few);
  EXPECT_EQ(w.scalar64(2), pc + 4);
  EXPECT_EQ(w.mode >> 29, 1u);
  // Nested: of the 4, 3 take the next, the other one goes first and the stack grows.
  w.set_scalar64(40, 0x70);
  run(w, scalar_word(fork, 0, 40, 42));
  EXPECT_EQ(w.pc, pc + 4);
  EXPECT_EQ(w.scalar64(exec_lo), 0x80u);
  EXPECT_EQ(w.scalar64(4), 0x70u);
  EXPECT_EQ(w.scalar64(6), target);
  EXPECT_EQ(w.mode >> 29, 2u);
  w.scalar[44] = 1;
  run(w, scalar_word(join, 0, 44, 0));
  EXPECT_EQ(w.pc, target) << "first time: the other side";
  EXPECT_EQ(w.scalar64(exec_lo), 0x70u);
  run(w, scalar_word(join, 0, 44, 0));
  EXPECT_EQ(w.pc, join_pc) << "second time: on";
  run(w, scalar_word(join, 0, 128, 0));
  EXPECT_EQ(w.pc, pc + 4) << "back to the lanes that did not take the first fork";
  EXPECT_EQ(w.scalar64(exec_lo), all & ~few);
  EXPECT_EQ(w.mode, 0x3c0u);
  // Equal numbers: those that take it go first. The immediate form branches by dwords.
  w.set_scalar64(exec_lo, 3);
  w.set_scalar64(40, 1);
  run(w, scalar_word(*row_named("s_cbranch_i_fork"), 40, 0, 0xfffe));
  EXPECT_EQ(w.pc, pc - 4);
  EXPECT_EQ(w.scalar64(exec_lo), 1u);
  EXPECT_EQ(w.scalar64(0), 2u);
  EXPECT_EQ(w.scalar64(2), pc + 4);
}

TEST(scalar, branch_stack_has_ends) {
  wave_state w;
  const auto fork = [&] {
    w.set_scalar64(exec_lo, 3);
    w.set_scalar64(40, 1);
    run(w, scalar_word(*row_named("s_cbranch_i_fork"), 40, 0, 0));
  };
  w.n_sgprs = 48;
  for (unsigned depth = 0; depth < 7; ++depth) fork();
  EXPECT_THROW(fork(), program_error) << "CSP has three bits";
  w.mode = 1u << 29;
  w.n_sgprs = 7;
  EXPECT_THROW(fork(), program_error) << "beyond the wavefront's registers";
  w.mode = 0;
  EXPECT_THROW(run(w, scalar_word(*row_named("s_cbranch_join"), 0, 129, 0)), program_error) << "empty";
}

TEST(scalar, gpr_index_mode) {
  wave_state w;
  w.mode = 0x3c0;
  w.scalar[m0] = 0xabcd1234;
  w.scalar[src_a] = 0xffffff56;
  run(w, scalar_word(*row_named("s_set_gpr_idx_on"), 0, src_a, 9));
  EXPECT_EQ(w.mode, 0x080003c0u);
  EXPECT_EQ(w.scalar[m0], 0xabcd9256u) << "only the index and the operands' bits change";
  run(w, scalar_word(*row_named("s_set_gpr_idx_mode"), 0, 0, 6));
  EXPECT_EQ(w.scalar[m0], 0xabcd6256u);
  run(w, scalar_word(*row_named("s_set_gpr_idx_idx"), 0, 130, 0));
  EXPECT_EQ(w.scalar[m0], 0xabcd6202u);
  run(w, scalar_word(*row_named("s_set_gpr_idx_off"), 0, 0, 0));
  EXPECT_EQ(w.mode, 0x3c0u);
  EXPECT_EQ(w.scalar[m0], 0xabcd6202u);
}

TEST(scalar, skipping_vector_instructions_is_refused) {
  wave_state w;
  EXPECT_THROW(run(w, 0xba000000u | 20 << 23 | 1 | 28 << 6, 1), program_error);
}

TEST(scalar, debugger_branches_are_not_taken) {
  for (const char* m :
       {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user", "s_cbranch_cdbgsys_and_user"}) {
    wave_state w;
    run(w, scalar_word(*row_named(m), 0, 0, 5));
    EXPECT_EQ(w.pc, pc + 4) << m;
  }
}

constexpr unsigned hwreg(unsigned id, unsigned offset, unsigned size) {
  return id | offset << 6 | (size - 1) << 11;
}

TEST(scalar, hardware_registers) {
  wave_state w;
  w.mode = 0x2f0;
  w.n_vgprs = 24;
  w.n_sgprs = 48;
  w.lds_bytes = 1024;
  w.hw_id = 0xabcd1234;
  w.trapsts = 0x1ff;
  const auto get = [&](unsigned where) {
    run(w, scalar_word(*row_named("s_getreg_b32"), dst, 0, where));
    return w.scalar[dst];
  };
  EXPECT_EQ(get(hwreg(1, 0, 32)), 0x2f0u);
  EXPECT_EQ(get(hwreg(1, 4, 4)), 0xfu);
  EXPECT_EQ(get(hwreg(4, 0, 32)), 0xabcd1234u);
  EXPECT_EQ(get(hwreg(4, 28, 4)), 0xau);
  EXPECT_EQ(get(hwreg(3, 0, 9)), 0x1ffu);
  EXPECT_EQ(get(hwreg(5, 8, 6)), 5u) << "24 vector registers in fours, minus 1";
  EXPECT_EQ(get(hwreg(5, 24, 4)), 2u) << "48 scalar registers in sixteens, minus 1";
  EXPECT_EQ(get(hwreg(6, 12, 9)), 4u) << "1024 bytes in 64 dwords";
  w.scc = true;
  EXPECT_EQ(get(hwreg(2, 0, 1)), 1u) << "STATUS.SCC";
  EXPECT_EQ(get(hwreg(2, 9, 1)), 1u) << "STATUS.EXECZ";
  w.scalar[src_a] = 0xffffffff;
  run(w, scalar_word(*row_named("s_setreg_b32"), src_a, 0, hwreg(1, 2, 2)));
  EXPECT_EQ(w.mode, 0x2fcu) << "only the field changes";
  run(w, scalar_word(*row_named("s_setreg_imm32_b32"), 0, 0, hwreg(1, 0, 32)), 0x1234);
  EXPECT_EQ(w.mode, 0x1234u);
  run(w, scalar_word(*row_named("s_setreg_imm32_b32"), 0, 0, hwreg(1, 31, 32)), 3);
  EXPECT_EQ(w.mode, 0x80001234u) << "a field that leaves the register is cut off";
  EXPECT_THROW(get(hwreg(7, 0, 32)), program_error);
  EXPECT_THROW(run(w, scalar_word(*row_named("s_setreg_b32"), src_a, 0, hwreg(4, 0, 32))), program_error);
}

TEST(scalar, machine_instructions_leave_the_state_alone) {
  for (const opcode_row& row : scalar_rows()) {
    if (row.native != format::sopp || row.exec == nullptr || row.unit == unit::branch) continue;
    if ((row.flags & writes_m0) != 0) continue;  // s_set_gpr_idx_mode
    wave_state w, before;
    for (unsigned n = 0; n < scalar_count; ++n) w.scalar[n] = before.scalar[n] = n * 0x01010101u;
    run(w, scalar_word(row, 0, 0, 0));
    EXPECT_EQ(std::memcmp(w.scalar, before.scalar, sizeof w.scalar), 0) << row.mnemonic;
    EXPECT_EQ(w.pc, pc + 4) << row.mnemonic;
    EXPECT_EQ(w.scc, before.scc) << row.mnemonic;
  }
}

}  // namespace

}  // namespace pws::isa::test::scalar_test
