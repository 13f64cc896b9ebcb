// SPDX-License-Identifier: Apache-2.0
// Where a debugger stops the machine: breakpoints, watchpoints, catchpoints, by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "platform/debug/expression.h"

namespace pws::platform::debug {

enum class point_kind : uint8_t {
  code,     // before an instruction at one of its places
  write,    // behind an instruction that has changed bytes of memory
  read,     // behind one that has read some of them
  access,   // behind one that has accessed some of them
  value,    // behind an instruction of its path that has changed the value of an expression
  split,    // before an instruction that splits the path
  merge,    // before one at which the path merges
  barrier,  // before an s_barrier
  end,      // when a launch has ended
  finding   // behind the instruction at which a check finds something, once for each place
};
constexpr auto enumerators(point_kind) {
  using e = point_kind;
  return std::array{named{e::code, "breakpoint"},
                    named{e::write, "watchpoint"},
                    named{e::read, "read watchpoint"},
                    named{e::access, "access watchpoint"},
                    named{e::value, "watchpoint of a value"},
                    named{e::split, "split"},
                    named{e::merge, "merge"},
                    named{e::barrier, "barrier"},
                    named{e::end, "end"},
                    named{e::finding, "finding"}};
}
// Events have no place: they are caught.
constexpr bool is_event(point_kind k) {
  return k >= point_kind::split;
}
std::vector<std::string> names_of_events();
constexpr bool is_memory(point_kind k) {
  return k == point_kind::write || k == point_kind::read || k == point_kind::access;
}

struct point {
  uint32_t number = 0;
  point_kind kind = point_kind::code;
  bool enabled = true, temporary = false;
  uint64_t hits = 0;
  uint64_t ignore = 0;           // so many of the first ones do not stop
  std::string text;              // as the user has given it
  std::string find_again;        // code: the place, for when code has come or gone; "": it is an address
  std::vector<uint64_t> places;  // code; ascending
  std::optional<expression> condition;
  memory_place memory;                // of the three kinds that watch it
  std::vector<uint8_t> known;         // write: what it held last
  path_name of;                       // value; LDS: whose workgroup
  uint64_t workgroup = 0;             // LDS
  std::optional<expression> watched;  // value
  int lane = -1;                      // value: that was selected
  std::optional<value> last;          // value
};

class point_table {
 public:
  // `heard`: what is done whenever one of them has changed.
  explicit point_table(std::function<void()> heard) : heard_(std::move(heard)) {}
  // Its number, from 1 on.
  uint32_t add(point p);
  // Others in place of all; `latest`: the highest number that has been given.
  void assign(std::vector<std::unique_ptr<point>> all, uint32_t latest);
  uint32_t latest() const { return latest_; }
  bool remove(uint32_t number);
  void clear();
  point* find(uint32_t number);
  const point* find(uint32_t number) const;
  // In ascending order of their numbers. To be followed by changed().
  std::vector<std::unique_ptr<point>>& all() { return points_; }
  const std::vector<std::unique_ptr<point>>& all() const { return points_; }
  // Somebody has changed one of them.
  void changed();

  // ---- For every instruction, and so quick
  // A breakpoint that is enabled is at this address.
  bool stops_at(uint64_t pc) const { return std::binary_search(places_.begin(), places_.end(), pc); }
  // Some that is enabled is of this kind.
  bool has(point_kind k) const { return (kinds_ >> static_cast<unsigned>(k) & 1) != 0; }
  // Some that is enabled stops before an instruction that is not at a place of it.
  bool catches_instructions() const {
    return has(point_kind::split) || has(point_kind::merge) || has(point_kind::barrier);
  }
  // Those of all breakpoints that are enabled; ascending.
  const std::vector<uint64_t>& places() const { return places_; }
  bool watches_memory() const { return has(point_kind::write) || has(point_kind::read) || has(point_kind::access); }

 private:
  const std::function<void()> heard_;
  std::vector<std::unique_ptr<point>> points_;
  uint32_t latest_ = 0;
  std::vector<uint64_t> places_;
  uint32_t kinds_ = 0;
};

}  // namespace pws::platform::debug
