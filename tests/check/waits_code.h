// SPDX-License-Identifier: Apache-2.0
// Instructions for tests of the waits check, as llvm-mc encodes them for gfx803, and a wavefront that executes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/check/waits/waits_core.h"
#include "models/isa/code/decode.h"

namespace pws::check::code {

using words = std::vector<uint32_t>;

inline const words flat_load_v4{0xdc500000, 0x04000002};         // flat_load_dword v4, v[2:3]
inline const words flat_load_v5{0xdc500000, 0x05000002};         // flat_load_dword v5, v[2:3]
inline const words flat_load_v4_v5{0xdc540000, 0x04000002};      // flat_load_dwordx2 v[4:5], v[2:3]
inline const words flat_store_v6{0xdc700000, 0x00000602};        // flat_store_dword v[2:3], v6
inline const words flat_store_v8_v11{0xdc7c0000, 0x00000802};    // flat_store_dwordx4 v[2:3], v[8:11]
inline const words flat_store_v8_v9{0xdc740000, 0x00000802};     // flat_store_dwordx2 v[2:3], v[8:9]
inline const words flat_add_v4{0xdd090000, 0x04000602};          // flat_atomic_add v4, v[2:3], v6 glc
inline const words flat_cmpswap_v8_v11{0xdd840000, 0x00000802};  // flat_atomic_cmpswap_x2 v[2:3], v[8:11]
inline const words buffer_load_v4{0xe0501000, 0x80010400};       // buffer_load_dword v4, v0, s[4:7], 0 offen
inline const words buffer_load_lds{0xe0511000, 0x80010000};      // buffer_load_dword v0, s[4:7], 0 offen lds
inline const words buffer_store_v8_v11{0xe07c1000, 0x80010800};  // buffer_store_dwordx4 v[8:11], v0, s[4:7], 0 offen
inline const words buffer_store_by_s9{0xe07c1000, 0x09010800};   // buffer_store_dwordx4 v[8:11], v0, s[4:7], s9 offen
inline const words ds_read_v4{0xd86c0000, 0x04000001};           // ds_read_b32 v4, v1
inline const words ds_read_v5{0xd86c0000, 0x05000001};           // ds_read_b32 v5, v1
inline const words ds_write_v6{0xd81a0000, 0x00000601};          // ds_write_b32 v1, v6
inline const words ds_swizzle_v4{0xd87a0001, 0x04000001};        // ds_swizzle_b32 v4, v1 offset:1
inline const words s_load_s8{0xc0020200, 0x00000000};            // s_load_dword s8, s[0:1], 0x0
inline const words s_load_s10_s11{0xc0060280, 0x00000008};       // s_load_dwordx2 s[10:11], s[0:1], 0x8
inline const words s_load_vcc{0xc0061a80, 0x00000008};           // s_load_dwordx2 vcc, s[0:1], 0x8
inline const words s_store_s12{0xc0420300, 0x00000000};          // s_store_dword s12, s[0:1], 0x0
inline const words s_dcache_wb{0xc0840000, 0x00000000};          // s_dcache_wb
inline const words s_memtime_s14{0xc0900380, 0x00000000};        // s_memtime s[14:15]
inline const words write_v4{0x7e0802f2};                         // v_mov_b32 v4, 1.0
inline const words read_v4{0x020e0904};                          // v_add_f32 v7, v4, v4
inline const words write_v8{0x7e100300};                         // v_mov_b32 v8, v0
inline const words valu_reads_s8{0x7e000208};                    // v_mov_b32 v0, s8
inline const words reads_vcc{0x00000501};                        // v_cndmask_b32 v0, v1, v2, vcc
inline const words write_s12{0xbe8c0080};                        // s_mov_b32 s12, 0
inline const words write_s8{0xbe880080};                         // s_mov_b32 s8, 0
inline const words write_m0{0xbefc0080};                         // s_mov_b32 m0, 0
inline const words lane_s12{0xd2890004, 0x00001900};             // v_readlane_b32 s4, v0, s12
inline const words valu_writes_s12{0xd289000c, 0x00010300};      // v_readlane_b32 s12, v0, 1
inline const words valu_writes_s4{0x7e080500};                   // v_readfirstlane_b32 s4, v0
inline const words compare{0x7d940300};                          // v_cmp_eq_u32 vcc, v0, v1
inline const words compare_exec{0x7db40300};                     // v_cmpx_eq_u32 vcc, v0, v1
inline const words div_fmas{0xd1e20000, 0x040e0501};             // v_div_fmas_f32 v0, v1, v2, v3
inline const words dpp_v7{0x7e0002fa, 0xff00e407};               // v_mov_b32_dpp v0, v7 quad_perm:[0,1,2,3]
inline const words write_v7{0x7e0e0280};                         // v_mov_b32 v7, 0
inline const words set_mode{0xba001801, 3};                      // s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
inline const words set_trapsts{0xba001803, 3};                   // s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 3
inline const words get_mode{0xb883f801};                         // s_getreg_b32 s3, hwreg(HW_REG_MODE)
inline const words message{0xbf900001};                          // s_sendmsg sendmsg(MSG_INTERRUPT)
inline const words barrier{0xbf8a0000};                          // s_barrier
inline const words jump{0xbf820000};                             // s_branch 0
inline const words call{0xbe9e1e10};                             // s_swappc_b64 s[30:31], s[16:17]
inline const words give_back{0xbe801d1e};                        // s_setpc_b64 s[30:31]
inline const words end{0xbf810000};                              // s_endpgm
inline const words use_vccz{0x7e0002fb};                         // v_mov_b32 v0, src_vccz
inline const words use_execz{0x7e0002fc};                        // v_mov_b32 v0, src_execz
inline const words move_v1_plus_m0{0x7e006f01};                  // v_movrels_b32 v0, v1
inline const words move_to_v1_plus_m0{0x7e026d00};               // v_movreld_b32 v1, v0
inline const words any_lane_of_v4{0xd2890003, 0x00010304};       // v_readlane_b32 s3, v4, 1

inline words wait(unsigned vm, unsigned lgkm) {
  return {0xbf8c0000u | lgkm << 8 | 7u << 4 | vm};
}
inline words vmcnt(unsigned n) {
  return wait(n, wait_counts::any);
}
inline words lgkmcnt(unsigned n) {
  return wait(wait_counts::any, n);
}
inline words nop(unsigned n) {
  return {0xbf800000u | n};
}

}  // namespace pws::check::code

