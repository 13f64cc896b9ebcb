// SPDX-License-Identifier: Apache-2.0
// Formatted accesses through a buffer resource: MUBUF *_format_* take the format from the resource, MTBUF from the
// instruction. (GCN3 ISA 8.1.5 "Buffer Data Formats", tables "Data Format" and "Number Format")
#pragma once

#include "models/isa/memory/memory_buffer.h"

namespace pws::isa {

// How one element lies in memory: up to four components, x in the low bits.
struct element_format {
  enum class number : uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };
  number numbers = number::uint;
  unsigned components = 0;
  unsigned bits[4] = {};  // of each component
  unsigned bytes = 0;     // of the element
  bool is_integer() const { return numbers == number::uint || numbers == number::sint; }
};
// From the encoded fields. Throws program_error, with the fields, for combinations that GCN3 does not have.
element_format format_of(unsigned data_format, unsigned num_format, const char* mnemonic);

// One component between memory and a register. Registers hold single-precision floats, or integers for uint and sint.
// `width`: bits in memory (1..32). Loads are exact but for unorm and snorm, which round to nearest; stores clamp and
// round to nearest.
uint32_t component_to_register(element_format::number n, unsigned width, uint32_t bits);
uint32_t component_to_memory(element_format::number n, unsigned width, uint32_t value);
// A finite number that was stored as these bits, which are an infinity or a NaN.
bool overflows(element_format::number n, unsigned width, uint32_t value, uint32_t bits);

// Loads fill the destination's registers with the components that the resource's dst_sel names; what memory does not
// have is 0, and 1 for w. Stores need exactly as many registers as the format has components: what becomes of the
// others is not documented.
void buffer_load_format(wave_state& s, const inst& i);
void buffer_store_format(wave_state& s, const inst& i);

}  // namespace pws::isa
