// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/bounded_launches.h"

#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "platform/wcet/launch_analysis.h"
#include "sw/pwscc/device_compiler.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

uint64_t filled_buffer(platform::device_runtime& runtime, const std::vector<uint32_t>& words, const char* name) {
  const uint64_t address = runtime.allocate(words.size() * 4, name);
  runtime.write(address, words.data(), words.size() * 4);
  return address;
}

// As the analysis of the launch, but with mistakes in what it is given.
std::vector<broken_bound> broken_bounds(const platform::wcet_result& right, const platform::device_layout& layout,
                                        const platform::kernel_launch& placed, const fact_breaker& mistakes) {
  wcet::launch_facts launch = platform::facts_of(layout, placed);
  launch.work = 1'000'000;  // there are many of them
  const platform::launch_extent shape = platform::extent_of(placed);
  const wcet::machine_timing& timing = std::get<platform::static_basis>(right.basis).timing;
  std::vector<broken_bound> out;
  for (const broken_facts& b : mistakes(*right.analysed)) {
    wcet::code_facts facts;
    facts.place = [](size_t) { return cfg::source_place{}; };
    facts.marked = b.marked;
    try {
      const wcet::analysed_kernel broken(b.code, facts, launch, {timing.line_bytes, timing.lds_banks},
                                         right.swf_contexts);
      platform::scheme_bound bound;
      bound.wavefront = wcet::bound_wavefront(broken, right.configured()->wavefront.of_scheme, timing);
      platform::bound_launch(right.machine, shape, platform::first_issue_at_most(timing), bound);
      out.push_back({b.mistake, bound.e_kernel});
    } catch (const input_error&) {
    } catch (const wcet::infeasible_flow&) {  // what is broken contradicts what is right
    }
  }
  return out;
}

// A launch with its buffers.
struct placed_launch {
  placed_launch(platform::device_runtime& device, const loader::program_image& program, const bounded_launch& l)
      : runtime(device) {
    std::vector<uint32_t> words(l.work_items);
    for (uint32_t k = 0; k < l.work_items; ++k) words[k] = k * 0x9e3779b1u >> 3;
    data = filled_buffer(runtime, words, "data");
    table = filled_buffer(runtime, l.table != nullptr ? *l.table : ring_table(), "table");
    placed.kernel = runtime.find_kernel(l.kernel);
    placed.source = program.name();
    placed.grid = {l.work_items, 1, 1};
    placed.workgroup = {l.workgroup, 1, 1};
    placed.arguments = {bytes_of(data), bytes_of(table), bytes_of(l.n), bytes_of(l.m)};
    placed = runtime.prepare(placed);
  }
  ~placed_launch() {
    runtime.release(data);
    runtime.release(table);
  }
  placed_launch(const placed_launch&) = delete;
  placed_launch& operator=(const placed_launch&) = delete;

  platform::device_runtime& runtime;
  uint64_t data = 0, table = 0;
  platform::kernel_launch placed;
};

bounded_result bound_and_run(const models::gpu& gpu, platform::device_runtime& runtime,
                             const loader::program_image& program, const bounded_launch& l,
                             const fact_breaker& mistakes) {
  const placed_launch launch(runtime, program, l);
  const platform::kernel_launch& placed = launch.placed;
  bounded_result r;
  try {
    platform::launch_analysis analysis(gpu.config, runtime.layout(), placed, {});
    analysis.launch_begins(gpu);
    const platform::launch_result run = runtime.submit(placed);
    analysis.launch_ended(run.completed, run.error, run.cycles);
    if (!run.completed) r.error = run.error.empty() ? "not completed" : run.error;
    const auto result = analysis.take_result();
    r.bound = result->configured()->e_kernel;
    r.observed = run.cycles;
    if (mistakes) r.broken = broken_bounds(*result, runtime.layout(), placed, mistakes);
  } catch (const input_error& e) {
    r.refusal = e.what();
  }
  return r;
}

void send_text(const message_sink& send, const std::string& text) {
  const uint64_t length = text.size();
  send(&length, sizeof length);
  send(text.data(), length);
}

}  // namespace

loader::program_image compile_hip(const std::filesystem::path& source, const hip_build& build) {
  pwscc::device_options options;
  options.flags = {"-std=c++17", build.level, "-I" PWS_SOURCE_DIR "/sw/include",
                   "-I" PWS_SOURCE_DIR "/tests/wcet/loops"};
  if (!build.marks)  // as if <pws.h> were empty
    for (const char* f : {"-DPWS_H", "-DPWS_LOOP_BOUND(n)=static_cast<void>(0)", "-DPWS_SPLIT()=static_cast<void>(0)"})
      options.flags.emplace_back(f);
  options.pass.choice = build.split;
  options.pass.swf_contexts = build.swf_contexts;
  return loader::read_program(pwscc::compile_device(source, options).code_object, source.string());
}

std::vector<uint32_t> ring_table() {
  std::vector<uint32_t> table(table_words);
  for (uint32_t k = 0; k < table_words; ++k) table[k] = (k * 5 + 17) % table_words;
  return table;
}

std::vector<bounded_result> bound_and_run(const models::machine_config& machine, const loader::program_image& program,
                                          const std::vector<bounded_launch>& launches, const fact_breaker& mistakes,
                                          unsigned seconds) {
  const auto run_all = [&](const message_sink& send) {
    models::machine_config c = machine;
    c.fidelity = models::fidelity::timing;
    platform::virtual_platform board("board", c);
    models::gpu& gpu = board.gpu;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    platform::device_runtime runtime(board);
    runtime.load(program);
    for (const bounded_launch& l : launches) {
      const bounded_result r = bound_and_run(gpu, runtime, program, l, mistakes);
      send_text(send, r.refusal);
      send_text(send, r.error);
      send(&r.bound, sizeof r.bound);
      send(&r.observed, sizeof r.observed);
      const uint64_t n = r.broken.size();
      send(&n, sizeof n);
      send(r.broken.data(), n * sizeof(broken_bound));
      if (!r.error.empty()) break;
    }
    return 0;
  };
  const child_result child = in_child(run_all, seconds);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::vector<bounded_result> results;
  size_t at = 0;
  const auto take = [&](void* to, size_t n) {
    if (at + n > child.message.size()) throw std::runtime_error("the child sent too little");
    std::memcpy(to, child.message.data() + at, n);
    at += n;
  };
  const auto take_text = [&] {
    uint64_t length = 0;
    take(&length, sizeof length);
    std::string text(length, ' ');
    take(text.data(), length);
    return text;
  };
  while (at < child.message.size()) {
    bounded_result r;
    r.refusal = take_text();
    r.error = take_text();
    take(&r.bound, sizeof r.bound);
    take(&r.observed, sizeof r.observed);
    uint64_t n = 0;
    take(&n, sizeof n);
    r.broken.resize(n);
    take(r.broken.data(), n * sizeof(broken_bound));
    results.push_back(std::move(r));
  }
  return results;
}

std::string refusal_of(const models::machine_config& machine, const loader::program_image& program,
                       const bounded_launch& launch) {
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        const placed_launch placed(runtime, program, launch);
        try {
          platform::launch_analysis(board.gpu.config, runtime.layout(), placed.placed, {}).bound(wcet::scheme::none);
        } catch (const input_error& e) {
          const std::string why = e.what();
          send(why.data(), why.size());
        }
        return 0;
      },
      600);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  return {child.message.begin(), child.message.end()};
}

}  // namespace pws::test
