// SPDX-License-Identifier: Apache-2.0
// What a target that is memory does with a transaction's bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <tlm>

namespace pws::models {

// Copies between a read's or write's data and the `width` bytes at `at`, which the data stream to where they are more
// (IEEE 1666-2011, 14.14 and 14.15). The transaction has data, and its byte enables, if it has some, have a length.
inline void move_bytes(const tlm::tlm_generic_payload& t, unsigned char* at, uint64_t width) {
  const uint64_t length = t.get_data_length();
  unsigned char* const data = t.get_data_ptr();
  const unsigned char* const enables = t.get_byte_enable_ptr();
  if (enables == nullptr && width == length) {
    std::memcpy(t.is_read() ? data : at, t.is_read() ? at : data, length);
    return;
  }
  for (uint64_t k = 0; k < length; ++k) {
    if (enables != nullptr && enables[k % t.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    if (t.is_read())
      data[k] = at[k % width];
    else
      at[k % width] = data[k];
  }
}

}  // namespace pws::models
