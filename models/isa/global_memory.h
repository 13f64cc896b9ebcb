// SPDX-License-Identifier: Apache-2.0
// Device memory as instruction semantics see it: one contiguous window, of host memory (what a TLM DMI grant of the
// memory model hands out) or of memory behind a bus, plus the list of live allocations, so that an access outside them
// is an error and not a silent read, and so is one that what is there does not allow (memory_use.h).
//
// Several threads may access it at a time, each by a view of its own, while nobody changes what is where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/state_archive.h"
#include "models/isa/memory_use.h"

namespace pws::isa {

// A piece of device memory that something is in.
struct allocation {
  uint64_t begin = 0;  // device address of the first byte
  uint64_t end = 0;    // one past the last byte
  std::string name;    // for messages: "argument x", "code of program p", "scratch"
  memory_use use = memory_use::buffer;
  memory_access_rights allows = rights_of(memory_use::buffer);  // as the table says of `use`
};

// An access that what is there does not allow, or where nothing is.
class memory_fault : public program_error {
 public:
  memory_fault(const std::string& what, int lane, uint64_t address, uint32_t bytes, bool is_write)
      : program_error(what, lane), address_(address), bytes_(bytes), is_write_(is_write) {}
  uint64_t address() const { return address_; }
  uint32_t bytes() const { return bytes_; }
  bool is_write() const { return is_write_; }

 private:
  uint64_t address_;
  uint32_t bytes_;
  bool is_write_;
};

// Who executes an instruction, and so knows the place of its accesses.
class access_observer {
 public:
  virtual ~access_observer() = default;
  // An access outside of every allocation was forgiven.
  virtual void access_tolerated(uint64_t address, uint32_t bytes, bool is_write, int lane) = 0;
};

// Memory on the other side of a bus.
class memory_outside {
 public:
  virtual bool holds(uint64_t address) const = 0;
  // Bytes that it holds. False: it gives no access to all of them.
  virtual bool read(uint64_t address, void* to, uint32_t bytes) = 0;
  virtual bool write(uint64_t address, const void* from, uint32_t bytes) = 0;
  // Where the host has the bytes, if whoever owns them lets it read, or read and write, them there; else nullptr. To be
  // used at once: whatever runs next may take it back.
  virtual unsigned char* direct(uint64_t address, uint64_t bytes, bool for_write) = 0;
  // "system memory"
  virtual const char* what() const = 0;

 protected:
  ~memory_outside() = default;
};

class global_memory {
 public:
  // A memory without a window.
  global_memory();
  // Another view of the same memory: whatever is changed by one of them holds for all.
  struct view_of {
    const global_memory& memory;
  };
  explicit global_memory(view_of other);
  ~global_memory();
  global_memory(const global_memory&) = delete;
  global_memory& operator=(const global_memory&) = delete;

  // Which accesses outside of allocations are no error: none; those in an allocation's last page, which the witness
  // hears of; all in the window.
  enum class fault_policy { none, page, window };
  static constexpr uint64_t page_bytes = 4096;

  // Window: device addresses [base, base + size) are the host bytes at `storage`. Not owned.
  void set_window(uint8_t* storage, uint64_t base, uint64_t size);
  // The same window, whose bytes are there. Allocations and what they allow hold as ever.
  void set_window(memory_outside& m, uint64_t base, uint64_t size);

  // Memory beside the window. nullptr: there is none. Not owned.
  void set_outside(memory_outside* m) { all_->outside = m; }
  // All of it is the host's own memory, without anything behind a bus.
  bool is_of_host() const { return all_->outside == nullptr && all_->behind == nullptr; }

  // Several threads may access it at a time: atomics have to be the host's. Of all views.
  void set_concurrent(bool c) { all_->is_concurrent = c; }
  bool is_concurrent() const { return all_->is_concurrent; }
  void set_fault_policy(fault_policy l) { all_->policy = l; }
  // Who executes what comes next in this view; it hears of accesses that are forgiven. nullptr: nobody wants to know.
  void set_access_observer(access_observer* w) const { witness_ = w; }
  access_observer* witness() const { return witness_; }

  // Registers [begin, begin + size). Throws std::invalid_argument where it overlaps a live allocation or the window's
  // end.
  void add(uint64_t begin, uint64_t size, std::string name, memory_use use = memory_use::buffer);
  // Addresses outside the window that a program may be given but that nothing serves: an access there is an error that
  // says `what` it was to.
  void add_unserved(uint64_t begin, uint64_t size, std::string what);
  // Removes the allocation that begins there; false if none does.
  bool remove(uint64_t begin);
  // The allocation that holds `address`, or nullptr.
  const allocation* find(uint64_t address) const;
  // The allocation nearest to `address` (for messages), or nullptr if there is none at all.
  const allocation* nearest(uint64_t address) const;
  const std::vector<allocation>& allocations() const { return all_->allocations; }
  // What is where. Throws bad_state where that cannot be.
  void keep(state_archive& a);

