// SPDX-License-Identifier: Apache-2.0
// What travels through the memory system: TLM-2.0 generic payloads from a pool, each with an ignorable extension.
//
// Data moves at issue, timing follows. The semantics of a memory instruction access device memory through the DMI
// pointer at the cycle in which the instruction issues; the transactions that follow carry command, line address and
// length and find out how long that takes. Their data pointer is the line's place in the DMI window, that of a
// write-back too, so a monitor on any socket sees the bytes, and the memory at the end has nothing left to copy. This
// keeps both fidelities bit-identical and the caches free of data (tags only). They keep to TLM's base protocol; one
// without the extension is of another initiator, which the DRAM serves as any memory would (dram.h).
#pragma once

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/machine/time_division.h"

namespace pws::models {

// What a transaction is for.
enum class access_kind : uint8_t { fetch, load, store, atomic, writeback };

// What this machine's transactions carry beside TLM's payload.
struct transaction_info : tlm::tlm_extension<transaction_info> {
  access_kind kind = access_kind::load;
  bool bypass_l1 = false;                           // GLC: do not hit in the vector L1
  uint16_t source_port = 0;                         // interconnect port it came in by; set by the interconnect
  requester who;                                    // place within the compute unit
  cycle_t arrival = 0;                              // at the component that holds it now
  void* cookie = nullptr;                           // the initiator's own: which instruction waits for it
  tlm::tlm_generic_payload* next_waiter = nullptr;  // list of requests that wait for the same line

  tlm::tlm_extension_base* clone() const override { return new transaction_info(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const transaction_info&>(other); }
};

// Every transaction of this machine has one.
inline transaction_info& info(tlm::tlm_generic_payload& trans) {
  return *trans.get_extension<transaction_info>();
}

// For components that have no data: a transaction of another initiator, which has none, gets an error response.
inline bool refuses(tlm::tlm_generic_payload& trans) {
  if (trans.get_extension<transaction_info>() != nullptr) return false;
  trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  return true;
}

// Transactions of one initiator: reused, so that the hot path allocates nothing once warm.
class transaction_pool : public tlm::tlm_mm_interface {
 public:
  transaction_pool() = default;
  transaction_pool(const transaction_pool&) = delete;
  transaction_pool& operator=(const transaction_pool&) = delete;
  ~transaction_pool() override {
    for (auto& t : all_) t->clear_extension<transaction_info>();
  }

  // A transaction with one reference held by the caller, who releases it when the response has arrived.
  tlm::tlm_generic_payload* acquire(tlm::tlm_command command, uint64_t address, unsigned char* data, unsigned length) {
    if (free_.empty()) grow();
    tlm::tlm_generic_payload* t = free_.back();
    free_.pop_back();
    t->set_command(command);
    t->set_address(address);
    t->set_data_ptr(data);
    t->set_data_length(length);
    t->set_streaming_width(length);
    t->set_byte_enable_ptr(nullptr);
    t->set_dmi_allowed(false);
    t->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    t->acquire();
    return t;
  }
  void free(tlm::tlm_generic_payload* t) override { free_.push_back(t); }
  size_t in_flight() const { return all_.size() - free_.size(); }

 private:
  void grow() {
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    infos_.push_back(std::make_unique<transaction_info>());
    all_.back()->set_extension(infos_.back().get());
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }
  std::vector<std::unique_ptr<transaction_info>> infos_;
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace pws::models
