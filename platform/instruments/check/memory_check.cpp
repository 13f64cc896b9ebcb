// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/memory_check.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pws::platform {

namespace {
std::string done_by(const host_action& a, const char* how) {
  return a.text.empty() ? "" : fmt::format(", {} by {}", how, a.text);
}
}  // namespace

// The one whose bytes have the address; nullptr: none.
const memory_check::blocks::value_type* memory_check::holder(const blocks& of, uint64_t address) {
  auto at = of.upper_bound(address);
  if (at == of.begin()) return nullptr;
  --at;
  return address - at->first < at->second.bytes ? &*at : nullptr;
}

// The one in front of the address, in which an access that goes too far has most likely begun; nullptr: it is far away.
const memory_check::blocks::value_type* memory_check::next_to(uint64_t address) const {
  const auto at = live_.upper_bound(address);
  if (at == live_.begin()) return nullptr;
  const blocks::value_type& b = *std::prev(at);
  return address - b.first - b.second.bytes < isa::global_memory::page_bytes ? &b : nullptr;
}

void memory_check::allocated(uint64_t address, uint64_t bytes, const std::string& name) {
  freed_.taken(address, bytes);
  live_[address] = {bytes, name, host_ ? host_() : host_action{}, {}};
}

void memory_check::released(uint64_t address) {
  const auto at = live_.find(address);
  if (at == live_.end()) return;
  block& b = freed_.add(address, std::move(at->second));
  b.freed = host_ ? host_() : host_action{};
  live_.erase(at);
}

void memory_check::faulted(uint32_t cu, const models::wf_context& c, const isa::inst* i, const program_error& e) {
  const auto* fault = dynamic_cast<const isa::memory_fault*>(&e);
  if (fault == nullptr) return;
  check::finding f;
  f.what = fault->what();
  const uint64_t lane = fault->lane() == program_error::no_lane ? 0 : uint64_t{1} << fault->lane();
  f.here = site_of(cu, c, i == nullptr ? c.state.pc : i->pc, lane);
  add(std::move(f), fault->address(), fault->bytes(), memory_misuse::access, i == nullptr ? c.state.pc : i->pc);
}

void memory_check::misused(memory_misuse m, const std::string& why, uint64_t address, uint64_t bytes) {
  const host_action now = host_ ? host_() : host_action{};
  check::finding f;
  f.what = why;
  f.host_here = now.text;
  add(std::move(f), address, bytes, m, now.place);
}

void memory_check::add(check::finding f, uint64_t address, uint64_t bytes, memory_misuse m, uint64_t place) {
  f.check = check::family::memory;
  f.space = check::memory_space::global;
  f.address = address;
  f.bytes = bytes;
  const blocks::value_type* const live = holder(live_, address);
  const blocks::value_type* const freed = live == nullptr ? freed_.at(address) : nullptr;
  const blocks::value_type* const near = live != nullptr ? live : freed != nullptr ? freed : next_to(address);
  const bool too_far =
      m == memory_misuse::too_large || (live != nullptr && bytes > live->first + live->second.bytes - address);
  if (m == memory_misuse::release)
    f.rule = freed != nullptr ? "double_free" : "invalid_free";
  else if (freed != nullptr)
    f.rule = "use_after_free";
  else if (live == nullptr)
    f.rule = near != nullptr ? "past_the_end" : "outside_of_allocations";
  else
    f.rule = too_far ? "past_the_end" : "not_the_programs";
  if (!sink_.is_new(f.rule, place, 0)) return;
  if (near != nullptr) {
    const block& b = near->second;
    f.piece = fmt::format("{} of {} byte{}", b.name, b.bytes, b.bytes == 1 ? "" : "s");
    f.piece += address < near->first + b.bytes
                   ? (address == near->first ? "" : fmt::format(" + {:#x}", address - near->first))
                   : fmt::format(", {} bytes behind its end", address - near->first - b.bytes);
    f.piece += done_by(b.allocated, "allocated");
    if (freed != nullptr) {
      f.other.emplace();
      f.other_is = "freed by";
      f.host_other = b.freed.text;
    }
  }
  try {
    sink_.add(std::move(f));
  } catch (const program_error&) {  // the machine stops anyway, or it is the host's, and the log has it
  }
}

}  // namespace pws::platform
