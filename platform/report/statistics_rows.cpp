// SPDX-License-Identifier: Apache-2.0
#include "platform/report/statistics_rows.h"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/machine/virtual_platform.h"

namespace pws::platform {

namespace {
using nlohmann::ordered_json;

constexpr const char* option = "--stats";

bool ends_in(const std::string& path, std::string_view extension) {
  return path.size() > extension.size() &&
         path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
}

bool is_json_lines(const std::string& path) {
  if (!ends_in(path, ".csv") && !ends_in(path, ".jsonl"))
    throw input_error(std::string(option) + " " + path + ": the file's name must end in .csv or .jsonl");
  prepare_outputs({{option, path}});
  return ends_in(path, ".jsonl");
}

}  // namespace

statistics_rows::statistics_rows(const virtual_platform& board, const std::string& path, uint64_t every)
    : board_(board), path_(path), every_(every), json_lines_(is_json_lines(path)), out_(path, std::ios::binary) {
  for (const auto& cu : board_.gpu.cus) cu->set_lockstep();
}

void statistics_rows::begin(uint64_t launch) {
  launch_ = launch;
  began_ = board_.gpu.clock.now();
  done_ = 0;
  counted_ = read_counters(board_.gpu);
}

void statistics_rows::simulate() {
  using sc_core::sc_time_stamp;
  // Between cycles, where nothing happens. A cycle of a single step has no such place; there it is the next cycle's
  // step, of which sc_start leaves what happens in it to the next call.
  const sc_core::sc_time half = sc_core::sc_time::from_value((board_.gpu.clock.period().value() + 1) / 2);
  while (true) {
    const models::cycle_t to = done_ + every_;
    sc_core::sc_start(board_.gpu.clock.time_of(began_ + to) + half - sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
    const bool stopped = sc_core::sc_get_status() == sc_core::SC_STOPPED || board_.host.done() ||
                         !board_.gpu.dispatcher.fault_message().empty();
    if (stopped || !sc_core::sc_pending_activity()) return;
    if (last_) write(*last_);
    last_ = up_to(to);
  }
}

statistics_rows::row statistics_rows::up_to(models::cycle_t to) {
  const machine_counters now = read_counters(board_.gpu);
  const row r{done_, to, now - counted_};
  done_ = to;
  counted_ = now;
  return r;
}

void statistics_rows::end(models::cycle_t cycles) {
  if (last_ && cycles > last_->to) {
    write(*last_);
    last_.reset();
  }
  row rest = up_to(cycles);
  if (last_) {
    rest.from = last_->from;
    rest.counters += last_->counters;
    last_.reset();
  }
  write(rest);
}

void statistics_rows::write(const row& r) {
  const models::counted_on on = counted_by(board_.gpu.config, models::fidelity::timing, r.to - r.from);
  if (json_lines_) {
    out_ << json_tree([&](json_text& t) {
      t.add("launch", launch_);
      t.add("from", r.from);
      t.add("to", r.to);
      const auto counters = t.object("counters");
      put(t, r.counters, on, models::counter_detail::launch);
    }) << '\n';
    return;
  }
  std::string titles = "launch,from,to";
  std::string values = fmt::format("{},{},{}", launch_, r.from, r.to);
  each_counter(r.counters, on, models::counter_detail::launch,
               [&](const models::counter_row& counter, const models::counter_value& value) {
                 titles += "," + counter.name;
                 values += "," + std::visit([](auto v) { return ordered_json(v).dump(); }, value);
               });
  if (!titled_) out_ << titles << '\n';
  titled_ = true;
  out_ << values << '\n';
}

void statistics_rows::close() {
  errno = 0;
  out_.close();
  if (!out_) throw input_error(std::string(option) + " " + path_ + ": " + cannot_be_written(errno));
}

}  // namespace pws::platform
