// SPDX-License-Identifier: Apache-2.0
// The user-level instructions of an RV64IMAC hart, executed by Unicorn (QEMU's translator as a library). Nothing here
// knows SystemC.
//
// Unicorn has no interrupts, takes no traps and counts time by the host's clock. So it gets only what needs none of
// that: integer, multiply, atomic and compressed instructions on memory that is mapped. At everything else (a SYSTEM
// instruction, fence.i, an access outside of mapped memory, an instruction that there is not) it stops before the
// instruction, with all registers as they were, and the hart (rv64_cpu.h) does what is to be done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

struct uc_struct;

namespace pws::models {

// Causes of synchronous traps (The RISC-V Instruction Set Manual, volume II, table 3.6).
namespace trap_cause {
constexpr uint64_t instruction_access_fault = 1;
constexpr uint64_t illegal_instruction = 2;
constexpr uint64_t breakpoint = 3;
constexpr uint64_t load_misaligned = 4;
constexpr uint64_t load_access_fault = 5;
constexpr uint64_t store_misaligned = 6;
constexpr uint64_t store_access_fault = 7;
constexpr uint64_t ecall_from_machine = 11;
}  // namespace trap_cause

class rv64_core {
 public:
  // Why there can be none: what the constructor would throw. Empty: there can.
  static std::string why_there_is_none();

  // Ranges of memory begin and end at multiples of it.
  static constexpr uint64_t page = 4096;

  enum class stop_reason : uint8_t {
    budget,      // as many instructions as were asked for
    system,      // before a SYSTEM instruction or fence.i
    access,      // before a load, store or atomic whose bytes are not all in mapped memory, or not writable
    misaligned,  // before an atomic whose address is no multiple of its size
    illegal,     // before an instruction that there is not
    fetch,       // the next instruction is not in mapped memory
    breakpoint,  // before an instruction at one of the breakpoints
    watchpoint,  // behind an instruction that has accessed what is watched, with nothing else to say of it
  };
  struct stop {
    stop_reason why = stop_reason::budget;
    uint64_t pc = 0;           // of the next instruction
    uint64_t retired = 0;      // instructions that were executed
    uint32_t instruction = 0;  // at `pc`, 16 or 32 bits; not of budget and fetch
    uint64_t address = 0;      // of fetch: the first byte that is missing
    bool watched = false;      // the latest instruction has accessed what is watched, whatever `why` is
    uint64_t accessed = 0;     // watched: where
    bool is_write = false;     // watched
  };
  // Memory whose accesses stop the hart.
  struct watch {
    uint64_t begin = 0, bytes = 0;
    bool reads = false, writes = false;
    bool sees(uint64_t address, uint64_t size, bool is_write) const {
      return (is_write ? writes : reads) && address < begin + bytes && begin < address + size;
    }
  };

  // Throws input_error where this build has no processor (PWS_SOC=OFF), or where Unicorn's library is not installed,
  // which is loaded here.
  rv64_core();
  ~rv64_core();
  rv64_core(const rv64_core&) = delete;
  rv64_core& operator=(const rv64_core&) = delete;

  // Memory of the host as the hart's [begin, begin + size), both multiples of a page, which overlaps no other.
  void map(uint64_t begin, uint64_t size, unsigned char* host, bool writable);
  // All that has been mapped and overlaps [begin, last].
  void unmap(uint64_t begin, uint64_t last);
  bool is_mapped(uint64_t address) const { return range_at(address) != nullptr; }

  // Executes at most so many instructions (at least 1) from `pc` on. `passes`: a breakpoint at `pc` does not stop it.
  stop run(uint64_t pc, uint64_t most, bool passes = false);
  // run() stops before instructions at these addresses.
  void set_breakpoints(std::vector<uint64_t> addresses);
  // It stops behind accesses to this memory, where that is mapped.
  void set_watches(std::vector<watch> all);
  const std::vector<watch>& watches() const { return watches_; }
  // Memory has been written to by others: instructions that were read before are read again.
  void forget_code();

  uint64_t x(unsigned number) const;  // register; 0 of x0
  void set_x(unsigned number, uint64_t value);

 private:
  struct range {
    uint64_t begin, size;
    unsigned char* host;
  };
  static void on_instruction(uc_struct* uc, uint64_t address, uint32_t size, void* self);
  static bool on_invalid_access(uc_struct* uc, int type, uint64_t address, int size, int64_t value, void* self);
  static void on_exception(uc_struct* uc, uint32_t number, void* self);
  static void on_access(uc_struct* uc, int type, uint64_t address, int size, int64_t value, void* self);
  bool is_at_breakpoint(uint64_t address) const;
  void check(int error, const char* what) const;
  void forget_code(const range& r);
  const range* range_at(uint64_t address) const;
  uint32_t instruction_at(uint64_t address);
  uint32_t parcel_at(uint64_t address) const;

  uc_struct* uc_ = nullptr;
  std::vector<range> ranges_;
  std::vector<uint64_t> breakpoints_;  // ascending
  std::vector<watch> watches_;
  std::optional<size_t> watch_hook_;  // while there are some
  range code_{0, 0, nullptr};         // where the last instruction was
  // The run that is under way.
  uint64_t left_ = 0, retired_ = 0;
  uint64_t pc_ = 0;           // the instruction before which it is
  uint32_t instruction_ = 0;  // there
  uint64_t address_ = 0;      // of the access that failed
  uint32_t exception_ = 0;
  bool stopped_ = false;  // by on_instruction, with `why_`
  bool passes_ = false;   // the next instruction's breakpoint
  bool watched_ = false;  // what is watched was accessed: `accessed_`
  uint64_t accessed_ = 0;
  bool is_write_ = false;
  stop_reason why_ = stop_reason::budget;
};

}  // namespace pws::models
