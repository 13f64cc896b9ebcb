// SPDX-License-Identifier: Apache-2.0
// Crossbar between the CUs' caches and the L2 banks: lines are interleaved over the banks, each direction takes a fixed
// latency, and a bank's response port moves a limited number of bytes per cycle. (A bank's request port is the bank's
// own.)
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/machine/machine_config.h"
#include "models/memory/transaction.h"

namespace pws::models {

// When a port is taken, for a port whose transfers are announced out of order: a transfer that is ready early goes
// before one that was announced first but is ready later.
class port_schedule {
 public:
  // Takes the port for `beats` cycles in a row, at `ready` or as soon after it as it is free so long, and returns the
  // first of them. Nothing that is `ready` before `now` will be asked for any more.
  cycle_t reserve(cycle_t ready, cycle_t beats, cycle_t now) {
    while (!taken_.empty() && taken_.front().end <= now) taken_.pop_front();
    auto next = std::find_if(taken_.begin(), taken_.end(), [&](const interval& i) { return i.end > ready; });
    cycle_t start = ready;
    for (; next != taken_.end() && next->begin < start + beats; ++next) start = std::max(start, next->end);
    if (next != taken_.begin() && (next - 1)->end == start) {
      (next - 1)->end += beats;
    } else {
      taken_.insert(next, {start, start + beats});
    }
    return start;
  }

  // Its state, saved or restored.
  void keep(state_archive& a) {
    a.list(taken_, [](state_archive& b, interval& i) { b(i.begin, i.end); });
  }

 private:
  struct interval {
    cycle_t begin = 0, end = 0;
  };
  std::deque<interval> taken_;  // ascending, apart
};

class interconnect : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<interconnect, bus_width>;
  using initiator_socket = tlm_utils::simple_initiator_socket_tagged<interconnect, bus_width>;

  std::vector<std::unique_ptr<target_socket>> from_caches;  // one per cache above
  std::vector<std::unique_ptr<initiator_socket>> to_banks;  // one per L2 bank

  interconnect(const sc_core::sc_module_name& name, const interconnect_config& c, uint32_t n_caches, uint32_t n_banks,
               uint32_t line_bytes, const gpu_clock& clock);

  // Its state, saved or restored.
  void keep(state_archive& a) {
    for (port_schedule& p : responses_) p.keep(a);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  interconnect_config config_;
  const gpu_clock& clock_;
  uint32_t line_bytes_;
  std::vector<port_schedule> responses_;  // per bank
};

}  // namespace pws::models
