// SPDX-License-Identifier: Apache-2.0
// The memory operations that a path counts with one of its s_waitcnt counters (GCN3 ISA, "S_WAITCNT"), in the order in
// which they were issued. A counter's value at a cycle is the number of operations not complete by then.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/context/pending_operation.h"
#include "models/machine/machine_config.h"

namespace pws::models {

class outstanding {
 public:
  // Both counters are four bits wide on GCN3; an instruction that would count to 16 waits before it issues.
  static constexpr unsigned capacity = 15;
  // In which order operations complete.
  enum class order : uint8_t {
    in_order,  // vmcnt: an operation counts as complete when all before it are
    any        // lgkmcnt: LDS and scalar memory overtake each other
  };
  explicit outstanding(order o) : order_(o) {}
  ~outstanding() { clear(); }
  outstanding(const outstanding&) = delete;
  outstanding& operator=(const outstanding&) = delete;

  unsigned count() const { return count_; }
  void add(pending_operation& o) {
    o.hold();
    list_[count_++] = &o;
  }
  // The latest; there is one.
  const pending_operation& newest() const { return *list_[count_ - 1]; }

  // Forgets operations that are complete at `now`.
  void retire(cycle_t now) {
    unsigned kept = 0;
    bool blocked = false;
    for (unsigned k = 0; k < count_; ++k) {
      if (!blocked && list_[k]->done <= now) {
        list_[k]->drop();
      } else {
        list_[kept++] = list_[k];
        blocked = order_ == order::in_order;
      }
    }
    count_ = kept;
  }

  // First cycle at which at most `limit` operations are outstanding; `never` while that is not known.
  cycle_t when_at_most(unsigned limit) const { return when_at_most(list_, count_, order_, limit); }
  // Calls `f` with operations of which it is not known when they are done, such that when_at_most(limit), which is
  // `never` now, can only become known when one of them does.
  template <class F>
  void blockers(unsigned limit, F f) const {
    const unsigned must_finish = count_ - std::min(limit, count_);
    const unsigned looked_at = order_ == order::in_order ? must_finish : count_;
    for (unsigned k = looked_at; k-- > 0;) {
      if (list_[k]->done != never) continue;
      f(*list_[k]);
      if (order_ == order::in_order || limit == 0) return;  // all of them are needed: any one will do
    }
  }
  // The same for several lists together: an operation that is in more than one counts once.
  static cycle_t when_at_most(std::initializer_list<const outstanding*> lists, unsigned limit);

  void clear() {
    for (unsigned k = 0; k < count_; ++k) list_[k]->drop();
    count_ = 0;
  }
  // Counts what `from` does, and nothing else.
  void share(const outstanding& from) {
    clear();
    for (; count_ < from.count_; ++count_) (list_[count_] = from.list_[count_])->hold();
  }
  // Counts what `other` does too; `other` counts nothing any more.
  //
  // The operations stay in the order of their issue. So those of either list are in their own order, with operations of
  // the other in between: the last k of both together hold of each list some of its last k and no others. A wait for
  // "all but the last k" waits for everything that it would wait for on each of the two ways here alone, and is never
  // too weak.
  void join(outstanding& other);
  // How many operations both count together.
  unsigned count_with(const outstanding& other) const;

 private:
  // What two paths count that have at most `capacity` each when they split or merge, and what else they take over from
  // a path that has ended.
  static constexpr unsigned slots = 4 * (capacity + 1);
  using list = std::array<pending_operation*, slots>;
  static cycle_t when_at_most(const list& of, unsigned count, order o, unsigned limit) {
    if (count <= limit) return 0;
    const unsigned must_finish = count - limit;
    if (o == order::in_order) {
      cycle_t latest = 0;
      for (unsigned k = 0; k < must_finish; ++k) latest = std::max(latest, of[k]->done);
      return latest;
    }
    std::array<cycle_t, slots> sorted;
    for (unsigned k = 0; k < count; ++k) sorted[k] = of[k]->done;
    std::nth_element(sorted.begin(), sorted.begin() + must_finish - 1, sorted.begin() + count);
    return sorted[must_finish - 1];
  }
  static unsigned merged(const list& a, unsigned n, const list& b, unsigned m, list& to);

  order order_;
  unsigned count_ = 0;
  list list_{};
};

}  // namespace pws::models
