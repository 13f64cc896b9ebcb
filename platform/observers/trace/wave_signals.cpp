// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/trace/wave_signals.h"

#include <algorithm>

namespace pws::platform {

uint64_t wave_signals::signal::value() const {
  return std::visit([](const auto* p) { return static_cast<uint64_t>(*p); }, at);
}

// gpu.cu0.simd1.wf3.pc is three scopes below the outermost one.
void wave_signals::put(signal s) {
  const auto dots = std::count(s.name.begin(), s.name.end(), '.');
  if (depth_ != 0 && dots > 0 && static_cast<unsigned>(dots - 1) > depth_) return;
  list_.push_back(std::move(s));
}

}  // namespace pws::platform
