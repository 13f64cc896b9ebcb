// SPDX-License-Identifier: Apache-2.0
// The memory that arguments begin with.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/machine/fill_pattern.h"
#include "platform/config/files/run_config.h"
#include "platform/config/values/expression.h"

namespace pws::platform {

// What `init: none` fills a buffer with, byte after byte little-endian.
constexpr uint32_t poison_pattern = models::poison_word;

// The k-th number (from 0) of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014)
// seeded with `seed`. Random access, so that element k does not depend on how many others there are.
uint64_t split_mix_64(uint64_t seed, uint64_t k);

// Little-endian memory of the argument: a scalar's bytes, a structure's without addresses, or all elements of a buffer.
// - ramp: integers wrap; reals are computed in double and rounded once.
// - random, x = split_mix_64(seed, k): integers min + floor(x * (max - min + 1) / 2^64);
//   reals min * (1 - u) + max * u in double with u = floor(x / 2^11) / 2^53, then rounded, kept within [min, max].
// Throws input_error if an init file has changed since load_run looked at it.
std::vector<uint8_t> initial_contents(const argument_config& argument);

// The four bytes, little-endian, that the buffer begins with over and over; none: it does not.
std::optional<uint32_t> repeated_pattern(const buffer_argument& buffer);

// The structure as kernels receive it; addresses[k]: of arguments[k], where that is a buffer.
void put_addresses(const std::vector<bytes_argument::pointer>& pointers, const std::vector<uint64_t>& addresses,
                   std::vector<uint8_t>& structure);

// The elements that `expect` asks for (expect.count of the buffer's type). Expressions see initial contents.
// Throws input_error if a file has changed.
std::vector<uint8_t> expected_contents(const expect_config& expect, const std::vector<argument_config>& arguments);

// Which element of an expectation that is an expression is none (expression::misfit), and why. Throws
// input_error if a file has changed.
std::optional<std::string> misfit_of(const expect_config& expect, const std::vector<argument_config>& arguments);

// The arguments as an expression sees them: structures are left out, so `index` gives each symbol's argument.
std::vector<expression_symbol> expression_symbols(const std::vector<argument_config>& arguments,
                                                  std::vector<size_t>& index);

}  // namespace pws::platform
