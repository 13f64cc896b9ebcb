// SPDX-License-Identifier: Apache-2.0
// What an instruction does with floating-point numbers, for each row of the instruction set: the one list by which the
// check of numbers goes. It is made of the rows' types and meanings, so that a new row is in it.
#pragma once

#include <cstdint>

#include "models/isa/opcode_row.h"

namespace pws::check {

enum class float_use : uint8_t {
  none,            // neither makes nor carries any
  arithmetic,      // the result is a number, of its operands
  two_halves,      // v_cvt_pkrtz: two numbers of 16 bits in one register
  select,          // v_cndmask: one of its operands, by a mask
  carry,           // bits of vector registers go to another; integers
  compare,         // a mask
  read_lane,       // from a vector to a scalar register
  write_lane,      // from a scalar to a vector register
  exchange_lanes,  // ds_swizzle, ds_permute, ds_bpermute
  scalar,          // bits of scalar registers go to another; masks
  load,            // from memory, LDS or scratch: what is there has been told of when it came there
  store,           // to memory, LDS or scratch
  convert,         // a store in the format of a buffer or an image
  scalar_store,    // from scalar registers
  replace,         // atomics that may put an operand there as it is
  combine          // atomics of numbers, with what is in LDS
};

float_use float_use_of(const isa::opcode_row& row);

// The type of the numbers that a row combines.
isa::type combined_type(const isa::opcode_row& row);

}  // namespace pws::check
