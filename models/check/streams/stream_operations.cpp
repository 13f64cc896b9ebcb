// SPDX-License-Identifier: Apache-2.0
#include "models/check/streams/stream_operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::check {

namespace {

// Two kernels tell each other by atomics: one has looked at what the other has changed.
bool told(const page_bytes& by, const page_bytes& to) {
  for (size_t w = 0; w < page_bytes::words; ++w)
    if ((to[touch::heard][w] & (by[touch::written][w] | by[touch::atomic][w])) != 0) return true;
  return false;
}

uint64_t writes(const page_bytes& p, size_t w) {
  return p[touch::written][w];
}
uint64_t changes(const page_bytes& p, size_t w) {
  return p[touch::written][w] | p[touch::atomic][w];
}
uint64_t touched(const page_bytes& p, size_t w) {
  return changes(p, w) | p[touch::read][w];
}
// Bits of the bytes in which two accesses clash: one writes; or one is atomic, and the other a load that is none.
uint64_t clashes(const page_bytes& a, const page_bytes& b, size_t w) {
  return (writes(a, w) & touched(b, w)) | (touched(a, w) & writes(b, w)) | (a[touch::atomic][w] & b[touch::read][w]) |
         (a[touch::read][w] & b[touch::atomic][w]);
}

// What comes later and is not in order with `earlier` is not in order with `later` either: bytes that this one touches
// as much need to be kept of it alone. True: nothing is left of the earlier one's.
bool superseded(page_bytes& earlier, const page_bytes& later) {
  uint64_t left = 0;
  for (size_t w = 0; w < page_bytes::words; ++w) {
    earlier[touch::written][w] &= ~writes(later, w);
    earlier[touch::atomic][w] &= ~changes(later, w);
    earlier[touch::heard][w] &= ~changes(later, w);
    earlier[touch::read][w] &= ~(writes(later, w) | later[touch::read][w]);
    left |= touched(earlier, w);
  }
  return left == 0;
}

}  // namespace

uint32_t stream_operations::add_sequence() {
  numbers_.push_back(0);
  return static_cast<uint32_t>(numbers_.size() - 1);
}

operation_id stream_operations::begins(uint32_t sequence, const vector_clock& after, std::string what, uint64_t place) {
  auto o = std::make_unique<operation>();
  o->sequence = sequence;
  o->number = ++numbers_[sequence];
  o->clock = after;
  o->clock.learn({known_of::path(sequence), o->number});
  o->what = std::move(what);
  o->place = place;
  all_.emplace(++last_, std::move(o));
  return last_;
}

void stream_operations::touches(operation_id o, touch t, uint64_t address, uint64_t bytes) {
  if (o != 0) at(o).bytes.add(t, address, bytes);
}

void stream_operations::ends(operation_id id) {
  operation& o = at(id);
  std::vector<uint64_t> pages;
  for (const auto& [number, page] : o.bytes.pages()) pages.push_back(number);
  std::sort(pages.begin(), pages.end());

  std::set<operation_id> friends;  // which it tells, or hears of
  for (const uint64_t number : pages) {
    const auto there = index_.find(number);
    if (there == index_.end()) continue;
    const page_bytes& mine = *o.bytes.pages()[number];
    for (const entry& e : there->second)
      if (!o.comes_after(at(e.of)) && (told(*e.bytes, mine) || told(mine, *e.bytes))) friends.insert(e.of);
  }

  std::map<operation_id, meeting> meetings;
  for (const uint64_t number : pages) {
    std::vector<entry>& there = index_[number];
    std::unique_ptr<page_bytes>& mine = o.bytes.pages()[number];
    for (auto e = there.begin(); e != there.end();) {
      operation& other = at(e->of);
      if (o.comes_after(other)) {
        if (!superseded(*e->bytes, *mine)) {
          ++e;
          continue;
        }
        const operation_id gone = e->of;
        e = there.erase(e);
        if (--other.pages == 0) all_.erase(gone);
        continue;
      }
      if (friends.count(e->of) == 0)
        for (size_t w = 0; w < page_bytes::words; ++w)
          for (uint64_t left = clashes(*mine, *e->bytes, w); left != 0; left &= left - 1) {
            const uint64_t address = number * page_bytes::size + w * 64 + static_cast<unsigned>(__builtin_ctzll(left));
            meeting& m = meetings[e->of];
            if (m.bytes == 0) m.begin = m.end = address;
            if (m.end == address) ++m.end;
            ++m.bytes;
            m.both_write = m.both_write || (writes(*mine, w) & writes(*e->bytes, w) & (left & (0 - left))) != 0;
          }
      ++e;
    }
    there.push_back({id, std::move(mine)});
    ++o.pages;
  }
  o.bytes = {};
  o.ended = true;
  for (const auto& [other, m] : meetings) report(o, at(other), m);
  if (o.pages == 0) all_.erase(id);
}

void stream_operations::report(const operation& later, const operation& earlier, const meeting& m) {
  const std::string_view rule = m.both_write ? "unordered_writes" : "unordered_read_write";
  if (!sink_.is_new(rule, later.place, earlier.place)) return;
  finding f;
  f.check = family::streams;
  f.rule = rule;
  f.what = fmt::format("two operations {} the same {} byte{}, and nothing says which comes first",
                       m.both_write ? "write" : "read and write", m.bytes, m.bytes == 1 ? "" : "s");
  f.mend =
      "hipEventRecord behind the one and hipStreamWaitEvent before the other, or hipStreamSynchronize between them";
  f.host_here = later.what;
  f.other.emplace();
  f.other_is = "the other";
  f.host_other = earlier.what;
  f.space = memory_space::global;
  f.address = m.begin;
  f.bytes = m.end - m.begin;
  sink_.add(std::move(f));
}

void stream_operations::forget_covered(const vector_clock& by_all) {
  const auto is_covered = [&](const operation& o) {
    return o.ended && by_all.of(known_of::path(o.sequence)) >= o.number;
  };
  if (std::none_of(all_.begin(), all_.end(), [&](const auto& o) { return is_covered(*o.second); })) return;
  for (auto page = index_.begin(); page != index_.end();) {
    auto& list = page->second;
    list.erase(std::remove_if(list.begin(), list.end(), [&](const entry& e) { return is_covered(at(e.of)); }),
               list.end());
    page = list.empty() ? index_.erase(page) : std::next(page);
  }
  for (auto o = all_.begin(); o != all_.end();) o = is_covered(*o->second) ? all_.erase(o) : std::next(o);
}

void stream_operations::forget(uint64_t address, uint64_t bytes) {
  // Blocks of device memory begin at pages of their own.
  for (uint64_t page = address / page_bytes::size; page * page_bytes::size < address + bytes; ++page) {
    const auto there = index_.find(page);
    if (there == index_.end()) continue;
    for (const entry& e : there->second)
      if (--at(e.of).pages == 0) all_.erase(e.of);
    index_.erase(there);
  }
}

}  // namespace pws::check
