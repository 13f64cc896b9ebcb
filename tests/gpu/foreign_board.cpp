// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/foreign_board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/bus/bus_access.h"
#include "models/bus/socket_binding.h"
#include "tests/integration/bytes_of.h"
#include "tests/splitting/batch_run.h"

namespace pws::test {

namespace r = models::gpu_register;

// ---- the memory

foreign_memory::foreign_memory(const sc_core::sc_module_name& name, uint64_t base, uint64_t bytes,
                               const memory_manner& manner)
    : sc_module(name), socket("socket"), interface_(*this), base_(base), bytes_(bytes), manner_(manner) {
  socket.bind(interface_);
  SC_HAS_PROCESS(foreign_memory);
  SC_THREAD(serve);
}

void foreign_memory::revoke_dmi() {
  manner_.dmi = false;
  socket->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
}

bool foreign_memory::holds(const tlm::tlm_generic_payload& t) const {
  const uint64_t at = t.get_address() - base_;
  return at < bytes_.size() && t.get_data_length() <= bytes_.size() - at;
}

void foreign_memory::copy(tlm::tlm_generic_payload& t) {
  if (!holds(t)) return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const unsigned char* const enables = t.get_byte_enable_ptr();
  for (unsigned k = 0; k < t.get_data_length(); ++k) {
    if (enables != nullptr && enables[k % t.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    unsigned char& byte = *at(t.get_address() + k);
    if (t.is_read()) t.get_data_ptr()[k] = byte;
    if (t.is_write()) byte = t.get_data_ptr()[k];
  }
  t.set_response_status(tlm::TLM_OK_RESPONSE);
}

void foreign_memory::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  ++blocking;
  copy(t);
  if (manner_.waits) {
    sc_core::wait(delay + manner_.latency);
    delay = sc_core::SC_ZERO_TIME;
  } else {
    delay += manner_.latency;
  }
}

tlm::tlm_sync_enum foreign_memory::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  ++(t.is_read() ? reads : writes);
  if (manner_.waits) {
    t.acquire();
    asked_.push_back(&t);
    asked_event_.notify(delay);
    return tlm::TLM_ACCEPTED;
  }
  copy(t);
  delay += manner_.latency;
  return tlm::TLM_COMPLETED;
}

void foreign_memory::serve() {
  for (;;) {
    while (asked_.empty()) wait(asked_event_);
    tlm::tlm_generic_payload& t = *asked_.front();
    asked_.erase(asked_.begin());
    wait(3, sc_core::SC_NS);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_bw(t, phase, delay);
    wait(manner_.latency);
    copy(t);
    phase = tlm::BEGIN_RESP;
    delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(t, phase, delay);
    t.release();
  }
}

unsigned foreign_memory::transport_dbg(tlm::tlm_generic_payload& t) {
  ++debugs;
  if (!manner_.debug || !holds(t)) return 0;
  copy(t);
  return t.get_data_length();
}

bool foreign_memory::get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
  const uint64_t part = manner_.dmi_part == 0 ? bytes_.size() : manner_.dmi_part;
  const uint64_t begin = (t.get_address() - base_) / part * part;
  dmi.set_start_address(base_ + begin);
  dmi.set_end_address(base_ + std::min<uint64_t>(begin + part, bytes_.size()) - 1);
  if (!manner_.dmi) {
    dmi.allow_none();
    return false;
  }
  dmi.set_dmi_ptr(bytes_.data() + begin);
  dmi.allow_read_write();
  return true;
}

// ---- the board

foreign_board::place::place(const sc_core::sc_module_name& name, const models::machine_config& c)
    : sc_module(name), gpu("gpu", c), interrupt("interrupt"), reset("reset"), window("window"), aperture("aperture") {
  aperture.register_invalidate_direct_mem_ptr(this, &place::invalidate);
  models::bind_sockets(window, gpu.window.socket);
  models::bind_sockets(aperture, gpu.aperture);
  gpu.window.interrupt.bind(interrupt);
  gpu.window.reset.bind(reset);
}

namespace {
std::vector<models::machine_config> side_by_side(const models::machine_config& machine, size_t gpus) {
  std::vector<models::machine_config> all(gpus, machine);
  for (size_t n = 0; n < gpus; ++n) all[n].memory.dram.place.begin += n * machine.memory.dram.bytes();
  return all;
}
}  // namespace

foreign_board::foreign_board(const sc_core::sc_module_name& name, const models::machine_config& machine,
                             const memory_manner& manner, size_t gpus)
    : foreign_board(name, side_by_side(machine, gpus), manner) {}

