// SPDX-License-Identifier: Apache-2.0
// The breakpoints that a client wants, in groups that it replaces as a whole, and the debugger's points for them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/debugger.h"

namespace pws::platform::debug::dap {

// What a breakpoint is of.
enum class wish_kind : uint8_t {
  line,         // FILE:LINE, a place
  function,     // a place: a kernel, function or label
  instruction,  // *ADDRESS
  listed,       // the same, in a listing that stands for source
  data,         // a data_id
  event         // split, merge, barrier or end
};

// One of them, as the client has written it. Equal ones of a group are the same breakpoint.
struct point_wish {
  wish_kind kind = wish_kind::line;
  std::string what;
  point_kind access = point_kind::write;  // data
  std::string condition;                  // an expression; "": none
  std::string hits;                       // N, >=N, >N; "": every one
  std::string refused;                    // why it cannot be at all, which is known already
  bool operator==(const point_wish& o) const {
    return kind == o.kind && what == o.what && access == o.access && condition == o.condition && hits == o.hits &&
           refused == o.refused;
  }
};

// What became of it.
struct placed_wish {
  point_wish wish;
  uint64_t id = 0;            // by which the client knows it, as long as it wants it
  uint32_t number = 0;        // of the debugger's point; 0: there is none
  code_line line;             // that it has got; line 0: none
  uint64_t pc = 0;            // its first place
  std::string problem;        // why there is none
  bool is_told_gone = false;  // the client knows that the point is not there any more
};

// A watchpoint as a client keeps it: what is watched, and the path and lane if it is of one.
struct data_id {
  std::string text;  // out[3], v2[17], lds[8]
  std::optional<path_name> of;
  int lane = -1;
};
std::string text_of(const data_id& d);
// Throws input_error.
data_id data_id_in(const std::string& text);

class point_wishes {
 public:
  explicit point_wishes(debugger& d) : debugger_(d) {}

  // The group has these, and no others: what it had before and is wanted still stays as it is. In their order.
  const std::vector<placed_wish>& replace(const std::string& group, const std::vector<point_wish>& wanted);
  // Code has been loaded anew: all of them are placed again.
  void place_again();
  // Code has come: those that have no point may get one; these that have now.
  std::vector<placed_wish> place_missing();
  // Calls `visit` for each whose point has gone by other ways, once.
  template <class F>
  void for_each_gone(F&& visit) {
    for (auto& [group, all] : groups_)
      for (placed_wish& w : all)
        if (w.number != 0 && !w.is_told_gone && debugger_.points.find(w.number) == nullptr) {
          w.is_told_gone = true;
          visit(w);
        }
  }
  template <class F>
  void for_each(F&& visit) const {
    for (const auto& [group, all] : groups_)
      for (const placed_wish& w : all) visit(w);
  }
  // The one that the point is of; nullptr: it is of none.
  const placed_wish* of_point(uint32_t number) const;
  // For those of another debugger that has the same points.
  nlohmann::json state() const;
  void take_state(const nlohmann::json& j);

 private:
  placed_wish place(const point_wish& w, uint64_t id) const;
  point made(const point_wish& w, placed_wish& to) const;

  debugger& debugger_;
  std::map<std::string, std::vector<placed_wish>> groups_;
  uint64_t latest_id_ = 0;
};

}  // namespace pws::platform::debug::dap
