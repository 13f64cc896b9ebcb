// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace pws::hip {

namespace {
constexpr uint64_t set_aside = 1 << 20;

const char* name_of(memory_kind k) {
  return k == memory_kind::device    ? "device"
         : k == memory_kind::host    ? "pinned host"
         : k == memory_kind::managed ? "managed"
                                     : "fine-grained";
}
}  // namespace

memory::memory(models::gpu& gpu, device_runtime& runtime, memory_list& all, int number)
    : gpu_(gpu),
      runtime_(runtime),
      all_(all),
      number_(number),
      first_(gpu.memory.dram.base()),
      window_(gpu.memory.dram.storage(), first_, total()),
      at_first_(runtime.free_memory()) {
  for (memory* other : all_)
    for (const auto& [address, b] : other->blocks_)
      if (other->is_seen_by(*this, b)) gpu_.allocations.add(address, b.bytes, "memory of another device");
  all_.push_back(this);
}

memory::~memory() {
  all_.erase(std::find(all_.begin(), all_.end(), this));
  for (memory* other : all_)
    other->peers_.erase(std::remove(other->peers_.begin(), other->peers_.end(), this), other->peers_.end());
}

// ---- several devices

memory* memory::of(uint64_t address) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [address](const memory* m) { return m->is_own(address); });
  return at == all_.end() ? nullptr : *at;
}

bool memory::is_seen_by(const memory& other, const memory_block& b) const {
  if (b.kind == memory_kind::host || b.kind == memory_kind::managed || b.registered != nullptr) return true;
  return std::find(other.peers_.begin(), other.peers_.end(), this) != other.peers_.end();
}

void memory::share(const memory_block& b) {
  for (memory* other : all_)
    if (other != this && is_seen_by(*other, b))
      other->gpu_.allocations.add(b.address, b.bytes, "memory of another device");
}

void memory::unshare(const memory_block& b) {
  for (memory* other : all_)
    if (other != this) other->gpu_.allocations.remove(b.address);
}

bool memory::reach(memory& peer) {
  if (std::find(peers_.begin(), peers_.end(), &peer) != peers_.end()) return false;
  for (const auto& [address, b] : peer.blocks_)
    if (!peer.is_seen_by(*this, b)) gpu_.allocations.add(address, b.bytes, "memory of another device");
  peers_.push_back(&peer);
  return true;
}

bool memory::leave(memory& peer) {
  const auto at = std::find(peers_.begin(), peers_.end(), &peer);
  if (at == peers_.end()) return false;
  peers_.erase(at);
  for (const auto& [address, b] : peer.blocks_)
    if (!peer.is_seen_by(*this, b)) gpu_.allocations.remove(address);
  return true;
}

void memory::leave_all() {
  while (!peers_.empty()) leave(*peers_.back());
}

bool memory::has_registered() const {
  return std::any_of(all_.begin(), all_.end(), [](const memory* m) { return !m->ranges_.empty(); });
}

uint64_t memory::unused() const {
  const uint64_t left = runtime_.free_memory(), aside = std::min<uint64_t>(set_aside, total() / 16);
  uint64_t of_blocks = 0, of_hosts = 0;  // of the heap, in all blocks, and in pinned and registered ones
  for (const auto& [address, b] : blocks_) {
    of_blocks += b.taken;
    if (b.kind == memory_kind::host || b.registered != nullptr) of_hosts += b.taken;
  }
  const uint64_t runtimes_own = at_first_ - of_blocks - left;  // since then
  const uint64_t still_aside = runtimes_own < aside ? aside - runtimes_own : 0;
  return (left > still_aside ? left - still_aside : 0) + of_hosts;
}

uint64_t memory::allocate(uint64_t bytes, memory_kind kind, unsigned flags, isa::memory_use use) {
  uint64_t address = 0;
  const uint64_t before = runtime_.free_memory();
  try {
    address = runtime_.allocate(
        bytes,
        use == isa::memory_use::buffer ? fmt::format("{} memory", name_of(kind)) : std::string(isa::row_of(use).what),
        device_heap::alignment, use);
  } catch (const input_error& e) {
    throw failure(hipErrorOutOfMemory, e.what());
  }
  if (kind != memory_kind::device && !window_.show(address, bytes)) {
    runtime_.release(address);
    throw failure(hipErrorOutOfMemory, fmt::format("the host's addresses from {:#x} on, where {} memory has to be, "
                                                   "are taken",
                                                   first_, name_of(kind)));
  }
  static uint32_t last_id = 0;
  blocks_[address] = {address, bytes, kind, flags, nullptr, before - runtime_.free_memory(), {}, use, ++last_id};
  share(blocks_[address]);
  freed_.taken(address, bytes);
  live_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, live_bytes_);
  return address;
}

