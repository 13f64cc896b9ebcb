// SPDX-License-Identifier: Apache-2.0
// What the analysis says of each instruction against what it does: every row in every encoding is executed on random
// registers that an abstract state describes, with a little random code around it, and what is described afterwards has
// to hold: vector registers, scalar registers, EXEC, VCC, SCC, M0, masks of lanes. MODE shows in what follows: code
// around a row may change it, and known numbers are computed by it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/host_fp.h"
#include "models/isa/predicates.h"
#include "tests/wcet/row_forms.h"

namespace pws::test::row_transfer_test {
namespace {

using encoding = row_form::encoding;

constexpr uint32_t index_enable = 1u << 27;

// Rows that are not executed here, and why.
bool is_elsewhere(const isa::opcode_row& row) {
  using isa::operation;
  switch (row.means.does) {
    case operation::fork:  // code with them has no flow graph, and so no analysis: flow_graph refuses it
    case operation::join:
      return true;
    case operation::set_pc:  // ends a function: nothing comes after it
    case operation::end_program:
      return true;
    default:  // lane_transfer_test has parts of wavefronts
      return row.unit == isa::unit::split || row.unit == isa::unit::merge;
  }
}

// The machine refuses it while VGPR indexing is on.
bool is_never_indexed(const row_form& f) {
  using isa::operation;
  const operation does = f.row->means.does;
  return f.in == encoding::sdwa || f.in == encoding::dpp || does == operation::read_lane ||
         does == operation::write_lane || does == operation::read_first_lane ||
         does == operation::move_relative_source || does == operation::move_relative_destination ||
         does == operation::move_relative_both || std::string(f.row->mnemonic) == "v_mqsad_u32_u8";
}

class trial {
 public:
  trial(const row_form& form, uint64_t seed, bool indexed) : form_(form), r_(seed), indexed_(indexed) {}

  // Executed at all; a failure has been reported.
  bool run() {
    const auto words = random_words(form_, r_);
    if (!words) return false;
    code_writer writer(r_);
    const size_t before = instructions_of(writer, r_.below(4), true);
    writer.words.insert(writer.words.end(), words->begin(), words->end());
    instructions_of(writer, r_.below(3), false);
    wcet::launch_facts facts;
    static row_memory memory;
    memory.describe(facts);
    facts.descriptor.mode = r_.any() & 0x3ff;
    const analysed_code code(writer.words, facts);
    (void)before;
    return follow(code, memory, facts.descriptor.mode);
  }

 private:
  // Whatever it starts with; MODE's floating-point fields among it, as s_setreg writes them.
  size_t instructions_of(code_writer& w, unsigned n, bool first) {
    if (first && r_.one_in(6)) w.add_split();
    if (first && r_.one_in(6)) {  // s_setreg_imm32_b32 of some of the first ten bits of MODE
      const uint32_t offset = r_.below(10), size = 1 + r_.below(10 - offset);
      w.words.push_back(0xba000000 | 1 | offset << 6 | (size - 1) << 11);
      w.words.push_back(r_.any());
    }
    for (unsigned k = 0; k < n; ++k) w.add(instructions()[r_.below(static_cast<uint32_t>(instructions().size()))]);
    if (first && indexed_)  // s_set_gpr_idx_on with a small number
      w.words.push_back(0xbf110000 | r_.below(16) << 8 | (128 + r_.below(4)));
    return w.words.size();
  }

