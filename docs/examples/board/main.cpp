// SPDX-License-Identifier: Apache-2.0
// board KERNEL: a board with a processor and the GPU. The processor's program puts a kernel, its arguments and its data
// into the GPU's memory, writes its registers and waits for its interrupt; then it makes the GPU fault, and resets it.
#include <pwsvp/models/gpu/gpu.h>

#include <iostream>

#include "../parts/bus.h"
#include "../parts/gpu_driver.h"
#include "../parts/processor.h"

namespace {

constexpr uint64_t registers = 0x1000'0000;  // on the bus

struct board : sc_core::sc_module {
  parts::processor cpu{"cpu"};
  parts::bus bus{"bus"};
  pws::models::gpu gpu;
  sc_core::sc_signal<bool> interrupt{"interrupt"};

  board(const sc_core::sc_module_name& name, const pws::models::machine_config& c) : sc_module(name), gpu("gpu", c) {
    bus.from(cpu.bus);
    bus.to(gpu.window.socket, registers, gpu.window.size(), parts::bus::kind::device);
    bus.to(gpu.aperture, gpu.memory.dram.base(), gpu.memory.dram.size(), parts::bus::kind::memory);
    gpu.window.interrupt.bind(interrupt);
  }
};

void program(board& b, const char* kernel) {
  const uint64_t memory = b.gpu.memory.dram.base();
  parts::gpu_driver driver(b.cpu, registers, b.interrupt, memory);
  driver.load(pws::loader::load_program(kernel));

  const uint64_t buffer = memory + 0x10'0000;
  std::vector<float> data(1000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const auto n = static_cast<uint32_t>(data.size());
  b.cpu.write(buffer, data.data(), n * sizeof(float));

  driver.start("scale", 1024, parts::kernel_arguments(buffer, 3.0f, n));
  driver.finish();
  b.cpu.read(buffer, data.data(), n * sizeof(float));
  for (uint32_t i = 0; i < n; ++i)
    if (data[i] != 3 * static_cast<float>(i)) throw std::runtime_error("wrong result at " + std::to_string(i));
  std::cout << "scale: " << n << " elements as expected, " << driver.counter(PWSGPU_CYCLES_BUSY) << " cycles, "
            << driver.counter(PWSGPU_INSTRUCTIONS) << " wavefront instructions\n";

  // A buffer where there is none.
  try {
    driver.start("scale", 64, parts::kernel_arguments(uint64_t{0x40}, 3.0f, n));
    driver.finish();
    throw std::logic_error("no fault");
  } catch (const std::runtime_error& e) {
    std::cout << "fault: " << e.what() << '\n';
  }
  driver.reset();
  // More kernels than the ring of packets has places.
  for (int k = 0; k < 100; ++k) driver.start("scale", 1024, parts::kernel_arguments(buffer, 1.0f, n));
  driver.start("scale", 1024, parts::kernel_arguments(buffer, 0.0f, n));
  driver.finish();
  b.cpu.read(buffer, data.data(), n * sizeof(float));
  if (data != std::vector<float>(n, 0.0f)) throw std::runtime_error("wrong results after the reset");
  std::cout << "after the reset: " << n << " elements as expected, " << driver.counter(PWSGPU_KERNELS) << " kernels\n";
}

}  // namespace

// SystemC's library has the main() that calls it.
int sc_main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: board KERNEL\n";
    return 2;
  }
  pws::models::machine_config config;
  config.n_cu = 2;
  config.memory.dram.size_mib = 64;
  board b("board", config);
  return parts::simulate(b.cpu, [&] { program(b, argv[1]); });
}
