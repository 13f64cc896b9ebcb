#include "platform/gpu/progress.h"

#include <fmt/format.h>

#include <cstdio>

namespace pws::platform {

progress_line::progress_line(virtual_platform& gpu, bool terminal, std::chrono::milliseconds first,
                             std::chrono::milliseconds every)
    : gpu_(gpu),
      terminal_(terminal),
      first_(first),
      every_(every),
      began_(std::chrono::steady_clock::now()),
      shown_(began_) {
  gpu_.dispatcher.on_workgroup_done = [this] { show(); };
}

progress_line::progress_line(virtual_platform& gpu)
    : progress_line(gpu, true, std::chrono::milliseconds(1000), std::chrono::milliseconds(250)) {}

progress_line::progress_line(virtual_platform& gpu, std::chrono::seconds every)
    : progress_line(gpu, false, every, every) {}

void progress_line::show() {
  const auto now = std::chrono::steady_clock::now();
  if (now - began_ < first_ || now - shown_ < every_) return;
  shown_ = now;
  visible_ = terminal_;
  const uint64_t done = gpu_.dispatcher.workgroups_done(), total = gpu_.dispatcher.workgroups_total();
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const double left = done == 0 ? 0 : elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  fmt::print(stderr, "{}{} of {} workgroups, cycle {}, {:.0f} s, about {:.0f} s left{}", terminal_ ? "\r" : "", done,
             total, gpu_.clock.now(), elapsed, left, terminal_ ? " \033[K" : "\n");
  std::fflush(stderr);
}

void progress_line::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace pws::platform
