// SPDX-License-Identifier: Apache-2.0
#include "tests/formation/thread_machine.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <set>
#include <stdexcept>

namespace pws::test {

namespace {

using models::divergence_kind;
using models::issue_heuristic;
using models::warp_register_file;

struct thread {
  size_t at = 0;  // its next instruction
  work_item_words words;
  uint32_t complement = 0;
  std::array<uint32_t, loop_levels> counter{};
  unsigned rounds = 0;
  std::map<unsigned, uint64_t> register_ready;
  unsigned passed = 0;    // post-dominators
  uint64_t came_out = 0;  // of which warp, by the order in which warps issue
  uint64_t place = 0;     // in the order in which threads issue
  unsigned lane = 0;
};

struct request {
  size_t at = 0;
  std::vector<uint32_t> threads;
};
struct warp {
  uint64_t number = 0;
  size_t at = 0;
  std::vector<uint32_t> threads;
};

class simulator {
 public:
  simulator(const thread_program& p, const models::machine_config& m, const std::vector<uint64_t>& address)
      : program_(p),
        code_(p.code()),
        machine_(m),
        address_(address),
        meets_(p.post_dominators()),
        size_(m.dwf.warp_size.value_or(m.valu_lanes)),
        passes_(std::max(1u, size_ / m.valu_lanes)),
        lut_(m.dwf.lut_entries / 2),
        lanes_free_at_(size_) {}

  std::vector<thread_issue> run(const std::vector<std::vector<uint32_t>>& came) {
    size_t count = 0;
    for (const auto& together : came) count += together.size();
    threads_.resize(count);
    for (const auto& together : came) {
      ++issues_;
      for (const uint32_t t : together) {
        thread& th = threads_.at(t);
        th.lane = t % size_ ^ static_cast<unsigned>(machine_.dwf.swizzle && size_ > 1 && t / size_ % 2 != 0);
        th.words = program_.words_of(t);
        th.complement = ~th.words.conditions;
        th.at = 1;
        th.came_out = issues_;
        th.place = ++places_;
        comes_[1].push_back(t);
      }
    }
    constexpr uint64_t too_long = 1'000'000;
    for (uint64_t now = 1; ended_ != count; ++now) {
      if (now == too_long) throw std::runtime_error("the model does not come to an end");
      cycle(now);
    }
    return std::move(issued_);
  }

 private:
  bool mimd() const { return machine_.divergence == divergence_kind::mimd; }
  bool forms() const { return machine_.divergence == divergence_kind::dwf; }
  bool in_lanes() const { return machine_.dwf.register_file == warp_register_file::lane_aware; }

  void cycle(uint64_t now) {
    if (mimd()) {
      std::vector<uint32_t> come = std::move(comes_[now]);
      std::sort(come.begin(), come.end(), [&](uint32_t a, uint32_t b) { return issued_before(a, b); });
      waiting_.insert(waiting_.end(), come.begin(), come.end());
      issue_threads(now);
    } else {
      ask(now);
      form();
      issue_warp(now);
    }
    comes_.erase(now);
  }
  bool issued_before(uint32_t a, uint32_t b) const { return threads_[a].place < threads_[b].place; }

  // ---- Formation (4.2)

  // For each unique next PC of a warp, one request.
  void ask(uint64_t now) {
    // In one warp those that are ahead come first.
    std::map<std::pair<uint64_t, size_t>, std::vector<uint32_t>> by_warp;
    for (const uint32_t t : comes_[now]) {
      // The static warp's code goes where the first of its threads goes, the others are switched off meanwhile.
      const size_t at = machine_.divergence == divergence_kind::pdom ? 0 : threads_[t].at;
      by_warp[{threads_[t].came_out, code_.size() - at}].push_back(t);
    }
    for (auto& [key, threads] : by_warp) {
      std::sort(threads.begin(), threads.end(), [&](uint32_t a, uint32_t b) { return issued_before(a, b); });
      size_t at = code_.size();
      for (const uint32_t t : threads) at = std::min(at, threads_[t].at);
      requests_.push_back({at, threads});
    }
  }

