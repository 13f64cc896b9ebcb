// SPDX-License-Identifier: Apache-2.0
// How often this program has allocated memory with new.
#pragma once

#include <cstddef>

namespace pws::test {

size_t allocation_count();

}  // namespace pws::test
