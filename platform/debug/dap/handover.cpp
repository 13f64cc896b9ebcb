// SPDX-License-Identifier: Apache-2.0
// What a session of the protocol knows that outlasts going back to a snapshot of the process.
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

json session::state() {
  return {{"client", client_.state()},           {"console", console_.state()},
          {"wishes", wishes_.state()},           {"threads", numbers_.state()},
          {"stops_on_entry", stops_on_entry_},   {"is_entry", is_entry_},
          {"console_resumed", console_resumed_}, {"latest_number", latest_number_},
          {"chosen_lanes", chosen_lanes_},       {"listings", listings_}};
}

void session::take_what_stays(const json& j) {
  console_.take_state(j["console"]);
  wishes_.take_state(j["wishes"]);
  numbers_.take_state(j["threads"]);
  stops_on_entry_ = j["stops_on_entry"];
  is_entry_ = j["is_entry"];
  console_resumed_ = j["console_resumed"];
  latest_number_ = j["latest_number"];
  chosen_lanes_ = j["chosen_lanes"].get<std::map<int64_t, int>>();
  listings_ = j["listings"].get<std::map<int64_t, uint64_t>>();
}

void session::take_state(const json& j) {
  client_.take_state(j["client"]);
  take_what_stays(j);
  // What goes back has been launched, configured and begun.
  initialised_ = configured_ = begun_ = true;
  launch_request_.reset();
  wants_stop_ = ends_run_ = wants_run_ = over_ = false;
  resume_.reset();
  said_.str("");
  forget_numbers();
  state_ = phase::running;
  if (client_.has_next()) core_.interrupt();
}

}  // namespace pws::platform::debug::dap
