// SPDX-License-Identifier: Apache-2.0
// Every opcode number of every encoding, as LLVM's disassembler knows it for gfx803: each is a row or on the list of
// those refused by name, and rows and refused names exist for LLVM too.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/refused_names.h"
#include "models/isa/opcode_row.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test::opcode_space_test {

namespace {

// One opcode number, and words that try it with operands of different shapes: LLVM refuses registers where an
// instruction has none, misaligned runs, and so on.
struct probe {
  std::string encoding;
  unsigned opcode;
  std::vector<words> tries;
};

constexpr uint32_t none = 0xffffffff;

std::vector<uint32_t> spread(const std::vector<uint32_t>& base, const std::vector<uint32_t>& more) {
  std::vector<uint32_t> all;
  for (uint32_t b : base)
    for (uint32_t m : more) all.push_back(b | m);
  return all;
}
void add(std::vector<probe>& to, const char* encoding, unsigned n_opcodes, uint32_t prefix, unsigned opcode_shift,
         const std::vector<uint32_t>& low, const std::vector<uint32_t>& high) {
  for (unsigned op = 0; op < n_opcodes; ++op) {
    probe p{encoding, op, {}};
    for (uint32_t l : low)
      for (uint32_t h : high) {
        words w = {prefix | op << opcode_shift | l};
        if (h != none) w.push_back(h);
        p.tries.push_back(w);
      }
    to.push_back(p);
  }
}

std::vector<probe> probes() {
  std::vector<probe> p;
  // SOP2's opcodes from 0x60 on are SOPK, SOP1, SOPC and SOPP; SOPK's last three likewise.
  add(p, "sop2", 0x60, 0x80000000, 23, {4 << 16 | 6 << 8 | 2, 6 << 8 | 2}, {none});
  add(p, "sopk", 29, 0xb0000000, 23, {4 << 16 | 1, 1, 4 << 16 | 0xf801, 0xf801}, {0x11, none});
  add(p, "sop1", 256, 0xbe800000, 8, {4 << 16 | 2, 4 << 16, 2}, {none});
  add(p, "sopc", 128, 0xbf000000, 16, {6 << 8 | 2, 5 << 8 | 2}, {none});
  add(p, "sopp", 128, 0xbf800000, 16, {0, 1}, {none});
  add(p, "smem", 256, 0xc0000000, 18, spread({0, 8 << 6, 8 << 6 | 2, 2}, {0, 1 << 17}), {0, 0x10});
  add(p, "vop1", 256, 0x7e000000, 9, spread({0, 5 << 17}, {0, 0x101, 2}), {none});
  // Opcodes 0x3e and 0x3f are VOPC and VOP1.
  add(p, "vop2", 0x3e, 0, 25, {5 << 17 | 2 << 9 | 0x101}, {0x1234, none});
  add(p, "vopc", 256, 0x7c000000, 17, {2 << 9 | 0x101}, {none});
  std::vector<uint32_t> vop3_sources;
  for (uint32_t a : {0u, 2u, 0x101u})
    for (uint32_t b : {0u, 3u, 0x103u})
      for (uint32_t c : {0u, 4u, 106u, 0x105u}) vop3_sources.push_back(c << 18 | b << 9 | a);
  add(p, "vop3", 1024, 0xd0000000, 16, {0, 4, 5, 12 << 8 | 4}, vop3_sources);
  add(p, "vintrp", 4, 0xd4000000, 16, {1 << 18 | 1}, {none});
  add(p, "ds", 256, 0xd8000000, 17, {0, 1 << 16},
      {0, 0x00000001, 0x05000001, 0x05000000, 0x00000301, 0x05000301, 0x00090301, 0x05090301});
  add(p, "flat", 128, 0xdc000000, 18, {0}, {0x05000002, 0x00000302, 0x05000302});
  add(p, "mubuf", 128, 0xe0000000, 18, {0, 1 << 16}, {0x80010500, 0x80010000, 0});
  add(p, "mtbuf", 16, 0xe8000000, 15, {4 << 19 | 7 << 23}, {0x80010500});
  add(p, "mimg", 128, 0xf0000000, 18, {0xf00, 0x100}, {0x00010500});
  add(p, "exp", 1, 0xc4000000, 0, {0xf}, {0x03020100});
  return p;
}

std::string mnemonic_of(const std::string& text) {
  std::string m = text.substr(0, text.find_first_of(" \t"));
  for (const char* suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    const size_t n = std::strlen(suffix);
    if (m.size() > n && m.compare(m.size() - n, n, suffix) == 0) m.resize(m.size() - n);
  }
  return m;
}

// LLVM's mnemonic for each opcode number that it knows, with words that it takes.
struct known {
  std::string mnemonic;
  words code;
};
const std::map<std::pair<std::string, unsigned>, known>& llvm_opcodes() {
  static const std::map<std::pair<std::string, unsigned>, known> found = [] {
    const std::vector<probe> all = probes();
    std::vector<words> code;
    for (const probe& p : all) code.insert(code.end(), p.tries.begin(), p.tries.end());
    const std::vector<std::string> text = llvm_disassemble(code);
    std::map<std::pair<std::string, unsigned>, known> m;
    size_t at = 0;
    for (const probe& p : all)
      for (const words& w : p.tries) {
        const std::string& t = text[at++];
        if (t.find("invalid") == std::string::npos)
          m.emplace(std::pair(p.encoding, p.opcode), known{mnemonic_of(t), w});
      }
    return m;
  }();
  return found;
}

// What decoding says: the mnemonic of the row, or the message.
std::string row_or_error(const words& w, bool& is_row) {
  is_row = false;
  try {
    const inst i = decode_fields(w.data(), static_cast<unsigned>(w.size()), 0x1230);
    is_row = true;
    return i.row->mnemonic;
  } catch (const program_error& e) {
    return e.what();
  }
}

TEST(opcode_space, every_opcode_of_llvms_is_a_row_or_refused_by_name) {
  ASSERT_GT(llvm_opcodes().size(), 1200u);
  std::string missing;
  for (const auto& [where, k] : llvm_opcodes()) {
    // The first generation's number of buffer_wbinvl1, which LLVM tries too; GCN3 has none there.
    if (where == std::pair<std::string, unsigned>("mubuf", 0x71)) continue;
    bool is_row;
    const std::string ours = row_or_error(k.code, is_row);
    if (is_row && ours == k.mnemonic) continue;
    const bool by_name = !is_row && ours.find("unimplemented " + k.mnemonic + " at 0x1230 (0x") == 0;
    if (!by_name)
      missing +=
          where.first + " " + std::to_string(where.second) + ": llvm-mc '" + k.mnemonic + "', ours '" + ours + "'\n";
  }
  EXPECT_EQ(missing, "");
}

// What the machine does not execute, in full: a new refusal has to be entered here.
TEST(opcode_space, refused_instructions_are_few_and_named) {
  const std::set<std::string> allowed = {// Trap handlers, debuggers and context switches of the operating system.
                                         "s_rfe_b64", "s_rfe_restore_b64", "s_setkill", "s_endpgm_saved", "s_setvskip",
                                         // The global data share.
                                         "ds_gws_sema_release_all", "ds_gws_init", "ds_gws_sema_v", "ds_gws_sema_br",
                                         "ds_gws_sema_p", "ds_ordered_count"};
  std::set<std::string> refused;
  for (const opcode_row* row : all_rows()) {
    if (row->exec != nullptr) continue;
    refused.insert(row->mnemonic);
  }
  EXPECT_EQ(refused, allowed);
  for (const auto& [where, k] : llvm_opcodes()) {
    if (allowed.count(k.mnemonic) == 0) continue;
    try {
      decode(k.code.data(), static_cast<unsigned>(k.code.size()), 0x4560);
      ADD_FAILURE() << k.mnemonic << " was accepted";
    } catch (const program_error& e) {
      const std::string what = e.what();
      EXPECT_NE(what.find("unimplemented " + k.mnemonic), std::string::npos) << what;
      EXPECT_NE(what.find("at 0x4560"), std::string::npos) << what;
      EXPECT_NE(what.find(hex(k.code).substr(0, 10)), std::string::npos) << what;
    }
  }
}

TEST(opcode_space, refused_names_are_llvms) {
  std::set<std::string> llvms;
  for (const auto& [where, k] : llvm_opcodes()) llvms.insert(k.mnemonic);
  for (const refused_name& n : refused_names()) EXPECT_EQ(llvms.count(n.mnemonic), 1u) << n.mnemonic;
}

TEST(opcode_space, no_two_rows_claim_the_same_encoding) {
  // VOP3 numbers of the shorter formats and native ones share a space; all others are on their own.
  std::map<std::pair<format, unsigned>, const opcode_row*> owner;
  for (const opcode_row* row : all_rows()) {
    EXPECT_TRUE(owner.emplace(std::pair(row->native, row->opcode), row).second) << row->mnemonic;
    if ((row->flags & no_vop3) != 0) continue;
    const unsigned shift = row->native == format::vop2 ? 0x100 : row->native == format::vop1 ? 0x140 : 0;
    const bool shared = row->native == format::vop1 || row->native == format::vop2 || row->native == format::vopc;
    if (shared) {
      EXPECT_TRUE(owner.emplace(std::pair(format::vop3, row->opcode + shift), row).second) << row->mnemonic;
    }
    if (row->native == format::vop3) {
      EXPECT_GE(row->opcode, 0x1c0u) << row->mnemonic;
    }
  }
}

}  // namespace

}  // namespace pws::isa::test::opcode_space_test
