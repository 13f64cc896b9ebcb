// SPDX-License-Identifier: Apache-2.0
// board KERNEL: a SystemC simulation with the GPU as one of its modules beside one of its own, a supply that
// looks every 100 ns whether the GPU works.
#include <pwsvp/platform/machine/device_runtime.h>
#include <pwsvp/platform/machine/virtual_platform.h>

#include <algorithm>
#include <cstring>
#include <iostream>

namespace {

class supply : public sc_core::sc_module {
 public:
  uint64_t busy = 0, idle = 0;  // of its looks

  SC_HAS_PROCESS(supply);
  supply(const sc_core::sc_module_name& name, const pws::models::gpu& gpu) : sc_module(name), gpu_(gpu) {
    SC_THREAD(watch);
  }

 private:
  void watch() {
    for (;;) {
      wait(100, sc_core::SC_NS);
      const bool works = std::any_of(gpu_.cus.begin(), gpu_.cus.end(), [](const auto& cu) { return !cu->idle(); });
      ++(works ? busy : idle);
    }
  }
  const pws::models::gpu& gpu_;
};

struct board : sc_core::sc_module {
  pws::platform::virtual_platform machine;
  supply power;

  board(const sc_core::sc_module_name& name, const pws::models::machine_config& c)
      : sc_module(name), machine("machine", c), power("power", machine.gpu) {}
};

template <class T>
std::vector<uint8_t> bytes_of(const T& value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
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
  board b("board", config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  const pws::loader::program_image program = pws::loader::load_program(argv[1]);
  pws::platform::device_runtime runtime(b.machine);
  runtime.load(program);
  const std::vector<float> ones(4096, 1.0f);
  const size_t bytes = ones.size() * sizeof(float);
  const uint64_t buffer = runtime.allocate(bytes, "data");
  runtime.write(buffer, ones.data(), bytes);

  pws::platform::kernel_launch launch;
  launch.kernel = runtime.find_kernel("scale");
  launch.grid = {4096, 1, 1};
  launch.workgroup = {64, 1, 1};
  launch.arguments = {bytes_of(buffer), bytes_of(2.0f), bytes_of(static_cast<uint32_t>(ones.size()))};
  // Time of the whole simulation goes on until the kernel is done.
  const pws::platform::launch_result result = runtime.launch(launch);
  std::vector<float> data(ones.size());
  runtime.read(buffer, data.data(), bytes);
  if (!result.completed || data != std::vector<float>(ones.size(), 2.0f)) {
    std::cerr << "scale: " << (result.completed ? "wrong results" : result.error) << '\n';
    return 1;
  }
  std::cout << "scale: " << data.size() << " elements as expected, " << result.cycles
            << " cycles; the supply saw the GPU busy " << b.power.busy << " times, idle " << b.power.idle << " times\n";
  return 0;
}
