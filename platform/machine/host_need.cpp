// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/host_need.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/context/wf_context.h"
#include "models/machine/host_memory.h"
#include "models/machine/machine_config.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

uint64_t host_bytes_of(const models::machine_config& c) {
  const models::unit_layout layout = models::layout_of(c);
  const uint64_t contexts = uint64_t{layout.count()} * models::contexts_per_unit(c) * sizeof(models::wf_context);
  const uint64_t registers = uint64_t{layout.simds} * c.vgprs_per_simd * sizeof(isa::vgpr_row);
  return c.n_cu * (contexts + registers + (uint64_t{c.lds.size_kib} << 10));
}

void refuse_beyond_host(const models::machine_config& c) {
  const models::machine_config built = models::provisioned(c);
  const bool is_mapped = c.memory.dram.place.storage != nullptr;
  const models::host_bytes left = models::host_memory_left(is_mapped ? 0 : c.memory.dram.bytes());
  const uint64_t need = host_bytes_of(built);
  if (need <= left.bytes) return;
  throw input_error(fmt::format(
      "the machine takes {} MiB of the host's memory at least ({} compute units of {} SIMD and SpSIMD units "
      "with {} contexts each, vector registers, LDS), and {} MiB are left{}",
      need >> 20, built.n_cu, models::layout_of(built).count(), models::contexts_per_unit(built), left.bytes >> 20,
      left.text()));
}

}  // namespace pws::platform
