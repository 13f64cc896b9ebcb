// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/launch_log.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/output/json_file.h"
#include "base/output/quantity.h"
#include "platform/observers/branch_report.h"
#include "platform/observers/check/finding_report.h"
#include "platform/report/formation_report.h"
#include "platform/report/machine_report.h"
#include "platform/report/occupancy_report.h"
#include "sw/loader/bytes.h"
#include "sw/wcet/checked.h"

namespace pws::hip {

namespace {
using nlohmann::ordered_json;

void add_thesis_bound(ordered_json& j, const measured_basis& m) {
  j["L_kernel"] = quantity(m.l_kernel, "cycles");
  j["L_kernel_serialised"] = quantity(m.l_kernel_serialised, "cycles");
}

ordered_json bound_json(const launch_bound_record& b) {
  ordered_json j;
  if (!b.broken.empty()) j["broken"] = b.broken;
  if (!b.error.empty()) {
    j["error"] = b.error;
    return j;
  }
  for (size_t k = 0; k < b.schemes.size(); ++k) {
    const launch_bound_record::scheme& s = b.schemes[k];
    j[name_of(static_cast<wcet::scheme>(k))] = {{"E_WF", quantity(s.e_wf, "cycles")},
                                                {"d", quantity(s.d, "cycles")},
                                                {"G_parallel", quantity(s.g_parallel, "workgroups")},
                                                {"D_S", quantity(s.d_s, "dispatches")},
                                                {"E_kernel", quantity(s.e_kernel, "cycles")}};
    if (b.measured) continue;
    ordered_json& of_scheme = j[name_of(static_cast<wcet::scheme>(k))];
    of_scheme["memory_and_lds_slots_of_E_WF"] = quantity(s.memory, "cycles");
    of_scheme["split_and_merge_of_E_WF"] = quantity(s.splitting, "cycles");
  }
  if (b.measured) add_thesis_bound(j, *b.measured);
  return j;
}

}  // namespace

std::string program_name() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "unknown" : path.string();
}

void launch_log::add_input(hashed_file file) {
  const bool known = std::any_of(inputs_.begin(), inputs_.end(), [&file](const hashed_file& f) {
    return f.file == file.file && f.sha256 == file.sha256;
  });
  if (!known) inputs_.push_back(std::move(file));
}

void launch_log::add(launch_record r) {
  ++launches_;
  device_total& of_device = devices_[r.machine];
  ++of_device.launches;
  of_device.cycles += r.cycles;
  auto total =
      std::find_if(kernels_.begin(), kernels_.end(), [&](const kernel_total& k) { return k.kernel == r.kernel; });
  if (total == kernels_.end()) {
    kernels_.emplace_back();
    total = std::prev(kernels_.end());
    total->kernel = r.kernel;
    total->least_waves = r.occupancy.wavefronts_per_simd;
  }
  total->least_waves = std::min(total->least_waves, r.occupancy.wavefronts_per_simd);
  total->most_waves = std::max(total->most_waves, r.occupancy.wavefronts_per_simd);
  total->shares += r.occupancy.share;
  ++total->launches;
  if (!r.completed) ++total->failed;
  if (r.fidelity == models::fidelity::timing) ++total->timed;
  total->cycles += r.cycles;
  total->counters += r.counters;
  total->host_seconds += r.host_seconds;
  if (!r.together) add_together(r.counters, r.cycles, r.host_seconds);
  if (r.bound) add_bound(r);
  if (records_.size() == most_records) return;
  const auto by_number = [](uint64_t number, const launch_record& other) { return number < other.number; };
  records_.insert(std::upper_bound(records_.begin(), records_.end(), r.number, by_number), std::move(r));
}

void launch_log::add_together(const machine_counters& counters, models::cycle_t cycles, double host_seconds) {
  all_.counters += counters;
  all_.cycles += cycles;
  all_.host_seconds += host_seconds;
}

