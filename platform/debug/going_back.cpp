// SPDX-License-Identifier: Apache-2.0
// Going back: to a position, to the latest stop before one, to where a line begins.
#include <algorithm>
#include <utility>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

using models::wf_context;
using how = resumption::how;

void debugger::go_back(const resumption& r) {
  way_back b;
  b.until = r.position;
  b.looks = r.what != how::back_to;
  if (r.what == how::back_a_line || r.what == how::back_past) {
    const places::range f = places_->function_at(view_->pc_of(r.from));
    line_search l;
    l.of = view_->name_of(r.from.cu, *r.from.context);
    l.past_calls = r.what == how::back_past;
    l.begin = f.begin;
    l.end = f.end;
    l.nearest = latest_of(r.from).value_or(0);
    b.line = l;
  }
  leap(std::move(b));
}

void debugger::begin_again() {
  for (const auto& p : points.all()) p->hits = 0;
  if (const auto all = snapshots_.positions(); !all.empty()) wake(all.front(), std::nullopt);
  back_.reset();
  give_up(true);
}

void debugger::wake(uint64_t position, const std::optional<way_back>& b) {
  snapshots_.wake(position, handed_over(b));
  listener_.stays();
}

void debugger::leap(way_back b) {
  // What a value was when its path was told of last is not known where a snapshot is woken that did not watch it.
  const bool watches_values = points.has(point_kind::value) && !b.line;
  for (;;) {
    std::vector<uint64_t> all = snapshots_.positions();
    while (!all.empty() && (all.back() > b.until || (b.looks && all.back() == b.until))) all.pop_back();
    if (all.empty()) break;
    const size_t back = b.looks ? b.snapshots : watches_values ? 2 : 1;
    const size_t k = b.looks && watches_values ? 0 : all.size() - std::min<size_t>(back, all.size());
    b.began = all[k];
    wake(all[k], b);
  }
  b.began = 0;
  back_ = std::move(b);
  give_up(true);
}

void debugger::look_back_ends() {
  way_back b = *std::exchange(back_, std::nullopt);
  if (b.looks && !b.found && b.began != 0) {
    // Twice as far back each time: all looks together are at most twice the last one.
    b.snapshots *= 2;
    if (b.line) {
      b.line->at = {};
      b.line->has_begun = false;
    }
    return leap(std::move(b));
  }
  if (!b.found && b.line) b.found = b.line->nearest;
  if (!b.found) return begin_again();
  way_back there;
  there.until = *b.found;
  leap(there);
}

bool debugger::begins_line(uint32_t cu, const wf_context& c, uint64_t pc) {
  line_search& l = *back_->line;
  if (!view_->has_name(cu, c, l.of)) return false;
  if (l.past_calls && (pc < l.begin || pc >= l.end)) return false;
  const loader::source_line now =
      places_->line_of(pc, l.past_calls ? places::lines_of::function : places::lines_of::instruction);
  if (now.line == 0) return false;
  // Where a snapshot was woken in the middle of a path, the line that it was in is not known.
  const bool known = l.at.line != 0 || l.has_begun || back_->began == 0;
  return !(std::exchange(l.at, now) == now) && known;
}

void debugger::consider_snapshot() {
  if (position() < next_look_ || !makes_snapshots()) return;
  next_look_ = position() + snapshots_.patience();
  if (snapshots_.is_time(position())) make_snapshot();
}

void debugger::make_snapshot() {
  if (!makes_snapshots()) return;
  listener_.copying();
  if (const auto given = snapshots_.make(position()))
    woken(*given);
  else
    listener_.copied();
}

}  // namespace pws::platform::debug
