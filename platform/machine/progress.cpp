// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/progress.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace pws::platform {

progress_line::progress_line(models::gpu& gpu, bool terminal, std::chrono::milliseconds first,
                             std::chrono::milliseconds every)
    : gpu_(gpu),
      terminal_(terminal),
      first_(first),
      every_(every),
      began_(std::chrono::steady_clock::now()),
      shown_(began_) {
  gpu_.dispatcher.on_progress = [this] { show(); };
}

progress_line::~progress_line() {
  gpu_.dispatcher.on_progress = nullptr;
}

progress_line::progress_line(models::gpu& gpu)
    : progress_line(gpu, true, std::chrono::milliseconds(1000), std::chrono::milliseconds(250)) {}

progress_line::progress_line(models::gpu& gpu, std::chrono::seconds every) : progress_line(gpu, false, every, every) {}

void progress_line::show() {
  const auto now = std::chrono::steady_clock::now();
  if (now - began_ < first_ || now - shown_ < every_) return;
  shown_ = now;
  visible_ = terminal_;
  const uint64_t done = gpu_.dispatcher.workgroups_done(), total = gpu_.dispatcher.workgroups_total();
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  uint64_t instructions = 0;
  for (const auto& cu : gpu_.cus) instructions += cu->statistics().total_instructions();
  std::string text = fmt::format("{} of {} workgroups, ", done, total);
  if (gpu_.config.fidelity == models::fidelity::timing) text += fmt::format("cycle {}, ", gpu_.clock.now());
  text += fmt::format("{} instructions, {:.0f} s", instructions, elapsed);
  if (done != 0)
    text +=
        fmt::format(", about {:.0f} s left", elapsed * static_cast<double>(total - done) / static_cast<double>(done));
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? " \033[K" : "\n");
  std::fflush(stderr);
}

void progress_line::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace pws::platform
