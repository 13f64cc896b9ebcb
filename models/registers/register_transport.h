// SPDX-License-Identifier: Apache-2.0
// Registers behind a TLM target socket: what a module's b_transport and transport_dbg do with a transaction.
//
//   void gpu::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) { access_registers(bank_, t); }
//   unsigned gpu::transport_dbg(tlm::tlm_generic_payload& t) { return peek_registers(bank_, t); }
//
// Addresses are those of the register map. An access takes no time of its own. Direct memory access is not granted:
// the socket answers so where nothing is registered for it.
#pragma once

#include <tlm>

#include "models/registers/register_bank.h"

namespace pws::models {

// The status by which each outcome is answered.
tlm::tlm_response_status response_of(access_outcome o);

// Whether a transaction is one that registers know: what is wrong with it whatever its address and size.
access_outcome form_of(const tlm::tlm_generic_payload& t);

// Makes the access and sets the response status. Whatever the transaction is, this neither throws nor reports.
void access_registers(register_bank& bank, tlm::tlm_generic_payload& t);

// A debugger's access: reads only. The number of bytes read.
unsigned peek_registers(const register_bank& bank, tlm::tlm_generic_payload& t);

}  // namespace pws::models
