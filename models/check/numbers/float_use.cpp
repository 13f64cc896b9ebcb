// SPDX-License-Identifier: Apache-2.0
#include "models/check/numbers/float_use.h"

#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::data_type;
using isa::operation;

float_use vector_use(const isa::opcode_row& row) {
  switch (row.means.does) {
    case operation::read_lane:
    case operation::read_first_lane:
      return float_use::read_lane;
    case operation::write_lane:
      return float_use::write_lane;
    case operation::select:
      return float_use::select;
    default:
      break;
  }
  if (row.native == isa::format::vopc) return float_use::compare;
  if (isa::is_float(row.dst)) return float_use::arithmetic;
  if (row.means.does == operation::convert_two) return float_use::two_halves;  // its row has a dword as result
  return row.dst == isa::type::none ? float_use::none : float_use::carry;
}

float_use memory_use(const isa::opcode_row& row) {
  const operation does = row.means.does;
  if (exchanges_lanes(does)) return float_use::exchange_lanes;
  if ((row.flags & isa::is_atomic) != 0) {
    if (combined_type(row) != isa::type::none) return float_use::combine;
    // From LDS to LDS, or a number of lanes.
    return row.src[1] == isa::type::none ? float_use::none : float_use::replace;
  }
  if ((row.flags & isa::is_store) != 0) {
    if (row.native == isa::format::smem) return float_use::scalar_store;
    return row.means.of == data_type::none ? float_use::convert : float_use::store;
  }
  return row.dst == isa::type::none ? float_use::none : float_use::load;
}

}  // namespace

isa::type combined_type(const isa::opcode_row& row) {
  const operation does = row.means.does;
  if ((row.flags & isa::is_atomic) == 0 || row.src[2] != isa::type::none) return isa::type::none;
  if (!isa::is_atomic_operation(does) && does != operation::atomic_from_lds) return isa::type::none;
  return row.means.of == data_type::f32   ? isa::type::f32
         : row.means.of == data_type::f64 ? isa::type::f64
                                          : isa::type::none;
}

float_use float_use_of(const isa::opcode_row& row) {
  switch (row.native) {
    case isa::format::sop1:
    case isa::format::sop2:
    case isa::format::sopk:
    case isa::format::sopc:
    case isa::format::sopp:
      return row.dst == isa::type::none ? float_use::none : float_use::scalar;
    case isa::format::vop1:
    case isa::format::vop2:
    case isa::format::vop3:
    case isa::format::vopc:
    case isa::format::vintrp:
      return vector_use(row);
    case isa::format::smem:
    case isa::format::ds:
    case isa::format::flat:
    case isa::format::mubuf:
    case isa::format::mtbuf:
    case isa::format::mimg:
      return memory_use(row);
  }
  return float_use::none;
}

}  // namespace pws::check
