// SPDX-License-Identifier: Apache-2.0
#include "models/isa/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "base/state_archive.h"

namespace pws::isa {

namespace {

// Addresses below this are taken for null pointers with an offset, where the nearest allocation would say nothing.
constexpr uint64_t null_pointers = 1 << 16;

std::string describe(const allocation& a) {
  return fmt::format("'{}' [0x{:x},0x{:x})", a.name, a.begin, a.end);
}

// The first allocation that begins after `address`.
std::vector<allocation>::const_iterator after(const std::vector<allocation>& v, uint64_t address) {
  return std::upper_bound(v.begin(), v.end(), address, [](uint64_t x, const allocation& a) { return x < a.begin; });
}

// Bytes between the address and the allocation; 0 inside it.
uint64_t distance(const allocation& a, uint64_t address) {
  if (address < a.begin) return a.begin - address;
  return address >= a.end ? address - a.end + 1 : 0;
}

std::string where(const allocation& a, uint64_t address) {
  if (address < a.begin) return fmt::format("{} bytes before its start", a.begin - address);
  if (address == a.end) return "directly after its end";
  return fmt::format("{} bytes past its end", address - a.end);
}

}  // namespace

global_memory::global_memory() : all_(std::make_shared<places>()) {
  all_->views.push_back(this);
}

global_memory::global_memory(view_of other) : all_(other.memory.all_) {
  all_->views.push_back(this);
}

global_memory::~global_memory() {
  auto& views = all_->views;
  views.erase(std::find(views.begin(), views.end(), this));
}

void global_memory::set_window(uint8_t* storage, uint64_t base, uint64_t size) {
  all_->storage = storage;
  all_->base = base;
  all_->size = size;
  forget_hits();
}

void global_memory::set_window(memory_outside& m, uint64_t base, uint64_t size) {
  set_window(static_cast<uint8_t*>(nullptr), base, size);
  all_->behind = &m;
}

void global_memory::forget_hits() {
  for (global_memory* view : all_->views) view->hit_ = nullptr;
}

void global_memory::add(uint64_t begin, uint64_t size, std::string name, memory_use use) {
  if (size == 0) throw std::invalid_argument(fmt::format("allocation '{}' at 0x{:x} is empty", name, begin));
  if (begin < all_->base || begin - all_->base > all_->size || size > all_->size - (begin - all_->base))
    throw std::invalid_argument(
        fmt::format("allocation '{}' of {} bytes at 0x{:x} leaves the device memory [0x{:x},0x{:x})", name, size, begin,
                    all_->base, all_->base + all_->size));
  const auto next = after(all_->allocations, begin);
  const allocation* hit = nullptr;
  if (next != all_->allocations.end() && next->begin - begin < size) hit = &*next;
  if (next != all_->allocations.begin() && std::prev(next)->end > begin) hit = &*std::prev(next);
  if (hit != nullptr)
    throw std::invalid_argument(
        fmt::format("allocation '{}' [0x{:x},0x{:x}) overlaps {}", name, begin, begin + size, describe(*hit)));
  all_->allocations.insert(next, allocation{begin, begin + size, std::move(name), use, rights_of(use)});
  forget_hits();
}

void global_memory::add_unserved(uint64_t begin, uint64_t size, std::string what) {
  if (begin < all_->base + all_->size && begin + size > all_->base)
    throw std::invalid_argument(fmt::format("unserved addresses from 0x{:x} overlap the device memory", begin));
  all_->unserved.push_back({begin, begin + size, std::move(what), memory_use::service, memory_access_rights()});
}

bool global_memory::remove(uint64_t begin) {
  const auto next = after(all_->allocations, begin);
  if (next == all_->allocations.begin() || std::prev(next)->begin != begin) return false;
  all_->allocations.erase(std::prev(next));
  forget_hits();
  return true;
}

void global_memory::keep(state_archive& a) {
  a.section("allocations");
  std::vector<allocation> all = all_->allocations;
  a.list(all, [](state_archive& b, allocation& one) {
    b(one.begin, one.end, one.name);
    b.index(one.use, memory_uses.size());
  });
  if (!a.restores()) return;
  all_->allocations.clear();
  forget_hits();
  try {
    for (allocation& one : all) add(one.begin, one.end - one.begin, std::move(one.name), one.use);
  } catch (const std::invalid_argument& e) {
    throw bad_state(e.what());
  }
}

const allocation* global_memory::find(uint64_t address) const {
  const auto next = after(all_->allocations, address);
  if (next == all_->allocations.begin()) return nullptr;
  const allocation& a = *std::prev(next);
  return address < a.end ? &a : nullptr;
}

const allocation* global_memory::nearest(uint64_t address) const {
  if (all_->allocations.empty()) return nullptr;
  const auto next = after(all_->allocations, address);
  if (next == all_->allocations.begin()) return &*next;
  const allocation& before = *std::prev(next);
  if (next == all_->allocations.end() || distance(before, address) <= distance(*next, address)) return &before;
  return &*next;
}

// The slow path of accesses that are in no allocation as a whole.
bool global_memory::tolerates(uint64_t address, uint32_t bytes, access_right right, bool for_write, int lane) const {
  if (all_->policy == fault_policy::none || address < all_->base || address - all_->base > all_->size ||
      bytes > all_->size - (address - all_->base))
    return false;
  if (all_->policy == fault_policy::window) return true;
  const auto next = after(all_->allocations, address);
  if (next == all_->allocations.begin()) return false;
  const allocation& a = *std::prev(next);
  const uint64_t end = (a.end + page_bytes - 1) / page_bytes * page_bytes;
  if (address >= end || bytes > end - address || !a.allows.has(right)) return false;
  if (next != all_->allocations.end() && next->begin < address + bytes) return false;
  if (witness_ != nullptr) witness_->access_tolerated(address, bytes, for_write, lane);
  return true;
}

void global_memory::require(uint64_t address, uint32_t bytes, access_right right, bool for_write, int lane) const {
  const allocation* a = find(address);
  const bool allowed = a != nullptr && bytes <= a->end - address && a->allows.has(right);
  if (allowed || tolerates(address, bytes, right, for_write, lane)) return;
  throw memory_fault(describe_fault(address, bytes, for_write), lane, address, bytes, for_write);
}

namespace {
memory_fault no_access(const memory_outside& m, uint64_t address, uint32_t bytes, bool is_write, int lane) {
  return {fmt::format("{} of {} bytes at 0x{:x} is to {}, which gives neither direct nor debug access there",
                      is_write ? "write" : "read", bytes, address, m.what()),
          lane, address, bytes, is_write};
}
}  // namespace

void global_memory::read_outside(memory_outside& m, uint64_t address, void* to, uint32_t bytes, int lane) const {
  if (!m.read(address, to, bytes)) throw no_access(m, address, bytes, false, lane);
}

void global_memory::write_outside(memory_outside& m, uint64_t address, const void* from, uint32_t bytes,
                                  int lane) const {
  if (!m.write(address, from, bytes)) throw no_access(m, address, bytes, true, lane);
}

std::string global_memory::describe_fault(uint64_t address, uint32_t bytes, bool for_write) const {
  const allocation* a = find(address);
  std::string text =
      fmt::format("{} of {} byte{} at 0x{:x} ", for_write ? "write" : "read", bytes, bytes == 1 ? "" : "s", address);
  const auto unserved = std::find_if(all_->unserved.begin(), all_->unserved.end(),
                                     [address](const allocation& u) { return address >= u.begin && address < u.end; });
  if (unserved != all_->unserved.end()) {
    text += fmt::format("is to {}, which this machine does not have", unserved->name);
  } else if (a != nullptr && bytes > a->end - address) {
    text += fmt::format("runs {} bytes past the end of {}", bytes - (a->end - address), describe(*a));
  } else if (a != nullptr) {
    const bool readable = a->allows.has(access_right::read);
    text += fmt::format("is to {}{}: {}", readable ? "read-only " : "", describe(*a), row_of(a->use).what);
  } else if (address < null_pointers) {
    text += "is outside every allocation: a null pointer, or an offset from one";
  } else if (const allocation* n = nearest(address); n != nullptr) {
    text += fmt::format("is outside every allocation; nearest is {}, {}", describe(*n), where(*n, address));
  } else {
    text += "is outside every allocation; there is none";
  }
  return text;
}

}  // namespace pws::isa
