// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/sweep.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/commands/reference/report_fields.h"
#include "platform/config/config_error.h"
#include "platform/config/values/text.h"
#include "platform/sweep/folder_lock.h"
#include "platform/sweep/point_runner.h"
#include "platform/sweep/point_warnings.h"
#include "sw/loader/bytes.h"

namespace pws::platform::sweep {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::now()));
}

// Those that run, from 0.
std::vector<size_t> points_of(const experiment& e) {
  std::vector<size_t> all;
  for (size_t n = 0; n < e.n_points(); ++n)
    if (e.runs(e.point(n))) all.push_back(n);
  return all;
}

// Throws config_error, with suggestions, where no report of the experiment's command can have a measure.
void check_measures(const experiment& e) {
  issue_list issues(e.file);
  for (const measure& m : e.measures) {
    const bool compiler = is_of_compiler(m);
    if (compiler && e.command != command::exec) {
      issues.add(m.where, "measures." + m.name, "compiler.PATH is for command exec, whose programs pwscc compiles");
      continue;
    }
    const std::string prefix = compiler ? compiler_prefix : "";
    const report_kind kind = compiler ? report_kind::compiler : *value_named<report_kind>(name_of(e.command));
    const auto problem = no_report_has(kind, m.path.substr(prefix.size()), prefix);
    if (problem) issues.add(m.where, "measures." + m.name, in_quotes(m.path) + " " + *problem);
  }
  issues.throw_if_any();
}

// Runs some of the points, several at a time.
class running_points {
 public:
  // Checks each point's configuration.
  running_points(const experiment& e, const sweep_options& o, std::vector<size_t> points, std::ostream& out)
      : e_(e), o_(o), out_(out), tools_(tools::beside_this_program()), points_(std::move(points)) {
    check_measures(e);
    for (const size_t n : points_) {
      const point_command c = command_at(e, e.point(n), tools_);
      for (const std::string& f : c.inputs)
        if (fs::path(f).extension() == ".yaml" && files_.count(f) == 0) files_[f] = loader::read_text(f);
    }
  }

  // The whole sweep: its table too.
  sweep_outcome all() {
    const folder_lock lock(o_.folder, folder_lock::kind::alone);
    results_.points.resize(e_.n_points());
    for (const auto& [name, text] : files_) results_.files.emplace_back(name, text);
    work_off();
    refuse_unknown_measures();
    results_.command = o_.command;
    results_.finished = now();
    const auto write = [this](const fs::path& name, const std::string& text) {
      write_output({"", (o_.folder / name).string()}, text);
    };
    write("experiment.yaml", e_.text);
    for (const std::string& f : e_.files) write(fs::path(f).filename(), loader::read_text(f));
    write("table.csv", to_csv(e_, results_));
    write("sweep.json", sweep_part().json({e_, results_}).dump(2) + "\n");
    return outcome_;
  }

  // These points alone, beside other processes that run others.
  sweep_outcome some() {
    const folder_lock lock(o_.folder, folder_lock::kind::shared);
    const point_locks locks(o_.folder);
    locks_ = &locks;
    results_.points.resize(e_.n_points());
    work_off();
    return outcome_;
  }

 private:
  void work_off() {
    runner_.emplace(e_, o_.folder, o_.anew);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const auto jobs = static_cast<unsigned>(std::min<size_t>(o_.jobs == 0 ? cores : o_.jobs, points_.size()));
    began_ = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (unsigned k = 0; k < jobs; ++k) workers.emplace_back([this] { work(); });
    for (std::thread& w : workers) w.join();
    for (const std::string& line : text_of(warnings_, e_, points_.size())) out_ << "warning " << line << std::endl;
    if (broken_) std::rethrow_exception(broken_);
  }

  // A measure that no report has is a mistake in the experiment.
  void refuse_unknown_measures() const {
    if (e_.small) return;  // may leave out the points that have it
    std::string problems;
    for (size_t k = 0; k < e_.measures.size(); ++k) {
      const auto has = [k](const point_result& p) { return k < p.values.size() && !p.values[k].is_null(); };
      const auto done = [](const point_result& p) { return p.finished && !p.failed && !p.refused; };
      if (std::any_of(results_.points.begin(), results_.points.end(), has) ||
          std::none_of(results_.points.begin(), results_.points.end(), done))
        continue;
      problems += fmt::format("{}{}: measures.{}: no point's report has {}{}", problems.empty() ? "" : "\n", e_.file,
                              e_.measures[k].name, e_.measures[k].path, suggestion(e_.measures[k].path));
    }
    if (!problems.empty()) throw input_error(problems);
  }
  std::string suggestion(const std::string& path) const {
    for (const size_t n : points_) {
      std::ifstream in(runner_->folder_of(n) / "report.json");
      const json j = in ? json::parse(in, nullptr, false) : json();
      if (!j.is_object()) continue;
      if (const std::string near = did_you_mean(path, paths_in(j)); !near.empty()) return near;
    }
    return "";
  }

