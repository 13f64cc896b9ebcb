// SPDX-License-Identifier: Apache-2.0
// embedded_gpu KERNEL [MACHINE]: runs the kernel `scale` of a code object on the GPU that a machine file describes
// (without one: the default machine) and prints how many cycles it took and what was counted. docs/embedding.md goes
// through it.
#include <pwsvp/platform/config/machine_loader.h>
#include <pwsvp/platform/machine/device_runtime.h>
#include <pwsvp/platform/machine/virtual_platform.h>

#include <cstring>
#include <iostream>

namespace {

// An argument as the kernel takes it: its bytes.
template <class T>
std::vector<uint8_t> bytes_of(const T& value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

int run(const char* kernel, const char* machine) {
  pws::platform::quiet_systemc();
  const pws::models::machine_config config =
      machine == nullptr ? pws::models::machine_config{} : pws::platform::load_machine(machine);
  pws::platform::virtual_platform board("board", config);
  pws::models::gpu& gpu = board.gpu;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: device memory is there from here on

  const pws::loader::program_image program = pws::loader::load_program(kernel);
  pws::platform::device_runtime runtime(board);
  runtime.load(program);

  std::vector<float> data(1000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const size_t bytes = data.size() * sizeof(float);
  const uint64_t buffer = runtime.allocate(bytes, "data");
  runtime.write(buffer, data.data(), bytes);

  pws::platform::kernel_launch launch;
  launch.kernel = runtime.find_kernel("scale");
  launch.grid = {1024, 1, 1};  // work-items
  launch.workgroup = {256, 1, 1};
  launch.arguments = {bytes_of(buffer), bytes_of(3.0f), bytes_of(static_cast<uint32_t>(data.size()))};
  const pws::platform::launch_result result = runtime.launch(launch);
  if (!result.completed) {
    std::cerr << result.error << '\n';
    return 1;
  }

  runtime.read(buffer, data.data(), bytes);
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] == 3 * static_cast<float>(i)) continue;
    std::cerr << "data[" << i << "] is " << data[i] << '\n';
    return 1;
  }
  std::cout << "scale: " << data.size() << " elements as expected, " << result.cycles << " cycles on " << config.n_cu
            << " compute units\n";

  uint64_t instructions = 0, lines = 0, misses = 0;
  for (const auto& cu : gpu.cus) {
    instructions += cu->statistics().total_instructions();
    lines += cu->mif.statistics().vector_lines;
  }
  for (const auto& bank : gpu.memory.l2) misses += bank->statistics().reads - bank->statistics().read_hits;
  std::cout << instructions << " wavefront instructions, " << lines << " lines of vector memory, " << misses
            << " misses of reads in L2\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: embedded_gpu KERNEL [MACHINE]\n";
    return 2;
  }
  try {
    return run(argv[1], argc == 3 ? argv[2] : nullptr);
  } catch (const std::exception& e) {  // a file that is not there, a key that is wrong
    std::cerr << e.what() << '\n';
    return 2;
  }
}
