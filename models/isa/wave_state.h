// SPDX-License-Identifier: Apache-2.0
// The architectural state of one wavefront context: all that instruction semantics see. The same struct serves the
// functional and the timing machine, and later the checker. (GCN3 ISA, chapter 3 "Kernel State")
#pragma once

#include <cstdint>
#include <cstring>

#include "base/state_archive.h"
#include "models/isa/global_memory.h"
#include "models/isa/host_fp.h"

namespace pws::isa {

constexpr int wave_size = 64;  // work-items in a wavefront

// Indices into wave_state::scalar are the encodings of the SSRC field (GCN3 ISA, table "SSRC"), so that an operand
// needs no translation.
enum scalar_index : unsigned {
  sgpr_limit = 102,  // s0..s101
  flat_scratch_lo = 102,
  xnack_mask_lo = 104,
  vcc_lo = 106,
  tba_lo = 108,
  tma_lo = 110,
  ttmp0 = 112,
  m0 = 124,
  exec_lo = 126,
  exec_hi = 127,
  scalar_count = 128,
};

// One vector register: 64 lanes of 32 bits. A 64-bit value takes two consecutive rows, low half first.
struct alignas(64) vgpr_row {
  uint32_t lane[wave_size];
};

// What a memory instruction touched, for the timing model: filled by the semantics when wave_state::access is set.
struct memory_access {
  // Which memory.
  enum class space : uint8_t { none, global, lds, scalar };
  space where = space::none;
  bool is_store = false;
  bool is_atomic = false;
  bool returns_data = false;
  uint32_t bytes_per_lane = 0;
  uint64_t mask = 0;  // lanes that access memory (bit 0 only for a scalar load)
  uint64_t address[wave_size] =
      {};  // byte address per lane; only lanes in `mask` are valid. LDS: offset in the workgroup's LDS
  uint32_t second_offset = 0;  // ds_read2/write2: distance from `address` to the second access; 0 if there is none
  // FLAT whose lanes are in different memories: those in LDS, while `where` and `mask` are about the others. Their
  // `address` is the offset in LDS.
  uint64_t in_lds = 0;

  // Filters of images read several texels for each lane: the first is at `address`, the others are here. A texel may
  // lack where its neighbours do not (a border), so each has its own mask.
  static constexpr unsigned most_further = 7;
  // One of them.
  struct texel {
    uint64_t mask = 0;  // lanes
    uint64_t address[wave_size] = {};
  };
  unsigned n_further = 0;
  texel further[most_further];

  // For atomics: what a lane found when its turn came, its operand and what it left there. Operations of two operands
  // have none of them here. Only if has_changes; ds_wrxchg2 and ds_condxchg32 record none.
  struct change {
    uint64_t old, operand, left;
  };
  bool has_changes = false;
  change changes[wave_size];
  void note_change(int lane, uint64_t old, uint64_t operand, uint64_t left) {
    has_changes = true;
    changes[lane] = {old, operand, left};
  }
  // For stores in a floating-point format smaller than the register: lanes of which a finite number is infinite there.
  uint64_t overflowed = 0;

  void touches_nothing() {
    where = space::none;
    mask = in_lds = overflowed = 0;
    second_offset = 0;
    n_further = 0;
    has_changes = false;
  }
};

struct wave_state {
  alignas(64) uint32_t scalar[scalar_count] = {};
  uint64_t split_mask = ~uint64_t{0};  // SpM; EM is scalar[exec_lo..exec_hi] as written
  uint64_t pc = 0;                     // device byte address of the next instruction
  bool scc = false;
  uint32_t mode = 0;     // HW_REG_MODE: FP round [3:0], denorm [7:4], DX10 clamp 8, IEEE 9
  uint32_t hw_id = 0;    // HW_REG_HW_ID
  uint32_t trapsts = 0;  // HW_REG_TRAPSTS
  uint32_t n_sgprs = 0;  // allocated, for range checks and HW_REG_GPR_ALLOC
  uint32_t n_vgprs = 0;
  vgpr_row* vgpr = nullptr;  // n_vgprs rows; shared by sibling contexts
  uint8_t* lds = nullptr;    // the workgroup's LDS
  uint32_t lds_bytes = 0;
  const global_memory* memory = nullptr;
  uint64_t shared_aperture = 0;   // FLAT: addresses [aperture, aperture + 4 GiB) are LDS
  uint64_t private_aperture = 0;  // FLAT: ... are this lane's scratch
  uint64_t scratch_base = 0;      // device address of this wavefront's scratch (swizzled, 4-byte interleave by lane)
  uint32_t scratch_bytes_per_lane = 0;
  uint64_t time = 0;                // cycles since reset
  uint64_t clock_ahead = 0;         // s_memtime, s_memrealtime: so many cycles more, those of functional fidelity
  memory_access* access = nullptr;  // where to record an access, or nullptr when nobody times it
  uint32_t* host_csr = &host_fp::current;  // what the host's MXCSR holds (host_fp.h)

  uint64_t scalar64(unsigned index) const {
    uint64_t v;
    std::memcpy(&v, &scalar[index], sizeof v);
    return v;
  }
  void set_scalar64(unsigned index, uint64_t v) { std::memcpy(&scalar[index], &v, sizeof v); }
  // Lanes that execute: what every instruction that reads EXEC sees.
  uint64_t active() const { return scalar64(exec_lo) & split_mask; }
  uint64_t vcc() const { return scalar64(vcc_lo); }

  // All but where registers, LDS and memory are in this process.
  void keep(state_archive& a) {
    a.bytes(scalar, scalar_count);
    a(split_mask, pc, scc, mode, hw_id, trapsts, n_sgprs, n_vgprs, lds_bytes);
    a(shared_aperture, private_aperture, scratch_base, scratch_bytes_per_lane, time, clock_ahead);
  }
};

}  // namespace pws::isa
