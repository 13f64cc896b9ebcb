// SPDX-License-Identifier: Apache-2.0
// The GPU's register map, from its rows in gpu_registers.def: names of registers, fields and values, and the map.
//
//   const uint64_t at = gpu_registers.address(gpu_register::queue_doorbell, 3);  // of queue 3
//   if (gpu_field::status_halted.in(status) != 0) ...
//   if (cause == gpu_value::fault_cause_memory) ...
#pragma once

#include "models/machine/cu_mask.h"
#include "models/registers/register_map.h"

namespace pws::models {

// The index of each block in gpu_registers.blocks.
namespace gpu_register_block {
enum index : uint32_t {
#define PWS_REGISTER_BLOCK(BLOCK, BASE, COUNT, STRIDE, MEANING) BLOCK,
#include "models/registers/gpu_registers.def"
};
}  // namespace gpu_register_block

// The index of each register in gpu_registers.rows.
namespace gpu_register {
enum index : uint32_t {
#define PWS_REGISTER(BLOCK, NAME, OFFSET, WORDS, ACCESS, RESET, MEANING) NAME,
#include "models/registers/gpu_registers.def"
};
}  // namespace gpu_register

// Each field: its register's name and its own.
namespace gpu_field {
#define PWS_FIELD(REGISTER, NAME, LSB, WIDTH, MEANING) \
  inline constexpr register_field REGISTER##_##NAME{gpu_register::REGISTER, #NAME, LSB, WIDTH, MEANING};
#include "models/registers/gpu_registers.def"
}  // namespace gpu_field

// Each value that has a name: its register's name and its own.
namespace gpu_value {
#define PWS_VALUE(REGISTER, NAME, NUMBER, MEANING) inline constexpr uint64_t REGISTER##_##NAME = NUMBER;
#include "models/registers/gpu_registers.def"
}  // namespace gpu_value

// The rows of gpu_registers.
namespace gpu_register_rows {
inline constexpr register_block blocks[] = {
#define PWS_REGISTER_BLOCK(BLOCK, BASE, COUNT, STRIDE, MEANING) {#BLOCK, BASE, COUNT, STRIDE, MEANING},
#include "models/registers/gpu_registers.def"
};
inline constexpr register_row rows[] = {
#define PWS_REGISTER(BLOCK, NAME, OFFSET, WORDS, ACCESS, RESET, MEANING) \
  {gpu_register_block::BLOCK, #NAME, OFFSET, WORDS, register_access::ACCESS, RESET, MEANING},
#include "models/registers/gpu_registers.def"
};
inline constexpr register_field fields[] = {
#define PWS_FIELD(REGISTER, NAME, LSB, WIDTH, MEANING) gpu_field::REGISTER##_##NAME,
#include "models/registers/gpu_registers.def"
};
inline constexpr register_number numbers[] = {
#define PWS_VALUE(REGISTER, NAME, NUMBER, MEANING) {gpu_register::REGISTER, #NAME, NUMBER, MEANING},
#include "models/registers/gpu_registers.def"
};
}  // namespace gpu_register_rows

inline constexpr register_map gpu_registers{gpu_register_rows::blocks, gpu_register_rows::rows,
                                            gpu_register_rows::fields, gpu_register_rows::numbers,
                                            gpu_register::bad_accesses};

static_assert(mistake_in(gpu_registers) == nullptr);
static_assert(gpu_registers.rows[gpu_register::queue_cu_mask].words == cu_mask::words);

}  // namespace pws::models
