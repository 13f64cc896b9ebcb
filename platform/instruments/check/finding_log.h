// SPDX-License-Identifier: Apache-2.0
// The findings of a machine's checks, folded by place, each with its two places in words.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/context/workgroup.h"
#include "platform/instruments/check/described_finding.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

class finding_log : public check::finding_sink {
 public:
  // Hears of a finding when the check has it: of the first one at each place, for as many places as are listed. Not
  // where check.stop makes it a fault. The machine stands still for as long as the call takes.
  using listener = std::function<void(const described_finding&)>;

  // `gpu` has the names of contexts and the key check.stop, `runtime` the programs. `hears` may be empty.
  finding_log(const models::gpu& gpu, const device_runtime& runtime, listener hears)
      : gpu_(gpu), runtime_(runtime), hears_(std::move(hears)) {}

  // Wavefronts of this launch begin; findings may name it from now on.
  void note_launch(const models::dispatch& d);

  bool is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) override;
  void add(check::finding f) override;

  // In the order in which they were found; at most most_listed.
  const std::vector<described_finding>& findings() const { return findings_; }
  // Places beyond those that are listed, and how often something was found in all places.
  uint64_t places_not_listed() const { return places_.size() - findings_.size(); }
  uint64_t count() const { return count_; }
  static constexpr size_t most_listed = 1000;

 private:
  struct place {
    std::string_view rule;
    uint64_t pc = 0, other_pc = 0;
    bool operator<(const place& o) const { return std::tie(pc, other_pc, rule) < std::tie(o.pc, o.other_pc, o.rule); }
  };
  struct launch_name {
    std::string kernel;
    uint64_t entry = 0;
    std::array<uint32_t, 3> workgroups{};
  };
  described_site describe(const check::site& s) const;
  std::string memory_at(uint64_t address) const;

  const models::gpu& gpu_;
  const device_runtime& runtime_;
  const listener hears_;
  std::map<uint64_t, launch_name> launches_;  // by number
  std::map<place, size_t> places_;            // in findings_; most_listed: not listed
  std::vector<described_finding> findings_;
  uint64_t count_ = 0;
};

}  // namespace pws::platform
