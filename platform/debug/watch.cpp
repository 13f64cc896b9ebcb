// SPDX-License-Identifier: Apache-2.0
// What watchpoints see of accesses to memory, and of values of registers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "platform/debug/debugger.h"

namespace pws::platform::debug {

using models::cycle_t;
using models::wf_context;

namespace {

constexpr uint64_t most_watched = uint64_t{1} << 24;  // bytes whose changes are looked for

bool overlaps(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

std::string bits_of(const value& v) {
  return v.real ? fmt::format("{}", v.number) : fmt::format("{:#x}", static_cast<uint64_t>(v.integer));
}

}  // namespace

bool debugger::is_in_workgroup(const point& p, const path& by) const {
  const models::workgroup& g = by.context->group->launch;
  return g.of->number() == p.of.launch && g.number() == p.workgroup;
}

void debugger::begin_watching(point& p, const scene& s) const {
  if (p.kind == point_kind::value) {
    if (!s.at) throw input_error("no path is selected: a value is watched in one");
    p.of = view_->name_of(s.at.cu, *s.at.context);
    p.lane = s.lane;
    p.watched->bind(s);
    p.last = p.watched->evaluate(s);
    return;
  }
  if (p.memory.bytes == 0) throw input_error("there is nothing to watch");
  if (p.kind == point_kind::write && p.memory.bytes > most_watched)
    throw input_error(
        fmt::format("{} bytes are too many to watch for changes: at most {}", p.memory.bytes, most_watched));
  if (p.memory.lds) {
    if (!s.at) throw input_error("no path is selected: LDS is a workgroup's");
    p.of = view_->name_of(s.at.cu, *s.at.context);
    p.workgroup = s.at.context->group->launch.number();
  }
  // Reading also says whether it is there.
  const auto read = [&](uint64_t at, std::vector<uint8_t>& to) {
    if (p.memory.lds)
      view_->read_lds(s.at, at, to.data(), to.size());
    else
      view_->read(at, to.data(), to.size());
  };
  p.known.resize(p.kind == point_kind::write ? p.memory.bytes : 1);
  read(p.memory.begin, p.known);
  std::vector<uint8_t> last(1);
  read(p.memory.begin + p.memory.bytes - 1, last);
}

// The lanes that touch what is watched.
uint64_t debugger::touched(const point& p, const path& by, const isa::memory_access& a) const {
  using space = isa::memory_access::space;
  const memory_place& m = p.memory;
  if (m.lds && !is_in_workgroup(p, by)) return 0;
  const uint64_t size = std::max<uint64_t>(a.bytes_per_lane, 1);
  uint64_t lanes = 0;
  const auto look = [&](uint64_t mask, const uint64_t* addresses, uint64_t beside) {
    for (; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      if (overlaps(m.begin, m.bytes, addresses[lane] + beside, size)) lanes |= uint64_t{1} << lane;
    }
  };
  if (m.lds) {
    if (a.where == space::lds) {
      look(a.mask, a.address, 0);
      if (a.second_offset != 0) look(a.mask, a.address, a.second_offset);
    }
    look(a.in_lds, a.address, 0);
    return lanes;
  }
  if (a.where == space::global || a.where == space::scalar) look(a.mask, a.address, 0);
  for (unsigned k = 0; k < a.n_further; ++k) look(a.further[k].mask, a.further[k].address, 0);
  return lanes;
}

// What has changed since somebody looked last, as elements of the buffer or as words; "" if nothing has.
std::string debugger::changes_in(point& p, const path& by) const {
  constexpr size_t most_shown = 4;
  std::vector<uint8_t> now(p.known.size());
  try {
    if (p.memory.lds)
      view_->read_lds(by, p.memory.begin, now.data(), now.size());
    else
      view_->read(p.memory.begin, now.data(), now.size());
  } catch (const input_error&) {  // it is not allocated any more
    return "";
  }
  if (now == p.known) return "";
  element_type type = element_type::u32;
  std::string name = p.memory.lds ? "lds" : "";
  uint64_t begin = p.memory.begin;
  for (const auto& [buffer, place] : view_->buffers())
    if (!p.memory.lds && p.memory.begin >= place.begin && p.memory.begin < place.end) {
      type = place.type;
      name = buffer;
      begin = place.begin;
    }
  const size_t size = std::min<size_t>(size_of(type), now.size());
  std::string text;
  size_t changed = 0;
  for (size_t k = 0; k + size <= now.size(); k += size) {
    if (std::memcmp(&now[k], &p.known[k], size) == 0 || ++changed > most_shown) continue;
    uint8_t before[sizeof(uint64_t)] = {}, after[sizeof(uint64_t)] = {};
    std::memcpy(before, &p.known[k], size);
    std::memcpy(after, &now[k], size);
    const uint64_t at = p.memory.begin + k;
    const std::string what = p.memory.lds   ? fmt::format("lds[{:#x}]", at)
                             : name.empty() ? fmt::format("*{:#x}", at)
                                            : fmt::format("{}[{}]", name, (at - begin) / size);
    text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : "\n", what,
                        platform::text_of(type, load_element(type, before)),
                        platform::text_of(type, load_element(type, after)));
  }
  if (changed > most_shown) text += fmt::format("\nand {} more", changed - most_shown);
  p.known = now;
  return text.empty() ? "it has changed" : text;
}

bool debugger::watch_sees(point& p, const isa::memory_access& a, stop& s) {
  const bool reads = !a.is_store || a.is_atomic, writes = a.is_store || a.is_atomic;
  if ((p.kind == point_kind::read && !reads) || (p.kind == point_kind::write && !writes)) return false;
  const uint64_t lanes = touched(p, s.at, a);
  if (lanes == 0) return false;
  std::string text = p.kind == point_kind::write ? changes_in(p, s.at) : fmt::format("{}: accessed", p.text);
  if (text.empty()) return false;
  if (!meets(p, s, lanes)) return false;
  if (s.lane < 0) s.lane = __builtin_ctzll(lanes);
  s.text += (s.text.empty() ? "" : "\n") + text + fmt::format("\nby lanes {:#018x}", lanes);
  return true;
}

void debugger::accessed(uint32_t cu, const wf_context& c, const isa::inst& i, const isa::memory_access& a, cycle_t at) {
  if (!points.watches_memory() || given_up_) return;
  stop s = stop_at(stop_reason::point, cu, c, i.pc, at);
  view_->current = {};
  for (const auto& p : points.all())
    if (p->enabled && is_memory(p->kind)) watch_sees(*p, a, s);
  if (!s.points.empty()) tell_behind(s);
}

void debugger::issued(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  if (!points.has(point_kind::value) || given_up_) return;
  stop s = stop_at(stop_reason::point, cu, c, i.pc, at);
  view_->current = {};
  for (const auto& p : points.all()) {
    if (!p->enabled || p->kind != point_kind::value || !view_->has_name(cu, c, p->of)) continue;
    std::optional<value> now;
    try {
      now = p->watched->evaluate({view_.get(), s.at, p->lane, s.cycle});
    } catch (const input_error&) {  // what it reads is not there, or not here: the path is in another function
      continue;
    }
    const std::optional<value> before = std::exchange(p->last, now);
    if (!before || *before == *now || !meets(*p, s, c.state.active())) continue;
    s.text += fmt::format("{}{}: {} -> {}", s.text.empty() ? "" : "\n", p->text, bits_of(*before), bits_of(*now));
    if (s.lane < 0) s.lane = p->lane;
  }
  if (!s.points.empty()) tell_behind(s);
}

// Going back leads to where the instruction is about to be executed: the position before it.
void debugger::tell_or_note(const stop& s, uint64_t behind) {
  if (!is_repeating()) return tell(s);
  const uint64_t begins = position() - std::min(behind, position());
  if (back_->looks && !back_->line && begins < back_->until) back_->found = begins;
}

void debugger::tell_behind(const stop& s) {
  tell_or_note(s, 1);
  if (given_up_) end_at_instruction();
}

}  // namespace pws::platform::debug
