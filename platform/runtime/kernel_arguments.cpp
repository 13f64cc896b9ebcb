#include "platform/runtime/kernel_arguments.h"

#include <algorithm>
#include <cstring>

namespace pws::platform {

namespace {
using loader::value_kind;

uint64_t hidden_value(value_kind kind, const launch_request& r, uint64_t queue_object, aperture_bases apertures) {
  const auto whole_groups = [&](size_t d) -> uint64_t { return r.grid[d] / r.workgroup[d]; };
  switch (kind) {
    case value_kind::hidden_block_count_x:
      return whole_groups(0);
    case value_kind::hidden_block_count_y:
      return whole_groups(1);
    case value_kind::hidden_block_count_z:
      return whole_groups(2);
    case value_kind::hidden_group_size_x:
      return r.workgroup[0];
    case value_kind::hidden_group_size_y:
      return r.workgroup[1];
    case value_kind::hidden_group_size_z:
      return r.workgroup[2];
    case value_kind::hidden_remainder_x:
      return r.grid[0] % r.workgroup[0];
    case value_kind::hidden_remainder_y:
      return r.grid[1] % r.workgroup[1];
    case value_kind::hidden_remainder_z:
      return r.grid[2] % r.workgroup[2];
    case value_kind::hidden_grid_dims:
      return r.grid[2] > 1 ? 3 : r.grid[1] > 1 ? 2 : 1;
    case value_kind::hidden_shared_base:
      return apertures.shared_hi;
    case value_kind::hidden_private_base:
      return apertures.private_hi;
    case value_kind::hidden_queue_ptr:
      return queue_object;
    case value_kind::hidden_dynamic_lds_size:
      return r.dynamic_lds;
    default:
      return 0;  // offsets are 0; see the header for what is not served
  }
}
}  // namespace

std::vector<uint8_t> lay_out_arguments(const loader::kernel_metadata& k, const launch_request& r, uint64_t queue_object,
                                       aperture_bases apertures) {
  // clang joins scalar loads and may read past the last argument, within the line that it lies in.
  constexpr size_t line = 64;
  std::vector<uint8_t> bytes((k.kernarg_segment_size + line - 1) / line * line, 0);
  size_t explicit_index = 0;
  for (const loader::kernel_argument& a : k.arguments) {
    if (!loader::is_hidden(a.kind)) {
      const std::vector<uint8_t>& value = r.arguments[explicit_index++];
      std::memcpy(bytes.data() + a.offset, value.data(), value.size());
      continue;
    }
    const uint64_t value = hidden_value(a.kind, r, queue_object, apertures);
    std::memcpy(bytes.data() + a.offset, &value, std::min<size_t>(a.size, sizeof value));
  }
  return bytes;
}

}  // namespace pws::platform
