// SPDX-License-Identifier: Apache-2.0
// The paths of a machine that stands still as threads of the protocol. A path keeps its number as long as the session
// lasts, also where the run is repeated.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "platform/debug/debugger.h"

namespace pws::platform::debug::dap {

struct thread_row {
  int64_t id = 0;
  std::string name;
  path at;                  // none: no wavefront is in the machine; of a side that a stack keeps, the wavefront's own
  bool is_stacked = false;  // it is a side that a stack keeps
  stacked_side side;        // is_stacked
  uint64_t mask = 0;        // the lanes that are active
};

class thread_table {
 public:
  // The paths that are there now, in the order of wavefronts. Never empty: where no wavefront is, the launch is the
  // only thread.
  std::vector<thread_row> list(const debugger& d);
  // For another one, which numbers as this one does.
  nlohmann::json state() const { return numbers_; }
  void take_state(const nlohmann::json& j) { numbers_ = j.get<std::map<key, int64_t>>(); }

 private:
  // The path; and of a side that a stack keeps, its entry and whether it is the right one.
  using key = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, int, bool>;
  int64_t number_of(const path_name& n, int entry, bool right);

  static constexpr int64_t of_launch = 1;
  std::map<key, int64_t> numbers_;
};

}  // namespace pws::platform::debug::dap
