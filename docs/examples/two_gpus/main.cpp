// SPDX-License-Identifier: Apache-2.0
// two_gpus KERNEL: two GPUs with a memory of their own each, and one memory of the board, which both reach through
// their sockets `system`. They work on one buffer there at the same time: each workgroup takes the next block of it
// that nobody has taken yet.
#include <pwsvp/models/gpu/gpu.h>

#include <iostream>

#include "../parts/bus.h"
#include "../parts/checksum_engine.h"
#include "../parts/gpu_driver.h"
#include "../parts/memory.h"
#include "../parts/processor.h"

namespace {

// The board's addresses.
constexpr uint64_t registers[2] = {0x1000'0000, 0x1100'0000}, engine_registers = 0x1200'0000;
constexpr uint64_t device_memory[2] = {0x1'0000'0000, 0x2'0000'0000};
constexpr uint64_t ram_begin = 0x8000'0000;
constexpr uint32_t ram_mib = 16;
constexpr uint64_t driver_memory[2] = {ram_begin, ram_begin + 0x10'0000};
constexpr uint64_t buffer = ram_begin + 0x20'0000, next_block = ram_begin + 0x30'0000;

constexpr uint32_t blocks = 64, work_items = 256;  // of a block

pws::models::machine_config machine(unsigned gpu) {
  pws::models::machine_config c;
  c.n_cu = gpu + 1;  // one is larger than the other
  c.memory.dram.place.begin = device_memory[gpu];
  c.memory.dram.size_mib = 64;
  c.memory.l2.bank.size_kib = 4;  // small, so that lines are written back to the board while it works
  c.memory.system.base = ram_begin;
  c.memory.system.size_mib = ram_mib;
  return c;
}

struct board : sc_core::sc_module {
  parts::processor cpu{"cpu"};
  parts::bus bus{"bus"};
  parts::memory ram{"ram", ram_begin, uint64_t{ram_mib} << 20, sc_core::sc_time(60, sc_core::SC_NS)};
  pws::models::gpu gpu0{"gpu0", machine(0)}, gpu1{"gpu1", machine(1)};
  parts::checksum_engine engine{"engine"};
  sc_core::sc_signal<bool> interrupt0{"interrupt0"}, interrupt1{"interrupt1"}, engine_interrupt{"engine_interrupt"};

  explicit board(const sc_core::sc_module_name& name) : sc_module(name) {
    using kind = parts::bus::kind;
    bus.from(cpu.bus);
    bus.from(gpu0.system);
    bus.from(gpu1.system);
    bus.from(engine.memory);
    bus.to(ram.socket, ram.begin(), ram.size(), kind::memory);
    bus.to(gpu0.window.socket, registers[0], gpu0.window.size(), kind::device);
    bus.to(gpu1.window.socket, registers[1], gpu1.window.size(), kind::device);
    bus.to(gpu0.aperture, device_memory[0], gpu0.memory.dram.size(), kind::memory);
    bus.to(gpu1.aperture, device_memory[1], gpu1.memory.dram.size(), kind::memory);
    bus.to(engine.registers, engine_registers, parts::checksum_engine::size, kind::device);
    gpu0.window.interrupt.bind(interrupt0);
    gpu1.window.interrupt.bind(interrupt1);
    engine.interrupt.bind(engine_interrupt);
  }
};

void program(board& b, const char* kernel) {
  const pws::loader::program_image code = pws::loader::load_program(kernel);
  parts::gpu_driver first(b.cpu, registers[0], b.interrupt0, driver_memory[0]);
  parts::gpu_driver second(b.cpu, registers[1], b.interrupt1, driver_memory[1]);
  first.load(code);
  second.load(code);

  constexpr uint32_t n = blocks * work_items;
  std::vector<uint32_t> data(n);
  for (uint32_t i = 0; i < n; ++i) data[i] = i;
  b.cpu.write(buffer, data.data(), n * sizeof(uint32_t));
  const uint32_t none[3] = {};  // next_block, and behind it how many blocks each GPU has done
  b.cpu.write(next_block, none, sizeof none);

  const auto arguments = [](uint32_t gpu) {
    return parts::kernel_arguments(buffer, next_block, next_block + 4 + 4 * gpu, blocks);
  };
  first.start("square_blocks", 4 * work_items, arguments(0));
  second.start("square_blocks", 8 * work_items, arguments(1));
  first.finish();
  second.finish();
  const uint32_t sum = parts::checksum(b.cpu, engine_registers, b.engine_interrupt, buffer, n * sizeof(uint32_t));

  b.cpu.read(buffer, data.data(), n * sizeof(uint32_t));
  uint32_t expected = 0;
  for (uint32_t i = 0; i < n; ++i) {
    if (data[i] != i * i) throw std::runtime_error("wrong result at " + std::to_string(i));
    expected += i * i;
  }
  if (sum != expected) throw std::runtime_error("wrong sum: " + std::to_string(sum));
  uint32_t counts[3];
  b.cpu.read(next_block, counts, sizeof counts);
  if (counts[1] == 0 || counts[2] == 0 || counts[1] + counts[2] != blocks)
    throw std::runtime_error("one GPU has done all of it");
  std::cout << n << " elements and their sum, " << sum << ", as expected; of " << blocks << " blocks the first GPU did "
            << counts[1] << ", the second " << counts[2] << "\nat " << sc_core::sc_time_stamp() << ", busy for "
            << first.counter(PWSGPU_CYCLES_BUSY) << " and " << second.counter(PWSGPU_CYCLES_BUSY) << " cycles\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: two_gpus KERNEL\n";
    return 2;
  }
  board b("board");
  return parts::simulate(b.cpu, [&] { program(b, argv[1]); });
}
