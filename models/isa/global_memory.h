// Device memory as instruction semantics see it: one contiguous window of host memory (what a TLM DMI grant of the
// memory model hands out) plus the list of live allocations, so that an access outside them is an error and not a
// silent read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pws::isa {

// A piece of device memory that programs may access.
struct allocation {
  uint64_t begin = 0;  // device address of the first byte
  uint64_t end = 0;    // one past the last byte
  std::string name;    // for messages: "argument x", "code object", "scratch"
  bool writable = true;
};

// Who executes an instruction, and so knows the place of its accesses.
class access_witness {
 public:
  virtual ~access_witness() = default;
  // An access outside of every allocation was forgiven.
  virtual void forgave(uint64_t address, uint32_t bytes, bool is_write, int lane) = 0;
};

class global_memory {
 public:
  // Which accesses outside of allocations are no error: none; those in an allocation's last page, which the witness
  // hears of; all in the window.
  enum class lenience { none, page, window };
  static constexpr uint64_t page_bytes = 4096;

  // Window: device addresses [base, base + size) are the host bytes at `storage`. Not owned.
  void set_window(uint8_t* storage, uint64_t base, uint64_t size) {
    storage_ = storage;
    base_ = base;
    size_ = size;
  }

  void set_lenience(lenience l) { lenience_ = l; }
  // Who executes what comes next; it hears of accesses that are forgiven. nullptr: nobody wants to know.
  void set_witness(access_witness* w) const { witness_ = w; }
  access_witness* witness() const { return witness_; }

  // Registers [begin, begin + size). Throws std::invalid_argument where it overlaps a live allocation or the window's
  // end.
  void add(uint64_t begin, uint64_t size, std::string name, bool writable = true);
  // Addresses outside the window that a program may be given but that nothing serves: an access there is an error that
  // says `what` it was to.
  void add_unserved(uint64_t begin, uint64_t size, std::string what);
  // Removes the allocation that begins there; false if none does.
  bool remove(uint64_t begin);
  // The allocation that holds `address`, or nullptr.
  const allocation* find(uint64_t address) const;
  // The allocation nearest to `address` (for messages), or nullptr if there is none at all.
  const allocation* nearest(uint64_t address) const;
  const std::vector<allocation>& allocations() const { return allocations_; }

  // Host pointer of [first, last + bytes) if the whole span lies in one allocation (writable, if for_write), else
  // nullptr. The hot path of every memory instruction: `first` is the lowest and `last` the highest lane address.
  uint8_t* span(uint64_t first, uint64_t last, uint32_t bytes, bool for_write) const {
    const allocation* a = hit_;
    if (a == nullptr || first < a->begin || !reaches(*a, first, last, bytes)) {
      a = find(first);
      if (a == nullptr || !reaches(*a, first, last, bytes)) return nullptr;
      hit_ = a;
    }
    if (for_write && !a->writable) return nullptr;
    return storage_ + (first - base_);
  }
  // Host pointer of one access, or throws program_error naming address, size, lane and the nearest allocation.
  uint8_t* at(uint64_t address, uint32_t bytes, bool for_write, int lane) const;
  // What is wrong with an access: "read of 4 bytes at 0x100000100 is outside every allocation; nearest is ...".
  std::string describe_fault(uint64_t address, uint32_t bytes, bool for_write) const;

 private:
  // [first, last + bytes) ends inside the allocation; written so that addresses near 2^64 do not wrap around.
  static bool reaches(const allocation& a, uint64_t first, uint64_t last, uint32_t bytes) {
    return last >= first && last < a.end && bytes <= a.end - last;
  }

  bool forgives(uint64_t address, uint32_t bytes, bool for_write, int lane) const;

  lenience lenience_ = lenience::none;
  mutable access_witness* witness_ = nullptr;
  uint8_t* storage_ = nullptr;
  uint64_t base_ = 0;
  uint64_t size_ = 0;
  std::vector<allocation> allocations_;  // sorted by begin
  std::vector<allocation> unserved_;
  mutable const allocation* hit_ = nullptr;  // last span's allocation: consecutive accesses mostly stay in one
};

}  // namespace pws::isa
