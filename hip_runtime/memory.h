// SPDX-License-Identifier: Apache-2.0
// The program's memory: blocks on a device, pinned and managed ones that the host and all devices see too, and host
// memory that has been registered. Every access of the API is checked against them. Devices' addresses are apart: what
// takes an address finds the device that it is of, whichever device's memory is asked.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hip_runtime/failure.h"
#include "hip_runtime/host_window.h"
#include "platform/instruments/check/memory_check.h"
#include "platform/machine/device_runtime.h"
#include "platform/machine/freed_blocks.h"

namespace pws::hip {

// fine_grained: the device's, which the host sees too.
enum class memory_kind { device, host, managed, fine_grained };

// What the program has said of managed memory. It changes nothing.
struct memory_hints {
  bool read_mostly = false, coarse_grained = false;
  int preferred = hipInvalidDeviceId, accessed_by = hipInvalidDeviceId, prefetched_to = hipInvalidDeviceId;  // devices
};

struct memory_block {
  uint64_t address = 0;
  uint64_t bytes = 0;  // as asked for
  memory_kind kind = memory_kind::device;
  unsigned flags = 0;             // of hipHostMalloc or hipMallocManaged
  uint8_t* registered = nullptr;  // the registered host memory that it is the copy of
  uint64_t taken = 0;             // of the heap
  memory_hints hints;
  isa::memory_use use = isa::memory_use::buffer;  // another: the runtime's own, that the program does not copy or free
  uint32_t id = 0;                                // of no other block of the process, until 2^32 have been
  bool sync_memops = false;                       // as the program has set it; all operations do
};

struct registered_range {
  uint8_t* host = nullptr;
  uint64_t bytes = 0;
  uint64_t device = 0;  // its copy there
  unsigned flags = 0;
};

// The program wants memory that it does not have: to access those bytes, or to free what begins there.
class memory_failure : public failure {
 public:
  memory_failure(hipError_t code, const std::string& message, memory_misuse m, uint64_t address, uint64_t bytes)
      : failure(code, message), misuse_(m), address_(address), bytes_(bytes) {}
  memory_misuse misuse() const { return misuse_; }
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

 private:
  memory_misuse misuse_;
  uint64_t address_, bytes_;
};

// A side of a copy.
struct place {
  bool on_device = false;
  uint64_t address = 0;
};

class memory;
// The memories of all devices of the process that are there, in order of their making.
using memory_list = std::vector<memory*>;

class memory {
 public:
  // The memory of device `number`, as the program counts devices. It joins the list; its device may access what every
  // device may.
  memory(models::gpu& gpu, device_runtime& runtime, memory_list& all, int number);
  ~memory();
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  int number() const { return number_; }
  bool is_own(uint64_t address) const { return address >= first_ && address - first_ < total(); }
  // The device that has the address; nullptr: none.
  memory* of(uint64_t address) const;
  // Kernels of this device may access that one's memory from now on, or may not any more. False: so it is already.
  bool reach(memory& peer);
  bool leave(memory& peer);
  void leave_all();

  // On this device. Throws failure: hipErrorOutOfMemory.
  uint64_t allocate(uint64_t bytes, memory_kind kind, unsigned flags, isa::memory_use use = isa::memory_use::buffer);
  // Frees a block that begins there and is of one of the kinds; throws `code` with the reason otherwise.
  void release(uint64_t address, std::vector<memory_kind> kinds, hipError_t code);
  // All blocks of this device, and what was registered with it.
  void release_all();
  // The block, or registered range, that holds the address; nullptr if none does.
  const memory_block* find(uint64_t address) const;
  memory_block* find(uint64_t address);
  const registered_range* find_registered(const void* host) const;

  void register_host(void* host, uint64_t bytes, unsigned flags);
  void unregister_host(void* host);
  // Registered host memory has a copy on the device, which a launch works on.
  void copy_registered_in();
  void copy_registered_out();
  // Pinned and managed memory, which the host may have written without anybody hearing of it: counts as written. Before
  // each launch.
  void note_visible_writes();

  // Where a pointer of a copy leads, and that `bytes` there may be accessed: of registered memory to the host's, also
  // from its address on the device. Throws failure: hipErrorInvalidValue.
  place locate(const void* pointer, uint64_t bytes, const char* what) const;
  bool is_device_address(uint64_t address) const;

  // Throw failure. With `only_checks` nothing is copied or filled.
  void copy(void* to, const void* from, uint64_t bytes, hipMemcpyKind kind, bool only_checks = false);
  // `height` rows of `width` bytes; pitches in bytes.
  void copy_2d(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width, uint64_t height,
               hipMemcpyKind kind, bool only_checks = false);
  // `count` elements of 1, 2 or 4 bytes.
  void fill(void* to, uint32_t value, unsigned element_bytes, uint64_t count, bool only_checks = false);

  bool has_registered() const;
  // Who hears of what copies and fills touch in device memory.
  void on_access(std::function<void(uint64_t address, uint64_t bytes, bool written)> f) { on_access_ = std::move(f); }

  // The sizes of this device's memory.
  uint64_t total() const { return gpu_.memory.dram.size(); }
  // What a program can still have: pinned and registered memory is the host's, and what the runtime takes for code,
  // arguments and scratch has been set aside from the start.
  uint64_t unused() const;
  uint64_t blocks() const { return blocks_.size(); }
  uint64_t live_bytes() const { return live_bytes_; }
  uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  // Others see it: host memory, and what their access has been enabled for.
  bool is_seen_by(const memory& other, const memory_block& b) const;
  void share(const memory_block& b);
  void unshare(const memory_block& b);
  std::string describe(uint64_t address) const;
  std::pair<uint64_t, uint64_t> piece_of(const isa::allocation& a, uint64_t address, uint64_t bytes,
                                         const char* what) const;
  void check_kind(const place& to, const place& from, hipMemcpyKind kind) const;
  void note_if_visible(uint64_t address, uint64_t bytes);
  uint8_t* bytes_at(uint64_t address) const { return gpu_.memory.dram.storage() + (address - first_); }
  void move(const place& to, const place& from, uint64_t bytes);
  void tell_access(const place& p, uint64_t bytes, bool written) const;

  models::gpu& gpu_;
  device_runtime& runtime_;
  memory_list& all_;
  const int number_;
  memory_list peers_;     // whose memory this device's kernels may access
  const uint64_t first_;  // address of the device's memory
  host_window window_;
  std::map<uint64_t, memory_block> blocks_;  // by address
  static constexpr size_t longest_history = 4096;
  freed_blocks<memory_block> freed_{longest_history};
  std::map<const void*, registered_range> ranges_;  // by host address
  uint64_t live_bytes_ = 0, peak_bytes_ = 0;
  uint64_t at_first_ = 0;  // bytes of the heap before any block
  std::function<void(uint64_t, uint64_t, bool)> on_access_;
};

}  // namespace pws::hip
