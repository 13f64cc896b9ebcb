// SPDX-License-Identifier: Apache-2.0
#include "models/check/coherence/coherence.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/check/shadow/lanes.h"

namespace pws::check {

namespace {

constexpr std::string_view stale_vector = "stale_vector_line", stale_scalar = "stale_scalar_line",
                           stale_code = "stale_instruction_line", not_written_back = "scalar_store_not_written_back";

}  // namespace

// Times are compared within a launch only, so they may begin anew before they run out.
void coherence::launch_begins() {
  if (now_ > ~uint32_t{0} / 2) {
    now_ = 1;
    bytes_.clear();
    pages_.clear();
    last_page_ = nullptr;
    last_page_number_ = ~uint64_t{0};
  }
  ++now_;
  for (caches& c : cus_) {
    c.vector_from = c.scalar_from = c.code_from = now_;
    c.written_back = now_ - 1;
    c.unwritten.clear();
  }
  scalar_stores_ = false;
  paths_.resize(1);
  written_code_.clear();
}

void coherence::launch_ended() {
  for (caches& c : cus_) {
    for (const site& s : c.unwritten) {
      if (!sink_.is_new(not_written_back, s.pc, 0)) continue;
      finding f;
      f.check = family::coherence;
      f.rule = not_written_back;
      f.what = "this scalar store is still in the scalar cache when the kernel ends: it need not reach memory";
      f.mend = "s_dcache_wb before s_endpgm";
      f.here = s;
      sink_.add(std::move(f));
    }
    c.unwritten.clear();
  }
}

uint32_t coherence::path_started(const site& where) {
  paths_.push_back(where);
  return static_cast<uint32_t>(paths_.size()) - 1;
}

void coherence::scalar_written_back(uint32_t cu) {
  cus_[cu].written_back = now_;
  cus_[cu].unwritten.clear();
}

void coherence::code_at(uint64_t begin, uint64_t end) {
  code_begin_ = begin;
  code_end_ = end;
}

uint32_t coherence::number_of(uint64_t pc) {
  if (pc == last_pc_) return last_number_;
  const auto [at, is_new] = numbers_.try_emplace(pc, static_cast<uint32_t>(pcs_.size()));
  if (is_new) pcs_.push_back(pc);
  last_pc_ = pc;
  last_number_ = at->second;
  return last_number_;
}

coherence::page& coherence::page_of(uint64_t line) {
  const uint64_t number = line / lines_per_page;
  if (number != last_page_number_) {
    page& p = pages_[number];
    if (p.vector_fill.empty()) {
      p.vector_fill.resize(cus_.size() * lines_per_page);
      p.scalar_fill.resize(cus_.size() * lines_per_page);
    }
    last_page_number_ = number;
    last_page_ = &p;
  }
  return *last_page_;
}

void coherence::access(uint32_t path, const cached_access& a) {
  if (a.mask == 0) return;
  if (a.does == cached_access::kind::load || a.does == cached_access::kind::past_cache)
    load(path, a);
  else
    write(path, a);
}

void coherence::load(uint32_t path, const cached_access& a) {
  const site me = paths_[path];
  const bool past = a.does == cached_access::kind::past_cache;
  if (past && !scalar_stores_) return;
  const caches& c = cus_[me.cu];
  const uint32_t valid_from = a.scalar ? c.scalar_from : c.vector_from;
  found_.clear();
  uint64_t known_line = ~uint64_t{0};  // filled, and nothing was written to it since
  for_each_lane(a.mask, [&](uint32_t l) {
    const uint64_t begin = a.address[l], end = begin + a.bytes;
    for (uint64_t line = begin / line_bytes; line <= (end - 1) / line_bytes; ++line) {
      if (line == known_line) continue;
      page& p = page_of(line);
      const size_t at = line % lines_per_page;
      uint32_t filled = now_;
      if (!past) {
        uint32_t& fill = (a.scalar ? p.scalar_fill : p.vector_fill)[me.cu * lines_per_page + at];
        if (fill < valid_from) fill = now_;
        filled = fill;
      }
      if (p.last_write[at] <= filled && !scalar_stores_) {
        known_line = line;
        continue;
      }
      const uint64_t from = std::max(begin, line * line_bytes), to = std::min(end, (line + 1) * line_bytes);
      look(me, a, l, from, static_cast<uint32_t>(to - from), filled);
    }
  });
  if (!found_.empty()) report(me, a);
}

void coherence::look(const site& me, const cached_access& a, uint32_t lane, uint64_t address, uint32_t bytes,
                     uint32_t filled) {
  bytes_.visit(address, bytes, [&](const cell& c, uint64_t at, uint32_t n) {
    if (c.time == 0 || c.path >= paths_.size()) return;
    const bool scalar_store = (c.place & by_scalar_store) != 0;
    const bool own = c.path != 0 && paths_[c.path].cu == me.cu;
    if (scalar_store && a.scalar && own) return;  // it is in that very cache
    if (scalar_store && c.time > cus_[paths_[c.path].cu].written_back) {
      note(not_written_back, c, lane, at, n);
      return;
    }
    if (c.time <= filled) return;
    if (!a.scalar && own && !scalar_store) return;  // vector stores go through the own cache and keep it right
    note(a.scalar ? stale_scalar : stale_vector, c, lane, at, n);
  });
}

// After 4e9 stores and invalidations of one launch all have the same time, and nothing is found any more.
uint32_t coherence::next_time() {
  if (now_ != ~uint32_t{0}) ++now_;
  return now_;
}

void coherence::write(uint32_t path, const cached_access& a) {
  const site me = paths_[path];
  next_time();
  const bool atomic = a.does == cached_access::kind::atomic;
  const uint32_t place = number_of(a.pc) << 9 | (a.scalar ? by_scalar_store : 0u);
  for_each_lane(a.mask, [&](uint32_t l) {
    const uint64_t begin = a.address[l], end = begin + a.bytes;
    for (uint64_t line = begin / line_bytes; line <= (end - 1) / line_bytes; ++line) {
      page& p = page_of(line);
      p.last_write[line % lines_per_page] = now_;
      if (atomic) p.vector_fill[me.cu * lines_per_page + line % lines_per_page] = 0;
    }
    bytes_.visit(begin, a.bytes, [&](cell& c, uint64_t, uint32_t) {
      const uint32_t parts = c.parts;
      c = {now_, path, place | l << 3, parts};
    });
    if (begin < code_end_ && end > code_begin_)
      for (uint64_t d = begin / 4; d <= (end - 1) / 4; ++d) written_code_.insert(d);
  });
  if (!a.scalar) return;
  scalar_stores_ = true;
  site s = me;
  s.pc = a.pc;
  std::vector<site>& unwritten = cus_[me.cu].unwritten;
  if (std::none_of(unwritten.begin(), unwritten.end(), [&](const site& u) { return u.pc == s.pc; }))
    unwritten.push_back(s);
}

void coherence::host_wrote(uint64_t address, uint64_t bytes) {
  if (paths_.size() == 1) return;  // between launches: no cache holds anything
  next_time();
  for (uint64_t at = address; at < address + bytes; at += 4) {
    const auto n = static_cast<uint32_t>(std::min<uint64_t>(4, address + bytes - at));
    bytes_.visit(at, n, [&](cell& c, uint64_t, uint32_t) {
      const uint32_t parts = c.parts;
      c = {now_, 0, 0, parts};
    });
    page_of(at / line_bytes).last_write[at / line_bytes % lines_per_page] = now_;
    page_of((at + n - 1) / line_bytes).last_write[(at + n - 1) / line_bytes % lines_per_page] = now_;
  }
}

// An instruction cache may hold the line since the launch began.
void coherence::fetch_written(uint32_t path, uint64_t pc, uint32_t bytes) {
  const site me = paths_[path];
  for (uint64_t d = pc / 4; d <= (pc + bytes - 1) / 4; ++d) {
    if (written_code_.count(d) == 0) continue;
    found_.clear();
    bytes_.visit(4 * d, 4, [&](const cell& c, uint64_t at, uint32_t n) {
      if (c.time >= cus_[me.cu].code_from) note(stale_code, c, 0, at, n);
    });
    cached_access a;
    a.pc = pc;
    if (!found_.empty()) report(me, a);
    return;
  }
}

// ---- findings

void coherence::note(std::string_view rule, const cell& c, uint32_t lane, uint64_t address, uint32_t bytes) {
  const uint64_t other_lane = uint64_t{1} << (c.place >> 3 & 63);
  for (meeting& m : found_)
    if (m.rule == rule && m.place >> 9 == c.place >> 9 && (m.path == 0) == (c.path == 0)) {
      m.lanes |= uint64_t{1} << lane;
      if (m.path == c.path) m.other_lanes |= other_lane;
      return;
    }
  found_.push_back({rule, c.path, c.place, uint64_t{1} << lane, other_lane, address, bytes});
}

void coherence::report(const site& me, const cached_access& a) {
  for (const meeting& m : found_) {
    const uint64_t other_pc = m.path == 0 ? 0 : pcs_[m.place >> 9];
    if (!sink_.is_new(m.rule, a.pc, other_pc)) continue;
    finding f;
    f.check = family::coherence;
    f.rule = m.rule;
    f.here = me;
    f.here.pc = a.pc;
    f.here.lanes = a.scalar ? 0 : m.lanes;
    site other = m.path == 0 ? site{} : paths_[m.path];
    if (m.path != 0) {
      other.pc = other_pc;
      other.lanes = (m.place & by_scalar_store) != 0 ? 0 : m.other_lanes;
    }
    const bool own = m.path != 0 && other.cu == me.cu;
    f.other = other;
    f.other_is = "written by";
    f.space = memory_space::global;
    f.address = m.address;
    f.bytes = m.bytes;
    const char* unit = m.bytes == 1 ? "byte" : "bytes";
    const char* who = m.path == 0 ? "the host has" : own ? "its own compute unit has" : "another compute unit has";
    if (m.rule == stale_vector) {
      f.what = fmt::format(
          "{} {} of a line that this compute unit's vector cache may hold are loaded, and {} written "
          "them since",
          m.bytes, unit, who);
      f.mend =
          "buffer_wbinvl1 (a fence that acquires) before the load, after what tells that the bytes are written; or glc "
          "(volatile or atomic)";
    } else if (m.rule == stale_scalar) {
      f.what = fmt::format("{} {} of a line that the scalar cache may hold are loaded, and {} written them since",
                           m.bytes, unit, who);
      f.mend = "s_dcache_inv before the load, or a vector load";
    } else if (m.rule == stale_code) {
      f.what = fmt::format(
          "code that {} written in this launch is executed: the instruction cache may hold what was there", who);
      f.mend = "s_icache_inv before it";
      f.here.lanes = 0;
    } else {
      f.what =
          fmt::format("{} {} are loaded that a scalar store has written into the scalar cache alone", m.bytes, unit);
      f.mend = "s_dcache_wb after the store";
    }
    sink_.add(std::move(f));
  }
}

}  // namespace pws::check
