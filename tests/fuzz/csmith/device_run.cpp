// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/device_run.h"

#include <sys/wait.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/check/machine_checks.h"
#include "platform/machine/device_runtime.h"
#include "sw/loader/program_image.h"
#include "tests/fuzz/csmith/coverage.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

// Programs end by themselves (the reference counts their steps); this only ends a machine that runs wild.
constexpr uint64_t max_instructions = 2'000'000'000;
constexpr uint64_t max_cycles = 20'000'000'000;
constexpr unsigned max_seconds = 1'200;
constexpr uint64_t unwritten = 0xdbdbdbdbdbdbdbdb;

std::vector<uint8_t> bytes_of(uint64_t value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

int launch_all(const std::vector<device_program>& programs, const recipe& r, const std::vector<uint64_t>& inputs,
               uint64_t state_bytes, const models::machine_config& machine, const message_sink& sink) {
  platform::virtual_platform board("board", machine);
  models::gpu& gpu = board.gpu;
  coverage seen;
  for (const auto& cu : gpu.cus) cu->attach(seen);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  platform::device_runtime runtime(board);
  platform::machine_checks checks(gpu, runtime);
  const uint64_t stride = (state_bytes + 15) / 16 * 16;  // as in program_end.h
  const uint64_t in = runtime.allocate(8 * inputs.size(), "inputs");
  const uint64_t out = runtime.allocate(8 * inputs.size(), "checksums");
  const uint64_t memory = runtime.allocate(stride * inputs.size(), "state");
  runtime.write(in, inputs.data(), 8 * inputs.size());

  std::vector<loader::program_image> images;
  images.reserve(programs.size());  // the runtime keeps pointers to them
  nlohmann::json message;
  message["launches"] = nlohmann::json::array();
  for (const device_program& p : programs) {
    images.push_back(loader::load_program(p.file));
    runtime.load(images.back());
    std::vector<uint64_t> sums(inputs.size(), unwritten);
    runtime.write(out, sums.data(), 8 * sums.size());
    platform::kernel_launch request;
    request.kernel = runtime.find_kernel(p.kernel);
    request.grid = {r.lanes, 1, 1};
    request.workgroup = {r.workgroup, 1, 1};
    request.arguments = {bytes_of(in), bytes_of(out), bytes_of(memory)};
    const uint64_t before = seen.instructions();
    checks.launch_begins();
    const platform::launch_result result = runtime.launch(request);
    checks.launch_ended(result.completed);
    runtime.read(out, sums.data(), 8 * sums.size());
    message["launches"].push_back({{"error", result.completed ? "" : result.error},
                                   {"checksums", sums},
                                   {"instructions", seen.instructions() - before}});
    if (!result.completed) break;  // a machine that has faulted stays stopped
  }
  message["counts"] = seen.counts();
  std::ostringstream findings;
  platform::print_findings(findings, checks.results());
  message["findings"] = findings.str();
  const std::vector<uint8_t> packed = nlohmann::json::to_msgpack(message);
  sink(packed.data(), packed.size());
  return 0;
}

}  // namespace

models::machine_config fuzz_machine(models::fidelity fidelity) {
  models::machine_config c;
  c.fidelity = fidelity;
  c.n_cu = 2;
  c.memory.dram.size_mib = 2048;
  c.limits.max_instructions = max_instructions;
  c.limits.max_cycles = max_cycles;
  return c;
}

device_result run_on_device(const std::vector<device_program>& programs, const recipe& r,
                            const std::vector<uint64_t>& inputs, uint64_t state_bytes,
                            const models::machine_config& machine) {
  const child_result child =
      in_child([&](const message_sink& sink) { return launch_all(programs, r, inputs, state_bytes, machine, sink); },
               max_seconds);
  device_result result;
  if (!WIFEXITED(child.status) || WEXITSTATUS(child.status) != 0) {
    result.crash = describe_status(child.status) + "\n" + child.log;
    return result;
  }
  const nlohmann::json message = nlohmann::json::from_msgpack(child.message);
  for (const nlohmann::json& l : message.at("launches"))
    result.launches.push_back({l.at("error"), l.at("checksums"), l.at("instructions")});
  result.findings = message.at("findings");
  result.counts = message.at("counts").get<std::vector<uint64_t>>();
  return result;
}

}  // namespace pws::test
