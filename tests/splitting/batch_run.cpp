// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/batch_run.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/check/machine_checks.h"
#include "platform/instruments/observers/branch_report.h"
#include "platform/machine/coverage_report.h"
#include "platform/machine/virtual_platform.h"
#include "sw/loader/hip_compiler.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test {

namespace {

int run_all(const models::machine_config& machine, const loader::program_image& program,
            const std::vector<batch_launch>& launches, rtl_coverage coverage, const message_sink& send) {
  platform::virtual_platform board("board", machine);
  models::gpu& gpu = board.gpu;
  if (coverage == rtl_coverage::counted) board.cosim.cover("");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  platform::device_runtime runtime(board);
  platform::machine_checks checks(gpu, runtime);
  runtime.load(program);
  platform::branch_counter branches;
  const platform::attached_observer measuring(gpu, machine.trace.branch_uniformity ? &branches : nullptr);
  for (const batch_launch& l : launches) {
    std::vector<uint32_t> memory(size_t{l.work_items} * bytes_per_work_item / sizeof(uint32_t));
    const size_t size = memory.size() * sizeof(uint32_t);
    const uint64_t out = runtime.allocate(size, "out");
    runtime.write(out, memory.data(), size);
    const platform::kernel_launch request = launch_of(l, runtime, out);
    branches.launching(request.kernel);
    checks.launch_begins();
    const platform::launch_result result = runtime.launch(request);
    checks.launch_ended(result.completed);
    runtime.read(out, memory.data(), size);
    runtime.release(out);
    const uint64_t length = result.error.size();
    send(&result.cycles, sizeof result.cycles);
    send(&length, sizeof length);
    send(result.error.data(), length);
    send(memory.data(), size);
    if (!result.completed) break;
  }
  const platform::machine_counters totals = platform::read_counters(gpu);
  send(&totals.divergence, sizeof totals.divergence);
  send(&totals.cu, sizeof totals.cu);
  const platform::cosim::executor_statistics rtl = board.cosim.statistics();
  const batch_cosim cosim{rtl.executed(), rtl.n_unsupported(), rtl.compared};
  send(&cosim, sizeof cosim);
  nlohmann::ordered_json counted = nlohmann::ordered_json::array();
  for (const platform::kernel_branches& k : branches.results()) counted.push_back(platform::branches_part().json(k));
  std::ostringstream findings;
  platform::print_findings(findings, checks.results());
  const platform::cosim::functional_coverage* covered = board.cosim.coverage();
  const std::string text =
      nlohmann::ordered_json{{"branches", counted},
                             {"findings", findings.str()},
                             {"by_the_model", rtl.unsupported},
                             {"coverage", covered == nullptr ? "" : platform::cosim::coverage_file(covered->points())}}
          .dump();
  send(text.data(), text.size());
  return 0;
}

}  // namespace

platform::kernel_launch launch_of(const batch_launch& l, const platform::device_runtime& runtime, uint64_t out) {
  platform::kernel_launch request;
  request.kernel = runtime.find_kernel(l.kernel);
  request.grid = {l.work_items, 1, 1};
  request.workgroup = {l.workgroup, 1, 1};
  request.arguments = {bytes_of(out),   bytes_of(l.mode), bytes_of(l.value),
                       bytes_of(l.mul), bytes_of(l.add),  bytes_of(l.workgroup)};
  return request;
}

loader::program_image assemble(const std::string& text) {
  const temporary_file source(".s");
  std::ofstream(source.path()) << text;
  loader::load_options options;
  options.compile.use_cache = false;
  return loader::load_program(source.path(), options);
}

batch_report run_batch(const models::machine_config& machine, const loader::program_image& program,
                       const std::vector<batch_launch>& launches, unsigned seconds, rtl_coverage coverage) {
  const child_result child =
      in_child([&](const message_sink& send) { return run_all(machine, program, launches, coverage, send); }, seconds);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  batch_report report;
  size_t at = 0;
  const auto take = [&](void* to, size_t n) {
    if (at + n > child.message.size()) throw std::runtime_error("a batch sent too little");
    std::memcpy(to, child.message.data() + at, n);
    at += n;
  };
  for (const batch_launch& l : launches) {
    batch_result r;
    uint64_t length = 0;
    take(&r.cycles, sizeof r.cycles);
    take(&length, sizeof length);
    r.error.resize(length);
    take(r.error.data(), length);
    r.memory.resize(size_t{l.work_items} * bytes_per_work_item / sizeof(uint32_t));
    take(r.memory.data(), r.memory.size() * sizeof(uint32_t));
    report.launches.push_back(std::move(r));
    if (!report.launches.back().error.empty()) break;
  }
  take(&report.divergence, sizeof report.divergence);
  take(&report.cu, sizeof report.cu);
  take(&report.cosim, sizeof report.cosim);
  const auto rest =
      nlohmann::ordered_json::parse(child.message.begin() + static_cast<ptrdiff_t>(at), child.message.end());
  report.branches = rest.at("branches").dump();
  report.findings = rest.at("findings");
  report.by_the_model = rest.at("by_the_model").get<std::map<std::string, uint64_t>>();
  report.coverage = rest.at("coverage");
  return report;
}

}  // namespace pws::test
