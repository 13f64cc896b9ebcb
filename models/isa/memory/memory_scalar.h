// SPDX-License-Identifier: Apache-2.0
// SMEM: scalar loads and stores (GCN3 ISA, chapter 7 "Scalar Memory Operations"). The two low address bits are ignored.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

// A scalar register or constant as memory instructions take it for an offset.
uint32_t scalar_operand_value(const wave_state& s, const operand& o);

// One body per direction; n dwords. Outside an allocation: program_error.
void scalar_load(wave_state& s, const inst& i, uint32_t n);
void scalar_store(wave_state& s, const inst& i, uint32_t n);
// Through a buffer resource: dwords out of its range read 0 and are not stored.
void scalar_buffer_load(wave_state& s, const inst& i, uint32_t n);
void scalar_buffer_store(wave_state& s, const inst& i, uint32_t n);

// The same as executors.
template <void (*Body)(wave_state&, const inst&, uint32_t), uint32_t N>
void scalar_access(wave_state& s, const inst& i) {
  Body(s, i, N);
}

// s_memtime, s_memrealtime.
void scalar_time(wave_state& s, const inst& i);
// s_dcache_*: memory is always coherent here; the timing model acts on the row.
void scalar_cache_control(wave_state& s, const inst& i);

}  // namespace pws::isa
