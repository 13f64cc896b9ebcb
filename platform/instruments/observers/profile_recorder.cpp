// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/profile_recorder.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "models/isa/code/decode.h"
#include "models/machine/occupancy.h"
#include "models/memory/cache.h"
#include "platform/instruments/observers/profile.h"

namespace pws::platform {

namespace {

constexpr uint64_t line_bytes = 64;

// Lines that the lanes of an access touch, each once.
uint64_t lines_of(const isa::memory_access& a) {
  std::array<uint64_t, 2 * isa::wave_size*(1 + isa::memory_access::most_further)> lines;
  size_t n = 0;
  uint64_t latest = ~uint64_t{0};
  const auto add = [&](uint64_t lanes, const uint64_t* addresses) {
    for (uint64_t m = lanes; m != 0; m &= m - 1) {
      const uint64_t address = addresses[__builtin_ctzll(m)];
      const uint64_t first = address / line_bytes, last = (address + std::max(a.bytes_per_lane, 1u) - 1) / line_bytes;
      for (const uint64_t line : {first, last})
        if (line != latest) latest = lines[n++] = line;
    }
  };
  add(a.mask, a.address);
  for (unsigned k = 0; k < a.n_further; ++k) add(a.further[k].mask, a.further[k].address);
  std::sort(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(n));
  return static_cast<uint64_t>(std::unique(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(n)) - lines.begin());
}

}  // namespace

profile_recorder::profile_recorder(const models::gpu& gpu, const device_runtime& runtime)
    : gpu_(gpu),
      runtime_(runtime),
      contexts_per_unit_(models::contexts_per_unit(gpu.config)),
      units_(models::layout_of(gpu.config).count()),
      contexts_(size_t{gpu.config.n_cu} * units_ * contexts_per_unit_),
      l1_(gpu.memory.vector_l1.size()) {
  forget_l1();
}

profile_recorder::context& profile_recorder::context_of(uint32_t cu, const models::wf_context& c) {
  return contexts_[(size_t{cu} * units_ + c.unit.value) * contexts_per_unit_ + c.slot.value];
}

profile_counters& profile_recorder::counters_of(const isa::program& code, uint64_t pc) {
  if (&code != latest_program_) {
    code_counters& c = code_[&code];
    if (c.by_dword.empty()) {
      c.begin = code.begin();
      c.by_dword.resize((code.end() - code.begin()) / 4);
    }
    latest_program_ = &code;
    latest_code_ = &c;
  }
  return latest_code_->by_dword[(pc - latest_code_->begin) / 4];
}

void profile_recorder::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) {
  context_of(cu, c) = {&c, nullptr, at};
}

void profile_recorder::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  profile_counters& n = counters_of(*c.code, i.pc);
  ++n.issues;
  n.lanes += static_cast<uint64_t>(__builtin_popcountll(c.state.active()));
  context& own = context_of(cu, c);
  // What it has waited in front of it, and the cycle in which it issues.
  if (timed()) n.cycles += at + 1 - own.since;
  own.latest = &n;
  own.since = at + 1;
  if (i.unit == isa::unit::vector_memory && !l1_.empty()) {
    count_l1(cu);
    l1_[cu].latest = &n;
  }
}

void profile_recorder::accessed(uint32_t, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                                models::cycle_t) {
  if (a.where == isa::memory_access::space::global) counters_of(*c.code, i.pc).lines += lines_of(a);
}

// What it waits for: the instruction that it has come to, or the one that it has issued last where that holds it up.
profile_counters& profile_recorder::waits_at(const models::wf_context& c, const context& own, bool behind) {
  if (behind && own.latest != nullptr) return *own.latest;
  return counters_of(*c.code, c.front.next != nullptr ? c.front.next->pc : c.state.pc);
}

void profile_recorder::stalled(uint32_t cu, const models::wf_context& c, models::stall reason, models::cycle_t cycles) {
  using models::stall;
  context& own = context_of(cu, c);
  const bool behind = reason == stall::barrier || reason == stall::merge || reason == stall::other;
  profile_counters& n = waits_at(c, own, behind);
  n.stalls[static_cast<size_t>(reason)] += cycles;
  n.cycles += cycles;
  own.since += cycles;
}

void profile_recorder::wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) {
  context& own = context_of(cu, c);
  // A wavefront that ends in the cycle of its last issue does not have that cycle: the sum wraps around to one less.
  if (own.latest != nullptr && timed()) own.latest->cycles += at - own.since;
  own = {};
}

// All reads since the latest vector memory instruction were its own: a line is looked up when it issues.
void profile_recorder::count_l1(uint32_t cu) {
  const models::cache_statistics& s = gpu_.memory.vector_l1[cu]->statistics();
  l1_reads& seen = l1_[cu];
  if (seen.latest != nullptr) {
    const uint64_t hits = s.read_hits - seen.hits;
    seen.latest->l1_hits += hits;
    seen.latest->l1_misses += s.reads - seen.reads - hits;
  }
  seen.reads = s.reads;
  seen.hits = s.read_hits;
}

void profile_recorder::forget_l1() {
  for (uint32_t cu = 0; cu < l1_.size(); ++cu) {
    const models::cache_statistics& s = gpu_.memory.vector_l1[cu]->statistics();
    l1_[cu] = {s.reads, s.read_hits, nullptr};
  }
}

// In a launch that has been stopped: what wavefronts have waited until now, for a reason that is not counted yet.
void profile_recorder::count_unended() {
  if (!timed()) return;
  const models::cycle_t now = gpu_.clock.now();
  for (const context& own : contexts_) {
    if (own.of == nullptr || own.since >= now) continue;
    waits_at(*own.of, own, !models::stands(own.of->status)).cycles += now - own.since;
  }
}

void profile_recorder::note_objects() {
  for (const device_runtime::loaded_object& l : runtime_.loaded_after(latest_loading_)) {
    latest_loading_ = l.number;
    profiled_object o = described(*l.object, l.index);
    if (!o.functions.empty()) objects_.push_back(std::move(o));
  }
}

void profile_recorder::launch_ended() {
  count_unended();
  note_objects();
  for (uint32_t cu = 0; cu < l1_.size(); ++cu) count_l1(cu);
  forget_l1();
  for (const auto& [program, code] : code_) {
    for (size_t k = 0; k < code.by_dword.size(); ++k) {
      const profile_counters& n = code.by_dword[k];
      const uint64_t pc = code.begin + 4 * k;
      const isa::inst* i = n.issues == 0 && n.cycles == 0 ? nullptr : runtime_.instruction_at(pc);
      if (i == nullptr) continue;
      const loader::image* image = runtime_.image_at(pc);
      const std::string text = isa::disassemble(*i);
      const object_name object{image->name, runtime_.object_index_at(pc)};
      const loader::symbol* s = image->at(pc);
      const auto [at, is_new] = result_.try_emplace(place{object, pc - image->base, s == nullptr ? "" : s->name, text});
      profiled_instruction& p = at->second;
      if (is_new) {
        p.object = object;
        if (s != nullptr) {
          p.function = s->demangled;
          p.symbol = s->name;
        }
        p.offset = pc - image->base;
        p.instruction = text;
        p.lines = runtime_.source_at(pc);
      }
      p.counted += n;
    }
  }
  code_.clear();
  latest_program_ = nullptr;
  std::fill(contexts_.begin(), contexts_.end(), context{});
}

profile profile_recorder::result() {
  note_objects();
  profile p;
  p.objects = objects_;
  for (const auto& [where, i] : result_) p.instructions.push_back(i);
  return p;
}

}  // namespace pws::platform
