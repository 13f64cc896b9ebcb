// SPDX-License-Identifier: Apache-2.0
// A kernel's argument as its bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace pws::test {

template <class T>
std::vector<uint8_t> bytes_of(const T& value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace pws::test
