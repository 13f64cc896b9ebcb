// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/finding_log.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/machine/ids.h"

namespace pws::platform {

void finding_log::note_launch(const models::dispatch& d) {
  launches_.emplace(d.number(), launch_name{d.kernel, d.setup.entry, d.workgroups});
}

bool finding_log::is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) {
  ++count_;
  const auto [at, is_new] = places_.try_emplace({rule, pc, other_pc}, findings_.size());
  if (is_new) {
    at->second = std::min(findings_.size(), most_listed);
  } else if (at->second < findings_.size()) {
    ++findings_[at->second].count;
  }
  return is_new;
}

void finding_log::add(check::finding f) {
  const bool stops = gpu_.config.check.stop == models::check_stop::first;
  const std::string text =
      fmt::format("check.{}: {}{}{}", name_of(f.check), f.what, f.mend.empty() ? "" : "; mend: ", f.mend);
  if (findings_.size() < most_listed) {
    described_finding d;
    d.here = describe(f.here);
    if (f.other) d.other = describe(*f.other);
    if (f.space == check::memory_space::global) d.memory = f.piece.empty() ? memory_at(f.address) : f.piece;
    d.found = std::move(f);
    d.count = 1;
    findings_.push_back(std::move(d));
    if (hears_ && !stops) hears_(findings_.back());
  }
  if (stops) throw program_error(text);
}

described_site finding_log::describe(const check::site& s) const {
  described_site d;
  const auto launch = launches_.find(s.launch);
  if (launch == launches_.end()) return d;
  const launch_name& l = launch->second;
  d.kernel = l.kernel;
  d.offset = static_cast<int64_t>(s.pc - l.entry);
  if (const isa::inst* i = runtime_.instruction_at(s.pc)) d.instruction = isa::disassemble(*i);
  if (s.pc != 0) d.source = loader::text(runtime_.source_at(s.pc));
  const uint64_t x = l.workgroups[0], xy = x * l.workgroups[1];
  if (xy != 0)
    d.workgroup = {static_cast<uint32_t>(s.workgroup % x), static_cast<uint32_t>(s.workgroup % xy / x),
                   static_cast<uint32_t>(s.workgroup / xy)};
  d.context =
      fmt::format("cu{}.{}", s.cu, models::context_name(gpu_.config, models::unit_id(s.unit), models::slot_id(s.slot)));
  return d;
}

std::string finding_log::memory_at(uint64_t address) const {
  const isa::allocation* a = gpu_.allocations.find(address);
  if (a == nullptr) return "";
  return address == a->begin ? a->name : fmt::format("{} + {:#x}", a->name, address - a->begin);
}

}  // namespace pws::platform