std::string memory::describe(uint64_t address) const {
  if (const memory* other = of(address); other != nullptr && other != this) return other->describe(address);
  if (const auto* live = block_at(blocks_, address))
    return fmt::format("{:#x} is {} bytes into a block of {} memory of {} bytes", address, address - live->first,
                       name_of(live->second.kind), live->second.bytes);
  if (const auto* old = freed_.at(address))
    return fmt::format("{:#x} is {} bytes into a block of {} bytes that has been freed", address, address - old->first,
                       old->second.bytes);
  if (is_device_address(address))
    return fmt::format("{:#x} is in no block of device memory{}", address,
                       freed_.has_forgotten()
                           ? fmt::format("; of those that were freed only the latest {} are known", longest_history)
                           : "");
  return fmt::format("{:#x} is no address of device memory", address);
}

void memory::release(uint64_t address, std::vector<memory_kind> kinds, hipError_t code) {
  if (memory* other = of(address); other != nullptr && other != this) return other->release(address, kinds, code);
  const auto it = blocks_.find(address);
  if (it == blocks_.end())
    throw memory_failure(code, describe(address) + ": not the beginning of a block that can be freed",
                         memory_misuse::release, address, 1);
  const memory_block b = it->second;
  if (b.registered != nullptr && ranges_.count(b.registered) != 0)
    throw failure(code, fmt::format("{:#x} is registered host memory, which hipHostUnregister gives back", address));
  if (std::find(kinds.begin(), kinds.end(), b.kind) == kinds.end())
    throw failure(code, fmt::format("{:#x} is {} memory, which another function frees", address, name_of(b.kind)));
  if (b.kind != memory_kind::device) window_.hide(address, b.bytes);
  unshare(b);
  runtime_.release(address);
  blocks_.erase(it);
  freed_.add(address, b);
  live_bytes_ -= b.bytes;
}

void memory::release_all() {
  ranges_.clear();
  while (!blocks_.empty()) release(blocks_.begin()->first, {blocks_.begin()->second.kind}, hipErrorUnknown);
}

const memory_block* memory::find(uint64_t address) const {
  const memory* const m = of(address);
  if (m != this) return m == nullptr ? nullptr : m->find(address);
  const auto* live = block_at(blocks_, address);
  return live == nullptr ? nullptr : &live->second;
}
memory_block* memory::find(uint64_t address) {
  return const_cast<memory_block*>(std::as_const(*this).find(address));
}

const registered_range* memory::find_registered(const void* host) const {
  for (const memory* m : all_) {
    auto it = m->ranges_.upper_bound(host);
    if (it == m->ranges_.begin()) continue;
    --it;
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(host) - it->second.host);
    if (offset < it->second.bytes) return &it->second;
  }
  return nullptr;
}

void memory::register_host(void* host, uint64_t bytes, unsigned flags) {
  auto* begin = static_cast<uint8_t*>(host);
  const auto overlaps = [&](const memory* m) {
    const auto next = m->ranges_.lower_bound(host);
    return next != m->ranges_.end() && next->second.host < begin + bytes;
  };
  if (find_registered(host) != nullptr || std::any_of(all_.begin(), all_.end(), overlaps))
    throw failure(hipErrorHostMemoryAlreadyRegistered,
                  fmt::format("part of {} bytes at {} is registered already", bytes, host));
  const uint64_t device = allocate(bytes, memory_kind::device, flags);
  unshare(blocks_.at(device));  // from those that it is seen by as a device's
  blocks_.at(device).registered = begin;
  share(blocks_.at(device));
  ranges_[host] = {begin, bytes, device, flags};
}

void memory::unregister_host(void* host) {
  for (memory* other : all_)
    if (other != this && other->ranges_.count(host) != 0) return other->unregister_host(host);
  const auto it = ranges_.find(host);
  if (it == ranges_.end())
    throw failure(hipErrorHostMemoryNotRegistered, fmt::format("no registered memory begins at {}", host));
  const uint64_t device = it->second.device;
  ranges_.erase(it);
  release(device, {memory_kind::device}, hipErrorUnknown);
}

