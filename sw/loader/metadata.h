// SPDX-License-Identifier: Apache-2.0
// What a code object says about its kernels: the AMDGPU metadata note, a msgpack map.
// (LLVM "User Guide for AMDGPU Backend", "Code Object V3 Metadata" to V5)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/loader/bytes.h"

namespace pws::loader {

// What the host puts into an argument's bytes. The hidden ones follow the kernel's own.
enum class value_kind : uint8_t {
  by_value,
  global_buffer,
  dynamic_shared_pointer,
  sampler,
  image,
  pipe,
  queue,
  hidden_none,
  hidden_global_offset_x,
  hidden_global_offset_y,
  hidden_global_offset_z,
  hidden_printf_buffer,
  hidden_hostcall_buffer,
  hidden_default_queue,
  hidden_completion_action,
  hidden_multigrid_sync_arg,
  hidden_block_count_x,  // code object v5 from here on
  hidden_block_count_y,
  hidden_block_count_z,
  hidden_group_size_x,
  hidden_group_size_y,
  hidden_group_size_z,
  hidden_remainder_x,
  hidden_remainder_y,
  hidden_remainder_z,
  hidden_grid_dims,
  hidden_heap_v1,
  hidden_private_base,
  hidden_shared_base,
  hidden_queue_ptr,
  hidden_dynamic_lds_size,
};

std::string_view to_string(value_kind kind);  // as in the metadata, "global_buffer"
// The compiler adds it behind the explicit arguments.
inline bool is_hidden(value_kind kind) {
  return kind >= value_kind::hidden_none;
}

// A parameter of a kernel, hidden ones included.
struct kernel_argument {
  std::string name;       // "" where the compiler did not record it (HIP below -O0 or without -fno-discard-value-names)
  std::string type_name;  // "" where the compiler did not record it
  uint32_t offset = 0;    // bytes from the kernarg segment's start
  uint32_t size = 0;      // bytes
  value_kind kind = value_kind::by_value;
  std::string address_space;   // "global", "constant", "local", "generic", "region", "private", or "" for no pointer
  uint32_t pointee_align = 0;  // dynamic_shared_pointer: alignment of the LDS block; else 0
};

// Bytes of a work-item's stack where a kernel cannot say how much it needs and nobody says more: what LLVM assumes.
inline constexpr uint32_t default_dynamic_stack = 16384;

// What the compiler says of a kernel.
struct kernel_metadata {
  std::string name;    // as the source's linkage has it, mangled for C++
  std::string symbol;  // of the descriptor, name + ".kd"
  std::string language;
  std::vector<kernel_argument> arguments;   // by offset, the hidden ones last
  uint32_t kernarg_segment_size = 0;        // bytes, hidden arguments included
  uint32_t kernarg_segment_align = 0;       // bytes, a power of two
  uint32_t group_segment_fixed_size = 0;    // bytes of static LDS per workgroup
  uint32_t private_segment_fixed_size = 0;  // bytes of scratch per work-item
  uint32_t wavefront_size = 64;
  uint32_t max_flat_workgroup_size = 0;  // work-items; 0: not said
  // Work-items in each dimension, where the source has reqd_work_group_size (HIP's __launch_bounds__ is no such thing).
  std::optional<std::array<uint32_t, 3>> required_workgroup_size;
  uint32_t sgpr_count = 0;
  uint32_t vgpr_count = 0;
  uint32_t sgpr_spill_count = 0;
  uint32_t vgpr_spill_count = 0;
  // How much the stack needs is unknown (recursion, function pointers): the fixed size is a minimum. LLVM 16 and later
  // say so in code object v5 alone, and take 16 KiB for what they do not know in older versions, as LLVM 15 does in
  // all.
  bool uses_dynamic_stack = false;

  // Arguments that the caller of the kernel passes.
  size_t explicit_arguments() const;
};

// What the compiler says of a code object.
struct code_object_metadata {
  uint32_t version_major = 0, version_minor = 0;  // 1.0, 1.1, 1.2 for code object v3, v4, v5
  std::string target;                             // "amdgcn-amd-amdhsa--gfx803"; "" before v4
  std::vector<kernel_metadata> kernels;
};

// Reads the descriptor of an NT_AMDGPU_METADATA note. Throws input_error that names the kernel and key that is wrong.
code_object_metadata read_metadata(const byte_view& msgpack);

}  // namespace pws::loader
