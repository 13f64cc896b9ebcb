// The 64-byte kernel descriptor NAME.kd that the dispatcher reads from device memory.
// (LLVM "User Guide for AMDGPU Backend", "Kernel Descriptor for GFX6-GFX11"; offsets below are bits from its first
// byte)
#pragma once

#include <cstdint>

#include "sw/loader/bytes.h"

namespace pws::loader {

struct kernel_descriptor {
  static constexpr uint64_t bytes = 64;
  static constexpr uint64_t alignment = 64;
  static constexpr uint64_t entry_alignment = 256;

  uint32_t group_segment_fixed_size = 0;      // bytes of LDS per workgroup, static part
  uint32_t private_segment_fixed_size = 0;    // bytes of scratch per work-item
  uint32_t kernarg_size = 0;                  // bytes; 0 if the compiler did not say
  int64_t kernel_code_entry_byte_offset = 0;  // from the descriptor's own address
  uint32_t compute_pgm_rsrc1 = 0;
  uint32_t compute_pgm_rsrc2 = 0;
  uint16_t kernel_code_properties = 0;

  // COMPUTE_PGM_RSRC1 (GFX8)
  uint32_t vgprs() const { return ((compute_pgm_rsrc1 & 0x3f) + 1) * 4; }  // allocated, per work-item
  uint32_t sgprs() const {
    return (((compute_pgm_rsrc1 >> 6) & 0xf) / 2 + 1) * 16;
  }  // allocated, VCC and the like included
  // FLOAT_MODE, DX10_CLAMP and IEEE_MODE as the MODE register has them: round [3:0], denorm [7:4], DX10 clamp 8,
  // IEEE 9.
  uint32_t initial_mode() const {
    return ((compute_pgm_rsrc1 >> 12) & 0xff) | ((compute_pgm_rsrc1 >> 21) & 1) << 8 |
           ((compute_pgm_rsrc1 >> 23) & 1) << 9;
  }

  // COMPUTE_PGM_RSRC2
  bool uses_scratch() const { return (compute_pgm_rsrc2 & 1) != 0; }  // and the scratch wave offset SGPR
  uint32_t user_sgprs() const { return (compute_pgm_rsrc2 >> 1) & 0x1f; }
  bool workgroup_id_x() const { return (compute_pgm_rsrc2 >> 7 & 1) != 0; }
  bool workgroup_id_y() const { return (compute_pgm_rsrc2 >> 8 & 1) != 0; }
  bool workgroup_id_z() const { return (compute_pgm_rsrc2 >> 9 & 1) != 0; }
  bool workgroup_info() const { return (compute_pgm_rsrc2 >> 10 & 1) != 0; }
  uint32_t workitem_id_vgprs() const { return ((compute_pgm_rsrc2 >> 11) & 3) + 1; }  // 1: x, 2: x y, 3: x y z

  // KERNEL_CODE_PROPERTIES: which user SGPRs are set up, in this order. 4, 2, 2, 2, 2, 2 and 1 registers.
  bool private_segment_buffer() const { return (kernel_code_properties & 1) != 0; }
  bool dispatch_ptr() const { return (kernel_code_properties >> 1 & 1) != 0; }
  bool queue_ptr() const { return (kernel_code_properties >> 2 & 1) != 0; }
  bool kernarg_segment_ptr() const { return (kernel_code_properties >> 3 & 1) != 0; }
  bool dispatch_id() const { return (kernel_code_properties >> 4 & 1) != 0; }
  bool flat_scratch_init() const { return (kernel_code_properties >> 5 & 1) != 0; }
  bool private_segment_size() const { return (kernel_code_properties >> 6 & 1) != 0; }
  bool uses_dynamic_stack() const { return (kernel_code_properties >> 11 & 1) != 0; }
};

// Reads the descriptor at `offset`. Throws input_error if it leaves `memory` or asks for what gfx803 does not have
// (wavefronts of 32).
kernel_descriptor read_kernel_descriptor(const byte_view& memory, uint64_t offset);

}  // namespace pws::loader
