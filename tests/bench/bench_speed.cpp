// SPDX-License-Identifier: Apache-2.0
// Wavefront instructions per host second, for each kernel in both fidelities, beside the host's own rate for a
// full-mask 64-lane f32 addition measured right before (see add_loop.h), and the ratio of the two. lockstep/...:
// instructions per second of SWFs whose RTL runs beside the model, with and without its assertions, and what of the RTL
// is evaluated for one of them.
//
//   bench_speed [--benchmark_filter=REGEX] [--benchmark_repetitions=N] ... (Google Benchmark's options)
//
// Every measurement is a process of its own, because SystemC is one per process. Time is the process's CPU time from
// the doorbell to completion, and so is the yardstick's: other load on the host then matters less.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "base/error.h"
#include "platform/run/run_session.h"
#include "rtl/wrapper/spsimd_rtl.h"
#include "tests/bench/add_loop.h"

namespace {

using pws::platform::run_config;

struct speed_case {
  const char* name;
  const char* config;                  // in configs/runs
  std::vector<std::string> overrides;  // to a size that runs for seconds
  bool assertions = true;              // of the RTL are looked at
};

std::string count(const char* argument, uint64_t n) {
  return std::string("arguments.") + argument + ".count=" + std::to_string(n);
}
std::string value(const char* argument, uint64_t n) {
  return std::string("arguments.") + argument + ".value=" + std::to_string(n);
}
std::string grid(uint64_t x) {
  return "launch.grid=[" + std::to_string(x) + "]";
}

// Sizes: functional runs of about a second. Timing runs take longer for the same work.
std::vector<speed_case> cases() {
  constexpr uint64_t m = 1 << 20;
  return {
      {"vector_add",
       "vector_add.yaml",
       {grid(16 * m), count("a", 16 * m), count("b", 16 * m), count("c", 16 * m), value("n", 16 * m)}},
      {"saxpy", "saxpy.yaml", {grid(16 * m), count("x", 16 * m), count("y", 16 * m), value("n", 16 * m)}},
      {"matrix_multiply",
       "matrix_multiply.yaml",
       {"launch.grid=[720,720]", count("a", 720 * 720), count("b", 720 * 720), count("c", 720 * 720), value("n", 720)}},
      {"reduction",
       "reduction.yaml",
       {grid(16 * m), count("input", 16 * m), count("partial", 16 * m / 256), value("n", 16 * m)}},
      {"bfs_step", "bfs_step.yaml", {grid(4 * m)}},
      {"needleman_wunsch",
       "needleman_wunsch_batch.yaml",
       {grid(m / 2), count("a", m / 2), count("b", m / 2), count("last_row", m / 2)}},
      {"histogram", "histogram.yaml", {grid(m / 4), count("data", 64 * m), value("n", 64 * m)}},
      {"divergent_break",
       "divergent_break.yaml",
       {grid(m / 2), count("start", m / 2), count("steps", m / 2), value("n", m / 2), "expect.steps.count=32"}},
      // A million workgroups of one wavefront, all but the first with nothing to do: what it costs to place them.
      {"small_workgroups", "vector_add.yaml", {grid(64 * m), "launch.workgroup=[64]", value("n", 64)}},
  };
}

// Kernels with integer, scalar and mixed instructions, split wherever pwscc can.
std::vector<speed_case> lockstep_cases() {
  const auto split = [](std::vector<std::string> more) {
    for (const char* s :
         {"machine.divergence=pws", "machine.spsimd_per_simd=1", "program.split=all", "machine.split_cycles=9",
          "machine.merge_cycles=9", "machine.cosim.mode=lockstep", "machine.schedule=oldest_first"})
      more.push_back(s);
    return more;
  };
  constexpr uint64_t k16 = 16 * 1024;
  return {
      {"lockstep/spiking_neuron", "spiking_neuron.yaml",
       split({grid(k16), count("current", k16), count("spikes", k16), value("n", k16), "expect={}"})},
      {"lockstep/divergent_break", "divergent_break.yaml",
       split({grid(k16), count("start", k16), count("steps", k16), value("n", k16), "expect.steps.count=32"})},
      {"lockstep/fully_divergent", "fully_divergent.yaml", split({})},
      {"lockstep/synthetic", "synthetic.yaml", split({})},
  };
}

struct outcome {
  double seconds = 0;
  uint64_t instructions = 0;
  uint64_t cycles = 0;
  uint64_t rtl_instructions = 0, evaluations = 0, lanes = 0;  // by SpSIMD units' RTL, and what it took
};

// In a child process.
bool measure(const speed_case& c, const std::string& fidelity, outcome& result, std::string& error) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    outcome o;
    int code = 1;
    try {
      std::vector<std::string> overrides = c.overrides;
      overrides.push_back("machine.fidelity=" + fidelity);
      run_config config = pws::platform::load_run(std::string(PWS_SOURCE_DIR "/configs/runs/") + c.config, overrides);
      config.expect.clear();  // results are the tests' business
      pws::rtl::spsimd_rtl::check_assertions(c.assertions);
      const pws::platform::run_report r = pws::platform::run(config, {});
      if (!r.completed) throw pws::program_error(r.error);
      const pws::platform::cosim::executor_statistics& rtl = r.cosim.counts;
      o = {r.host_cpu_seconds, r.totals.cu.total_instructions(), r.cycles, rtl.executed(), rtl.evaluations, rtl.lanes};
      code = write(pipe_ends[1], &o, sizeof o) == static_cast<ssize_t>(sizeof o) ? 0 : 1;
    } catch (const std::exception& e) {
      std::cerr << c.name << ": " << e.what() << '\n';
    }
    _exit(code);
  }
  close(pipe_ends[1]);
  const bool got = read(pipe_ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!got || status != 0) error = "the run failed";
  return got && status == 0;
}

void bench(benchmark::State& state, const speed_case& c, const std::string& fidelity) {
  for (auto _ : state) {
    const double yardstick = pws::bench::add_loop_rate(0.3);
    outcome o;
    std::string error;
    if (!measure(c, fidelity, o, error)) {
      state.SkipWithError(error.c_str());
      return;
    }
    state.SetIterationTime(o.seconds);
    const double rate = static_cast<double>(o.instructions) / o.seconds;
    state.counters["inst"] = static_cast<double>(o.instructions);
    state.counters["inst/s"] = rate;
    state.counters["add_loop/s"] = yardstick;
    state.counters["one_in"] =
        yardstick / rate;  // the platform does one instruction where the host adds this many times
    if (o.cycles != 0) state.counters["cycles"] = static_cast<double>(o.cycles);
    if (o.rtl_instructions == 0) continue;
    const auto n = static_cast<double>(o.rtl_instructions);
    state.counters["rtl_inst/s"] = n / o.seconds;
    state.counters["evals/rtl_inst"] = static_cast<double>(o.evaluations) / n;
    state.counters["lanes/rtl_inst"] = static_cast<double>(o.lanes) / n;
  }
}

}  // namespace

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  for (const speed_case& c : cases())
    for (const char* fidelity : {"functional", "timing"})
      benchmark::RegisterBenchmark((std::string(c.name) + "/" + fidelity).c_str(),
                                   [c, fidelity](benchmark::State& s) { bench(s, c, fidelity); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
  for (speed_case c : lockstep_cases())
    for (const bool assertions : {true, false}) {
      c.assertions = assertions;
      const std::string name = c.name + std::string(assertions ? "" : "/without_assertions");
      benchmark::RegisterBenchmark(name.c_str(), [c](benchmark::State& s) { bench(s, c, "timing"); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
