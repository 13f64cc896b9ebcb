#include "platform/gpu/host_need.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <string>

#include "base/error.h"
#include "models/context/wf_context.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

namespace {

// Bytes of the fields of a file like /proc/meminfo, "Name:  12 kB"; 0 if none of them is there.
uint64_t sum_of_fields(const char* file, std::initializer_list<const char*> names) {
  std::ifstream in(file);
  uint64_t sum = 0;
  for (std::string name; in >> name;) {
    uint64_t kib = 0;
    if (std::find(names.begin(), names.end(), name) != names.end() && in >> kib) sum += kib << 10;
    std::getline(in, name);
  }
  return sum;
}

}  // namespace

uint64_t host_bytes_of(const models::machine_config& c) {
  const models::unit_layout layout = models::layout_of(c);
  const uint64_t contexts = uint64_t{layout.count()} * models::contexts_per_unit(c) * sizeof(models::wf_context);
  const uint64_t registers = uint64_t{layout.simds} * c.vgprs_per_simd * sizeof(isa::vgpr_row);
  return c.n_cu * (contexts + registers + (uint64_t{c.lds.size_kib} << 10));
}

uint64_t host_bytes_left() {
  const uint64_t available = sum_of_fields("/proc/meminfo", {"MemAvailable:", "SwapFree:"});
  uint64_t left = available == 0 ? ~uint64_t{0} : available;
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const uint64_t used = sum_of_fields("/proc/self/status", {"VmSize:"});
    left = std::min<uint64_t>(left, space.rlim_cur > used ? space.rlim_cur - used : 0);
  }
  return left;
}

void refuse_beyond_host(const models::machine_config& c) {
  const uint64_t need = host_bytes_of(c), left = host_bytes_left();
  if (need <= left) return;
  throw input_error(fmt::format(
      "the machine takes {} MiB of the host's memory at least ({} compute units of {} SIMD and SpSIMD units "
      "with {} contexts each, vector registers, LDS), and {} MiB are left",
      need >> 20, c.n_cu, models::layout_of(c).count(), models::contexts_per_unit(c), left >> 20));
}

}  // namespace pws::platform
