#include "sw/loader/kernel_descriptor.h"

#include <fmt/format.h>

namespace pws::loader {

kernel_descriptor read_kernel_descriptor(const byte_view& memory, uint64_t offset) {
  const byte_view d = memory.slice(offset, kernel_descriptor::bytes, "kernel descriptor");
  kernel_descriptor k;
  k.group_segment_fixed_size = d.read<uint32_t>(0, "kernel descriptor");
  k.private_segment_fixed_size = d.read<uint32_t>(4, "kernel descriptor");
  k.kernarg_size = d.read<uint32_t>(8, "kernel descriptor");
  k.kernel_code_entry_byte_offset = d.read<int64_t>(16, "kernel descriptor");
  k.compute_pgm_rsrc1 = d.read<uint32_t>(48, "kernel descriptor");
  k.compute_pgm_rsrc2 = d.read<uint32_t>(52, "kernel descriptor");
  k.kernel_code_properties = d.read<uint16_t>(56, "kernel descriptor");
  constexpr unsigned wavefront_size32 = 10;
  if ((k.kernel_code_properties >> wavefront_size32 & 1) != 0) {
    d.fail(56, fmt::format("kernel descriptor asks for wavefronts of 32 work-items (properties {:#06x}), gfx803 has 64",
                           k.kernel_code_properties));
  }
  return k;
}

}  // namespace pws::loader
