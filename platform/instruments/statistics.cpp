// SPDX-License-Identifier: Apache-2.0
// --stats: counters as they grow.
#include "platform/report/statistics_rows.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class statistics : public instrument {
 public:
  statistics(virtual_platform& board, const session_options& o)
      : rows_(board, o.files.of("stats"), o.files.stats_every) {
    // A row may begin where all of a launch has happened; SystemC would warn of a step without anything in it.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  }
  void attach(device_runtime& runtime) override {
    runtime.set_simulation([this] { timed_ ? rows_.simulate() : sc_core::sc_start(); });
  }
  void launch_begins(const kernel_launch&, launch_report& r) override {
    timed_ = r.fidelity == models::fidelity::timing;
    if (timed_) rows_.begin(r.number);
  }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    if (timed_) rows_.end(r.cycles);
    return true;
  }
  void close() override { rows_.close(); }

 private:
  statistics_rows rows_;
  bool timed_ = false;
};

}  // namespace

std::unique_ptr<instrument> make_statistics(virtual_platform& board, const session_options& o) {
  return o.files.of("stats").empty() ? nullptr : std::make_unique<statistics>(board, o);
}

}  // namespace pws::platform
