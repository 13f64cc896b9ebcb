// What the host has, for what a machine takes of it.
#pragma once

#include <sys/sysinfo.h>

#include <cstdint>

namespace pws::models {

// Bytes, with swap.
inline uint64_t host_memory() {
  struct sysinfo host {};
  sysinfo(&host);
  return (uint64_t{host.totalram} + host.totalswap) * host.mem_unit;
}

}  // namespace pws::models