  bool follow(const analysed_code& code, row_memory& memory, uint32_t mode) {
    const uint64_t launched = r_.one_in(3) ? (uint64_t{1} << (1 + r_.below(63))) - 1 : ~uint64_t{0};
    described_wave m(r_, launched, r_.one_in(3));
    m.set_launched(launched);
    m.describe_others(r_);
    m.state.mode = mode;
    memory.connect(m.state);
    std::string text;
    bool executed = false;
    for (size_t k = 0; k + 1 < code.code.instructions.size(); ++k) {
      const isa::inst& i = code.code.instructions[k];
      const bool is_it = i.row == form_.row;
      // The analysis takes it that lanes are active where it says so.
      if (operation_of(i) == isa::operation::read_first_lane && m.state.active() == 0) return executed;
      if (i.is_memory() || touches_unknown_scalars(i)) memory.prepare(m, i, r_);
      text += isa::disassemble(i) + "\n";
      const bool is_indexed = (m.state.mode & index_enable) != 0;
      code.transfer.apply(m.known, k);
      m.state.pc = i.pc + i.bytes();
      try {
        const isa::host_fp_scope floating_point;
        i.exec(m.state, i);
      } catch (const program_error&) {
        return executed;
      }
      if (i.unit == isa::unit::split) {
        const unsigned pair = i.src[0].index;
        const uint64_t mask = pair == isa::exec_lo ? m.state.active() : m.state.scalar64(pair);
        m.state.split_mask &= r_.one_in(2) ? mask : ~mask;
      }
      executed = executed || (is_it && (!indexed_ || is_indexed));
      const std::string wrong = m.mismatch();
      EXPECT_EQ(wrong, "") << form_.name() << " after\n" << text;
      if (!wrong.empty()) return true;
    }
    return executed;
  }

  const row_form& form_;
  random_source r_;
  bool indexed_;
};

// How often each form is executed: a few times, or as often as wanted.
unsigned wanted() {
  const char* n = std::getenv("PWS_ROW_STATES");
  return n == nullptr ? 4 : static_cast<unsigned>(std::atoi(n));
}

TEST(row_transfer, describes_every_row_in_every_encoding) {
  const unsigned times = wanted();
  uint64_t seed = 0;
  for (const row_form& form : all_row_forms()) {
    if (is_elsewhere(*form.row)) continue;
    unsigned executed = 0;
    for (unsigned tries = 0; executed < times && tries < 100 * times; ++tries)
      executed += trial(form, ++seed, false).run() ? 1 : 0;
    EXPECT_EQ(executed, times) << form.name() << " was not executed";
    if (HasFailure() && std::getenv("PWS_ROW_ALL") == nullptr) break;
  }
}

TEST(row_transfer, describes_every_row_with_vector_registers_indexed) {
  const unsigned times = (wanted() + 1) / 2;
  uint64_t seed = 1'000'000'000;
  for (const row_form& form : all_row_forms()) {
    if (is_elsewhere(*form.row) || is_never_indexed(form)) continue;
    unsigned executed = 0;
    for (unsigned tries = 0; executed < times && tries < 200 * times; ++tries)
      executed += trial(form, ++seed, true).run() ? 1 : 0;
    EXPECT_EQ(executed, times) << form.name() << " was not executed";
    if (HasFailure() && std::getenv("PWS_ROW_ALL") == nullptr) break;
  }
}

// Wherever the field begins.
TEST(row_transfer, a_write_of_modes_index_bit_makes_vector_registers_any) {
  constexpr uint32_t index_bit = 27;
  for (uint32_t offset = 0; offset < 32; ++offset)
    for (uint32_t size = 1; size <= 32 - offset; ++size) {
      const uint32_t words[] = {0xba000001 | offset << 6 | (size - 1) << 11,
                                0,                        // s_setreg_imm32_b32 hwreg(MODE, ...), 0
                                0x7e000301, 0xbf810000};  // v_mov_b32 v0, v1; s_endpgm
      const cfg::function_code code = cfg::decode_function("f", words, std::size(words), 0);
      EXPECT_EQ(code.instructions[1].relative_index, offset <= index_bit && index_bit < offset + size)
          << offset << ", " << size;
    }
}

TEST(row_transfer, code_with_a_branch_stack_has_no_graph) {
  for (const char* name : {"s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join"}) {
    const isa::opcode_row& row = row_named(name);
    EXPECT_THROW(analysed_code(std::vector<uint32_t>{isa::scalar_word(row, 2, 2, 4, 0)}), input_error) << name;
  }
}

}  // namespace
}  // namespace pws::test::row_transfer_test
