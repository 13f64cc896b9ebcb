// SPDX-License-Identifier: Apache-2.0
// The report of pwsvp exec.
#include "base/output/json_file.h"
#include "platform/exec/launch_log.h"
#include "platform/observers/branch_report.h"
#include "platform/observers/check/finding_report.h"
#include "platform/report/machine_report.h"
#include "sw/loader/bytes.h"

namespace pws::platform {

namespace {

struct listed_launch {
  const launch_record& launch;
  const exec_config& config;
};

const report_part<launch_bound_record>& launch_bound_part() {
  using b = launch_bound_record;
  using s = b::scheme;
  const auto bounded = [](const b& of) { return of.error.empty(); };
  const auto is_static = [=](const b& of) { return bounded(of) && !of.measured; };
  report_part<b> all;
  all.text("broken", &b::broken, "how the launch broke it").text("error", &b::error, "why there is no bound");
  for (const auto& scheme : enumerators(wcet::scheme{})) {
    const auto of_scheme = [k = static_cast<size_t>(scheme.value)](auto member) {
      return [member, k](const b& of) { return of.schemes[k].*member; };
    };
    all.group(scheme.name,
              report_part<b>()
                  .value(e_wf_row, of_scheme(&s::e_wf))
                  .value(d_row, of_scheme(&s::d))
                  .value(g_parallel_row, of_scheme(&s::g_parallel))
                  .value(d_s_row, of_scheme(&s::d_s))
                  .value(e_kernel_row, of_scheme(&s::e_kernel))
                  .value("memory_and_lds_slots_of_E_WF", of_scheme(&s::memory), "cycles", "block times static")
                  .where(is_static)
                  .value("split_and_merge_of_E_WF", of_scheme(&s::splitting), "cycles",
                         "of its worst path, their waits included; block times static")
                  .where(is_static))
        .where(bounded);
  }
  all.part("", &b::measured, thesis_part()).where(bounded);
  static const report_part<b> part = all;
  return part;
}

const report_part<listed_launch>& listed_launch_part() {
  using l = listed_launch;
  using record = launch_record;
  const auto of_launch = [](auto member) { return [member](const l& of) { return of.launch.*member; }; };
  const auto in_queues = [](const l& of) {
    return of.config.machine.hardware_queues > 1 && of.launch.fidelity == models::fidelity::timing;
  };
  static const report_part<l> all =
      report_part<l>()
          .part(
              "",
              [](const l& of) {
                const auto detail =
                    of.launch.together ? models::counter_detail::executed : models::counter_detail::launch;
                return launch_entry{of.launch, of.config.machine, detail};
              },
              launch_part())
          .value("began", of_launch(&record::began), "cycles", "of the machine's time; machine.hardware_queues above 1")
          .where(in_queues)
          .value("ended", of_launch(&record::ended), "cycles", "of the machine's time; machine.hardware_queues above 1")
          .where(in_queues)
          .value("beside", of_launch(&record::beside), "",
                 "launches on the machine at the same time; machine.hardware_queues above 1")
          .where(in_queues)
          .value("traced", of_launch(&record::traced), "", "it is in waveform and timeline")
          .value("device", of_launch(&record::machine), "", "number of its device; exec.devices above 1")
          .where([](const l& of) { return of.config.devices > 1; })
          .value("compute_units", of_launch(&record::compute_units), "",
                 "that its stream may use (hipExtStreamCreateWithCUMask); absent: all")
          .where([](const l& of) { return !of.launch.compute_units.empty(); })
          .part("wcet", of_launch(&record::bound), launch_bound_part())
          .group("host", report_part<l>().value("wall_clock", of_launch(&record::host_seconds), "s", "of the host"));
  return all;
}

const report_part<memory_use>& memory_use_part() {
  using m = memory_use;
  static const report_part<m> all = report_part<m>()
                                        .value("total", &m::total, "bytes", "of the device")
                                        .value("peak", &m::peak, "bytes", "allocated at a time, at most")
                                        .value("not_freed", &m::bytes_left, "bytes", "when the program ended")
                                        .value("blocks_not_freed", &m::blocks_left, "", "when the program ended");
  return all;
}

}  // namespace

struct launch_log::report {
  const launch_log& log;
  const exec_config& config;
  const device_memory_use& devices;
  kernel_total all = log.sum();

