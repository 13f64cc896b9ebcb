// SPDX-License-Identifier: Apache-2.0
// The GPU's way to memory that is outside, its own or the platform's: an initiator of the TLM base protocol.
//
// As in the machine's DRAM, data moves when an instruction issues and time follows (transaction.h). Data moves by DMI
// where the target grants it, and by debug transport where it does not; a grant that is taken back is not used any
// more. The lines that the L2 asks for in timing fidelity go out by nb_transport, several at a time. A line that it
// writes back is a write with all bytes disabled: they are in memory already.
//
// The dispatcher, and whoever comes in by the aperture, reads and writes by b_transport, and waits for as long as that
// takes.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/isa/global_memory.h"
#include "models/memory/transaction.h"

namespace pws::models {

// What is at a port: device addresses [base, base + bytes), the same outside.
struct memory_range {
  uint64_t base = 0, bytes = 0;
  const char* what = "";  // "system memory"
};

class memory_port : public sc_core::sc_module, public isa::memory_outside {
 public:
  tlm_utils::simple_initiator_socket_optional<memory_port, bus_width> socket;  // to the outside
  tlm_utils::simple_target_socket_optional<memory_port, bus_width> untimed;    // of the dispatcher and the aperture
  // A port for each L2 bank; what is not in this memory goes on to the next one's port.
  using target_socket = tlm_utils::simple_target_socket_tagged<memory_port, bus_width>;
  using initiator_socket = tlm_utils::simple_initiator_socket_tagged<memory_port, bus_width>;
  std::vector<std::unique_ptr<target_socket>> from_banks;
  std::vector<std::unique_ptr<initiator_socket>> to_next;

  // What the L2 has below it, from the port's side: `banks` of it ask; is_last: there is no next one.
  struct banks_above {
    uint32_t banks = 0, line_bytes = 0;
    bool is_last = false;
  };
  memory_port(const sc_core::sc_module_name& name, const memory_range& range, const memory_port_config& c,
              const banks_above& l2, const gpu_clock& clock);
  ~memory_port() override;

  // Whether an address is of this memory.
  bool holds(uint64_t address) const override { return address - range_.base < range_.bytes; }
  // Data, without time. False: the target gives neither DMI nor debug access there.
  bool read(uint64_t address, void* to, uint32_t bytes) override;
  // The other way round; false as for read().
  bool write(uint64_t address, const void* from, uint32_t bytes) override;
  unsigned char* direct(uint64_t address, uint64_t bytes, bool for_write) override;
  const char* what() const override { return range_.what; }
  // Lines that have been read.
  uint64_t lines_read() const { return lines_read_; }
  // Lines that the target has answered with an error.
  uint64_t errors() const { return errors_; }

 private:
  // A line on its way outside.
  struct line : tlm::tlm_mm_interface {
    explicit line(uint32_t bytes) : payload(this), data(bytes), disabled(bytes) {}
    void free(tlm::tlm_generic_payload*) override { in_use = false; }
    tlm::tlm_generic_payload payload;
    std::vector<unsigned char> data, disabled;
    tlm::tlm_generic_payload* asked = nullptr;  // the bank's; nullptr: nobody waits
    int bank = 0;
    bool in_use = false;
  };
  struct request {
    tlm::tlm_generic_payload* asked;  // nullptr: a line that is written back
    uint64_t address;
    int bank;
    cycle_t arrival;
  };
  struct region {
    uint64_t begin, end;  // both inclusive
    unsigned char* bytes;
    bool reads, writes;
    bool allows(bool writing) const { return writing ? writes : reads; }
  };

  tlm::tlm_sync_enum from_bank(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum from_next(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum answered(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end);
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& t);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);

  void send();
  void issue(const request& r);
  line& free_line();
  void finish(line& l, const sc_core::sc_time& after);
  const region& region_of(uint64_t address, bool for_write);
  bool transfer(tlm::tlm_command command, uint64_t address, unsigned char* data, uint64_t bytes);

  const memory_range range_;
  const memory_port_config config_;
  const uint32_t line_bytes_;
  const gpu_clock& clock_;
  std::vector<region> regions_;  // that DMI has been granted for, or refused; apart
  region refused_{};             // the last one that the target has said nothing of
  std::deque<request> waiting_;  // by arrival
  std::vector<std::unique_ptr<line>> lines_;
  uint32_t out_ = 0;            // lines on their way
  line* requesting_ = nullptr;  // whose request phase has not ended
  sc_core::sc_time free_at_;    // when the next one may begin
  uint64_t lines_read_ = 0, errors_ = 0;
  sc_core::sc_event send_;
};

}  // namespace pws::models
