// SPDX-License-Identifier: Apache-2.0
// A compute unit alone: its program is words that the test gives, its memory answers after fixed latencies, and the
// dispatcher's side only notes what it is told.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/bus/bus_width.h"
#include "models/compute_unit/compute_unit.h"

namespace pws::test {

using models::cycle_t;

// gfx803 instructions, as their dwords.
namespace code {
constexpr uint32_t s_endpgm = 0xbf810000, s_barrier = 0xbf8a0000, merge = 0xbf150000;
constexpr uint32_t s_nop(uint32_t n) {
  return 0xbf800000 | n;
}
constexpr uint32_t s_branch(int32_t dwords) {
  return 0xbf820000 | (static_cast<uint32_t>(dwords) & 0xffff);
}
constexpr uint32_t s_waitcnt_lgkm0 = 0xbf8c007f;  // vmcnt and expcnt: any
constexpr uint32_t s_mov_b32(uint32_t s, uint32_t small) {
  return 0xbe800000 | s << 16 | (128 + small);
}
constexpr uint32_t s_add_u32(uint32_t s, uint32_t a, uint32_t b) {
  return 0x80000000 | s << 16 | b << 8 | a;
}
constexpr uint32_t v_mov_b32(uint32_t v, uint32_t from) {
  return 0x7e000200 | v << 17 | (256 + from);
}
constexpr uint32_t v_rcp_f32(uint32_t v, uint32_t from) {
  return 0x7e004400 | v << 17 | (256 + from);
}
constexpr uint32_t split(uint32_t s) {
  return 0xbf140000 | (s + 1) << 8 | s;
}
// s_load_dword s, s[base:base+1], 0x0: the first of its two dwords; the second is 0.
constexpr uint32_t s_load_dword(uint32_t s, uint32_t base) {
  return 0xc0020000 | s << 6 | base >> 1;
}
}  // namespace code

class cu_bench : public sc_core::sc_module, public models::workgroup_listener, public models::execution_observer {
 public:
  static constexpr uint64_t entry = 0x1000;
  static constexpr cycle_t scalar_latency = 40;
  // 1 KiB of device memory at 0; the program is behind it.
  cu_bench(const models::machine_config& c, std::vector<uint32_t> words,
           const models::scheme_factory& make_scheme = models::make_divergence_scheme,
           const sc_core::sc_module_name& name = sc_core::sc_gen_unique_name("bench"));

  // A workgroup of so many work-items starts at that cycle. False if it does not fit.
  bool start(uint32_t work_items, cycle_t at = 10);
  void run();

  struct issue {
    std::string place;   // "simd0.wf1"
    uint32_t wave = 0;   // in its workgroup
    uint32_t dword = 0;  // of the program
    cycle_t at = 0;
    uint64_t lanes = 0;  // EXEC and split mask, of work-items that there are
  };
  std::vector<issue> issues;  // in the order of issue
  // Cycles at which the wavefront in that place issued, by dword of the program; the last time.
  std::map<uint32_t, cycle_t> times(const std::string& place) const;
  uint32_t finished = 0;  // workgroups
  std::string fault_message;
  models::compute_unit& cu() { return cu_; }

 private:
  void workgroup_finished(models::compute_unit&, models::resident_workgroup& g, cycle_t at) override;
  bool interrupt_host(uint32_t) override { return false; }
  void fault(const models::machine_fault& f) override { fault_message = f.message; }
  void wave_started(uint32_t, const models::wf_context&, cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, cycle_t) override {}
  void issuing(uint32_t, const models::wf_context& c, const isa::inst& i, cycle_t at) override;
  void wave_ended(uint32_t, const models::wf_context&, cycle_t) override {}
  tlm::tlm_sync_enum answer(int latency, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  const models::machine_config config_;
  models::gpu_clock clock_;
  std::vector<uint8_t> storage_;
  isa::global_memory memory_;
  std::vector<uint32_t> words_;
  isa::program program_;
  models::dispatch kernel_;
  models::event_sequencer turns_;
  models::compute_unit cu_;
  using target = tlm_utils::simple_target_socket_tagged<cu_bench, models::bus_width>;
  target instruction_, scalar_, vector_;
};

// One SIMD unit, and what else there is as by default.
models::machine_config one_simd_unit();

}  // namespace pws::test