void memory::copy_registered_in() {
  for (const memory* m : all_)
    for (const auto& [host, r] : m->ranges_) m->runtime_.write(r.device, r.host, r.bytes);
}

// All of it was written before the launch; what the host then reads is not known.
void memory::copy_registered_out() {
  for (const memory* m : all_)
    for (const auto& [host, r] : m->ranges_) m->runtime_.peek(r.device, r.host, r.bytes);
}

void memory::note_visible_writes() {
  for (const auto& [address, b] : blocks_)
    if (b.kind != memory_kind::device) runtime_.note_host_write(address, b.bytes);
}

// Before such memory is copied.
void memory::note_if_visible(uint64_t address, uint64_t bytes) {
  const memory_block* b = find(address);
  if (b != nullptr && b->kind != memory_kind::device) runtime_.note_host_write(address, bytes);
}

// ---- access

bool memory::is_device_address(uint64_t address) const {
  return of(address) != nullptr;
}

place memory::locate(const void* pointer, uint64_t bytes, const char* what) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (!is_device_address(address)) {
    if (pointer == nullptr) throw failure(hipErrorInvalidValue, fmt::format("{} is a null pointer", what));
    return {false, address};
  }
  uint64_t begin = 0, end = 0;
  const memory_block* const block = find(address);
  if (block != nullptr && isa::rights_of(block->use).has(isa::access_right::host)) {
    begin = block->address;
    end = begin + block->bytes;
  } else if (const isa::allocation* a = of(address)->gpu_.allocations.find(address)) {
    std::tie(begin, end) = of(address)->piece_of(*a, address, bytes, what);
  } else {
    throw memory_failure(hipErrorInvalidValue, fmt::format("{}: {}", what, describe(address)), memory_misuse::access,
                         address, bytes);
  }
  if (bytes > end - address)
    throw memory_failure(
        hipErrorInvalidValue,
        fmt::format("{}: {} bytes from {:#x} on pass the end of its block by {} ({} bytes from {:#x} on)", what, bytes,
                    address, bytes - (end - address), end - begin, begin),
        memory_misuse::too_large, address, bytes);
  if (block != nullptr && block->registered != nullptr)
    return {false, reinterpret_cast<uint64_t>(block->registered) + (address - begin)};
  return {true, address};
}

// For what is in no block: a variable of a program, or memory that device code has allocated. Throws failure.
std::pair<uint64_t, uint64_t> memory::piece_of(const isa::allocation& a, uint64_t address, uint64_t bytes,
                                               const char* what) const {
  const loader::symbol* const s = runtime_.symbol_at(address);
  const bool named = s != nullptr && s->kind == loader::symbol_kind::variable && s->size != 0;
  if (!a.allows.has(isa::access_right::host) || (a.use == isa::memory_use::constants && !named))
    throw memory_failure(hipErrorInvalidValue,
                         fmt::format("{}: {:#x} is in '{}' ({}), which is not the program's to copy or fill", what,
                                     address, a.name, isa::row_of(a.use).what),
                         memory_misuse::access, address, bytes);
  if (named) return {s->address, s->address + s->size};
  return {a.begin, a.end};
}

// As ROCm's runtime, which goes by the pointers: the kind decides only where both are memory that it does not know.
void memory::check_kind(const place& to, const place& from, hipMemcpyKind kind) const {
  const auto is_known = [&](const place& p) {
    return p.on_device || find_registered(reinterpret_cast<const void*>(p.address)) != nullptr;
  };
  if (kind == hipMemcpyDefault || kind == hipMemcpyHostToHost || is_known(to) || is_known(from)) return;
  throw failure(
      hipErrorInvalidValue,
      fmt::format("{:#x} and {:#x} are both host memory, not what the kind of copy says", to.address, from.address));
}

// For registered memory its copy on the device is meant, which kernels work on.
void memory::tell_access(const place& p, uint64_t bytes, bool written) const {
  const auto* host = reinterpret_cast<const uint8_t*>(p.address);
  if (p.on_device)
    on_access_(p.address, bytes, written);
  else if (const registered_range* r = find_registered(host))
    on_access_(r->device + static_cast<uint64_t>(host - r->host), bytes, written);
}

