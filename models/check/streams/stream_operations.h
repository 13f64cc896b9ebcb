// SPDX-License-Identifier: Apache-2.0
// Operations of streams: two that touch the same byte, at least one of them to write it, must come one after the other.
// Each operation is of a sequence (a stream, or a branch of a graph there), and is begun with all that it comes after;
// whether and when they really ran beside each other does not matter. Clocks are those of the check for races
// (models/check/races), with operations in the place of accesses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"
#include "models/check/races/vector_clock.h"
#include "models/check/streams/byte_sets.h"

namespace pws::check {

using operation_id = uint64_t;  // 0: none

class stream_operations {
 public:
  explicit stream_operations(finding_sink& sink) : sink_(sink) {}

  // A new sequence, whose operations are in order.
  uint32_t add_sequence();
  // The sequence's next operation, behind all that `after` covers. `what` names it in findings; `place`: the same for
  // operations whose findings are one.
  operation_id begins(uint32_t sequence, const vector_clock& after, std::string what, uint64_t place);
  // It covers the operation and all that it comes after.
  const vector_clock& clock_of(operation_id o) const { return at(o).clock; }
  // Bytes by device address. Of an operation that is none, nothing.
  void touches(operation_id o, touch t, uint64_t address, uint64_t bytes);
  // All that it touches is known: finds what is not in order with it.
  void ends(operation_id o);
  // It has not been done.
  void cancel(operation_id o) { all_.erase(o); }

  // Whatever begins from now on comes after what is covered.
  void forget_covered(const vector_clock& by_all);
  // These bytes are somebody else's from now on.
  void forget(uint64_t address, uint64_t bytes);
  size_t kept() const { return all_.size(); }

 private:
  struct operation {
    uint32_t sequence = 0, number = 0;
    vector_clock clock;
    std::string what;
    uint64_t place = 0;
    byte_sets bytes;
    uint64_t pages = 0;  // of those, in index_
    bool ended = false;

    bool comes_after(const operation& o) const { return clock.of(known_of::path(o.sequence)) >= o.number; }
  };
  struct entry {
    operation_id of;
    std::unique_ptr<page_bytes> bytes;
  };
  // Bytes in which an operation meets another.
  struct meeting {
    uint64_t begin = 0, end = 0;  // the first of them that are in a row
    uint64_t bytes = 0;           // all of them
    bool both_write = false;
  };
  operation& at(operation_id o) { return *all_.at(o); }
  const operation& at(operation_id o) const { return *all_.at(o); }
  void report(const operation& later, const operation& earlier, const meeting& m);

  finding_sink& sink_;
  std::vector<uint32_t> numbers_;                           // of each sequence's last operation
  std::map<operation_id, std::unique_ptr<operation>> all_;  // that are under way, or have bytes in index_
  std::unordered_map<uint64_t, std::vector<entry>> index_;  // by number of the page
  operation_id last_ = 0;
};

}  // namespace pws::check
