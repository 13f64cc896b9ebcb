// SPDX-License-Identifier: Apache-2.0
// The registers of every wavefront and SWF context, readable over the bus while a program runs: what AMD's SQ indirect
// registers give a debugger. Reads only, of any size and alignment.
//
// A compute unit may be ahead of SystemC time by less than memory.interconnect.latency cycles; with a waveform open it
// is exact to the cycle.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "models/divergence/shown_registers.h"
#include "models/registers/register_bank.h"

namespace pws::models {

// Byte offsets from the window's base; all values little-endian. First the geometry (32 bits each), then a record per
// context: of compute unit c, unit u (the SIMD units, then the SpSIMD units of the first, of the second, ...) and
// context w record number (c * units + u) * contexts + w, at first_record + number * record_bytes. Where wavefronts
// have a second context each (dpe), these are the second half of a unit's contexts, in the same order.
namespace debug_register {
constexpr uint64_t version = 0x00;  // 1
constexpr uint64_t compute_units = 0x04, units = 0x08, simd_units = 0x0c, contexts = 0x10;
constexpr uint64_t first_record = 0x400;
constexpr uint64_t record_bytes = 0x400;
// In a record
constexpr uint64_t pc = 0x00;         // 64 bits: the next instruction
constexpr uint64_t em = 0x08;         // 64 bits: EXEC as written
constexpr uint64_t spm = 0x10;        // 64 bits: split mask
constexpr uint64_t state = 0x18;      // 32 bits: wf_status
constexpr uint64_t id = 0x1c;         // 32 bits: of the context, 1..contexts
constexpr uint64_t number = 0x20;     // 32 bits: SpSIMDID of the unit, 1 for a SIMD unit
constexpr uint64_t wavefront = 0x28;  // 32 bits: in its workgroup
constexpr uint64_t workgroup = 0x2c;  // 3 x 32 bits
// The divergence scheme's part of the record, here as predictable wavefront splitting fills it.
constexpr uint64_t parent = split_record::parent;            // 32 bits: number of the SWF's parent; 0: not set
constexpr uint64_t child_depth = split_record::child_depth;  // 32 bits: entries on the child stack
constexpr uint64_t children = split_record::children;        // 16 bits each, oldest first; 0: empty entry
}  // namespace debug_register

class debug_window {
 public:
  // The units must outlive it; there is one.
  explicit debug_window(const std::vector<std::unique_ptr<compute_unit>>& cus);
  uint64_t size() const;
  // A transaction to the record bytes from `at` on.
  access_outcome read(tlm::tlm_generic_payload& t, uint64_t at) const;
  // The number of bytes read: those that there are.
  unsigned peek(tlm::tlm_generic_payload& t, uint64_t at) const;

 private:
  void read(uint64_t address, unsigned char* data, unsigned length) const;
  uint32_t units() const { return cus_.front()->layout().count(); }
  uint32_t contexts() const { return static_cast<uint32_t>(cus_.front()->unit(unit_id()).shown()); }
  std::vector<unsigned char> geometry() const;
  std::vector<unsigned char> record(uint64_t number) const;

  const std::vector<std::unique_ptr<compute_unit>>& cus_;
  const std::vector<shown_register> shown_;  // the divergence scheme's, of each context
};

}  // namespace pws::models
