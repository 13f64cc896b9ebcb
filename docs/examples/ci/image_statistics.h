// SPDX-License-Identifier: Apache-2.0
// Statistics of images, computed on the GPU. A failed call of HIP ends the program.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

// How many pixels have each brightness.
std::array<uint32_t, 256> histogram(const std::vector<uint8_t>& pixels);
// Their sum.
uint64_t sum(const std::vector<uint8_t>& pixels);
