// SPDX-License-Identifier: Apache-2.0
// What a check's core finds, for tests of it.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/check/finding.h"

namespace pws::check {

class collected : public finding_sink {
 public:
  bool is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) override {
    ++count;
    return places_.insert({std::string(rule), pc, other_pc}).second;
  }
  void add(finding f) override { all.push_back(std::move(f)); }

  // "rule pc other_pc" of each, in order; the two program counters in hex.
  std::vector<std::string> places() const {
    std::vector<std::string> r;
    char text[96];
    for (const finding& f : all) {
      std::snprintf(text, sizeof text, "%.*s %llx %llx", static_cast<int>(f.rule.size()), f.rule.data(),
                    static_cast<unsigned long long>(f.here.pc),
                    static_cast<unsigned long long>(f.other ? f.other->pc : 0));
      r.emplace_back(text);
    }
    return r;
  }

  std::vector<finding> all;
  uint64_t count = 0;

 private:
  std::set<std::tuple<std::string, uint64_t, uint64_t>> places_;
};

}  // namespace pws::check
