// SPDX-License-Identifier: Apache-2.0
// A board as somebody else would make one around the GPU: a memory of his, a driver that knows the registers and
// nothing else, the interrupt and the reset line.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/bus_width.h"
#include "models/gpu/gpu.h"
#include "models/registers/gpu_register_map.h"
#include "platform/machine/device_layout.h"
#include "tests/tlm/checked_sockets.h"

namespace pws::test {

// How a memory behind one of the GPU's sockets answers.
struct memory_manner {
  bool dmi = true;
  uint64_t dmi_part = 0;  // bytes that a grant is of, from the memory's beginning on; 0: all
  bool debug = true;
  bool waits = false;  // in b_transport, and answers timed requests in four phases
  sc_core::sc_time latency = sc_core::sc_time(80, sc_core::SC_NS);
};

class foreign_memory : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<models::bus_width> socket;
  foreign_memory(const sc_core::sc_module_name& name, uint64_t base, uint64_t bytes, const memory_manner& manner);

  unsigned char* at(uint64_t address) { return &bytes_[address - base_]; }
  bool holds(uint64_t address) const { return address - base_ < bytes_.size(); }
  // Takes back what has been granted, and grants nothing from now on.
  void revoke_dmi();
  uint64_t reads = 0, writes = 0;     // timed lines
  uint64_t blocking = 0, debugs = 0;  // other transactions

 private:
  class interface : public tlm::tlm_fw_transport_if<> {
   public:
    explicit interface(foreign_memory& m) : m_(m) {}
    void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override { m_.b_transport(t, delay); }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& p, sc_core::sc_time& d) override {
      return m_.nb_transport_fw(t, p, d);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& t) override { return m_.transport_dbg(t); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) override {
      return m_.get_direct_mem_ptr(t, dmi);
    }

   private:
    foreign_memory& m_;
  };
  bool holds(const tlm::tlm_generic_payload& t) const;
  void copy(tlm::tlm_generic_payload& t);
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& t);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);
  void serve();

  interface interface_;
  const uint64_t base_;
  std::vector<unsigned char> bytes_;
  memory_manner manner_;
  std::vector<tlm::tlm_generic_payload*> asked_;  // by four phases, in their order
  sc_core::sc_event asked_event_;
};

// A board with one GPU or several; each has a driver.
class foreign_board;

class driver : private platform::device_memory {
 public:
  // Elaborates, if that is still to do. `in_system`: all that it lays out lies in system memory, else in device memory.
  driver(foreign_board& board, size_t gpu, bool in_system);
  // Where it lies, of queue 0.
  const platform::device_layout::queue_memory& queue() const { return layout_.queue_at(0); }
  ~driver() override = default;

  uint64_t reg(uint32_t row, uint32_t instance = 0, uint32_t word = 0);
  void set(uint32_t row, uint64_t value, uint32_t instance = 0, uint32_t word = 0);
  tlm::tlm_response_status access(tlm::tlm_command command, uint64_t address, void* data, unsigned bytes);
  std::string fault_text();

  // Queue 0 as after a reset: its ring empty.
  void set_up_queue();
  void load(const loader::program_image& program) { layout_.load(program); }
  uint64_t allocate(uint64_t bytes) { return layout_.allocate(bytes, "buffer"); }
  std::vector<uint32_t> words(uint64_t address, size_t n);
  void write(uint64_t address, const void* data, size_t bytes) override;
  void read(uint64_t address, void* data, size_t bytes);

  // A kernel of split_program.h's arguments: out, value.
  isa::kernel_dispatch_packet packet(const std::string& kernel, uint64_t out, uint32_t value,
                                     uint32_t work_items = 256);
  // Writes it to the ring, and rings.
  void put(const isa::kernel_dispatch_packet& p);
  // Advances time until the interrupt line is high, at most so long. False: it stays low.
  bool wait(const sc_core::sc_time& most = sc_core::sc_time(10, sc_core::SC_MS));
  // put(), wait(), and clears the interrupt. What interrupt_status was.
  uint64_t run(const isa::kernel_dispatch_packet& p);

 private:
  void add(uint64_t, uint64_t, const std::string&, isa::memory_use) override {}
  void remove(uint64_t) override {}

  foreign_board& board_;
  const size_t gpu_;
  models::machine_config machine_;
  platform::device_layout layout_;
  uint64_t written_ = 0;  // packets
};

// A protocol checker is on every connection of it, the GPUs' own ones too; whatever breaks the protocol fails the test.
class foreign_board : public sc_core::sc_module {
 public:
  // With a system memory where machine.memory.system has a size, and a local memory where that is at a socket. The
  // device memories of several GPUs lie one behind the other.
  foreign_board(const sc_core::sc_module_name& name, const models::machine_config& machine,
                const memory_manner& manner = {}, size_t gpus = 1);
  // A GPU of each configuration.
  foreign_board(const sc_core::sc_module_name& name, const std::vector<models::machine_config>& machines,
                const memory_manner& manner);
  ~foreign_board() override;

  checked_sockets sockets;                // before what it checks
  std::vector<std::string> broken_rules;  // by name, that a test breaks on purpose

  struct place : sc_core::sc_module {
    place(const sc_core::sc_module_name& name, const models::machine_config& c);
    models::gpu gpu;
    sc_core::sc_signal<bool> interrupt, reset;
    tlm_utils::simple_initiator_socket<place, models::bus_width> window, aperture;
    unsigned invalidations = 0;  // at the aperture

   private:
    void invalidate(sc_dt::uint64, sc_dt::uint64) { ++invalidations; }
  };
  std::vector<std::unique_ptr<place>> places;
  std::vector<std::unique_ptr<foreign_memory>> memories, locals;  // of each GPU: system and device memory
  // The board's memory that a GPU has at the address; nullptr: it is in the GPU.
  foreign_memory* memory_at(size_t gpu, uint64_t address);
  models::gpu& gpu(size_t n = 0) { return places[n]->gpu; }
};

// k0: out[i] = i * value. k1: an instruction that there is not. k2: work-item 37 writes to address 16. k3: never ends.
// k4: atomics: each work-item adds value to out[0]. k5: as k0, after about `value` rounds of a loop. k6: out[i] = i *
// value + i, by scratch: written by buffer and FLAT instructions, read by FLAT ones across dwords and back.
const loader::program_image& block_kernels();

// One compute unit and small memories.
models::machine_config small_gpu(models::fidelity fidelity);
// The same with 16 MiB of system memory at 0x8000'0000.
models::machine_config with_system_memory(models::fidelity fidelity);
// The same with device memory at the socket `local`.
models::machine_config with_local_socket(models::fidelity fidelity);

}  // namespace pws::test
