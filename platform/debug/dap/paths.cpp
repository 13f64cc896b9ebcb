// SPDX-License-Identifier: Apache-2.0
// Requests about paths, which are threads of the protocol, and the calls that they are in.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file_names.h"
#include "platform/debug/dap/session.h"
#include "platform/debug/frames.h"

namespace pws::platform::debug::dap {

const std::vector<thread_row>& session::threads() {
  if (threads_.empty()) threads_ = numbers_.list(core_);
  return threads_;
}

const thread_row& session::thread(int64_t id) {
  for (const thread_row& t : threads())
    if (t.id == id) return t;
  throw input_error(fmt::format("there is no thread {} now", id));
}

const thread_row* session::thread_of(const path& p) {
  for (const thread_row& t : threads())
    if (t.at == p && !t.is_stacked) return &t;
  return nullptr;
}

const thread_row& session::thread_of_frame(const json& a) {
  const auto id = number_if_in(a, "frameId");
  if (!id) {
    const thread_row* const selected = console_.selection() ? thread_of(console_.selection()) : nullptr;
    return selected != nullptr ? *selected : threads().front();
  }
  const auto known = frames_.find(*id);
  if (known == frames_.end()) throw input_error(fmt::format("there is no frame {} now", *id));
  return thread(known->second.thread);
}

uint64_t session::pc_of(const thread_row& t) const {
  if (!t.at) return stop_.pc;
  if (t.is_stacked) return t.side.pc;
  // Behind a watchpoint, the instruction that was seen is the one to show.
  return stop_.at == t.at ? stop_.pc : core_.machine().pc_of(t.at);
}

int session::lane_of(const thread_row& t) const {
  const auto chosen = chosen_lanes_.find(t.id);
  if (chosen != chosen_lanes_.end()) return chosen->second;
  return t.mask == 0 ? 0 : __builtin_ctzll(t.mask);
}

scene session::scene_of(const thread_row& t) const {
  return {&core_.machine(), t.at, t.at ? lane_of(t) : -1, stop_.cycle};
}

scene session::scene_of_frame(const json& a) {
  scene s = scene_of(thread_of_frame(a));
  if (const auto id = number_if_in(a, "frameId")) s.frame = frames_.at(*id).names;
  return s;
}

session::reply session::list_threads(const json&) {
  json all = json::array();
  for (const thread_row& t : threads()) all.push_back({{"id", t.id}, {"name", t.name}});
  return json{{"threads", all}};
}

session::reply session::stack_trace(const json& a) {
  const thread_row& t = thread(number_in(a, "threadId"));
  const auto start = number_if_in(a, "startFrame").value_or(0), levels = number_if_in(a, "levels").value_or(0);
  if (start < 0 || levels < 0) throw input_error("startFrame and levels are no negative numbers");
  const uint64_t pc = pc_of(t);
  const std::vector<call_frame> calls = t.at && !t.is_stacked ? frames_of(core_, t.at, pc) : frames_at(core_, pc);
  json frames = json::array();
  for (size_t k = static_cast<size_t>(start); k < calls.size() && (levels == 0 || frames.size() < size_t(levels));
       ++k) {
    const call_frame& c = calls[k];
    const std::string function = core_.code().function_at(c.pc).name;
    const std::string file = file_name(c.line.file);
    json f{{"id", ++latest_number_},
           {"name", c.inlined ? fmt::format("{}inlined, {}:{}", c.inlined_name.empty() ? "" : c.inlined_name + ", ",
                                            file, c.line.line)
                    : function.empty() ? fmt::format("{:#x}", c.pc)
                                       : function.substr(0, function.find('('))},
           {"instructionPointerReference", fmt::format("{:#x}", c.pc)}};
    frames_[latest_number_] = {t.id, c.pc, c.names};
    if (c.line.line != 0) {
      f["source"] = source_json(c.line.file);
      f["line"] = line_to_client(c.line.line);
      f["column"] = column_to_client(std::max(c.line.column, 1u));
    } else {
      int64_t line = 0;
      f["source"] = listing_json(c.pc, line);
      f["line"] = line_to_client(line);
      f["column"] = column_to_client(1);
    }
    frames.push_back(std::move(f));
  }
  return json{{"stackFrames", frames}, {"totalFrames", calls.size()}};
}

}  // namespace pws::platform::debug::dap
