// SPDX-License-Identifier: Apache-2.0
// Expressions, and the console, which has the words of the prompt.
#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

void session::follow_frame(const json& a) {
  if (!number_if_in(a, "frameId")) return;
  const thread_row& t = thread_of_frame(a);
  if (t.id == std::exchange(followed_, t.id) || !t.at) return;
  console_.select(t.at, lane_of(t));
}

json session::evaluate_expression(const std::string& text, const json& a) {
  const thread_row& t = thread_of_frame(a);
  const expression e = expression::parse(text);
  const scene here = scene_of_frame(a);
  const std::optional<typed_object> object = t.is_stacked ? std::nullopt : e.object(here);
  if (object) {
    json body = object_json(*object, e.text(), t, here);
    body["result"] = body["value"];
    body.erase("value");
    return body;
  }
  json body{{"result", debug::text_of(e.evaluate(here))}, {"variablesReference", 0}};
  const std::string plain = without_blanks(text);
  if (const int v = register_number(plain, 'v'); v >= 0) {
    body["variablesReference"] = reference({container_kind::lanes, t.id, v, "", {}, {}});
    body["indexedVariables"] = isa::wave_size;
  }
  const auto& buffers = core_.machine().buffers();
  if (const auto b = buffers.find(plain); b != buffers.end()) {
    body["variablesReference"] = reference({container_kind::elements, t.id, 0, plain, {}, {}});
    body["indexedVariables"] = (b->second.end - b->second.begin) / size_of(b->second.type);
  }
  if (const memory_place m = e.place(here); m.bytes != 0 && !m.lds)
    body["memoryReference"] = fmt::format("{:#x}", m.begin);
  return body;
}

json session::evaluate_words(const std::string& text, const json& a) {
  follow_frame(a);
  const path before = console_.selection();
  const int lane_before = console_.lane();
  said_.str("");
  const console::answer goes_on = console_.execute(text);
  std::string said = said_.str();
  if (!said.empty() && said.back() == '\n') said.pop_back();
  if (goes_on) {
    resume_ = goes_on;
    console_resumed_ = true;
    if (goes_on->what == resumption::how::end)
      give_up();
    else
      after("continued", {{"threadId", thread_of_frame(json::object()).id}, {"allThreadsContinued", true}});
  } else if (console_.selection() && (!(console_.selection() == before) || console_.lane() != lane_before)) {
    const thread_row* const now = thread_of(console_.selection());
    if (now != nullptr) {
      chosen_lanes_[now->id] = console_.lane();
      followed_ = now->id;
      // A client's view goes where it is told of a stop.
      if (!(console_.selection() == before))
        after("stopped", {{"reason", "pause"},
                          {"description", "Selected at the console"},
                          {"threadId", now->id},
                          {"allThreadsStopped", true}});
      else if (can_invalidate_)
        after("invalidated", {{"areas", {"variables"}}, {"threadId", now->id}});
    }
  }
  tell_gone_points();
  return {{"result", said}, {"variablesReference", 0}};
}

session::reply session::evaluate(const json& a) {
  const std::string text = text_in(a, "expression"), context = text_if_in(a, "context").value_or("watch");
  if (number_if_in(a, "frameId")) thread_of_frame(a);
  // At the console, what is no word may be an expression.
  if (context != "repl" || !console_.knows(text)) return evaluate_expression(text, a);
  return evaluate_words(text, a);
}

session::reply session::completions(const json& a) {
  const std::string text = text_in(a, "text");
  const int64_t column = number_in(a, "column") - (columns_from_1_ ? 1 : 0);
  if (column < 0 || static_cast<uint64_t>(column) > text.size()) throw input_error("the column is not in the text");
  const std::string before = text.substr(0, static_cast<size_t>(column));
  const size_t begin = before.find_last_of(' ') == std::string::npos ? 0 : before.find_last_of(' ') + 1;
  const std::string word = before.substr(begin);
  json all = json::array();
  for (const std::string& offer : console_.offers(before.substr(0, begin)))
    if (offer.rfind(word, 0) == 0) all.push_back({{"label", offer}, {"start", begin}, {"length", word.size()}});
  return json{{"targets", all}};
}

}  // namespace pws::platform::debug::dap
