// SPDX-License-Identifier: Apache-2.0
// Where an instruction issues to: one instruction per cycle each, but for `none`, which needs no unit. The three vector
// rates share the VALU, branches go through the SALU; memory and LDS are the compute unit's.
#pragma once

#include <cstdint>

#include "models/isa/inst.h"

namespace pws::models {

// What one instruction per cycle goes through; none: it needs no unit.
enum class issue_port : uint8_t { valu, salu, scalar_memory, vector_memory, lds, none, count };
constexpr issue_port port_of(isa::unit u) {
  switch (u) {
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return issue_port::valu;
    case isa::unit::salu:
    case isa::unit::branch:
    case isa::unit::split:
    case isa::unit::merge:
      return issue_port::salu;
    case isa::unit::scalar_memory:
      return issue_port::scalar_memory;
    case isa::unit::vector_memory:
      return issue_port::vector_memory;
    case isa::unit::lds:
      return issue_port::lds;
    default:
      return issue_port::none;
  }
}

}  // namespace pws::models
