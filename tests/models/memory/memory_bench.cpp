// SPDX-License-Identifier: Apache-2.0
#include "tests/models/memory/memory_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pws::test {

namespace {
request made(access_kind kind, cycle_t at, uint64_t line) {
  request r;
  r.at = at;
  r.kind = kind;
  r.line = line;
  return r;
}

bool writes(access_kind k) {
  return k == access_kind::store || k == access_kind::atomic || k == access_kind::writeback;
}
}  // namespace

request fetch(cycle_t at, uint64_t line) {
  return made(access_kind::fetch, at, line);
}
request load(cycle_t at, uint64_t line) {
  return made(access_kind::load, at, line);
}
request store(cycle_t at, uint64_t line) {
  return made(access_kind::store, at, line);
}
request atomic(cycle_t at, uint64_t line) {
  return made(access_kind::atomic, at, line);
}
request writeback(cycle_t at, uint64_t line) {
  return made(access_kind::writeback, at, line);
}

const char* name_of(access_kind k) {
  constexpr const char* names[] = {"fetch", "load", "store", "atomic", "writeback"};
  return names[static_cast<size_t>(k)];
}

// ---- timetable

timetable::timetable(const models::gpu_clock& clock, const sc_core::sc_module_name& name)
    : sc_module(name), clock_(clock) {
  SC_HAS_PROCESS(timetable);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

void timetable::at(cycle_t cycle, std::function<void()> what) {
  if (cycle < clock_.now()) throw std::logic_error(fmt::format("cycle {} has passed", cycle));
  if (entries_.empty() || cycle < entries_.begin()->first)
    event_.notify(clock_.time_of(cycle) - sc_core::sc_time_stamp());
  entries_.emplace(cycle, std::move(what));
}

void timetable::run() {
  while (!entries_.empty() && entries_.begin()->first <= clock_.now()) {
    const auto what = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    what();
  }
  if (!entries_.empty()) event_.notify(clock_.time_of(entries_.begin()->first) - sc_core::sc_time_stamp());
}

// ---- initiators

initiators::initiators(timetable& times, const models::gpu_clock& clock, uint32_t n_sockets,
                       const sc_core::sc_module_name& name)
    : sc_module(name), times_(times), clock_(clock) {
  for (uint32_t i = 0; i < n_sockets; ++i) {
    sockets.push_back(std::make_unique<socket>(fmt::format("socket{}", i).c_str()));
    sockets.back()->register_nb_transport_bw(this, &initiators::nb_transport_bw, static_cast<int>(i));
  }
}

void initiators::ask(const request& r) {
  asked_.push_back({r});
  asked* a = &asked_.back();
  times_.at(r.at - r.early, [this, a] { call(*a); });
}

void initiators::ask(const std::vector<request>& all) {
  for (const request& r : all) ask(r);
}

std::vector<cycle_t> initiators::answers() const {
  std::vector<cycle_t> all;
  for (const asked& a : asked_) all.push_back(a.answer);
  return all;
}

void initiators::call(asked& a) {
  const request& r = a.what;
  tlm::tlm_generic_payload* t = pool_.acquire(writes(r.kind) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                              r.line * line_bytes, nullptr, r.bytes);
  models::transaction_info& i = models::info(*t);
  i.kind = r.kind;
  i.bypass_l1 = r.bypass_l1;
  i.source_port = static_cast<uint16_t>(r.port);  // where there is a crossbar, it does that
  i.who = r.who;
  i.cookie = &a;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_of(r.at) - sc_core::sc_time_stamp();
  if ((*sockets[socket_of(r)])->nb_transport_fw(*t, phase, delay) == tlm::TLM_COMPLETED) {
    ++in_call_;
    answered(a, *t, clock_.now() + clock_.cycles_in(delay));
  } else {
    EXPECT_EQ(phase, tlm::END_REQ);
  }
}

void initiators::answered(asked& a, tlm::tlm_generic_payload& t, cycle_t at) {
  EXPECT_EQ(a.answer, pending) << "a second answer";
  EXPECT_TRUE(t.is_response_ok());
  EXPECT_EQ(t.get_address(), a.what.line * line_bytes);
  a.answer = at;
  t.release();
}

tlm::tlm_sync_enum initiators::nb_transport_bw(int from, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  EXPECT_EQ(phase, tlm::BEGIN_RESP);
  asked& a = *static_cast<asked*>(models::info(t).cookie);
  EXPECT_EQ(socket_of(a.what), static_cast<size_t>(from)) << "an answer at another socket";
  answered(a, t, clock_.now() + clock_.cycles_in(delay));
  return tlm::TLM_COMPLETED;
}

// ---- memory below

memory_below::memory_below(timetable& times, const models::gpu_clock& clock, cycle_t latency, cycle_t notice,
                           const sc_core::sc_module_name& name)
    : sc_module(name), socket("socket"), times_(times), clock_(clock), latency_(latency), notice_(notice) {
  socket.register_nb_transport_fw(this, &memory_below::nb_transport_fw);
}

tlm::tlm_sync_enum memory_below::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  const cycle_t at = clock_.now() + clock_.cycles_in(delay);
  const uint64_t line = t.get_address() / line_bytes;
  const access_kind kind = models::info(t).kind;
  EXPECT_EQ(phase, tlm::BEGIN_REQ);
  EXPECT_EQ(t.get_address() % line_bytes, 0u);
  if (kind == access_kind::writeback) {  // has its bytes, or nothing that could be written
    EXPECT_EQ(t.get_command(), t.get_data_ptr() == nullptr ? tlm::TLM_IGNORE_COMMAND : tlm::TLM_WRITE_COMMAND);
  }
  arrivals.push_back({at, kind, line, t.get_data_length()});
  const cycle_t done = at + latency_of(line);
  if (kind == access_kind::writeback || notice_ == in_call) {
    delay = clock_.time_of(done) - sc_core::sc_time_stamp();
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  times_.at(done - notice_ - line % spread * spread_notice, [this, &t, done] { answer(t, done); });
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void memory_below::answer(tlm::tlm_generic_payload& t, cycle_t at) {
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_of(at) - sc_core::sc_time_stamp();
  socket->nb_transport_bw(t, phase, delay);
}

std::vector<std::string> memory_below::seen() const {
  std::vector<std::string> all;
  for (const arrival& a : arrivals) all.push_back(fmt::format("{} {}", name_of(a.kind), a.line));
  return all;
}

std::vector<std::string> memory_below::seen_at() const {
  std::vector<std::string> all;
  for (const arrival& a : arrivals) all.push_back(fmt::format("{} {} at {}", name_of(a.kind), a.line, a.at));
  return all;
}

}  // namespace pws::test
