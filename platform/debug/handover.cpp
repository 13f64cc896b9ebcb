// SPDX-License-Identifier: Apache-2.0
// What outlasts going back to a snapshot: where it is sent, the points, and what the listener knows.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "platform/debug/debugger.h"
#include "platform/debug/step.h"

namespace pws::platform::debug {

using nlohmann::json;

namespace {

json to_json(const path_name& n) {
  return {n.launch, n.wavefront, n.cu, n.unit, n.slot};
}

path_name path_name_in(const json& j) {
  return {j[0], j[1], j[2], j[3], j[4]};
}

json to_json(const std::optional<expression>& e) {
  return e ? json{{"text", e->text()}, {"bound", e->bound()}} : json();
}

std::optional<expression> expression_in(const json& j) {
  if (j.is_null()) return std::nullopt;
  expression e = expression::parse(j["text"].get<std::string>());
  e.bind(j["bound"].get<std::vector<uint64_t>>());
  return e;
}

json to_json(const point& p) {
  return {{"number", p.number},
          {"kind", p.kind},
          {"enabled", p.enabled},
          {"temporary", p.temporary},
          {"hits", p.hits},
          {"ignore", p.ignore},
          {"text", p.text},
          {"find_again", p.find_again},
          {"places", p.places},
          {"condition", to_json(p.condition)},
          {"memory", {p.memory.lds, p.memory.begin, p.memory.bytes}},
          {"of", to_json(p.of)},
          {"workgroup", p.workgroup},
          {"watched", to_json(p.watched)},
          {"lane", p.lane},
          {"known", p.known.size()}};
}

std::unique_ptr<point> point_in(const json& j) {
  auto p = std::make_unique<point>();
  p->number = j["number"];
  p->kind = j["kind"];
  p->enabled = j["enabled"];
  p->temporary = j["temporary"];
  p->hits = j["hits"];
  p->ignore = j["ignore"];
  p->text = j["text"];
  p->find_again = j["find_again"];
  p->places = j["places"].get<std::vector<uint64_t>>();
  p->condition = expression_in(j["condition"]);
  p->memory = {j["memory"][0], j["memory"][1], j["memory"][2]};
  p->of = path_name_in(j["of"]);
  p->workgroup = j["workgroup"];
  p->watched = expression_in(j["watched"]);
  p->lane = j["lane"];
  p->known.resize(j["known"].get<size_t>());
  return p;
}

}  // namespace

std::string debugger::handed_over(const std::optional<way_back>& b) {
  json all = {{"latest", points.latest()}, {"points", json::array()}, {"listener", listener_.state()}};
  for (const auto& p : points.all()) all["points"].push_back(to_json(*p));
  if (b) {
    json& j = all["back"];
    j = {{"until", b->until}, {"looks", b->looks}, {"began", b->began}, {"snapshots", b->snapshots}};
    if (b->line)
      j["line"] = {{"of", to_json(b->line->of)},
                   {"past_calls", b->line->past_calls},
                   {"begin", b->line->begin},
                   {"end", b->line->end},
                   {"nearest", b->line->nearest}};
  }
  const std::vector<uint8_t> bytes = json::to_cbor(all);
  return {bytes.begin(), bytes.end()};
}

debugger::way_back debugger::way_back_in(const json& j) {
  way_back b;
  b.until = j["until"];
  b.looks = j["looks"];
  b.began = j["began"];
  b.snapshots = j["snapshots"];
  if (!j.contains("line")) return b;
  const json& line = j["line"];
  line_search l;
  l.of = path_name_in(line["of"]);
  l.past_calls = line["past_calls"];
  l.begin = line["begin"];
  l.end = line["end"];
  l.nearest = line["nearest"];
  b.line = l;
  return b;
}

void debugger::woken(const std::string& given) {
  const json all = json::from_cbor(given);
  std::vector<std::unique_ptr<point>> now;
  for (const json& j : all["points"]) {
    now.push_back(point_in(j));
    point& p = *now.back();
    const point* const here = points.find(p.number);
    if (here != nullptr && here->enabled) {
      p.known = here->known;
      p.last = here->last;
    } else {
      look_anew(p);
    }
  }
  points.assign(std::move(now), all["latest"]);
  back_.reset();
  if (all.contains("back")) back_ = way_back_in(all["back"]);
  interrupted_ = false;
  listener_.take_state(all["listener"]);
  step_.reset();
  given_up_ = again_ = faulted_ = false;
  hear_what_is_wanted();
  note_attention();
}

// What a point that was not there before would know here.
void debugger::look_anew(point& p) const {
  try {
    if (p.kind == point_kind::value) {
      if (const path at = view_->find(p.of)) p.last = p.watched->evaluate({view_.get(), at, p.lane, latest_at()});
    } else if (p.kind == point_kind::write && !p.memory.lds) {
      view_->read(p.memory.begin, p.known.data(), p.memory.bytes);
    } else if (p.kind == point_kind::write) {
      for (const path& w : view_->wavefronts())
        if (is_in_workgroup(p, w)) {
          view_->read_lds(w, p.memory.begin, p.known.data(), p.memory.bytes);
          return;
        }
    }
  } catch (const input_error&) {  // it is not there yet
  }
}

}  // namespace pws::platform::debug