namespace pws::check {

// Keeps findings; the same place again is none.
class finding_list : public finding_sink {
 public:
  bool is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) override {
    for (const finding& f : findings)
      if (f.rule == rule && f.here.pc == pc && f.other && f.other->pc == other_pc) return false;
    return true;
  }
  void add(finding f) override { findings.push_back(std::move(f)); }
  std::vector<finding> findings;
};

// A wavefront, or a path of one. Addresses go up by 8, from 0x1000.
class test_wavefront {
 public:
  explicit test_wavefront(bool alone = false) { waits.begin({}, alone); }

  struct executed {
    uint64_t lanes = ~uint64_t{0};
    bool in_lds = false;  // of FLAT
    uint32_t m0 = 0, mode = 0;
  };
  test_wavefront& run(const code::words& w) { return run(w, executed{}); }
  test_wavefront& run(const code::words& w, const executed& e) {
    instructions_.push_back(std::make_unique<isa::inst>(isa::decode(w.data(), static_cast<unsigned>(w.size()), pc)));
    const isa::inst& i = *instructions_.back();
    facts_.push_back(std::make_unique<instruction_facts>(facts_of(i)));
    const instruction_facts& f = *facts_.back();
    const isa::index_by_m0 index = isa::indexed_by_m0(i, e.mode, e.m0);
    waits.issue(f, index.operands != 0 ? with_m0(f, index) : f, pc, e.lanes, sink);
    if (i.is_memory() && f.counts != counted_by::nothing) waits.accessed(f, pc, e.lanes, e.in_lds);
    pc += 8;
    return *this;
  }
  test_wavefront& run(const std::vector<code::words>& all) {
    for (const code::words& w : all) run(w);
    return *this;
  }
  // "rule: mend" of each.
  std::vector<std::string> found() const {
    std::vector<std::string> texts;
    for (const finding& f : sink.findings) texts.push_back(std::string(f.rule) + ": " + f.mend);
    return texts;
  }

  context_waits waits;
  finding_list sink;
  uint64_t pc = 0x1000;

 private:
  std::vector<std::unique_ptr<isa::inst>> instructions_;
  std::vector<std::unique_ptr<instruction_facts>> facts_;
};

}  // namespace pws::check