  void form() {
    if (!forms()) {
      for (request& r : requests_) open(r.at).threads = std::move(r.threads);
      requests_.clear();
      return;
    }
    for (unsigned taken = 0; taken < machine_.dwf.update_registers && !requests_.empty(); ++taken) {
      if (!enter(requests_.front())) break;
      requests_.pop_front();
    }
  }

  // False: the pool has no warp left for the rest of it.
  bool enter(request& r) {
    lut_entry* entry = find(r.at);
    if (entry != nullptr)
      join(*std::find_if(pool_.begin(), pool_.end(), [&](const warp& w) { return w.number == entry->warp; }), r);
    if (r.threads.empty()) return true;
    if (machine_.dwf.pool && pool_.size() == *machine_.dwf.pool) return false;
    if (entry == nullptr) entry = &allocate(r.at);
    warp& w = open(r.at);
    entry->warp = w.number;
    join(w, r);
    return true;
  }
  warp& open(size_t at) {
    pool_.push_back({numbers_++, at, {}});
    return pool_.back();
  }
  // The threads that find a free lane.
  void join(warp& w, request& r) {
    std::vector<uint32_t> rest;
    for (const uint32_t t : r.threads) {
      bool fits = w.threads.size() < size_;
      if (in_lanes())
        for (const uint32_t o : w.threads) fits = fits && threads_[o].lane != threads_[t].lane;
      (fits ? w.threads : rest).push_back(t);
    }
    if (rest.size() != r.threads.size() && !counted(w.at) && counted_.size() < machine_.dwf.majority_entries)
      counted_.insert(w.at);
    r.threads = std::move(rest);
  }

  struct lut_entry {
    size_t at = 0;
    uint64_t warp = 0, asked = 0;
    bool used = false;
  };
  std::array<lut_entry, 2>& set_of(size_t at) { return lut_[(address_[at] / 4 ^ address_[at] / 512) % lut_.size()]; }
  lut_entry* find(size_t at) {
    for (lut_entry& e : set_of(at))
      if (e.used && e.at == at) {
        e.asked = ++asked_;
        return &e;
      }
    return nullptr;
  }
  lut_entry& allocate(size_t at) {
    auto& set = set_of(at);
    lut_entry* e = !set[0].used ? &set[0] : !set[1].used ? &set[1] : set[0].asked < set[1].asked ? &set[0] : &set[1];
    *e = {at, 0, ++asked_, true};
    return *e;
  }

  // ---- Which warp (4.3)

  bool counts() const {
    return forms() &&
           (machine_.dwf.heuristic == issue_heuristic::majority || machine_.dwf.heuristic == issue_heuristic::minority);
  }
  bool counted(size_t at) const { return !counts() || counted_.count(at) != 0; }
  size_t threads_at(size_t at) const {
    size_t n = 0;
    for (const warp& w : pool_)
      if (w.at == at) n += w.threads.size();
    return n;
  }
  // The smallest goes first.
  std::array<uint64_t, 4> rank(const warp& w) const {
    if (!forms()) return {0, 0, 0, w.number};
    const size_t n = threads_at(w.at);
    const uint64_t late = counted(w.at) ? 0 : 1;
    unsigned passed = ~0u;
    for (const uint32_t t : w.threads) passed = std::min(passed, threads_[t].passed);
    switch (machine_.dwf.heuristic) {
      case issue_heuristic::majority:
        if (late == 0 && w.at == chosen_) return {0, 0, 0, w.number};
        return {1 + late, late != 0 ? 0 : ~n, w.at, w.number};
      case issue_heuristic::minority:
        return {late, late != 0 ? 0 : n, w.at, w.number};
      case issue_heuristic::post_dominator:
        return {passed, 0, 0, w.number};
      case issue_heuristic::pc:
        return {w.at, 0, 0, w.number};
      case issue_heuristic::time_stamp:
        break;
    }
    return {0, 0, 0, w.number};
  }
  // All warps at the most common PC issue before another one is chosen.
  void choose() {
    if (counted_.count(chosen_) != 0) return;
    size_t most = 0;
    for (const size_t at : counted_)  // the lowest first
      if (threads_at(at) > most) {
        most = threads_at(at);
        chosen_ = at;
      }
  }

