// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/kernel_arguments.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/round_up.h"

namespace pws::platform {

namespace {
using loader::value_kind;

uint64_t hidden_value(value_kind kind, const kernel_launch& l, uint64_t queue_object, models::flat_apertures apertures,
                      const served_arguments& served) {
  const auto whole_groups = [&](size_t d) -> uint64_t { return l.grid[d] / l.workgroup[d]; };
  switch (kind) {
    case value_kind::hidden_block_count_x:
      return whole_groups(0);
    case value_kind::hidden_block_count_y:
      return whole_groups(1);
    case value_kind::hidden_block_count_z:
      return whole_groups(2);
    case value_kind::hidden_group_size_x:
      return l.workgroup[0];
    case value_kind::hidden_group_size_y:
      return l.workgroup[1];
    case value_kind::hidden_group_size_z:
      return l.workgroup[2];
    case value_kind::hidden_remainder_x:
      return l.grid[0] % l.workgroup[0];
    case value_kind::hidden_remainder_y:
      return l.grid[1] % l.workgroup[1];
    case value_kind::hidden_remainder_z:
      return l.grid[2] % l.workgroup[2];
    case value_kind::hidden_grid_dims:
      return l.grid[2] > 1 ? 3 : l.grid[1] > 1 ? 2 : 1;
    case value_kind::hidden_shared_base:
      return apertures.lds;
    case value_kind::hidden_private_base:
      return apertures.scratch;
    case value_kind::hidden_queue_ptr:
      return queue_object;
    case value_kind::hidden_dynamic_lds_size:
      return l.dynamic_lds;
    case value_kind::hidden_multigrid_sync_arg:
      return l.together == launch_together::grids ? l.grids : l.together == launch_together::grid ? 1 : 0;
    case value_kind::hidden_hostcall_buffer:
      if (served.hostcall_buffer != 0) return served.hostcall_buffer;
      break;
    case value_kind::hidden_heap_v1:
      if (served.heap != 0) return served.heap;
      break;
    default:
      break;
  }
  for (size_t n = 0; n < std::size(unserved_arguments); ++n)
    if (unserved_arguments[n].kind == kind) return unserved_address(n);
  return 0;  // global offsets, and places that mean nothing
}

// Calls f(argument, bytes of LDS asked for, offset of the block) for each pointer to local memory; gives the end of the
// last block. The value given for such a parameter is the size of its block, as in clSetKernelArg.
template <class F>
uint64_t for_local_blocks(const loader::kernel_metadata& k, const kernel_launch& l, F f) {
  uint64_t end = uint64_t{k.group_segment_fixed_size} + l.dynamic_lds;
  size_t explicit_index = 0;
  for (const loader::kernel_argument& a : k.arguments) {
    if (loader::is_hidden(a.kind)) continue;
    const std::vector<uint8_t>& value = l.arguments[explicit_index++];
    if (a.kind != value_kind::dynamic_shared_pointer) continue;
    uint32_t bytes = 0;
    std::memcpy(&bytes, value.data(), std::min(value.size(), sizeof bytes));
    const uint64_t align = std::max<uint64_t>(a.pointee_align, 1);
    const uint64_t begin = round_up(end, align);
    f(a, begin);
    end = begin + bytes;
  }
  return end;
}
}  // namespace

uint64_t lds_bytes(const loader::kernel_metadata& k, const kernel_launch& l) {
  return for_local_blocks(k, l, [](const loader::kernel_argument&, uint64_t) {});
}

std::vector<uint8_t> lay_out_arguments(const loader::kernel_metadata& k, const kernel_launch& l, uint64_t queue_object,
                                       models::flat_apertures apertures, const served_arguments& served) {
  // clang joins scalar loads and may read past the last argument, within the line that it lies in.
  constexpr size_t line = 64;
  std::vector<uint8_t> bytes(round_up(k.kernarg_segment_size, line), 0);
  size_t explicit_index = 0;
  for (const loader::kernel_argument& a : k.arguments) {
    if (!loader::is_hidden(a.kind)) {
      const std::vector<uint8_t>& value = l.arguments[explicit_index++];
      std::memcpy(bytes.data() + a.offset, value.data(), value.size());
      continue;
    }
    const uint64_t value = hidden_value(a.kind, l, queue_object, apertures, served);
    std::memcpy(bytes.data() + a.offset, &value, std::min<size_t>(a.size, sizeof value));
  }
  for_local_blocks(k, l, [&](const loader::kernel_argument& a, uint64_t begin) {
    std::memcpy(bytes.data() + a.offset, &begin, std::min<size_t>(a.size, sizeof begin));
  });
  return bytes;
}

}  // namespace pws::platform