void memory::move(const place& to, const place& from, uint64_t bytes) {
  if (on_access_) {
    tell_access(from, bytes, false);
    tell_access(to, bytes, true);
  }
  if (to.on_device && from.on_device) {
    std::memmove(bytes_at(to.address), bytes_at(from.address), bytes);
    note_if_visible(from.address, bytes);
    // Pinned memory is the host's: nobody hears how it reads it later.
    const memory_block* const target = find(to.address);
    if (target != nullptr && target->kind == memory_kind::host) runtime_.note_host_read(from.address, bytes);
    runtime_.note_copy(to.address, from.address, bytes);
  } else if (to.on_device) {
    of(to.address)->runtime_.write(to.address, reinterpret_cast<const void*>(from.address), bytes);
  } else if (from.on_device) {
    note_if_visible(from.address, bytes);
    of(from.address)->runtime_.read(from.address, reinterpret_cast<void*>(to.address), bytes);
  } else {
    std::memmove(reinterpret_cast<void*>(to.address), reinterpret_cast<const void*>(from.address), bytes);
  }
}

void memory::copy(void* to, const void* from, uint64_t bytes, hipMemcpyKind kind, bool only_checks) {
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault)
    throw failure(hipErrorInvalidMemcpyDirection, fmt::format("{} is no kind of copy", static_cast<int>(kind)));
  if (bytes == 0) return;
  const place target = locate(to, bytes, "target"), source = locate(from, bytes, "source");
  check_kind(target, source, kind);
  if (!only_checks) move(target, source, bytes);
}

void memory::copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                     uint64_t height, hipMemcpyKind kind, bool only_checks) {
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault)
    throw failure(hipErrorInvalidMemcpyDirection, fmt::format("{} is no kind of copy", static_cast<int>(kind)));
  if (width > to_pitch || width > from_pitch)
    throw failure(
        hipErrorInvalidPitchValue,
        fmt::format("rows of {} bytes do not fit pitches of {} (target) and {} (source)", width, to_pitch, from_pitch));
  if (width == 0 || height == 0) return;
  uint64_t to_bytes = 0, from_bytes = 0;
  if (__builtin_mul_overflow(to_pitch, height - 1, &to_bytes) || __builtin_add_overflow(to_bytes, width, &to_bytes) ||
      __builtin_mul_overflow(from_pitch, height - 1, &from_bytes) ||
      __builtin_add_overflow(from_bytes, width, &from_bytes))
    throw failure(hipErrorInvalidValue, "the rectangle is larger than the address space");
  place target = locate(to, to_bytes, "target"), source = locate(from, from_bytes, "source");
  check_kind(target, source, kind);
  if (only_checks) return;
  for (uint64_t row = 0; row < height; ++row) {
    move(target, source, width);
    target.address += to_pitch;
    source.address += from_pitch;
  }
}

void memory::fill(void* to, uint32_t value, unsigned element_bytes, uint64_t count, bool only_checks) {
  if (count == 0) return;
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, uint64_t{element_bytes}, &bytes))
    throw failure(hipErrorInvalidValue, "more elements than the address space holds");
  const place target = locate(to, bytes, "target");
  auto* const on_host = reinterpret_cast<uint8_t*>(target.address);
  if (!target.on_device) {
    const registered_range* r = find_registered(on_host);
    if (r == nullptr) throw failure(hipErrorInvalidValue, fmt::format("target: {} is host memory", to));
    if (bytes > r->bytes - static_cast<uint64_t>(on_host - r->host))
      throw failure(hipErrorInvalidValue,
                    fmt::format("target: {} bytes from {} on pass the end of the registered memory", bytes, to));
  }
  if (target.address % element_bytes != 0)
    throw failure(hipErrorInvalidValue,
                  fmt::format("target: {:#x} is no multiple of {}", target.address, element_bytes));
  if (only_checks) return;
  if (on_access_) tell_access(target, bytes, true);
  if (target.on_device) runtime_.note_host_write(target.address, bytes);
  uint8_t* at = target.on_device ? bytes_at(target.address) : on_host;
  if (element_bytes == 1) {
    std::memset(at, static_cast<int>(value & 0xff), bytes);
    return;
  }
  for (uint64_t k = 0; k < count; ++k) std::memcpy(at + k * element_bytes, &value, element_bytes);
}

}  // namespace pws::hip
