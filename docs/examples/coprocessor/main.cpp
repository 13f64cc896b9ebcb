// SPDX-License-Identifier: Apache-2.0
// coprocessor KERNEL: the GPU and a co-processor of the board's maker on one bus. They work on one buffer in the
// board's memory, one after the other: the GPU scales it, the checksum engine adds it up, the GPU puts the sum into
// each element.
#include <pwsvp/models/gpu/gpu.h>

#include <iostream>

#include "../parts/bus.h"
#include "../parts/checksum_engine.h"
#include "../parts/gpu_driver.h"
#include "../parts/memory.h"
#include "../parts/processor.h"

namespace {

// The board's addresses.
constexpr uint64_t gpu_registers = 0x1000'0000, engine_registers = 0x1100'0000;
constexpr uint64_t ram_begin = 0x8000'0000;
constexpr uint32_t ram_mib = 16;
constexpr uint64_t buffer = ram_begin + 0x10'0000;

pws::models::machine_config machine() {
  pws::models::machine_config c;
  c.n_cu = 2;
  c.memory.dram.size_mib = 64;
  c.memory.system.base = ram_begin;
  c.memory.system.size_mib = ram_mib;
  return c;
}

struct board : sc_core::sc_module {
  parts::processor cpu{"cpu"};
  parts::bus bus{"bus"};
  parts::memory ram{"ram", ram_begin, uint64_t{ram_mib} << 20, sc_core::sc_time(60, sc_core::SC_NS)};
  pws::models::gpu gpu{"gpu", machine()};
  parts::checksum_engine engine{"engine"};
  sc_core::sc_signal<bool> gpu_interrupt{"gpu_interrupt"}, engine_interrupt{"engine_interrupt"};

  explicit board(const sc_core::sc_module_name& name) : sc_module(name) {
    using kind = parts::bus::kind;
    bus.from(cpu.bus);
    bus.from(gpu.system);
    bus.from(engine.memory);
    bus.to(ram.socket, ram.begin(), ram.size(), kind::memory);
    bus.to(gpu.window.socket, gpu_registers, gpu.window.size(), kind::device);
    bus.to(gpu.aperture, gpu.memory.dram.base(), gpu.memory.dram.size(), kind::memory);
    bus.to(engine.registers, engine_registers, parts::checksum_engine::size, kind::device);
    gpu.window.interrupt.bind(gpu_interrupt);
    engine.interrupt.bind(engine_interrupt);
  }
};

void program(board& b, const char* kernel) {
  parts::gpu_driver gpu(b.cpu, gpu_registers, b.gpu_interrupt, ram_begin);
  gpu.load(pws::loader::load_program(kernel));
  constexpr uint32_t n = 1000, factor = 7;
  std::vector<uint32_t> data(n);
  for (uint32_t i = 0; i < n; ++i) data[i] = i;
  b.cpu.write(buffer, data.data(), n * sizeof(uint32_t));

  gpu.start("scale", 1024, parts::kernel_arguments(buffer, factor, n));
  gpu.finish();
  const uint32_t sum = parts::checksum(b.cpu, engine_registers, b.engine_interrupt, buffer, n * sizeof(uint32_t));
  gpu.start("add", 1024, parts::kernel_arguments(buffer, sum, n));
  gpu.finish();

  if (sum != factor * (n - 1) * n / 2) throw std::runtime_error("wrong sum: " + std::to_string(sum));
  b.cpu.read(buffer, data.data(), n * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; ++i)
    if (data[i] != factor * i + sum) throw std::runtime_error("wrong result at " + std::to_string(i));
  std::cout << n << " elements and their sum, " << sum << ", as expected at " << sc_core::sc_time_stamp() << '\n';
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: coprocessor KERNEL\n";
    return 2;
  }
  board b("board");
  return parts::simulate(b.cpu, [&] { program(b, argv[1]); });
}
