// SPDX-License-Identifier: Apache-2.0
#include "platform/config/outputs.h"

#include <algorithm>
#include <stdexcept>

namespace pws::platform {

const std::vector<output_kind>& output_kinds() {
  static const std::vector<output_kind> all = {
      {"vcd",
       "FILE.vcd",
       "a waveform of launches of timing fidelity: VCD, or FST (.fst)",
       "waveform",
       {"a waveform", need::time | need::one_device | need::one_machine}},
      {"rtl_vcd",
       "FILE.vcd",
       "a waveform of each SpSIMD unit's RTL (machine.cosim.mode: rtl or lockstep)",
       nullptr,
       {"a waveform of the RTL", need::rtl | need::one_device | need::one_machine}},
      {"rtl_coverage",
       "FILE.json",
       "in which situations the SpSIMD units' RTL has been (pwsvp coverage)",
       nullptr,
       {"coverage of the RTL", need::rtl | need::one_device | need::one_machine}},
      {"timeline",
       "FILE.json",
       "a Chrome trace of launches of timing fidelity: a slice per basic block",
       "timeline",
       {"a timeline", need::time | need::one_device | need::one_machine}},
      {"stats",
       "FILE.csv",
       "what the counters grew by, every so many cycles: comma-separated (.csv) or JSON Lines (.jsonl) (timing "
       "fidelity)",
       "statistics",
       {"a row of counters", need::time | need::one_device | need::one_machine | need::one_launch}},
      {"profile",
       "FILE.html",
       "what each source line and instruction took: an annotated source (.html), or for kcachegrind (.callgrind)",
       "profile",
       {"a profile", need::one_device | need::one_machine | need::one_launch | need::one_thread}},
      {"coverage",
       "FILE.info",
       "how often each source line of the kernels ran, for lcov and genhtml",
       "coverage",
       {"coverage", need::one_device | need::one_machine | need::one_launch | need::one_thread}},
      {"report", "FILE.json", "all results as JSON", "report", {"a report", 0}},
  };
  return all;
}

const std::vector<output_keys>& keys_of_outputs() {
  static const std::vector<output_keys> all = {
      {{"machine.trace.from_cycle", "machine.trace.from_launch", "machine.trace.from_pc", "machine.trace.until_cycle",
        "machine.trace.until_launch", "machine.trace.until_pc", "machine.trace.depth"},
       {"vcd", "rtl_vcd"}},
      {{"machine.trace.cus"}, {"vcd", "timeline"}},
      {{"exec.trace_launches", "exec.trace_kernels"}, {"vcd", "rtl_vcd", "timeline"}},
      {{"wcet"}, {"wcet"}},
  };
  return all;
}

std::string option_of(std::string_view output) {
  std::string option = "--" + std::string(output);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

namespace {
void require_known(std::string_view name) {
  const std::vector<output_kind>& all = output_kinds();
  if (std::none_of(all.begin(), all.end(), [name](const output_kind& k) { return k.name == name; }))
    throw std::logic_error("there is no output " + std::string(name));
}
}  // namespace

const std::string& outputs::of(std::string_view name) const {
  static const std::string none;
  require_known(name);
  const auto at = files_.find(name);
  return at == files_.end() ? none : at->second;
}

std::string& outputs::of(std::string_view name) {
  require_known(name);
  return files_[std::string(name)];
}

void outputs::take(const outputs& others) {
  for (const auto& [name, path] : others.files_)
    if (!path.empty()) files_[name] = path;
  if (others.stats_every != 0) stats_every = others.stats_every;
}

bool outputs::any_needs(unsigned needs, const models::machine_config& machine) const {
  for (const output_kind& k : output_kinds())
    if (!of(k.name).empty() && (k.made_by.needs & needs) != 0) return true;
  const std::vector<machine_watcher>& keys = machine_watchers();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const machine_watcher& w) { return w.on(machine) && (w.watches.needs & needs) != 0; });
}

}  // namespace pws::platform