foreign_board::foreign_board(const sc_core::sc_module_name& name, const std::vector<models::machine_config>& machines,
                             const memory_manner& manner)
    : sc_module(name) {
  for (const models::machine_config& c : machines) {
    const std::string number = std::to_string(places.size());
    places.push_back(std::make_unique<place>(("place" + number).c_str(), c));
    const auto add = [&](const std::string& what, bool is_there, uint64_t base, uint64_t bytes, auto& socket) {
      if (!is_there) return std::unique_ptr<foreign_memory>();
      auto m = std::make_unique<foreign_memory>((what + number).c_str(), base, bytes, manner);
      models::bind_sockets(socket, m->socket);
      return m;
    };
    models::gpu& g = places.back()->gpu;
    const models::memory_config& m = c.memory;
    memories.push_back(add("memory", m.system.exists(), m.system.base, m.system.bytes(), g.system));
    locals.push_back(add("local", m.local.is_outside(), m.dram.base(), m.dram.bytes(), g.local));
  }
}

foreign_memory* foreign_board::memory_at(size_t gpu, uint64_t address) {
  for (foreign_memory* m : {memories[gpu].get(), locals[gpu].get()})
    if (m != nullptr && m->holds(address)) return m;
  return nullptr;
}

foreign_board::~foreign_board() {
  EXPECT_EQ(sockets.log.rules(), broken_rules) << sockets.log.text();
}

// ---- the driver

namespace {
models::machine_config layout_machine(const models::machine_config& c, bool in_system) {
  models::machine_config m = c;
  if (in_system) {
    m.memory.dram.place.begin = c.memory.system.base;
    m.memory.dram.size_mib = c.memory.system.size_mib;
  }
  return m;
}
}  // namespace

driver::driver(foreign_board& board, size_t gpu, bool in_system)
    : board_(board), gpu_(gpu), machine_(layout_machine(board.gpu(gpu).config, in_system)), layout_(machine_, this) {
  if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  set_up_queue();
}

tlm::tlm_response_status driver::access(tlm::tlm_command command, uint64_t address, void* data, unsigned bytes) {
  return models::try_transfer(board_.places[gpu_]->window, command, address, data, bytes).status;
}

uint64_t driver::reg(uint32_t row, uint32_t instance, uint32_t word) {
  uint64_t value = 0;
  if (access(tlm::TLM_READ_COMMAND, models::gpu_registers.address(row, instance, word), &value, 8) !=
      tlm::TLM_OK_RESPONSE)
    throw std::runtime_error("a register cannot be read");
  return value;
}

void driver::set(uint32_t row, uint64_t value, uint32_t instance, uint32_t word) {
  if (access(tlm::TLM_WRITE_COMMAND, models::gpu_registers.address(row, instance, word), &value, 8) !=
      tlm::TLM_OK_RESPONSE)
    throw std::runtime_error("a register cannot be written");
}

std::string driver::fault_text() {
  std::string text;
  for (uint32_t word = 0; word < models::gpu_registers.rows[r::fault_text].words; ++word) {
    const uint64_t value = reg(r::fault_text, 0, word);
    for (unsigned k = 0; k < 8; ++k) {
      const char c = static_cast<char>(value >> 8 * k);
      if (c == 0) return text;
      text += c;
    }
  }
  return text;
}

void driver::set_up_queue() {
  const platform::device_layout::queue_memory& q = layout_.queue_at(0);
  written_ = 0;
  set(r::queue_base, q.ring);
  set(r::queue_packets, platform::device_layout::queue_packets);
  set(r::queue_object, q.object);
  set(r::interrupt_mask, 3);
}