  // The scheme whose bound the launches keep.
  std::optional<size_t> scheme() const {
    const bool measured = config.wcet.block_times == block_time_source::measured;
    const auto mine = analysed_scheme(config.machine.divergence, measured);
    return mine ? std::optional(static_cast<size_t>(*mine)) : std::nullopt;
  }
};

// Parts of the report that look into the log.
struct launch_log::report_parts {
  using r = report;

  // The predication paper's Fig. 6c: the mean of the kernels, however often each is launched.
  static report_part<r> occupancy() {
    struct shares {
      double mean = 0, least = 1, most = 0;
    };
    const auto of_kernels = [](const r& of) {
      shares s;
      for (const kernel_total& k : of.log.kernels_) {
        const double share = k.shares / static_cast<double>(k.launches);
        s.least = std::min(s.least, share);
        s.most = std::max(s.most, share);
        s.mean += share;
      }
      s.mean /= static_cast<double>(of.log.kernels_.size());
      return s;
    };
    constexpr const char* unit = "of the wavefront contexts";
    return report_part<r>()
        .part("occupancy", of_kernels,
              report_part<shares>()
                  .value("mean_of_kernels", &shares::mean, unit, "each kernel once")
                  .value("least_of_kernels", &shares::least, unit, "each kernel once")
                  .value("most_of_kernels", &shares::most, unit, "each kernel once"))
        .where([](const r& of) { return !of.log.kernels_.empty(); });
  }

  static report_part<r> totals() {
    constexpr auto detail = models::counter_detail::totals;
    return report_part<r>()
        .also(counter_fields(machine_counters::rows().all(), detail),
              [](json_text& t, const r& of) {
                platform::put(t, of.all.counters, counted(of.all, of.config.machine), detail);
              })
        .group("", occupancy());
  }

  static report_part<r> bounds() {
    using b = bound_total;
    const auto total = [](auto member) { return [member](const r& of) { return of.log.bounds_.*member; }; };
    const auto of_scheme = [](auto member) {
      return [member](const r& of) {
        return of.scheme() ? std::optional((of.log.bounds_.*member)[*of.scheme()]) : std::nullopt;
      };
    };
    report_part<r> schemes;
    for (const auto& s : enumerators(wcet::scheme{}))
      schemes.value(
          s.name, [k = static_cast<size_t>(s.value)](const r& of) { return of.log.bounds_.e_kernel[k]; }, "cycles",
          "summed over the launches with a bound");
    return report_part<r>()
        .value(
            "block_times", [](const r& of) { return of.config.wcet.block_times; }, "", "wcet.block_times")
        .value("launches", total(&b::launches), "", "that have a bound")
        .value("launches_without", total(&b::without), "", "that have none")
        .value("launches_broken", total(&b::broken), "", "that broke theirs")
        .value("observed", total(&b::observed), "cycles", "that the launches with a bound took")
        .group("E_kernel", schemes)
        .value("bound", of_scheme(&b::e_kernel), "cycles", "of the machine's scheme, summed over these launches")
        .value("memory_and_lds_slots_of_bound", of_scheme(&b::memory), "cycles", "of it")
        .where([](const r& of) { return !of.log.bounds_.measured; })
        .part("", total(&b::measured), thesis_part())
        .text("first_error", total(&b::first_error), "of launches without a bound")
        .text("first_broken", total(&b::first_broken), "of launches that broke theirs")
        .text(
            "misplaced", [](const r& of) { return of.log.first_misplaced(); },
            "a bound of the configuration that fits no loop");
  }