void launch_log::add_bound(const launch_record& r) {
  const launch_bound_record& b = *r.bound;
  if (!b.broken.empty() && bounds_.broken++ == 0)
    bounds_.first_broken = fmt::format("launch {} ({}): {}", r.number, r.kernel, b.broken);
  const auto without = [&](const std::string& error) {
    if (bounds_.without++ == 0) bounds_.first_error = fmt::format("launch {} ({}): {}", r.number, r.kernel, error);
  };
  if (!b.error.empty()) return without(b.error);
  constexpr const char* program = "the sum of the launches' bounds";
  bound_total sum = bounds_;
  try {
    for (size_t k = 0; k < b.schemes.size(); ++k) {
      sum.e_kernel[k] = wcet::checked_sum(sum.e_kernel[k], b.schemes[k].e_kernel, program);
      sum.memory[k] = wcet::checked_sum(sum.memory[k],
                                        wcet::checked_product(b.schemes[k].d_s, b.schemes[k].memory, program), program);
    }
    if (b.measured) {
      measured_basis& m = sum.measured ? *sum.measured : sum.measured.emplace();
      m.l_kernel = wcet::checked_sum(m.l_kernel, b.measured->l_kernel, program);
      m.l_kernel_serialised = wcet::checked_sum(m.l_kernel_serialised, b.measured->l_kernel_serialised, program);
    }
  } catch (const input_error& e) {
    return without(e.what());
  }
  ++sum.launches;
  sum.observed += r.cycles;
  bounds_ = sum;
}

void launch_log::note_misplaced(const std::vector<std::string>& bounds) {
  if (!misplaced_) misplaced_ = bounds;
  for (size_t k = 0; k < bounds.size(); ++k)
    if (bounds[k].empty()) (*misplaced_)[k].clear();
}

std::string launch_log::first_misplaced() const {
  if (!misplaced_) return "";
  const auto first = std::find_if(misplaced_->begin(), misplaced_->end(), [](const auto& m) { return !m.empty(); });
  return first == misplaced_->end() ? "" : *first + "; nor has any other launch such a loop";
}

std::string launch_log::without_guarantee() const {
  const auto have = [](uint64_t n, const char* one, const char* several) {
    return fmt::format("{} launch{}", n, n == 1 ? one : several);
  };
  std::vector<std::string> problems;
  if (bounds_.without != 0)
    problems.push_back(fmt::format("{} no bound; {}", have(bounds_.without, " has", "es have"), bounds_.first_error));
  if (bounds_.broken != 0)
    problems.push_back(
        fmt::format("{}; {}", have(bounds_.broken, " broke its bound", "es broke their bounds"), bounds_.first_broken));
  if (const std::string misplaced = first_misplaced(); !misplaced.empty()) problems.push_back(misplaced);
  return fmt::format("{}", fmt::join(problems, "\n"));
}

models::counted_on launch_log::counted(const kernel_total& all, const models::machine_config& m) {
  models::counted_on on =
      counted_by(m, all.timed != 0 ? models::fidelity::timing : models::fidelity::functional, all.cycles);
  if (models::traits_of(m.divergence).forms_warps() && all.timed != 0 && all.timed != all.launches)
    on.issuer = "warp and path";
  return on;
}

launch_log::kernel_total launch_log::sum() const {
  kernel_total all = all_;
  for (const kernel_total& k : kernels_) {
    all.launches += k.launches;
    all.failed += k.failed;
    all.timed += k.timed;
  }
  return all;
}

std::vector<std::string> launch_log::warnings(const exec_config& config) const {
  std::vector<std::string> all = config.idle_keys;
  const std::vector<std::string> of_scheme =
      launches_ == 0 ? scheme_warnings(config.machine) : scheme_warnings(config.machine, code_);
  all.insert(all.end(), of_scheme.begin(), of_scheme.end());
  return all;
}

void launch_log::print_warnings(std::ostream& out, const exec_config& config) const {
  for (const std::string& w : warnings(config)) fmt::print(out, "warning: {}\n", w);
}

memory_use& memory_use::operator+=(const memory_use& other) {
  total += other.total;
  peak += other.peak;
  blocks_left += other.blocks_left;
  bytes_left += other.bytes_left;
  return *this;
}

namespace {
memory_use sum_of(const device_memory_use& devices) {
  memory_use all;
  for (const auto& [machine, use] : devices) all += use;
  return all;
}

ordered_json memory_json(const memory_use& memory) {
  return {{"total", quantity(memory.total, "bytes")},
          {"peak", quantity(memory.peak, "bytes")},
          {"not_freed", quantity(memory.bytes_left, "bytes")},
          {"blocks_not_freed", memory.blocks_left}};
}
}  // namespace

ordered_json launch_log::devices_json(const device_memory_use& memory) const {
  ordered_json all = ordered_json::array();
  for (const auto& [machine, use] : memory) {
    const auto at = devices_.find(machine);
    const device_total total = at == devices_.end() ? device_total{} : at->second;
    all.push_back({{"device", machine},
                   {"launches", total.launches},
                   {"cycles", quantity(total.cycles, "cycles")},
                   {"memory", memory_json(use)}});
  }
  return all;
}

