// SPDX-License-Identifier: Apache-2.0
// What stands around a memory component that is tested alone: initiators that ask at given cycles and note when the
// answers come, and a memory below that answers after a given time.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/memory/transaction.h"

namespace pws::test {

using models::access_kind;
using models::cycle_t;

constexpr uint32_t line_bytes = 64;
constexpr cycle_t pending = ~cycle_t{0};

// Several modules of one simulation may ask for the same name.
inline const char* unique(const char* name) {
  return sc_core::sc_gen_unique_name(name);
}

// Does things at given cycles, those of one cycle in the order in which they were entered.
class timetable : public sc_core::sc_module {
 public:
  explicit timetable(const models::gpu_clock& clock, const sc_core::sc_module_name& name = unique("timetable"));
  void at(cycle_t cycle, std::function<void()> what);

 private:
  void run();
  const models::gpu_clock& clock_;
  std::multimap<cycle_t, std::function<void()>> entries_;
  sc_core::sc_event event_;
};

struct request {
  cycle_t at = 0;  // reaches the component
  access_kind kind = access_kind::load;
  uint64_t line = 0;  // address / line_bytes
  uint32_t port = 0;
  cycle_t early = 0;  // the call is made so many cycles before `at`
  bool bypass_l1 = false;
  uint32_t bytes = line_bytes;
  models::requester who;

  request from(uint32_t p) const { return changed(&request::port, p); }
  request called_early(cycle_t cycles) const { return changed(&request::early, cycles); }
  request past_l1() const { return changed(&request::bypass_l1, true); }
  request of(uint32_t n) const { return changed(&request::bytes, n); }
  request by(const models::requester& w) const { return changed(&request::who, w); }

 private:
  template <typename T>
  request changed(T request::*member, const T& value) const {
    request r = *this;
    r.*member = value;
    return r;
  }
};
request fetch(cycle_t at, uint64_t line);
request load(cycle_t at, uint64_t line);
request store(cycle_t at, uint64_t line);
request atomic(cycle_t at, uint64_t line);
request writeback(cycle_t at, uint64_t line);

// Compute units, or caches above: an initiator for each port, or one for all of them where the component has one
// socket.
class initiators : public sc_core::sc_module {
 public:
  using socket = tlm_utils::simple_initiator_socket_tagged<initiators, models::bus_width>;
  std::vector<std::unique_ptr<socket>> sockets;

  initiators(timetable& times, const models::gpu_clock& clock, uint32_t n_sockets = 1,
             const sc_core::sc_module_name& name = unique("initiators"));

  // Calls of one cycle are made in the order of asking.
  void ask(const request& r);
  void ask(const std::vector<request>& all);
  // In the order of asking; `pending` where none has come.
  std::vector<cycle_t> answers() const;
  // How many came in the call that asked.
  size_t answered_in_call() const { return in_call_; }

 private:
  struct asked {
    request what;
    cycle_t answer = pending;
  };
  void call(asked& a);
  size_t socket_of(const request& r) const { return sockets.size() == 1 ? 0 : r.port; }
  void answered(asked& a, tlm::tlm_generic_payload& t, cycle_t at);
  tlm::tlm_sync_enum nb_transport_bw(int from, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  timetable& times_;
  const models::gpu_clock& clock_;
  models::transaction_pool pool_;
  std::deque<asked> asked_;
  size_t in_call_ = 0;
};

// Answers every request after `latency` cycles; write-backs in the call, as nobody waits for them.
class memory_below : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory_below, models::bus_width> socket;
  // When an answer is announced: so many cycles before it arrives, or in the call that asks.
  static constexpr cycle_t in_call = ~cycle_t{0};

  memory_below(timetable& times, const models::gpu_clock& clock, cycle_t latency, cycle_t notice,
               const sc_core::sc_module_name& name = unique("below"));

  cycle_t latency_of(uint64_t line) const { return latency_ + (line % spread) * spread_cycles; }
  // Makes latencies differ: line n takes (n % spread) * spread_cycles longer, and is announced so many times
  // spread_notice earlier.
  uint64_t spread = 1;
  cycle_t spread_cycles = 0, spread_notice = 0;

  struct arrival {
    cycle_t at;
    access_kind kind;
    uint64_t line;
    uint32_t bytes;
  };
  std::vector<arrival> arrivals;  // in order of the calls
  // The same as text: "load 3", "load 3 at 17".
  std::vector<std::string> seen() const;
  std::vector<std::string> seen_at() const;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void answer(tlm::tlm_generic_payload& t, cycle_t at);
  timetable& times_;
  const models::gpu_clock& clock_;
  cycle_t latency_, notice_;
};

const char* name_of(access_kind k);

}  // namespace pws::test
