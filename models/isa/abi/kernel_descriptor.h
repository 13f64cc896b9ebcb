// SPDX-License-Identifier: Apache-2.0
// The AMDHSA kernel descriptor of a gfx803 kernel (code object v3 and later) and the registers that a wavefront starts
// with. Source: LLVM AMDGPU backend user guide, "Kernel Descriptor", "Initial Kernel Execution State", "Kernel Prolog".
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "models/isa/wave_state.h"

namespace pws::isa {

// User SGPRs: those that the command processor loads before the system SGPRs, in this order.
enum class user_sgpr : uint8_t {
  private_segment_buffer,  // 4: resource of the scratch backing memory
  dispatch_ptr,            // 2: address of the AQL packet
  queue_ptr,               // 2: address of the amd_queue
  kernarg_segment_ptr,     // 2
  dispatch_id,             // 2
  flat_scratch_init,       // 2: scratch offset, bytes per work-item
  private_segment_size,    // 1: bytes per work-item
};
constexpr unsigned n_user_sgprs = 7;
constexpr unsigned user_sgpr_dwords[n_user_sgprs] = {4, 2, 2, 2, 2, 2, 1};

struct kernel_descriptor {
  static constexpr size_t size = 64;

  // As stored.
  uint32_t group_segment_bytes = 0;    // static LDS of a workgroup
  uint32_t private_segment_bytes = 0;  // scratch of a work-item
  uint32_t kernarg_bytes = 0;
  int64_t entry_offset = 0;  // entry point's address minus the descriptor's
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t properties = 0;

  // compute_pgm_rsrc1, decoded.
  uint32_t n_vgprs = 0;  // allocated, a multiple of 4
  uint32_t n_sgprs = 0;  // allocated, a multiple of 8; VCC, FLAT_SCRATCH and XNACK_MASK included
  uint32_t mode = 0;     // HW_REG_MODE: FLOAT_MODE, dx10_clamp, ieee, enabled exceptions
  // compute_pgm_rsrc2.
  bool uses_scratch = false;  // also: the last system SGPR is the wavefront's scratch offset
  unsigned user_sgpr_count = 0;
  std::array<bool, 3> workgroup_id{};  // x, y, z in system SGPRs
  bool workgroup_info = false;
  unsigned workitem_ids = 1;  // v0, v0..v1 or v0..v2
  // kernel_code_properties.
  std::array<bool, n_user_sgprs> user_sgprs{};  // by user_sgpr
  bool dynamic_stack = false;                   // the stack's size is not known; private_segment_bytes is a minimum

  bool has(user_sgpr u) const { return user_sgprs[static_cast<unsigned>(u)]; }
  // First SGPR of an enabled one.
  unsigned index_of(user_sgpr u) const;

  // Reads 64 bytes. Throws input_error where they are no descriptor of a gfx803 kernel.
  static kernel_descriptor parse(const uint8_t* data, size_t available);
};

// What a wavefront needs to know at its start. Sizes in work-items, by dimension x, y, z.
struct wave_launch {
  using dim3 = std::array<uint32_t, 3>;
  uint64_t entry = 0;            // device address of the first instruction
  uint64_t dispatch_packet = 0;  // device addresses
  uint64_t queue = 0;
  uint64_t kernarg = 0;
  uint64_t dispatch_id = 0;
  dim3 workgroup_id{};
  dim3 workgroup_size{1, 1, 1};  // of a complete workgroup
  dim3 grid_size{1, 1, 1};
  uint32_t wave_in_workgroup = 0;
  // Scratch of all wavefronts of the queue; this one's begins at scratch_wave_offset (a multiple of 256) and holds
  // 64 * scratch_bytes_per_lane bytes (a multiple of 4 per lane), the lanes interleaved by dword.
  uint64_t scratch_backing = 0;
  uint32_t scratch_backing_bytes = 0;
  uint32_t scratch_wave_offset = 0;
  uint32_t scratch_bytes_per_lane = 0;
  uint8_t* lds = nullptr;
  uint32_t lds_bytes = 0;
  uint64_t shared_aperture = 0;
  uint64_t private_aperture = 0;
};

// Size of that workgroup: at the grid's edge it is smaller (HSA: partial workgroups).
wave_launch::dim3 workgroup_extent(const wave_launch& l);
// Wavefronts of that workgroup.
uint32_t waves_in_workgroup(const wave_launch& l);

// Sets everything of `s` that the kernel's start defines: PC, MODE, EXEC, M0, all scalar registers (0 where nothing is
// defined), SCC, the work-item ids in v0..v2, LDS, scratch and apertures. s.vgpr points at d.n_vgprs rows or more; rows
// beyond the ids keep their contents. memory, access, time and hw_id stay as they are. The lanes of a partial wavefront
// that have no work-item are off. Throws std::invalid_argument if the launch contradicts itself (no such workgroup or
// wavefront, misaligned scratch).
void initial_state(const kernel_descriptor& d, const wave_launch& l, wave_state& s);

// Bit n: the kernel's start defines scalar register n, an index into wave_state::scalar: user and system SGPRs, EXEC.
// VCC, M0, FLAT_SCRATCH and all others hold what happens to be in them.
std::bitset<scalar_count> defined_at_start(const kernel_descriptor& d);

// The resource of the private segment: swizzled, lane number added, 64 lanes' dwords side by side, so that offset o of
// lane l is byte base + o / 4 * 256 + l * 4 + o % 4.
std::array<uint32_t, 4> private_segment_resource(uint64_t base, uint32_t bytes);

}  // namespace pws::isa