// The predication paper's Fig. 6c: the mean of the kernels, however often each is launched.
nlohmann::ordered_json launch_log::occupancy_json() const {
  double least = 1, most = 0, sum = 0;
  for (const kernel_total& k : kernels_) {
    const double share = k.shares / static_cast<double>(k.launches);
    least = std::min(least, share);
    most = std::max(most, share);
    sum += share;
  }
  constexpr const char* unit = "of the wavefront contexts";
  return {{"mean_of_kernels", quantity(sum / static_cast<double>(kernels_.size()), unit)},
          {"least_of_kernels", quantity(least, unit)},
          {"most_of_kernels", quantity(most, unit)}};
}

void launch_log::print(std::ostream& out, const exec_config& config, const device_memory_use& devices) const {
  const memory_use memory = sum_of(devices);
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<13}{}\n", label, text); };
  const models::machine_config& m = config.machine;
  const kernel_total all = sum();
  fmt::print(out, "{}\n", program_name());
  row("machine", machine_text(m));
  if (config.devices > 1) row("devices", fmt::format("{}, {} of them used", config.devices, devices.size()));
  row("launches",
      fmt::format("{}, {} of them timed, {} failed{}; {:.2f} s on the host", all.launches, all.timed, all.failed,
                  refused == 0 ? "" : fmt::format("; {} more refused", refused), all.host_seconds));
  if (all.timed != 0) row("cycles", fmt::format("{} ({})", all.cycles, simulated_time_text(all.cycles, m)));
  const models::counted_on on = counted(all, m);
  const std::string by = !models::traits_of(m.divergence).forms_warps() ? ""
                         : all.timed != 0 && all.timed != all.launches  ? "warps and paths of "
                                                                        : std::string(on.issuer) + "s of ";
  row("instructions", filled("{instructions} by " + by +
                                 "{wavefronts} wavefronts, {simd_lane_utilisation:.1f} % of SIMD "
                                 "lanes active",
                             all.counters, on));
  if (all.counters.divergence.splits != 0) {
    std::string text = "{splits} splits, {merges} merges";
    if (all.counters.divergence.deepest != 0) text += "; at most {stack_depth} stack entries";
    row("splitting", filled(text, all.counters, on));
  }
  if (models::traits_of(m.divergence).forms_warps() && all.timed != 0)
    for (const auto& [label, text] : formation_rows(all.counters, on)) row(label, text);
  if (cosim.units != 0) row("RTL", cosim::text(cosim));
  if (config.bounds) {
    std::string text;
    for (size_t k = 0; k < bounds_.e_kernel.size(); ++k)
      text += fmt::format("{}{} {}", k == 0 ? "" : ", ", name_of(static_cast<wcet::scheme>(k)), bounds_.e_kernel[k]);
    row("bounds", fmt::format("{} cycles for {} launches that took {}", text, bounds_.launches, bounds_.observed));
    if (bounds_.without != 0) row("no bound", fmt::format("{} launches; {}", bounds_.without, bounds_.first_error));
    if (bounds_.broken != 0) row("broken", fmt::format("{} launches; {}", bounds_.broken, bounds_.first_broken));
    if (const std::string misplaced = first_misplaced(); !misplaced.empty()) row("misplaced", misplaced);
  }
  row("memory", fmt::format("{} bytes at most; {} bytes in {} blocks not freed", memory.peak, memory.bytes_left,
                            memory.blocks_left));
  constexpr size_t shown = 12;
  std::vector<const kernel_total*> longest;
  for (const kernel_total& k : kernels_) longest.push_back(&k);
  std::stable_sort(longest.begin(), longest.end(), [](const kernel_total* a, const kernel_total* b) {
    return a->cycles != b->cycles ? a->cycles > b->cycles : a->instructions() > b->instructions();
  });
  if (!longest.empty())
    fmt::print(out, "  {:>8} {:>14} {:>14} {:>10}  kernel\n", "launches", "cycles", "instructions", "waves/SIMD");
  for (size_t k = 0; k < std::min(shown, longest.size()); ++k) {
    const kernel_total& t = *longest[k];
    const std::string waves = t.least_waves == t.most_waves ? fmt::format("{:.1f}", t.most_waves)
                                                            : fmt::format("{:.1f}-{:.1f}", t.least_waves, t.most_waves);
    fmt::print(out, "  {:>8} {:>14} {:>14} {:>10}  {}\n", t.launches, t.timed == 0 ? "-" : std::to_string(t.cycles),
               t.instructions(), waves, t.kernel);
  }
  if (longest.size() > shown) fmt::print(out, "  and {} more kernels (in the report)\n", longest.size() - shown);
  for (const kernel_branches& k : branches) {
    fmt::print(out, "  {:<13}{}: {}\n", "branches", k.kernel, text(k.totals()));
    print_branches(out, k);
  }
  for (const std::string& w : warnings(config)) row("warning", w);
  if (found.any_on()) {
    row("check", text(found, all.failed + refused));
    print_findings(out, found);
  }
  for (const launch_record& r : records_)
    if (!r.completed) fmt::print(out, "  launch {} FAILED: {}\n", r.number, r.kernel);  // why, the call has said
}