  // Host pointer of [first, last + bytes) if the whole span lies in one allocation that allows it, else nullptr. The
  // hot path of every memory instruction: `first` is the lowest and `last` the highest lane address.
  uint8_t* span(uint64_t first, uint64_t last, uint32_t bytes, bool for_write) const {
    return span_with(first, last, bytes, for_write ? access_right::write : access_right::read);
  }
  // Copies the bytes of one access, in the window or beside it. Throws memory_fault naming address, size, lane and the
  // nearest allocation.
  void read(uint64_t address, void* to, uint32_t bytes, int lane) const {
    if (memory_outside* const m = outside_of(address)) return read_outside(*m, address, to, bytes, lane);
    read_with(address, to, bytes, access_right::read, lane);
  }
  void write(uint64_t address, const void* from, uint32_t bytes, int lane) const {
    if (memory_outside* const m = outside_of(address)) return write_outside(*m, address, from, bytes, lane);
    write_with(address, from, bytes, access_right::write, lane);
  }
  // The same of a wavefront's own private memory, which it reaches by its private segment alone: no other address of a
  // program leads there. Whoever asks has seen to it that the bytes are the wavefront's.
  uint8_t* private_span(uint64_t first, uint64_t last, uint32_t bytes) const {
    return span_with(first, last, bytes, access_right::private_segment);
  }
  void private_read(uint64_t address, void* to, uint32_t bytes, int lane) const {
    read_with(address, to, bytes, access_right::private_segment, lane);
  }
  void private_write(uint64_t address, const void* from, uint32_t bytes, int lane) const {
    write_with(address, from, bytes, access_right::private_segment, lane);
  }
  // What is wrong with an access: "read of 4 bytes at 0x100000100 is outside every allocation; nearest is ...".
  std::string describe_fault(uint64_t address, uint32_t bytes, bool for_write) const;

 private:
  // [first, last + bytes) ends inside the allocation; written so that addresses near 2^64 do not wrap around.
  static bool reaches(const allocation& a, uint64_t first, uint64_t last, uint32_t bytes) {
    return last >= first && last < a.end && bytes <= a.end - last;
  }

  uint8_t* span_with(uint64_t first, uint64_t last, uint32_t bytes, access_right right) const {
    const allocation* a = hit_;
    if (a == nullptr || first < a->begin || !reaches(*a, first, last, bytes)) {
      a = find(first);
      if (a == nullptr || !reaches(*a, first, last, bytes)) return nullptr;
      if (all_->behind != nullptr) return a->allows.has(right) ? span_behind(first, last, bytes, right) : nullptr;
      hit_ = a;  // so that what is behind is asked anew each time
      hit_bytes_ = all_->storage + (a->begin - all_->base);
    }
    if (!a->allows.has(right)) return nullptr;
    return hit_bytes_ + (first - a->begin);
  }
  uint8_t* span_behind(uint64_t first, uint64_t last, uint32_t bytes, access_right right) const {
    return all_->behind->direct(first, last - first + bytes, right != access_right::read);
  }
  // Throws memory_fault.
  void require(uint64_t address, uint32_t bytes, access_right right, bool for_write, int lane) const;
  void read_with(uint64_t address, void* to, uint32_t bytes, access_right right, int lane) const {
    require(address, bytes, right, false, lane);
    if (all_->behind != nullptr) return read_outside(*all_->behind, address, to, bytes, lane);
    std::memcpy(to, all_->storage + (address - all_->base), bytes);
  }
  void write_with(uint64_t address, const void* from, uint32_t bytes, access_right right, int lane) const {
    require(address, bytes, right, true, lane);
    if (all_->behind != nullptr) return write_outside(*all_->behind, address, from, bytes, lane);
    std::memcpy(all_->storage + (address - all_->base), from, bytes);
  }
  bool tolerates(uint64_t address, uint32_t bytes, access_right right, bool for_write, int lane) const;

  void read_outside(memory_outside& m, uint64_t address, void* to, uint32_t bytes, int lane) const;
  void write_outside(memory_outside& m, uint64_t address, const void* from, uint32_t bytes, int lane) const;

  memory_outside* outside_of(uint64_t address) const {
    return all_->outside != nullptr && all_->outside->holds(address) ? all_->outside : nullptr;
  }
  void forget_hits();

  // What all views have in common.
  struct places {
    bool is_concurrent = false;
    fault_policy policy = fault_policy::none;
    memory_outside* outside = nullptr;
    memory_outside* behind = nullptr;  // that has the window's bytes
    uint8_t* storage = nullptr;
    uint64_t base = 0, size = 0;
    std::vector<allocation> allocations;  // sorted by begin
    std::vector<allocation> unserved;
    std::vector<global_memory*> views;
  };
  const std::shared_ptr<places> all_;
  mutable access_observer* witness_ = nullptr;
  mutable const allocation* hit_ = nullptr;  // last span's allocation: consecutive accesses mostly stay in one
  mutable uint8_t* hit_bytes_ = nullptr;     // its first byte
};

}  // namespace pws::isa