void driver::write(uint64_t address, const void* data, size_t bytes) {
  if (foreign_memory* const m = board_.memory_at(gpu_, address); m != nullptr) {
    std::memcpy(m->at(address), data, bytes);
    return;
  }
  models::bus_transfer(board_.places[gpu_]->aperture, tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}

void driver::read(uint64_t address, void* data, size_t bytes) {
  if (foreign_memory* const m = board_.memory_at(gpu_, address); m != nullptr) {
    std::memcpy(data, m->at(address), bytes);
    return;
  }
  models::bus_transfer(board_.places[gpu_]->aperture, tlm::TLM_READ_COMMAND, address, data, bytes);
}

std::vector<uint32_t> driver::words(uint64_t address, size_t n) {
  std::vector<uint32_t> all(n);
  read(address, all.data(), n * sizeof(uint32_t));
  return all;
}

isa::kernel_dispatch_packet driver::packet(const std::string& kernel, uint64_t out, uint32_t value,
                                           uint32_t work_items) {
  platform::kernel_launch l;
  l.kernel = layout_.find_kernel(kernel);
  l.grid = {work_items, 1, 1};
  l.workgroup = {64, 1, 1};
  const uint32_t zero = 0;
  l.arguments = {bytes_of(out), bytes_of(zero), bytes_of(value), bytes_of(zero), bytes_of(zero), bytes_of(zero)};
  return layout_.prepare(std::move(l)).packet;
}

void driver::put(const isa::kernel_dispatch_packet& p) {
  const platform::device_layout::queue_memory& q = layout_.queue_at(0);
  write(q.ring + written_ % platform::device_layout::queue_packets * sizeof p, &p, sizeof p);
  set(r::queue_doorbell, written_++);
}

bool driver::wait(const sc_core::sc_time& most) {
  const sc_core::sc_time end = sc_core::sc_time_stamp() + most;
  const sc_core::sc_time step(1, sc_core::SC_US);
  const auto line = [this] { return board_.places[gpu_]->interrupt.read(); };
  while (!line() && sc_core::sc_time_stamp() < end) sc_core::sc_start(step);
  return line();
}

uint64_t driver::run(const isa::kernel_dispatch_packet& p) {
  put(p);
  if (!wait()) return 0;
  const uint64_t happened = reg(r::interrupt_status);
  set(r::interrupt_status, happened);
  sc_core::sc_start(1, sc_core::SC_NS);  // the line falls
  return happened;
}

// ---- kernels and machines

const loader::program_image& block_kernels() {
  static const loader::program_image program = [] {
    // v[8:9]: the address of the work-item's word; v1: its number; s6: value.
    const std::string place = R"(  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0xc
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s3, s2, 6
  v_add_u32 v1, vcc, s3, v0
  v_lshlrev_b32 v3, 2, v1
  v_mov_b32 v9, s5
  v_add_u32 v8, vcc, s4, v3
  v_addc_u32 v9, vcc, 0, v9, vcc
)";
    const std::string store = R"(  v_mul_lo_u32 v2, v1, s6
  flat_store_dword v[8:9], v2
  s_endpgm
)";
    assembly_file file;
    file.add_bare_kernel(place + store);
    file.add_bare_kernel("  .long 0xffffffff\n  s_endpgm\n");
    file.add_bare_kernel(place + R"(  v_cmp_eq_u32 vcc, 37, v1
  v_mov_b32 v4, 16
  v_cndmask_b32 v8, v8, v4, vcc
  v_mov_b32 v4, 0
  v_cndmask_b32 v9, v9, v4, vcc
  flat_store_dword v[8:9], v1
  s_endpgm
)");
    file.add_bare_kernel("k3_again:\n  s_branch k3_again\n");
    file.add_bare_kernel(place + R"(  v_mov_b32 v8, s4
  v_mov_b32 v9, s5
  v_mov_b32 v2, s6
  flat_atomic_add v[8:9], v2
  s_endpgm
)");
    file.add_bare_kernel(place + R"(  s_mov_b32 s7, s6
k5_round:
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 k5_round
)" + store);
    file.add_bare_kernel(R"(  s_load_dwordx2 s[8:9], s[4:5], 0x0
  s_load_dword s10, s[4:5], 0xc
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s11, s6, 6
  v_add_u32 v1, vcc, s11, v0
  v_mul_lo_u32 v2, v1, s10
  buffer_store_dword v2, off, s[0:3], s7 offset:8
  v_mov_b32 v10, 12
  v_mov_b32 v11, 0x20000
  flat_store_dword v[10:11], v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32 v10, 8
  flat_load_dwordx2 v[4:5], v[10:11]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32 v6, vcc, v4, v5
  v_mov_b32 v10, 16
  flat_store_dword v[10:11], v6
  s_waitcnt vmcnt(0) lgkmcnt(0)
  buffer_load_dword v7, off, s[0:3], s7 offset:16
  v_lshlrev_b32 v3, 2, v1
  v_mov_b32 v9, s9
  v_add_u32 v8, vcc, s8, v3
  v_addc_u32 v9, vcc, 0, v9, vcc
  s_waitcnt vmcnt(0)
  flat_store_dword v[8:9], v7
  s_endpgm
)",
                         32);
    return assemble(file.text());
  }();
  return program;
}

models::machine_config small_gpu(models::fidelity fidelity) {
  models::machine_config c;
  c.fidelity = fidelity;
  c.n_cu = 1;
  c.n_simd = 2;
  c.memory.dram.size_mib = 64;
  return c;
}

models::machine_config with_system_memory(models::fidelity fidelity) {
  models::machine_config c = small_gpu(fidelity);
  c.memory.system.size_mib = 16;
  return c;
}

models::machine_config with_local_socket(models::fidelity fidelity) {
  models::machine_config c = small_gpu(fidelity);
  c.memory.local.at = models::local_memory::socket;
  c.memory.dram.size_mib = 16;
  return c;
}

}  // namespace pws::test
