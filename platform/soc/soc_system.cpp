// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "models/bus/socket_binding.h"
#include "platform/machine/host_need.h"

namespace pws::platform {

namespace {

using addressing = models::system_bus::addressing;
using models::bind_sockets;

sc_core::sc_time tick_of(const soc_config::timer& c) {
  constexpr double picoseconds_by_khz = 1e9;
  return {picoseconds_by_khz / c.timebase_khz, sc_core::SC_PS};
}

// GPUs that read and write memory on the bus, beside their own.
uint32_t with_system_memory(const soc_config& c) {
  const auto have_it = [](const soc_config::gpu& g) { return g.machine.memory.system.exists(); };
  return static_cast<uint32_t>(std::count_if(c.gpus.begin(), c.gpus.end(), have_it));
}

std::string memory_text(const models::ram& m) {
  return fmt::format("{:#x} to {:#x}", m.begin(), m.begin() + (m.size() - 1));
}

}  // namespace

soc_system::soc_system(const sc_core::sc_module_name& name, const soc_config& c, const loader::firmware_image& image,
                       std::function<void(char)> send, models::uart::byte_source input)
    : sc_module(name),
      bus("bus", 1 + with_system_memory(c)),
      cpu("cpu", {c.cpu.clock_mhz, c.cpu.cycles_per_instruction, 0, c.limits.instructions}),
      ram(std::make_unique<models::ram>("ram", c.ram.base, c.ram.size)),
      clint("clint", 1, tick_of(c.clint)),
      plic("plic", c.plic.sources, 1),
      uart("uart", std::move(send), std::move(input), sc_core::sc_time(c.uart.input_interval_us, sc_core::SC_US)),
      finisher("finisher"),
      tasks("tasks"),
      firmware(image) {
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(static_cast<double>(c.quantum_ns), sc_core::SC_NS));
  if (c.rom.size != 0)
    rom = std::make_unique<models::ram>("rom", c.rom.base, c.rom.size, models::ram::access::read_only);
  map("ram", *ram);
  if (rom != nullptr) map("rom", *rom);
  map("clint", c.clint.base, models::clint::window, clint);
  map("plic", c.plic.base, models::plic::window, plic);
  map("uart", c.uart.base, models::uart::window, uart);
  map("finisher", c.finisher.base, models::finisher::window, finisher);
  map("tasks", c.tasks.base, models::task_marks::window, tasks);
  bind();
  std::vector<sc_core::sc_signal<bool>*> lines(c.plic.sources + 1, &low_);
  lines[c.uart.interrupt] = &uart_line_;
  for (const soc_config::gpu& g : c.gpus) {
    add_gpu(g);
    lines[g.interrupt] = gpu_lines_.back().get();
  }
  for (uint32_t s = 1; s <= c.plic.sources; ++s) (*plic.sources[s - 1])(*lines[s]);
  load();
}

void soc_system::map(const std::string& part, uint64_t base, uint64_t size, models::device& d) {
  bind_sockets(bus.map(part, base, size, addressing::relative), d.socket);
}

void soc_system::map(const std::string& part, models::ram& m) {
  bind_sockets(bus.map(part, m.begin(), m.size(), addressing::absolute), m.socket);
}

void soc_system::bind() {
  bind_sockets(cpu.bus, *bus.from[0]);
  cpu.timer_interrupt(timer_line_);
  cpu.software_interrupt(software_line_);
  cpu.external_interrupt(external_line_);
  (*clint.timer[0])(timer_line_);
  (*clint.software[0])(software_line_);
  (*plic.contexts[0])(external_line_);
  uart.interrupt(uart_line_);
}

void soc_system::add_gpu(const soc_config::gpu& c) {
  refuse_beyond_host(c.machine);
  const std::string name = "gpu" + std::to_string(gpus.size());
  if (c.machine.memory.local.is_outside())
    throw input_error(fmt::format(
        "{}: machine.memory.local.at socket: this system has no memory for the socket; it is for the GPU as "
        "a block of another platform (docs/embedding.md)",
        name));
  gpus.push_back(std::make_unique<models::gpu>(name.c_str(), c.machine));
  gpu_lines_.push_back(std::make_unique<sc_core::sc_signal<bool>>((name + "_line").c_str()));
  models::gpu& g = *gpus.back();
  const models::dram& memory = g.memory.dram;
  if (g.window.size() > soc_config::gpu_window)
    throw input_error(
        fmt::format("{}: its debug window of {} compute units takes {} bytes of the bus, and there are {}", name,
                    c.machine.n_cu, g.window.size(), soc_config::gpu_window));
  bind_sockets(bus.map(name, c.base, g.window.size(), addressing::relative), g.window.socket);
  bind_sockets(bus.map(name + "_memory", memory.base(), memory.size(), addressing::absolute), g.aperture);
  g.window.interrupt.bind(*gpu_lines_.back());
  if (c.machine.memory.system.exists()) bind_sockets(g.system, *bus.from[next_initiator_++]);
}

std::string soc_system::text_at(uint64_t address) const {
  constexpr size_t longest = 64;
  std::string text;
  for (const models::ram* m : {ram.get(), rom.get()}) {
    if (m == nullptr || address - m->begin() >= m->size()) continue;
    const unsigned char* at = m->storage() + (address - m->begin());
    const uint64_t there = m->size() - (address - m->begin());
    for (size_t k = 0; k < std::min<uint64_t>(longest, there) && at[k] != 0; ++k) {
      const bool is_plain = at[k] >= ' ' && at[k] < 0x7f;
      text += is_plain ? static_cast<char>(at[k]) : '?';
    }
  }
  return text;
}

void soc_system::load() {
  for (const loader::firmware_image::segment& s : firmware.segments()) {
    models::ram* in = nullptr;
    for (models::ram* m : {ram.get(), rom.get()}) {
      if (m == nullptr) continue;
      const uint64_t offset = s.address - m->begin();
      if (offset < m->size() && s.memory_size <= m->size() - offset) in = m;
    }
    if (in == nullptr) {
      std::string memories = "ram is " + memory_text(*ram);
      if (rom != nullptr) memories += ", rom " + memory_text(*rom);
      throw input_error(fmt::format("{}: its segment {:#x} to {:#x} is not in memory ({})", firmware.name(), s.address,
                                    s.address + (s.memory_size - 1), memories));
    }
    unsigned char* to = in->storage() + (s.address - in->begin());
    std::copy(s.bytes.begin(), s.bytes.end(), to);
    std::memset(to + s.bytes.size(), 0, s.memory_size - s.bytes.size());
  }
  cpu.set_reset_pc(firmware.entry());
  cpu.name_addresses_by([this](uint64_t address) { return firmware.name_of(address); });
}

}  // namespace pws::platform