  void issue_warp(uint64_t now) {
    const auto can = [&](const warp& w) { return !is_vector(w.at) || alu_free_at_ <= now; };
    if (std::none_of(pool_.begin(), pool_.end(), can)) return;
    choose();
    auto best = pool_.end();
    for (auto w = pool_.begin(); w != pool_.end(); ++w)
      if (can(*w) && (best == pool_.end() || rank(*w) < rank(*best))) best = w;
    if (best == pool_.end()) return;
    const warp w = std::move(*best);
    pool_.erase(best);
    for (auto& set : lut_)
      for (lut_entry& e : set) e.used = e.used && e.warp != w.number;
    if (counts() && threads_at(w.at) == 0 && counted_.erase(w.at) != 0) {
      const auto oldest = std::find_if(pool_.begin(), pool_.end(), [&](const warp& o) { return !counted(o.at); });
      if (oldest != pool_.end()) counted_.insert(oldest->at);
    }
    uint64_t busy = 1;
    if (is_vector(w.at)) {
      busy = vector_cycles(w.at) * bank_reads(w.threads);
      alu_free_at_ = now + busy;
    }
    issue(w.at, w.threads, now, busy);
  }
  uint64_t bank_reads(const std::vector<uint32_t>& threads) const {
    if (!forms() || machine_.dwf.register_file != warp_register_file::banked) return 1;
    std::map<unsigned, uint64_t> reads;
    for (const uint32_t t : threads) ++reads[threads_[t].lane];
    return std::max_element(reads.begin(), reads.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->second;
  }

  // mimd: first come, first served, as many threads as there are lanes.
  void issue_threads(uint64_t now) {
    std::vector<uint32_t> stay;
    std::map<size_t, std::vector<uint32_t>> go;
    uint64_t issued = 0;
    for (const uint32_t t : waiting_) {
      const size_t at = threads_[t].at;
      const auto lane =
          std::find_if(lanes_free_at_.begin(), lanes_free_at_.end(), [&](uint64_t l) { return l <= now; });
      if (issued == size_ || (is_vector(at) && lane == lanes_free_at_.end())) {
        stay.push_back(t);
        continue;
      }
      ++issued;
      threads_[t].place = ++places_;
      if (is_vector(at)) *lane = now + vector_cycles(at);
      go[at].push_back(t);
    }
    waiting_ = std::move(stay);
    for (const auto& [at, threads] : go) issue(at, threads, now, is_vector(at) ? vector_cycles(at) : 1);
  }

  // ---- What an instruction does

  bool is_vector(size_t at) const {
    return code_[at].unit == thread_unit::vector || code_[at].unit == thread_unit::quarter_rate_vector;
  }
  uint64_t vector_cycles(size_t at) const {
    return uint64_t{passes_} * (code_[at].unit == thread_unit::quarter_rate_vector ? 4 : 1);
  }

  void issue(size_t at, const std::vector<uint32_t>& threads, uint64_t now, uint64_t busy) {
    const thread_instruction& i = code_[at];
    issued_.push_back({now, at, threads});
    std::sort(issued_.back().threads.begin(), issued_.back().threads.end());
    ++issues_;
    const models::latency_config& l = machine_.latency;
    const uint64_t latency = i.unit == thread_unit::quarter_rate_vector ? l.valu_trans : l.valu;
    uint64_t next = now + 1;
    if (i.unit == thread_unit::branch) next = now + l.branch;
    if (i.unit == thread_unit::idle) next = now + std::max<uint64_t>(l.internal, i.cycles);
    for (const uint32_t t : threads) {
      thread& th = threads_[t];
      th.came_out = issues_;
      if (!mimd()) th.place = ++places_;
      for (const unsigned r : i.results) th.register_ready[r] = now + std::max(latency, busy);
      if (th.at != at) continue;  // pdom: switched off
      act(i, th);
      if (i.unit != thread_unit::barrier) go_to(th, follows(i, th));
    }
    if (at == 0) {
      ended_ += threads.size();
      return;
    }
    if (i.unit == thread_unit::barrier) {
      at_barrier_.insert(at_barrier_.end(), threads.begin(), threads.end());
      if (at_barrier_.size() != threads_.size()) return;
      for (const uint32_t t : at_barrier_) go_to(threads_[t], threads_[t].at + 1);
      come(at_barrier_, next);
      at_barrier_.clear();
      return;
    }
    come(threads, next);
  }
  void go_to(thread& th, size_t at) const {
    th.at = at;
    th.passed += meets_[at];
  }
  void come(const std::vector<uint32_t>& threads, uint64_t next) {
    for (const uint32_t t : threads) {
      size_t at = threads_[t].at;
      if (machine_.divergence == divergence_kind::pdom)
        for (const uint32_t o : threads)
          if (threads_[o].came_out == threads_[t].came_out) at = std::min(at, threads_[o].at);
      uint64_t when = next;
      for (const unsigned r : code_[at].registers) when = std::max(when, threads_[t].register_ready[r]);
      comes_[when].push_back(t);
    }
  }
  static void act(const thread_instruction& i, thread& th) {
    const auto turned = [](uint32_t w) { return w >> 1 | w << 31; };
    switch (i.effect) {
      case thread_effect::none:
        break;
      case thread_effect::rotate:
        th.words.conditions = turned(th.words.conditions);
        break;
      case thread_effect::rotate_complement:
        th.complement = turned(th.complement);
        break;
      case thread_effect::set_trips:
        th.counter[i.level] = (th.words.trips >> i.bit & 3) + 1;
        break;
      case thread_effect::count_down:
        --th.counter[i.level];
        break;
      case thread_effect::set_rounds:
        th.rounds = i.bit;
        break;
      case thread_effect::count_round:
        --th.rounds;
        break;
    }
  }
  size_t follows(const thread_instruction& i, const thread& th) const {
    const auto taken = [&] {
      switch (i.branch) {
        case thread_branch::none:
        case thread_branch::last_pass:
          return false;
        case thread_branch::always:
          return true;
        case thread_branch::condition_false:
          return (th.words.conditions >> i.bit & 1) == 0;
        case thread_branch::complement_false:
          return (th.complement >> i.bit & 1) == 0;
        case thread_branch::trips_left:
          return th.counter[i.level] != 0;
        case thread_branch::rounds_left:
          return th.rounds != 0;
      }
      return false;
    };
    return taken() ? i.target : th.at + 1;
  }

  const thread_program& program_;
  const std::vector<thread_instruction>& code_;
  const models::machine_config& machine_;
  const std::vector<uint64_t>& address_;
  const std::vector<bool> meets_;
  const unsigned size_, passes_;
  std::vector<thread> threads_;
  std::map<uint64_t, std::vector<uint32_t>> comes_;  // threads whose next instruction can issue, by cycle
  std::list<request> requests_;
  std::list<warp> pool_;  // oldest first
  std::vector<std::array<lut_entry, 2>> lut_;
  std::set<size_t> counted_;  // majority table
  size_t chosen_ = 0;
  std::vector<uint32_t> waiting_, at_barrier_;
  std::vector<uint64_t> lanes_free_at_;
  uint64_t alu_free_at_ = 0, issues_ = 0, places_ = 0, numbers_ = 0, asked_ = 0;
  size_t ended_ = 0;
  std::vector<thread_issue> issued_;
};

}  // namespace

std::vector<thread_issue> predict(const thread_program& program, const models::machine_config& machine,
                                  const std::vector<std::vector<uint32_t>>& came,
                                  const std::vector<uint64_t>& address) {
  return simulator(program, machine, address).run(came);
}

}  // namespace pws::test
