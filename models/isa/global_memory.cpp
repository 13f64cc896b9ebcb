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

void global_memory::add(uint64_t begin, uint64_t size, std::string name, memory_use use) {
  if (size == 0) throw std::invalid_argument(fmt::format("allocation '{}' at 0x{:x} is empty", name, begin));
  if (begin < base_ || begin - base_ > size_ || size > size_ - (begin - base_))
    throw std::invalid_argument(
        fmt::format("allocation '{}' of {} bytes at 0x{:x} leaves the device memory [0x{:x},0x{:x})", name, size, begin,
                    base_, base_ + size_));
  const auto next = after(allocations_, begin);
  const allocation* hit = nullptr;
  if (next != allocations_.end() && next->begin - begin < size) hit = &*next;
  if (next != allocations_.begin() && std::prev(next)->end > begin) hit = &*std::prev(next);
  if (hit != nullptr)
    throw std::invalid_argument(
        fmt::format("allocation '{}' [0x{:x},0x{:x}) overlaps {}", name, begin, begin + size, describe(*hit)));
  allocations_.insert(next, allocation{begin, begin + size, std::move(name), use, rights_of(use)});
  hit_ = nullptr;
}

void global_memory::add_unserved(uint64_t begin, uint64_t size, std::string what) {
  if (begin < base_ + size_ && begin + size > base_)
    throw std::invalid_argument(fmt::format("unserved addresses from 0x{:x} overlap the device memory", begin));
  unserved_.push_back({begin, begin + size, std::move(what), memory_use::service, memory_access_rights()});
}

bool global_memory::remove(uint64_t begin) {
  const auto next = after(allocations_, begin);
  if (next == allocations_.begin() || std::prev(next)->begin != begin) return false;
  allocations_.erase(std::prev(next));
  hit_ = nullptr;
  return true;
}

void global_memory::keep(state_archive& a) {
  a.section("allocations");
  std::vector<allocation> all = allocations_;
  a.list(all, [](state_archive& b, allocation& one) {
    b(one.begin, one.end, one.name);
    b.index(one.use, memory_uses.size());
  });
  if (!a.restores()) return;
  allocations_.clear();
  hit_ = nullptr;
  try {
    for (allocation& one : all) add(one.begin, one.end - one.begin, std::move(one.name), one.use);
  } catch (const std::invalid_argument& e) {
    throw bad_state(e.what());
  }
}

const allocation* global_memory::find(uint64_t address) const {
  const auto next = after(allocations_, address);
  if (next == allocations_.begin()) return nullptr;
  const allocation& a = *std::prev(next);
  return address < a.end ? &a : nullptr;
}

const allocation* global_memory::nearest(uint64_t address) const {
  if (allocations_.empty()) return nullptr;
  const auto next = after(allocations_, address);
  if (next == allocations_.begin()) return &*next;
  const allocation& before = *std::prev(next);
  if (next == allocations_.end() || distance(before, address) <= distance(*next, address)) return &before;
  return &*next;
}

// The slow path of accesses that are in no allocation as a whole.
bool global_memory::tolerates(uint64_t address, uint32_t bytes, access_right right, bool for_write, int lane) const {
  if (fault_policy_ == fault_policy::none || address < base_ || address - base_ > size_ ||
      bytes > size_ - (address - base_))
    return false;
  if (fault_policy_ == fault_policy::window) return true;
  const auto next = after(allocations_, address);
  if (next == allocations_.begin()) return false;
  const allocation& a = *std::prev(next);
  const uint64_t end = (a.end + page_bytes - 1) / page_bytes * page_bytes;
  if (address >= end || bytes > end - address || !a.allows.has(right)) return false;
  if (next != allocations_.end() && next->begin < address + bytes) return false;
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
  const auto unserved = std::find_if(unserved_.begin(), unserved_.end(),
                                     [address](const allocation& u) { return address >= u.begin && address < u.end; });
  if (unserved != unserved_.end()) {
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
