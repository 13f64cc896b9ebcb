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
    const std::string name = executors_.size() == 1 ? file : fmt::format("{}.{}{}", stem, e->name(), extension);
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

double summary::share() const {
  const uint64_t own = counts.executed() + counts.n_unsupported();
  return own == 0 ? 1.0 : static_cast<double>(counts.executed()) / static_cast<double>(own);
}

std::string text(const summary& s) {
  std::string t = fmt::format("{} in {} units: {} instructions by the RTL, {:.2f} % of their ALUs'", name_of(s.mode),
                              s.units, s.counts.executed(), 100 * s.share());
  if (s.mode == models::cosim_mode::lockstep) t += fmt::format("; {} results compared", s.counts.compared);
  if (!s.counts.unsupported.empty()) {
    t += "; by the model:";
    constexpr size_t shown = 4;
    size_t n = 0;
    for (const auto& [name, count] : s.counts.unsupported)
      if (n++ < shown) t += fmt::format(" {} {}", count, name);
    if (n > shown) t += fmt::format(" and {} others", n - shown);
  }
  return t;
}

const report_part<summary>& summary_part() {
  using s = summary;
  constexpr const char* instructions = "wavefront instructions";
  const auto counted = [](auto member) { return [member](const s& of) { return of.counts.*member; }; };
  using n = executor_statistics;
  static const report_part<s> all =
      report_part<s>()
          .value("mode", "machine.cosim.mode", &s::mode)
          .value("units", "units", "SpSIMD units, and SIMD units themselves, that run as RTL", &s::units)
          .value("scalar", instructions, "scalar, by the RTL", counted(&n::scalar))
          .value("vector", instructions, "vector, by the RTL", counted(&n::vector))
          .value("splits_and_merges", instructions, "by the RTL", counted(&n::splits_and_merges))
          .value("memory", instructions, "whose addresses and data the RTL gave", counted(&n::memory))
          .value("compared", "results", "of RTL and model, in lockstep", counted(&n::compared))
          .value("share_of_alu_instructions", "ratio", "of these units' that the RTL executed", &s::share)
          .map("by_the_model", instructions, "of this name, which the RTL does not have", counted(&n::unsupported));
  return all;
}

}  // namespace pws::platform::cosim
