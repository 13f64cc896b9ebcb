// SPDX-License-Identifier: Apache-2.0
#include "tests/pwscc/pass/pass_support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/compute_unit/compute_unit.h"
#include "platform/machine/device_runtime.h"
#include "sw/loader/bytes.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

class split_counter : public models::execution_observer {
 public:
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst& i, models::cycle_t) override {
    splits += i.unit == isa::unit::split;
    merges += i.unit == isa::unit::merge;
  }
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}
  uint64_t splits = 0, merges = 0;
};

void run_tool(const std::vector<std::string>& command) {
  const loader::temporary_directory scratch;
  const loader::process_result r = loader::run_process(command, scratch.path());
  if (r.exit_code != 0) throw std::runtime_error(fmt::format("{}\n{}", fmt::join(command, " "), r.output));
}

int launch_all(const loader::program_image& program, const std::vector<std::string>& kernels, const lane_inputs& in,
               const models::machine_config& machine, const message_sink& sink) {
  platform::virtual_platform board("board", machine);
  models::gpu& gpu = board.gpu;
  split_counter counter;
  for (const auto& cu : gpu.cus) cu->attach(counter);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  platform::device_runtime runtime(board);
  runtime.load(program);
  const auto n = static_cast<uint32_t>(in.x.size());
  const uint64_t xs = runtime.allocate(4 * n, "xs"), ys = runtime.allocate(4 * n, "ys"),
                 out = runtime.allocate(4 * n, "out");
  runtime.write(xs, in.x.data(), 4 * n);
  runtime.write(ys, in.y.data(), 4 * n);
  nlohmann::json message = nlohmann::json::array();
  for (const std::string& kernel : kernels) {
    std::vector<uint32_t> result(n, 0xdeadbeef);
    runtime.write(out, result.data(), 4 * n);
    counter.splits = counter.merges = 0;
    platform::kernel_launch request;
    request.kernel = runtime.find_kernel(kernel);
    request.grid = {(n + 127) / 128 * 128, 1, 1};
    request.workgroup = {128, 1, 1};
    request.arguments = {bytes_of(xs), bytes_of(ys), bytes_of(out), bytes_of(in.u), bytes_of(n)};
    const platform::launch_result launched = runtime.launch(request);
    runtime.read(out, result.data(), 4 * n);
    message.push_back({{"error", launched.completed ? "" : launched.error},
                       {"out", result},
                       {"splits", counter.splits},
                       {"merges", counter.merges}});
    if (!launched.completed) break;
  }
  const std::vector<uint8_t> packed = nlohmann::json::to_msgpack(message);
  sink(packed.data(), packed.size());
  return 0;
}

}  // namespace

const std::string& assembly_of(const std::string& source, const std::vector<std::string>& flags) {
  static std::map<std::string, std::string> known;
  const std::string key = fmt::format("{} {}", source, fmt::join(flags, " "));
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const temporary_file file(".s");
  std::vector<std::string> command{loader::hip_compiler().path().string(), "--cuda-device-only", "-S",
                                   "-gline-tables-only"};
  for (const std::string& f : loader::hip_flags()) command.push_back(f);
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {PWS_SOURCE_DIR "/tests/pwscc/pass/kernels/" + source, "-o", file.path()});
  run_tool(command);
  return known[key] = file.contents();
}

loader::program_image assembled(const std::string& text) {
  const temporary_file source(".s"), object(".hsaco");
  std::ofstream(source.path(), std::ios::binary) << text;
  run_tool({loader::hip_compiler().path().string(), "-x", "assembler", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx803",
            "-I" PWS_SOURCE_DIR "/sw/include", source.path(), "-o", object.path()});
  return loader::load_program(object.path());
}

pwscc::pass_result place(const std::string& assembly, pwscc::split_choice choice, unsigned swf_contexts) {
  pwscc::pass_options options;
  options.choice = choice;
  options.swf_contexts = swf_contexts;
  return pwscc::place_splits(assembly, "test.s", options);
}

std::string kernel_text(const std::string& body) {
  return ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" + body +
         "\ts_endpgm\n.Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
         "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_kernarg_size 8\n\t.amdhsa_next_free_vgpr 16\n"
         "\t.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
         ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n"
         "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n"
         "    .wavefront_size: 64\n    .sgpr_count: 16\n    .vgpr_count: 16\n    .max_flat_workgroup_size: 1024\n"
         "    .args:\n      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}\n"
         "amdhsa.version: [1, 1]\n...\n.end_amdgpu_metadata\n";
}

text_result run_text(const std::string& text, const models::machine_config& machine) {
  const loader::program_image program = assembled(text);
  platform::kernel_run run;
  run.machine = machine;
  run.program = &program;
  run.launches.front().kernel = "k";
  run.launches.front().shape.grid = {256, 1, 1};
  run.launches.front().shape.workgroup = {256, 1, 1};
  run.arguments = {{"out", true, std::vector<uint8_t>(1024)}};
  const child_report r = run_in_child(run);
  text_result result;
  result.error = r.error;
  result.cycles = r.cycles;
  result.instructions = r.json().at("totals").at("instructions").at("value").get<uint64_t>();
  result.out.resize(256);
  std::memcpy(result.out.data(), r.arguments.at(0).data(), 1024);
  if (r.json().at("totals").contains("splits"))
    result.splits = r.json().at("totals").at("splits").at("value").get<uint64_t>();
  return result;
}

lane_inputs inputs_for(uint32_t work_items, uint32_t seed) {
  lane_inputs in;
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<uint32_t>(state >> 16);
  };
  for (uint32_t k = 0; k < work_items; ++k) {
    in.x.push_back(k % 3 == 0 ? next() & 0x3f : next());
    in.y.push_back(k % 5 == 0 ? next() & 0x0f : next());
  }
  in.u = next() & 0xff;
  return in;
}

std::vector<lane_result> run_lane_kernels(const loader::program_image& program, const std::vector<std::string>& kernels,
                                          const lane_inputs& in, const models::machine_config& machine) {
  const child_result child =
      in_child([&](const message_sink& sink) { return launch_all(program, kernels, in, machine, sink); }, 300);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::vector<lane_result> results;
  for (const auto& m : nlohmann::json::from_msgpack(child.message))
    results.push_back({m.at("out").get<std::vector<uint32_t>>(), m.at("error"), m.at("splits"), m.at("merges")});
  return results;
}

}  // namespace pws::test
