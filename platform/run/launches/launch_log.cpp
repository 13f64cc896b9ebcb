// SPDX-License-Identifier: Apache-2.0
#include "platform/run/launches/launch_log.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>

#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/observers/branch_report.h"
#include "platform/report/machine_report.h"
#include "sw/wcet/checked.h"

namespace pws::platform {

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

memory_use sum_of(const device_memory_use& devices) {
  memory_use all;
  for (const auto& [machine, use] : devices) all += use;
  return all;
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
  for (const reconvergence_totals& k : reconvergence)
    fmt::print(out, "  {:<13}{}: {}\n", "reconvergence", k.kernel, text(k));
  for (const std::string& w : warnings(config)) row("warning", w);
  if (found.any_on()) {
    row("check", text(found, all.failed + refused));
    print_findings(out, found);
  }
  for (const launch_record& r : records_)
    if (!r.completed) fmt::print(out, "  launch {} FAILED: {}\n", r.number, r.kernel);  // why, the call has said
}

}  // namespace pws::platform
