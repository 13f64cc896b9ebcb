// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/device_batch.h"

#include <sys/wait.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "platform/machine/device_runtime.h"
#include "sw/loader/program_image.h"
#include "tests/fuzz/csmith/coverage.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

using nlohmann::json;

constexpr unsigned workgroup = 80;  // a full wavefront and a quarter of one; lanes are a multiple of it
constexpr unsigned max_seconds = 600;
constexpr uint64_t unwritten = 0xdbdbdbdbdbdbdbdb;

models::machine_config machine() {
  models::machine_config c;
  c.fidelity = models::fidelity::functional;
  c.n_cu = 2;
  c.memory.dram.size_mib = 512;
  c.limits.max_instructions = 500'000'000;  // of all programs: only ends a machine that runs wild
  return c;
}

template <class T>
std::vector<uint8_t> bytes_of(T value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

json launch(platform::device_runtime& runtime, const kernel_case& c) {
  std::vector<uint64_t> outputs(c.lanes() * c.outputs.size(), unwritten);
  const uint64_t in = runtime.allocate(8 * c.slots.size(), "in");
  const uint64_t out = runtime.allocate(8 * outputs.size(), "out");
  runtime.write(in, c.slots.data(), 8 * c.slots.size());
  runtime.write(out, outputs.data(), 8 * outputs.size());
  platform::kernel_launch request;
  request.kernel = runtime.find_kernel(c.name);
  request.grid = {c.lanes(), 1, 1};
  request.workgroup = {workgroup, 1, 1};
  request.arguments = {bytes_of(in), bytes_of(out), bytes_of(c.lanes())};
  const platform::launch_result result = runtime.launch(request);
  runtime.read(out, outputs.data(), 8 * outputs.size());
  runtime.release(in);
  runtime.release(out);
  return {{"error", result.completed ? "" : result.error}, {"outputs", outputs}};
}

int launch_all(const std::vector<compiled_program>& programs, const message_sink& sink) {
  platform::virtual_platform board("board", machine());
  models::gpu& gpu = board.gpu;
  coverage seen;
  for (const auto& cu : gpu.cus) cu->attach(seen);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  json message;
  message["programs"] = json::array();
  std::vector<loader::program_image> images;
  images.reserve(programs.size());  // runtimes keep pointers to them
  platform::device_runtime runtime(board);
  bool stopped = false;
  for (const compiled_program& p : programs) {
    images.push_back(loader::read_program(p.code_object, "program " + std::to_string(p.program->seed)));
    runtime.load(images.back());
    json cases = json::array();
    for (const kernel_case& c : p.program->cases) {
      cases.push_back(launch(runtime, c));
      stopped = cases.back().at("error") != "";  // a machine that has faulted stays stopped
      if (stopped) break;
    }
    message["programs"].push_back(std::move(cases));
    if (stopped) break;
  }
  message["counts"] = seen.counts();
  const std::vector<uint8_t> packed = json::to_msgpack(message);
  sink(packed.data(), packed.size());
  return 0;
}

}  // namespace

batch_result run_batch(const std::vector<compiled_program>& programs) {
  const child_result child =
      in_child([&](const message_sink& sink) { return launch_all(programs, sink); }, max_seconds);
  batch_result result;
  if (!WIFEXITED(child.status) || WEXITSTATUS(child.status) != 0) {
    result.crash = describe_status(child.status) + "\n" + child.log;
    return result;
  }
  const json message = json::from_msgpack(child.message);
  for (const json& p : message.at("programs")) {
    result.cases.emplace_back();
    for (const json& c : p) result.cases.back().push_back({c.at("error"), c.at("outputs")});
  }
  result.counts = message.at("counts").get<std::vector<uint64_t>>();
  return result;
}

}  // namespace pws::test