  // Said as soon as it is known: a long sweep can be stopped then. Called with the lock held.
  void warn_of_missing_measures(size_t n, const point_result& r) {
    if (r.failed || r.refused || warned_) return;
    warned_ = true;  // with the first point
    for (size_t k = 0; k < e_.measures.size(); ++k)
      if (k < r.values.size() && r.values[k].is_null())
        out_ << fmt::format("measure {}: the report of {} has no {}{}", e_.measures[k].name,
                            point_text(e_, e_.point(n)), e_.measures[k].path, suggestion(e_.measures[k].path))
             << std::endl;
  }

  void work() {
    try {
      for (size_t k = next_++; k < points_.size() && !broken(); k = next_++) point(points_[k]);
    } catch (...) {
      const std::lock_guard<std::mutex> hold(lock_);
      if (!broken_) broken_ = std::current_exception();
    }
  }
  bool broken() {
    const std::lock_guard<std::mutex> hold(lock_);
    return broken_ != nullptr;
  }

  void point(size_t n) {
    if (locks_ != nullptr && !locks_->take(n)) {
      point_result busy;
      busy.failed = busy.finished = true;
      busy.message = "another process runs this point";
      return done(n, std::move(busy), false);
    }
    point_runner::from source = point_runner::from::run;
    point_result r;
    if (o_.collect)
      r = collected(n, source);
    else
      r = runner_->run(n, command_of(n), source);
    if (locks_ != nullptr) locks_->release(n);
    done(n, std::move(r), source != point_runner::from::run);
  }

  point_command command_of(size_t n) {
    const std::lock_guard<std::mutex> hold(commands_);
    return command_at(e_, e_.point(n), tools_);
  }

  // What there is of the point; where there is nothing, that is why it failed.
  point_result collected(size_t n, point_runner::from& source) {
    using state = point_runner::state;
    point_result r;
    const state found = runner_->look(n, command_of(n), r);
    if (found == state::done) source = point_runner::from::kept;
    if (found == state::done || found == state::failed) return r;
    r = {};
    r.failed = r.finished = true;
    r.message =
        found == state::other ? "what is there was made of other files, settings, measures or tools" : "not run";
    return r;
  }

  void done(size_t n, point_result r, bool kept) {
    const std::lock_guard<std::mutex> hold(lock_);
    say(n, r, kept);
    warn_of_missing_measures(n, r);
    for (const std::string& w : r.warnings) warnings_[w].push_back(n);
    results_.points[n] = std::move(r);
  }

  // Called with the lock held.
  void say(size_t n, const point_result& r, bool kept) {
    ++outcome_.points;
    outcome_.failed += r.failed;
    outcome_.refused += r.refused;
    outcome_.kept += kept;
    std::string text = fmt::format("[{}/{}] {}: ", outcome_.points, points_.size(), point_text(e_, e_.point(n)));
    if (r.failed)
      text += "FAILED: " + r.message;
    else if (r.refused)
      text += "refused: " + r.message;
    else if (kept)
      text += "kept";
    else
      text += fmt::format("{:.1f} s", r.seconds);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const size_t fresh = outcome_.points - outcome_.kept, left = points_.size() - outcome_.points;
    if (fresh != 0 && left != 0)
      text += fmt::format(" (about {:.0f} s left)", elapsed / static_cast<double>(fresh) * static_cast<double>(left));
    out_ << text << std::endl;
  }

  const experiment& e_;
  const sweep_options& o_;
  std::ostream& out_;
  const tools tools_;
  const std::vector<size_t> points_;          // their numbers, from 0
  std::map<std::string, std::string> files_;  // configuration: name and text
  std::optional<point_runner> runner_;
  const point_locks* locks_ = nullptr;
  std::mutex commands_;  // of command_at
  std::atomic<size_t> next_{0};
  std::chrono::steady_clock::time_point began_;
  std::mutex lock_;  // of what follows, and out_
  sweep_results results_;
  sweep_outcome outcome_;
  bool warned_ = false;
  warned_points warnings_;
  std::exception_ptr broken_;
};

}  // namespace

sweep_outcome run_sweep(const experiment& e, const sweep_options& options, std::ostream& out) {
  return running_points(e, options, points_of(e), out).all();
}

sweep_outcome run_points(const experiment& e, const sweep_options& options, const std::vector<size_t>& points,
                         std::ostream& out) {
  return running_points(e, options, points, out).some();
}

checked_points check_points(const experiment& e) {
  check_measures(e);
  const tools all = tools::beside_this_program();
  std::vector<std::pair<size_t, point_command>> commands;
  for (const size_t n : points_of(e)) commands.emplace_back(n, command_at(e, e.point(n), all));
  for (const auto& [n, c] : commands) check_memory_at(e, e.point(n), c);
  warned_points warned;
  for (const auto& [n, c] : commands)
    for (const std::string& w : naming_point(e, e.point(n), [&, &c = c] { return warnings_at(e, c); }))
      warned[w].push_back(n);
  return {commands.size(), text_of(warned, e, commands.size())};
}

std::vector<listed_point> list_points(const experiment& e, const fs::path& folder) {
  check_measures(e);
  const tools all = tools::beside_this_program();
  point_runner runner(e, folder, false);
  std::vector<listed_point> list;
  for (const size_t n : points_of(e)) {
    point_result r;
    const point_runner::state found = runner.look(n, command_at(e, e.point(n), all), r);
    list.push_back({n, found, found == point_runner::state::failed ? r.message : ""});
  }
  return list;
}

}  // namespace pws::platform::sweep