  static report_part<r> devices() {
    struct used_device {
      uint32_t number;
      device_total total;
      memory_use memory;
    };
    using d = used_device;
    const auto used = [](const r& of) {
      std::vector<d> all;
      for (const auto& [machine, use] : of.devices) {
        const auto at = of.log.devices_.find(machine);
        all.push_back({machine, at == of.log.devices_.end() ? device_total{} : at->second, use});
      }
      return all;
    };
    return report_part<r>()
        .list("devices", used,
              report_part<d>()
                  .value("device", &d::number, "", "of a device that was used: its number; exec.devices above 1")
                  .value(
                      "launches", [](const d& of) { return of.total.launches; }, "", "on it")
                  .value(
                      "cycles", [](const d& of) { return of.total.cycles; }, "cycles", "of its timed launches, summed")
                  .part("memory", &d::memory, memory_use_part()))
        .where([](const r& of) { return of.config.devices > 1; });
  }

  static const report_part<r>& all() {
    const auto total = [](auto member) { return [member](const r& of) { return of.all.*member; }; };
    using k = kernel_total;
    static const report_part<r> part =
        report_part<r>()
            .value(
                "program", [](const r&) { return program_name(); }, "", "the executable")
            .part(
                "machine", [](const r& of) { return of.config.machine; }, machine_part())
            .part(
                "",
                [](const r& of) {
                  report_inputs inputs{of.config.effective, of.config.files, of.log.inputs_};
                  inputs.read.insert(inputs.read.begin(), hashed(program_name(), loader::read_file("/proc/self/exe")));
                  return inputs;
                },
                inputs_part())
            .value("launches", total(&k::launches), "", "of the program")
            .value("timed_launches", total(&k::timed), "", "of them in timing fidelity")
            .value("failed_launches", total(&k::failed), "", "of them failed")
            .value(
                "refused_launches", [](const r& of) { return of.log.refused; }, "",
                "besides, that did not begin: more LDS than there is, or an earlier launch has failed")
            .value("cycles", total(&k::cycles), "cycles",
                   "of the timed launches, summed; of those beside each other, from first to last")
            .group("totals", totals())
            .group("wcet", bounds())
            .where([](const r& of) { return of.config.bounds; })
            .part(
                "check", [](const r& of) { return of.log.found; }, findings_part())
            .where([](const r& of) { return of.log.found.any_on(); })
            .value(
                "warnings", [](const r& of) { return of.log.warnings(of.config); }, "",
                "what of the configuration does nothing, and which key to set")
            .part(
                "branch_uniformity", [](const r& of) { return of.log.branches; }, kernels_part())
            .where([](const r& of) { return of.config.machine.trace.branch_uniformity; })
            .part(
                "cosim", [](const r& of) { return of.log.cosim; }, cosim::summary_part())
            .where([](const r& of) { return of.log.cosim.units != 0; })
            .part(
                "memory", [](const r& of) { return sum_of(of.devices); }, memory_use_part())
            .group("", devices())
            .also(listed_launch_part().fields("per_launch.*"),
                  [](json_text& t, const r&) { const auto none_yet = t.list("per_launch"); })
            .value(
                "launches_not_listed", [](const r& of) { return of.log.launches_ - of.log.records_.size(); }, "",
                "for want of room; the totals have them")
            .group("host",
                   report_part<r>().value("wall_clock", total(&k::host_seconds), "s", "of the host, for the launches"));
    return part;
  }
};

std::vector<report_field> launch_log::fields() {
  return report_parts::all().fields();
}

void launch_log::write(const named_output& output, const exec_config& config, const device_memory_use& devices) const {
  auto record = records_.begin();
  write_json_file(output, report_parts::all().json({*this, config, devices}), "per_launch", [&](std::string& text) {
    if (record == records_.end()) return false;
    json_text t(text);
    const auto one = t.object();
    listed_launch_part().put(t, {*record++, config});
    return true;
  });
}

}  // namespace pws::platform
