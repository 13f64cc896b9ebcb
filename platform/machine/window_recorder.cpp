// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/window_recorder.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <fstream>

namespace pws::platform::cosim {

namespace {

struct signal {
  const char* name;
  unsigned bits;
  uint64_t (*value)(const context_registers&);
};
constexpr signal signals[] = {
    {"pc", 64, [](const context_registers& s) { return s.pc; }},
    {"em", 64, [](const context_registers& s) { return s.em; }},
    {"spm", 64, [](const context_registers& s) { return s.spm; }},
    {"vcc", 64, [](const context_registers& s) { return s.vcc; }},
    {"scc", 1, [](const context_registers& s) { return uint64_t{s.scc}; }},
    {"depth", 7, [](const context_registers& s) { return uint64_t{s.depth}; }},
};
constexpr char first_code = '!';
constexpr size_t result = std::size(signals), first_of_instruction = result + 1;

// Two characters: the side, and the signal.
std::string code_of(unsigned side, size_t signal) {
  return {static_cast<char>(first_code + side), static_cast<char>(first_code + signal)};
}

}  // namespace

bool window_recorder::write(const std::string& file, unsigned context, uint64_t period_ps, const disagreement& d,
                            const instruction& i) const {
  std::ofstream out(file);
  out << "$timescale 1ps $end\n";
  const char* const sides[] = {"model", "rtl"};
  for (unsigned side = 0; side < 2; ++side) {
    out << fmt::format("$scope module {} $end\n", sides[side]);
    for (size_t k = 0; k < std::size(signals); ++k)
      out << fmt::format("$var wire {} {} {} $end\n", signals[k].bits, code_of(side, k), signals[k].name);
    if (!d.signal.empty())
      out << fmt::format("$var wire {} {} result_{} $end\n", d.model.size(), code_of(side, result), d.signal);
    for (size_t k = 0; k < i.signals.size(); ++k)
      out << fmt::format("$var wire {} {} {} $end\n", i.signals[k].second.size(),
                         code_of(side, first_of_instruction + k), i.signals[k].first);
    out << "$upscope $end\n";
  }
  out << "$enddefinitions $end\n";
  const size_t n = std::min(count_, cycles);
  const window_sample* last = nullptr;
  for (size_t k = count_ - n; k < count_; ++k) {
    const window_sample& s = samples_[k % cycles];
    out << fmt::format("#{}\n", s.cycle * period_ps);
    for (unsigned side = 0; side < 2; ++side)
      for (size_t g = 0; g < std::size(signals); ++g) {
        const auto value = [&](const window_sample& w) {
          return signals[g].value(side == 0 ? w.model[context] : w.rtl[context]);
        };
        if (last != nullptr && value(*last) == value(s)) continue;
        if (signals[g].bits == 1)
          out << fmt::format("{}{}\n", value(s), code_of(side, g));
        else
          out << fmt::format("b{:b} {}\n", value(s), code_of(side, g));
      }
    // Once: in the first cycle of the window in which it has issued.
    const bool issued_before = last != nullptr && last->cycle >= i.at;
    if (s.cycle >= i.at && !issued_before)
      for (unsigned side = 0; side < 2; ++side)
        for (size_t g = 0; g < i.signals.size(); ++g)
          out << fmt::format("b{} {}\n", i.signals[g].second, code_of(side, first_of_instruction + g));
    last = &s;
  }
  if (!d.signal.empty()) {
    out << fmt::format("b{} {}\n", d.model, code_of(0, result));
    out << fmt::format("b{} {}\n", d.rtl, code_of(1, result));
  }
  if (last != nullptr) out << fmt::format("#{}\n", (last->cycle + 4) * period_ps);
  return static_cast<bool>(out);
}

}  // namespace pws::platform::cosim
