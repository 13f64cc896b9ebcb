// SPDX-License-Identifier: Apache-2.0
// Which rows each question of predicates.h is answered with yes for.
#include "models/isa/predicates.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "models/isa/code/opcode_table.h"

namespace pws::isa::test::predicates_test {

namespace {

inst instruction_of(const opcode_row& row) {
  inst i;
  i.row = &row;
  i.native = row.native;
  i.unit = row.unit;
  i.relative_index = (row.flags & relative_index) != 0;
  return i;
}

void expect_rows(const char* question, bool (*asked)(const inst&), const std::string& names) {
  std::istringstream words(names);
  std::set<std::string> expected, found;
  for (std::string w; words >> w;) expected.insert(w);
  for (const opcode_row* row : all_rows())
    if (asked(instruction_of(*row))) found.insert(row->mnemonic);
  EXPECT_EQ(found, expected) << question;
}
#define EXPECT_ROWS(question, names) \
  expect_rows(                       \
      #question, [](const inst& i) { return question; }, names)

TEST(predicates, of_scalar_instructions) {
  EXPECT_ROWS(is_scalar(i, operation::bit_xor, data_type::b64), "s_xor_b64");
  EXPECT_ROWS(is_scalar(i, operation::move, data_type::b32), "s_mov_b32");
  EXPECT_ROWS(is_scalar(i, operation::add, data_type::i32), "s_add_i32 s_addk_i32");
  EXPECT_ROWS(is_saveexec(i, operation::bit_andn2), "s_andn2_saveexec_b64");
  EXPECT_ROWS(is_saveexec(i),
              "s_and_saveexec_b64 s_or_saveexec_b64 s_xor_saveexec_b64 s_andn2_saveexec_b64 s_orn2_saveexec_b64 "
              "s_nand_saveexec_b64 s_nor_saveexec_b64 s_xnor_saveexec_b64");
  EXPECT_ROWS(is_scalar(i) && is_logic(operation_of(i)) && data_type_of(i) == data_type::b32,
              "s_and_b32 s_or_b32 s_xor_b32 s_andn2_b32 s_orn2_b32 s_nand_b32 s_nor_b32 s_xnor_b32 s_not_b32");
  EXPECT_ROWS(is_mask_logic(i),
              "s_mov_b64 s_and_b64 s_or_b64 s_xor_b64 s_andn2_b64 s_orn2_b64 s_nand_b64 s_nor_b64 s_xnor_b64 s_not_b64 "
              "s_and_saveexec_b64 s_or_saveexec_b64 s_xor_saveexec_b64 s_andn2_saveexec_b64 s_orn2_saveexec_b64 "
              "s_nand_saveexec_b64 s_nor_saveexec_b64 s_xnor_saveexec_b64");
  EXPECT_ROWS(touches_unknown_scalars(i),
              "s_movrels_b32 s_movrels_b64 s_movreld_b32 s_movreld_b64 s_cbranch_g_fork s_cbranch_i_fork "
              "s_cbranch_join");
}

TEST(predicates, scalar_rows_are_those_of_the_scalar_formats) {
  for (const opcode_row& row : scalar_rows()) EXPECT_TRUE(is_scalar(instruction_of(row))) << row.mnemonic;
  for (const opcode_row& row : vector_rows()) EXPECT_FALSE(is_scalar(instruction_of(row))) << row.mnemonic;
  for (const opcode_row& row : memory_rows()) EXPECT_FALSE(is_scalar(instruction_of(row))) << row.mnemonic;
}

TEST(predicates, of_control_flow) {
  EXPECT_ROWS(tests_exec(i), "s_cbranch_execz s_cbranch_execnz");
  EXPECT_ROWS(tests_vcc(i), "s_cbranch_vccz s_cbranch_vccnz");
  EXPECT_ROWS(tests_scc(i), "s_cbranch_scc0 s_cbranch_scc1");
  EXPECT_ROWS(is_conditional_branch(i),
              "s_cbranch_execz s_cbranch_execnz s_cbranch_vccz s_cbranch_vccnz s_cbranch_scc0 s_cbranch_scc1 "
              "s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user s_cbranch_cdbgsys_and_user");
  EXPECT_ROWS(is_call(i), "s_swappc_b64");
  EXPECT_ROWS(is_indirect_jump(i), "s_swappc_b64 s_setpc_b64");
  // Nothing of the branch unit, and nothing that ends a program, is something else besides.
  EXPECT_ROWS(i.unit == unit::branch && branch_condition_of(i) == branch_condition::none,
              "s_swappc_b64 s_setpc_b64 s_cbranch_g_fork s_cbranch_i_fork s_cbranch_join");
  EXPECT_ROWS(i.unit != unit::branch && branch_condition_of(i) != branch_condition::none, "");
  EXPECT_ROWS((i.unit == unit::end) != (operation_of(i) == operation::end_program), "s_endpgm_saved");
}

TEST(predicates, of_memory) {
  EXPECT_ROWS(exchanges_lanes(i), "ds_swizzle_b32 ds_permute_b32 ds_bpermute_b32");
  for (const opcode_row* row : all_rows()) {
    const bool vector_memory = row->native == format::flat || row->native == format::mubuf;
    EXPECT_EQ(is_vector_memory_atomic(instruction_of(*row)), vector_memory && (row->flags & is_atomic) != 0)
        << row->mnemonic;
  }
}

TEST(predicates, bytes_of_types) {
  EXPECT_EQ(bytes_of(data_type::none), 0u);
  EXPECT_EQ(bytes_of(data_type::i8), 1u);
  EXPECT_EQ(bytes_of(data_type::f16), 2u);
  EXPECT_EQ(bytes_of(data_type::i24), 4u);
  EXPECT_EQ(bytes_of(data_type::f32), 4u);
  EXPECT_EQ(bytes_of(data_type::f64), 8u);
  EXPECT_EQ(bytes_of(data_type::b96), 12u);
  EXPECT_EQ(bytes_of(data_type::b512), 64u);
}

#undef EXPECT_ROWS

}  // namespace

}  // namespace pws::isa::test::predicates_test
