// SPDX-License-Identifier: Apache-2.0
// Registers whose values are still being computed: the results of a path's latest instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isa/inst.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

class scoreboard {
 public:
  // Results under way at one time; an instruction that would be one more waits for the oldest of them.
  static constexpr unsigned capacity = 32;

  // First cycle at which all that `i` reads or overwrites while MODE is that is there, and an entry is free. Which
  // register M0 means is not known before it executes.
  cycle_t ready(const isa::inst& i, uint32_t mode) const {
    if (latest_ == 0 || isa::is_indexed(i, mode)) return latest_;
    cycle_t at = 0;
    for (unsigned k = 0; k < count_; ++k) {
      const entry& e = entries_[k];
      if (e.at > at && (uses(i.reads, i.n_reads, e.run) || uses(i.writes, i.n_writes, e.run))) at = e.at;
    }
    if (i.reads_scc || i.writes_scc) at = std::max(at, scc_);
    if (count_ + i.n_writes > capacity)
      for (unsigned k = 0; k < count_ + i.n_writes - capacity; ++k) at = std::max(at, entries_[k].at);
    return at;
  }
  // First cycle at which these scalar registers are there.
  cycle_t scalars_ready(unsigned first, unsigned count) const {
    const isa::inst::run wanted{static_cast<uint16_t>(first), static_cast<uint8_t>(count), false};
    cycle_t at = 0;
    for (unsigned k = 0; k < count_; ++k)
      if (uses(&wanted, 1, entries_[k].run)) at = std::max(at, entries_[k].at);
    return at;
  }
  // First cycle at which nothing is under way.
  cycle_t all_ready() const { return latest_; }
  // First cycle at which there are no more than `capacity`, which a split or merge waits for.
  cycle_t fits() const {
    cycle_t at = 0;
    for (unsigned k = 0; k + capacity < count_; ++k) at = std::max(at, entries_[k].at);
    return at;
  }

  // `i` issues at `now`, while MODE is that, and writes its registers at `at`.
  void write(const isa::inst& i, uint32_t mode, cycle_t now, cycle_t at) {
    retire(now);
    for (unsigned k = 0; k < i.n_writes && count_ < slots; ++k) entries_[count_++] = {at, i.writes[k]};
    // M0 says which register: any of s0 to s101, or of v0 to v255. It has issued with nothing else under way.
    if (isa::is_indexed(i, mode) && isa::operation_of(i) != isa::operation::move_relative_source) {
      const bool is_vgpr = i.unit != isa::unit::salu;
      entries_[count_++] = {at, {0, is_vgpr ? uint8_t{255} : uint8_t{isa::sgpr_limit}, is_vgpr}};
      if (is_vgpr) entries_[count_++] = {at, {255, 1, is_vgpr}};
    }
    if (i.writes_scc) scc_ = at;
    latest_ = std::max(latest_, at);
  }
  void clear() {
    count_ = 0;
    scc_ = latest_ = 0;
  }
  // Waits for what `from` waits for, and for nothing else.
  void share(const scoreboard& from) {
    std::copy_n(from.entries_.begin(), from.count_, entries_.begin());
    count_ = from.count_;
    scc_ = from.scc_;
    latest_ = from.latest_;
  }
  // Waits for what `other` waits for too; both may have a result that was under way when their paths parted.
  void join(const scoreboard& other, cycle_t now) {
    retire(now);
    for (unsigned k = 0; k < other.count_; ++k)
      if (other.entries_[k].at > now && !has(other.entries_[k]) && count_ < slots)
        entries_[count_++] = other.entries_[k];
    scc_ = std::max(scc_, other.scc_);
    latest_ = std::max(latest_, other.latest_);
  }

 private:
  struct entry {
    cycle_t at = 0;
    isa::inst::run run;
  };
  // What two paths have that split and merge with at most `capacity` each.
  static constexpr unsigned slots = 2 * capacity;
  void retire(cycle_t now) {
    unsigned kept = 0;
    for (unsigned k = 0; k < count_; ++k)
      if (entries_[k].at > now) entries_[kept++] = entries_[k];
    count_ = kept;
  }
  bool has(const entry& e) const {
    return std::any_of(entries_.begin(), entries_.begin() + count_, [&](const entry& o) {
      return o.at == e.at && o.run.first == e.run.first && o.run.count == e.run.count && o.run.is_vgpr == e.run.is_vgpr;
    });
  }
  static bool uses(const isa::inst::run* runs, unsigned n, const isa::inst::run& r) {
    for (unsigned k = 0; k < n; ++k)
      if (runs[k].is_vgpr == r.is_vgpr && runs[k].first < r.first + r.count && r.first < runs[k].first + runs[k].count)
        return true;
    return false;
  }
  std::array<entry, slots> entries_{};
  unsigned count_ = 0;
  cycle_t scc_ = 0;
  cycle_t latest_ = 0;
};

}  // namespace pws::models