void launch_log::put(json_text& t, const launch_record& r, const exec_config& config) const {
  const auto one = t.object();
  launch_part().put(
      t, {r, config.machine, r.together ? models::counter_detail::executed : models::counter_detail::launch});
  if (config.machine.hardware_queues > 1 && r.fidelity == models::fidelity::timing) {
    t.add("began", r.began, "cycles");
    t.add("ended", r.ended, "cycles");
    t.add("beside", r.beside);
  }
  t.add("traced", r.traced);
  if (config.devices > 1) t.add("device", r.machine);
  if (!r.compute_units.empty()) t.add("compute_units", r.compute_units);
  if (r.bound) t.add("wcet", bound_json(*r.bound));
  const auto host = t.object("host");
  t.add("wall_clock", r.host_seconds, "s");
}

void launch_log::write(const named_output& output, const exec_config& config, const device_memory_use& devices) const {
  auto record = records_.begin();
  write_json_file(output, to_json(config, devices), "per_launch", [&](std::string& text) {
    if (record == records_.end()) return false;
    json_text t(text);
    put(t, *record++, config);
    return true;
  });
}

nlohmann::ordered_json launch_log::to_json(const exec_config& config, const device_memory_use& devices) const {
  const models::machine_config& m = config.machine;
  const kernel_total all = sum();
  ordered_json j;
  j["program"] = program_name();
  j["machine"] = machine_part().json(m);
  report_inputs inputs{config.effective, config.files, inputs_};
  inputs.read.insert(inputs.read.begin(), hashed(program_name(), loader::read_file("/proc/self/exe")));
  add_inputs(j, inputs);
  j["launches"] = all.launches;
  j["timed_launches"] = all.timed;
  j["failed_launches"] = all.failed;
  j["refused_launches"] = refused;
  j["cycles"] = quantity(all.cycles, "cycles");
  j["totals"] = platform::to_json(all.counters, counted(all, m), models::counter_detail::totals);
  if (!kernels_.empty()) j["totals"]["occupancy"] = occupancy_json();
  if (config.bounds) {
    const bool measured = config.wcet.block_times == block_time_source::measured;
    j["wcet"] = {{"block_times", name_of(config.wcet.block_times)},
                 {"launches", bounds_.launches},
                 {"launches_without", bounds_.without},
                 {"launches_broken", bounds_.broken},
                 {"observed", quantity(bounds_.observed, "cycles")}};
    for (size_t k = 0; k < bounds_.e_kernel.size(); ++k)
      j["wcet"]["E_kernel"][name_of(static_cast<wcet::scheme>(k))] = quantity(bounds_.e_kernel[k], "cycles");
    if (const auto mine = analysed_scheme(config.machine.divergence, measured))
      j["wcet"]["bound"] = quantity(bounds_.e_kernel[static_cast<size_t>(*mine)], "cycles");
    if (const auto mine = analysed_scheme(config.machine.divergence, measured); mine && !bounds_.measured)
      j["wcet"]["memory_and_lds_slots_of_bound"] = quantity(bounds_.memory[static_cast<size_t>(*mine)], "cycles");
    if (bounds_.measured) add_thesis_bound(j["wcet"], *bounds_.measured);
    if (bounds_.without != 0) j["wcet"]["first_error"] = bounds_.first_error;
    if (bounds_.broken != 0) j["wcet"]["first_broken"] = bounds_.first_broken;
    if (const std::string misplaced = first_misplaced(); !misplaced.empty()) j["wcet"]["misplaced"] = misplaced;
  }
  if (found.any_on()) j["check"] = findings_part().json(found);
  j["warnings"] = warnings(config);
  if (m.trace.branch_uniformity) j["branch_uniformity"] = kernels_part().json(branches);
  if (cosim.units != 0) j["cosim"] = cosim::summary_part().json(cosim);
  j["memory"] = memory_json(sum_of(devices));
  if (config.devices > 1) j["devices"] = devices_json(devices);
  j["per_launch"] = ordered_json::array();  // write() has them
  j["launches_not_listed"] = launches_ - records_.size();
  j["host"] = {{"wall_clock", quantity(all.host_seconds, "s")}};
  return j;
}

}  // namespace pws::hip
