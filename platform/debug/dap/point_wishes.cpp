// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/point_wishes.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "base/file_names.h"
#include "platform/debug/asked_points.h"
#include "platform/debug/natural.h"

namespace pws::platform::debug::dap {

namespace {

// How many of the first hits are passed.
uint64_t passed_hits(const std::string& text) {
  if (text.empty()) return 0;
  size_t at = text.find_first_not_of(' ');
  bool is_more = false;
  if (at != std::string::npos && text[at] == '>') {
    is_more = text.compare(at, 2, ">=") != 0;
    at = text.find_first_not_of(' ', at + (is_more ? 1 : 2));
  }
  std::string digits = at == std::string::npos ? "" : text.substr(at);
  digits.erase(digits.find_last_not_of(' ') + 1);
  const auto given = natural_in(digits);
  if (!given)
    throw input_error(fmt::format("`{}` is no count of hits: N and >=N stop from the Nth on, >N behind it", text));
  return is_more ? *given : *given == 0 ? 0 : *given - 1;
}

}  // namespace

std::string text_of(const data_id& d) {
  if (!d.of) return "|" + d.text;
  return fmt::format("{}.{}.{}.{}.{}.{}|{}", d.of->launch, d.of->wavefront, d.of->cu, d.of->unit, d.of->slot, d.lane,
                     d.text);
}

data_id data_id_in(const std::string& text) {
  const size_t bar = text.find('|');
  if (bar == std::string::npos) throw input_error(fmt::format("`{}` is no dataId", text));
  data_id d{text.substr(bar + 1), {}, -1};
  if (bar == 0) return d;
  path_name n;
  unsigned long long launch = 0, wavefront = 0;
  char behind = 0;
  if (std::sscanf(text.c_str(), "%llu.%llu.%u.%u.%u.%d%c", &launch, &wavefront, &n.cu, &n.unit, &n.slot, &d.lane,
                  &behind) != 7 ||
      behind != '|')
    throw input_error(fmt::format("`{}` is no dataId", text));
  n.launch = launch;
  n.wavefront = wavefront;
  d.of = n;
  return d;
}

point point_wishes::made(const point_wish& w, placed_wish& to) const {
  const machine_view& machine = debugger_.machine();
  point p;
  switch (w.kind) {
    case wish_kind::line:
    case wish_kind::function:
    case wish_kind::instruction:
    case wish_kind::listed: {
      p = break_at(debugger_, w.what, {&machine, {}, -1, 0}, debugger_.launch().launch.kernel.entry(), to.line);
      to.pc = p.places.front();
      if (w.kind == wish_kind::line) p.text = fmt::format("{}:{}", file_name(to.line.file), to.line.line);
      break;
    }
    case wish_kind::data: {
      const data_id d = data_id_in(w.what);
      scene here{&machine, {}, d.lane, 0};
      if (d.of) {
        here.at = machine.find(*d.of);
        if (!here.at) throw input_error("the path that it is of does not run now");
      }
      p = watch_on(debugger_, d.text, w.access, here);
      break;
    }
    case wish_kind::event:
      p = catch_on(debugger_, w.what);
      break;
  }
  if (!w.condition.empty()) p.condition = expression::parse(w.condition);
  p.ignore = passed_hits(w.hits);
  return p;
}

placed_wish point_wishes::place(const point_wish& w, uint64_t id) const {
  placed_wish placed;
  placed.id = id;
  placed.wish = w;
  try {
    if (!w.refused.empty()) throw input_error(w.refused);
    placed.number = debugger_.points.add(made(w, placed));
  } catch (const input_error& e) {
    placed.problem = e.what();
  }
  return placed;
}

const std::vector<placed_wish>& point_wishes::replace(const std::string& group, const std::vector<point_wish>& wanted) {
  std::vector<placed_wish> before = std::move(groups_[group]), now;
  for (const point_wish& w : wanted) {
    auto same = before.begin();
    while (same != before.end() && !(same->wish == w && debugger_.points.find(same->number) != nullptr)) ++same;
    if (same == before.end()) {
      now.push_back(place(w, ++latest_id_));
    } else {
      now.push_back(std::move(*same));
      before.erase(same);
    }
  }
  for (const placed_wish& w : before) debugger_.points.remove(w.number);
  return groups_[group] = std::move(now);
}

void point_wishes::place_again() {
  for (auto& [group, all] : groups_)
    for (placed_wish& w : all) {
      debugger_.points.remove(w.number);
      w = place(w.wish, w.id);
    }
}

std::vector<placed_wish> point_wishes::place_missing() {
  std::vector<placed_wish> found;
  for (auto& [group, all] : groups_)
    for (placed_wish& w : all) {
      if (w.number != 0) continue;
      w = place(w.wish, w.id);
      if (w.number != 0) found.push_back(w);
    }
  return found;
}

const placed_wish* point_wishes::of_point(uint32_t number) const {
  for (const auto& [group, all] : groups_)
    for (const placed_wish& w : all)
      if (w.number == number) return &w;
  return nullptr;
}

nlohmann::json point_wishes::state() const {
  nlohmann::json groups = nlohmann::json::object();
  for (const auto& [group, all] : groups_) {
    nlohmann::json& rows = groups[group] = nlohmann::json::array();
    for (const placed_wish& p : all)
      rows.push_back({{"kind", p.wish.kind},
                      {"what", p.wish.what},
                      {"access", p.wish.access},
                      {"condition", p.wish.condition},
                      {"hits", p.wish.hits},
                      {"refused", p.wish.refused},
                      {"id", p.id},
                      {"number", p.number},
                      {"file", p.line.file},
                      {"line", p.line.line},
                      {"pc", p.pc},
                      {"problem", p.problem},
                      {"gone", p.is_told_gone}});
  }
  return {{"groups", groups}, {"latest", latest_id_}};
}

void point_wishes::take_state(const nlohmann::json& j) {
  groups_.clear();
  for (const auto& [group, rows] : j["groups"].items())
    for (const nlohmann::json& r : rows) {
      placed_wish p;
      p.wish = {r["kind"], r["what"], r["access"], r["condition"], r["hits"], r["refused"]};
      p.id = r["id"];
      p.number = r["number"];
      p.line.file = r["file"];
      p.line.line = r["line"];
      p.pc = r["pc"];
      p.problem = r["problem"];
      p.is_told_gone = r["gone"];
      groups_[group].push_back(std::move(p));
    }
  latest_id_ = j["latest"];
}

}  // namespace pws::platform::debug::dap
