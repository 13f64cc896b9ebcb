// SPDX-License-Identifier: Apache-2.0
// What a client is told when the machine stops.
#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "platform/debug/asked_points.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

namespace {

const char* reason_of_kind(point_kind kind, const placed_wish* wish) {
  if (kind != point_kind::code) return is_memory(kind) || kind == point_kind::value ? "data breakpoint" : "exception";
  if (wish != nullptr && wish->wish.kind == wish_kind::function) return "function breakpoint";
  return wish != nullptr && wish->wish.kind == wish_kind::instruction ? "instruction breakpoint" : "breakpoint";
}

}  // namespace

void session::tell_text(const char* category, const std::string& text) {
  if (!text.empty()) client_.send_event("output", {{"category", category}, {"output", text}});
}

void session::tell_once(std::string& note) {
  if (!note.empty()) tell_text("important", std::exchange(note, "") + "\n");
}

json session::reason_of(const stop& s) const {
  if (s.why == stop_reason::fault)
    return {{"reason", "exception"}, {"description", "The program has gone wrong"}, {"text", s.text}};
  if (s.why == stop_reason::mismatch)
    return {{"reason", "exception"}, {"description", "RTL and model disagree"}, {"text", s.text}};
  if (s.why == stop_reason::interrupted) return {{"reason", "pause"}, {"description", "Paused"}};
  json body{{"reason", "step"}};
  if (s.why == stop_reason::launch_begins)
    body = {{"reason", "entry"}, {"description", "Before the first launch"}};
  else if (s.why == stop_reason::position)
    body["description"] = fmt::format("Back at instruction {}", s.position);
  else if (is_entry_)
    body = {{"reason", "entry"}, {"description", "At the first instruction"}};
  const point* first = nullptr;
  json ids = json::array();
  std::string text;
  for (const uint32_t n : s.points) {
    const point* const p = core_.points.find(n);
    if (p == nullptr) continue;
    if (first == nullptr) first = p;
    if (const placed_wish* const w = wishes_.of_point(n)) ids.push_back(w->id);
    text += (text.empty() ? "" : "\n") + title_of(*p);
  }
  if (first == nullptr) return body;
  if (!s.text.empty()) text += "\n" + s.text;
  return {{"reason", reason_of_kind(first->kind, wishes_.of_point(first->number))},
          {"description", title_of(*first)},
          {"text", text},
          {"hitBreakpointIds", ids}};
}

void session::tell(const stop& s) {
  json body = reason_of(s);
  is_entry_ = false;
  said_.str("");
  console_.say_stop();
  if (std::exchange(console_resumed_, false))
    tell_text("console", said_.str());
  else if (!s.text.empty())
    tell_text(s.why == stop_reason::fault || s.why == stop_reason::mismatch ? "stderr" : "console", s.text + "\n");
  const thread_row* at = console_.selection() ? thread_of(console_.selection()) : nullptr;
  body["threadId"] = at == nullptr ? threads().front().id : at->id;
  if (at != nullptr) {
    // A stop may be about a lane: it is looked at from now on. The console looks at what the client shows.
    if (s.lane >= 0 && at->at == s.at) chosen_lanes_[at->id] = s.lane;
    followed_ = at->id;
    console_.select(at->at, lane_of(*at));
  }
  body["allThreadsStopped"] = true;
  client_.send_event("stopped", std::move(body));
  tell_gone_points();
}

void session::tell_gone_points() {
  wishes_.for_each_gone([&](const placed_wish& w) {
    client_.send_event("breakpoint", {{"reason", "removed"}, {"breakpoint", {{"id", w.id}, {"verified", false}}}});
  });
}

session::reply session::exception_info(const json& a) {
  thread(number_in(a, "threadId"));
  const json body = reason_of(stop_);
  if (body["reason"] != "exception") throw input_error("no exception has stopped the machine");
  const char* id = stop_.why == stop_reason::mismatch ? "mismatch" : "fault";
  const point* const p = stop_.points.empty() ? nullptr : core_.points.find(stop_.points.front());
  if (stop_.why == stop_reason::point && p != nullptr) id = name_of(p->kind);
  return json{{"exceptionId", id}, {"description", body["text"]}, {"breakMode", "always"}};
}

}  // namespace pws::platform::debug::dap
