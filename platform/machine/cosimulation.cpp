// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/cosimulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/machine/coverage_report.h"

namespace pws::platform::cosim {

namespace {

// An empty list selects everything.
bool selected(const std::vector<uint32_t>& list, uint32_t value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

cosimulation::cosimulation(const std::vector<std::unique_ptr<models::compute_unit>>& cus,
                           const models::machine_config& config, const std::function<void()>& while_building)
    : period_ps_(1'000'000 / config.clock_mhz) {
  if (config.cosim.mode == models::cosim_mode::model) return;
  for (const auto& cu : cus) {
    if (!selected(config.cosim.cus, cu->index())) continue;
    std::vector<rtl_executor*> by_unit(cu->layout().count());
    for (uint32_t u = 0; u < cu->layout().count(); ++u) {
      const models::simd_id simd = cu->layout().simd_of(models::unit_id(u));
      const models::swf_number number = cu->layout().number_of(models::unit_id(u));
      // A SIMD unit itself has to be named.
      if (number.is_simd_unit() && config.cosim.spsimds.empty()) continue;
      if (selected(config.cosim.simds, simd.value) && selected(config.cosim.spsimds, number.value())) {
        if (while_building) while_building();
        lockstep_checker* checker = nullptr;
        if (config.cosim.mode == models::cosim_mode::lockstep) {
          checkers_.push_back(std::make_unique<lockstep_checker>(*cu, mismatch_context{{}, {}, period_ps_}));
          checker = checkers_.back().get();
        }
        executors_.push_back(std::make_unique<rtl_executor>(*cu, simd, number, config, checker));
        if (checker != nullptr) checker->watch(executors_.back()->window());
        cu->attach(simd, number, *executors_.back());
        by_unit[u] = executors_.back().get();
      }
    }
    for (rtl_executor* const e : by_unit)
      if (e != nullptr) e->connect(by_unit);
  }
}

void cosimulation::cover(const std::string& file) {
  coverage_file_ = file;
  coverage_ = std::make_unique<functional_coverage>();
  for (const auto& e : executors_) e->cover(coverage_.get());
}

void cosimulation::write_coverage() const {
  if (coverage_ != nullptr) write_output({"--rtl-coverage", coverage_file_}, coverage_file(coverage_->points()));
}

void cosimulation::describe_mismatches(const std::string& command, const std::string& waveform) {
  for (const auto& c : checkers_) c->describe({command, waveform, period_ps_});
}

void cosimulation::open_waveforms(const std::string& file, unsigned levels) {
  const size_t dot = file.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : file.substr(dot);
  if ((extension != ".vcd" && extension != ".fst") || dot == 0)
    throw input_error("--rtl-vcd " + file + ": the file's name must end in .vcd or .fst");
  const std::string stem = file.substr(0, dot);
  for (const auto& e : executors_) {
    const std::string name = executors_.size() == 1 ? file : stem + "." + e->name() + extension;
    try {
      e->unit().open_waveform(name, period_ps_, levels);
    } catch (const std::runtime_error& error) {
      throw input_error(std::string("--rtl-vcd: ") + error.what());
    }
  }
}

void cosimulation::record(bool on, models::cycle_t now) {
  if (on == recording_) return;
  recording_ = on;
  for (const auto& e : executors_) {
    e->advance(now);  // what lies before has been recorded, or has not
    e->unit().record(on);
  }
}

void cosimulation::close_waveforms() {
  output_problems problems;
  for (const auto& e : executors_) {
    try {
      e->unit().close_waveform();
    } catch (const std::runtime_error& error) {
      problems.add(std::string("--rtl-vcd: ") + error.what());
    }
  }
  if (!problems.text().empty()) throw input_error(problems.text());
}

void cosimulation::show(models::cycle_t now) {
  for (const auto& e : executors_) e->show(now);
}

void cosimulation::drain() {
  for (const auto& e : executors_) e->drain();
}

executor_statistics cosimulation::statistics() const {
  executor_statistics sum;
  for (const auto& e : executors_) sum.add(e->statistics());
  return sum;
}

}  // namespace pws::platform::cosim
