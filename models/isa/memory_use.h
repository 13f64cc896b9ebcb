// SPDX-License-Identifier: Apache-2.0
// Whose a piece of device memory is, and who may do what there: the one table of it. A kernel and the program's copies
// may touch what is the program's; what the runtime has placed in device memory for itself they may not change.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pws::isa {

// Which accesses a piece of memory allows.
enum class access_right : uint8_t {
  read = 1,             // a kernel's loads by an address of its own: scalar, buffer, FLAT, image
  write = 2,            // its stores and atomics by such an address
  private_segment = 4,  // both, by the private segment of the wavefront that it belongs to
  host = 8              // copies and fills of the program, both ways
};

// A set of them.
class memory_access_rights {
 public:
  template <class... R>
  constexpr explicit memory_access_rights(R... rights)
      : bits_(static_cast<uint8_t>((0 | ... | static_cast<int>(rights)))) {}
  constexpr bool has(access_right r) const { return (bits_ & static_cast<uint8_t>(r)) != 0; }

 private:
  uint8_t bits_;
};

// What a piece of device memory is for.
enum class memory_use : uint8_t {
  buffer,
  variables,
  constants,
  code,
  arguments,
  packets,
  queue,
  signal,
  images,
  service,
  scratch,
  open
};

// What a use is called in messages, and what it allows.
struct memory_use_row {
  memory_use use;
  std::string_view what;  // "the program's code"
  memory_access_rights allows;
};

// Instructions are fetched from the program as it was loaded, whatever is written over it: a store there would have no
// effect here, and any on hardware.
constexpr std::array memory_uses{
    memory_use_row{memory_use::buffer, "memory that the program has allocated",
                   memory_access_rights(access_right::read, access_right::write, access_right::host)},
    memory_use_row{memory_use::variables, "the program's variables",
                   memory_access_rights(access_right::read, access_right::write, access_right::host)},
    // The host may set those that have a name (hipMemcpyToSymbol).
    memory_use_row{memory_use::constants, "the program's constants",
                   memory_access_rights(access_right::read, access_right::host)},
    memory_use_row{memory_use::code, "the program's code", memory_access_rights(access_right::read)},
    memory_use_row{memory_use::arguments, "arguments of a kernel", memory_access_rights(access_right::read)},
    // Device code finds its dispatch packet and queue by pointers (__builtin_amdgcn_dispatch_ptr, queue_ptr).
    memory_use_row{memory_use::packets, "the packets of launches", memory_access_rights(access_right::read)},
    memory_use_row{memory_use::queue, "the runtime's description of a queue", memory_access_rights(access_right::read)},
    memory_use_row{memory_use::signal, "the signal of a launch's completion", memory_access_rights()},
    // Image instructions take resource and sampler from scalar registers, which the kernel loads.
    memory_use_row{memory_use::images, "description of an image", memory_access_rights(access_right::read)},
    // What device libraries and the runtime tell each other by: printf, malloc, barriers of grids.
    memory_use_row{memory_use::service, "what device libraries call the runtime by",
                   memory_access_rights(access_right::read, access_right::write)},
    memory_use_row{memory_use::scratch, "private memory of work-items, which only they reach",
                   memory_access_rights(access_right::private_segment)},
    // Nobody has said what is where.
    memory_use_row{memory_use::open, "device memory",
                   memory_access_rights(access_right::read, access_right::write, access_right::host,
                                        access_right::private_segment)},
};

constexpr const memory_use_row& row_of(memory_use u) {
  return memory_uses[static_cast<size_t>(u)];
}
constexpr memory_access_rights rights_of(memory_use u) {
  return row_of(u).allows;
}
constexpr bool rows_are_in_order() {
  for (size_t k = 0; k < memory_uses.size(); ++k)
    if (memory_uses[k].use != static_cast<memory_use>(k)) return false;
  return memory_uses.size() == static_cast<size_t>(memory_use::open) + 1;
}
static_assert(rows_are_in_order());

}  // namespace pws::isa
