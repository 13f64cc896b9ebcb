// SPDX-License-Identifier: Apache-2.0
// The report of pwsvp exec.
#include "base/output/json_file.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/observers/branch_report.h"
#include "platform/report/machine_report.h"
#include "platform/run/launches/launch_log.h"
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
  all.text("broken", "how the launch broke it", &b::broken).text("error", "why there is no bound", &b::error);
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
                  .value("memory_and_lds_slots_of_E_WF", "cycles", "block times static", of_scheme(&s::memory))
                  .where(is_static)
                  .value("split_and_merge_of_E_WF", "cycles",
                         "of its worst path, their waits included; block times static", of_scheme(&s::splitting))
                  .where(is_static))
        .where(bounded);
  }
  all.part("", thesis_part(), &b::measured).where(bounded);
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
          .part("", launch_part(),
                [](auto& of) {
                  const auto detail =
                      of.launch.together ? models::counter_detail::executed : models::counter_detail::launch;
                  return launch_entry{of.launch, of.config.machine, detail};
                })
          .value("began", "cycles", "of the machine's time; machine.hardware_queues above 1", of_launch(&record::began))
          .where(in_queues)
          .value("ended", "cycles", "of the machine's time; machine.hardware_queues above 1", of_launch(&record::ended))
          .where(in_queues)
          .value("beside", "launches on the machine at the same time; machine.hardware_queues above 1",
                 of_launch(&record::beside))
          .where(in_queues)
          .value("traced", "it is in waveform and timeline", of_launch(&record::traced))
          .value("device", "number of its device; exec.devices above 1", of_launch(&record::machine))
          .where([](const l& of) { return of.config.devices > 1; })
          .value("compute_units", "that its stream may use (hipExtStreamCreateWithCUMask); absent: all",
                 of_launch(&record::compute_units))
          .where([](const l& of) { return !of.launch.compute_units.empty(); })
          .part("wcet", launch_bound_part(), of_launch(&record::bound))
          .group("host", report_part<l>().value("wall_clock", "s", "of the host", of_launch(&record::host_seconds)));
  return all;
}

const report_part<memory_use>& memory_use_part() {
  using m = memory_use;
  static const report_part<m> all = report_part<m>()
                                        .value("total", "bytes", "of the device", &m::total)
                                        .value("peak", "bytes", "allocated at a time, at most", &m::peak)
                                        .value("not_freed", "bytes", "when the program ended", &m::bytes_left)
                                        .value("blocks_not_freed", "when the program ended", &m::blocks_left);
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
        .part("occupancy",
              report_part<shares>()
                  .value("mean_of_kernels", unit, "each kernel once", &shares::mean)
                  .value("least_of_kernels", unit, "each kernel once", &shares::least)
                  .value("most_of_kernels", unit, "each kernel once", &shares::most),
              of_kernels)
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
      schemes.value(s.name, "cycles", "summed over the launches with a bound",
                    [k = static_cast<size_t>(s.value)](auto& of) { return of.log.bounds_.e_kernel[k]; });
    return report_part<r>()
        .value("block_times", "wcet.block_times", [](auto& of) { return of.config.wcet.block_times; })
        .value("launches", "that have a bound", total(&b::launches))
        .value("launches_without", "that have none", total(&b::without))
        .value("launches_broken", "that broke theirs", total(&b::broken))
        .value("observed", "cycles", "that the launches with a bound took", total(&b::observed))
        .group("E_kernel", schemes)
        .value("bound", "cycles", "of the machine's scheme, summed over these launches", of_scheme(&b::e_kernel))
        .value("memory_and_lds_slots_of_bound", "cycles", "of it", of_scheme(&b::memory))
        .where([](const r& of) { return !of.log.bounds_.measured; })
        .part("", thesis_part(), total(&b::measured))
        .text("first_error", "of launches without a bound", total(&b::first_error))
        .text("first_broken", "of launches that broke theirs", total(&b::first_broken))
        .text("misplaced", "a bound of the configuration that fits no loop",
              [](auto& of) { return of.log.first_misplaced(); });
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
        .list("devices",
              report_part<d>()
                  .value("device", "of a device that was used: its number; exec.devices above 1", &d::number)
                  .value("launches", "on it", [](auto& of) { return of.total.launches; })
                  .value("cycles", "cycles", "of its timed launches, summed", [](auto& of) { return of.total.cycles; })
                  .part("memory", memory_use_part(), &d::memory),
              used)
        .where([](const r& of) { return of.config.devices > 1; });
  }

  static const report_part<r>& all() {
    const auto total = [](auto member) { return [member](const r& of) { return of.all.*member; }; };
    using k = kernel_total;
    static const report_part<r> part =
        report_part<r>()
            .value("program", "the executable", [](const r&) { return program_name(); })
            .part("machine", machine_part(), [](auto& of) { return of.config.machine; })
            .part("", inputs_part(),
                  [](auto& of) {
                    report_inputs inputs{of.config.effective, of.config.files, of.log.inputs_};
                    inputs.read.insert(inputs.read.begin(),
                                       hashed(program_name(), loader::read_file("/proc/self/exe")));
                    return inputs;
                  })
            .value("launches", "of the program", total(&k::launches))
            .value("timed_launches", "of them in timing fidelity", total(&k::timed))
            .value("failed_launches", "of them failed", total(&k::failed))
            .value("refused_launches",
                   "besides, that did not begin: more LDS than there is, or an earlier launch has failed",
                   [](auto& of) { return of.log.refused; })
            .value("cycles", "cycles", "of the timed launches, summed; of those beside each other, from first to last",
                   total(&k::cycles))
            .group("totals", totals())
            .group("wcet", bounds())
            .where([](const r& of) { return of.config.bounds; })
            .part("check", findings_part(), [](auto& of) { return of.log.found; })
            .where([](const r& of) { return of.log.found.any_on(); })
            .value("warnings", "what of the configuration does nothing, and which key to set",
                   [](auto& of) { return of.log.warnings(of.config); })
            .part("branch_uniformity", kernels_part(), [](auto& of) { return of.log.branches; })
            .where([](const r& of) { return of.config.machine.trace.branch_uniformity; })
            .part("reconvergence", kernels_reconvergence_part(), [](auto& of) { return of.log.reconvergence; })
            .where([](const r& of) { return of.config.reconvergence.work_items != 0; })
            .part("cosim", cosim::summary_part(), [](auto& of) { return of.log.cosim; })
            .where([](const r& of) { return of.log.cosim.units != 0; })
            .part("memory", memory_use_part(), [](auto& of) { return sum_of(of.devices); })
            .group("", devices())
            .also(listed_launch_part().fields("per_launch.*"),
                  [](json_text& t, const r&) { const auto none_yet = t.list("per_launch"); })
            .value("launches_not_listed", "for want of room; the totals have them",
                   [](auto& of) { return of.log.launches_ - of.log.records_.size(); })
            .group("host",
                   report_part<r>().value("wall_clock", "s", "of the host, for the launches", total(&k::host_seconds)));
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
