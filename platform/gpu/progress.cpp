#include "platform/gpu/progress.h"

#include <fmt/format.h>

#include <cstdio>

namespace pws::platform {

namespace {
constexpr std::chrono::milliseconds first_after{1000};
constexpr std::chrono::milliseconds every{250};
}  // namespace

progress_line::progress_line(virtual_platform& gpu)
    : gpu_(gpu), began_(std::chrono::steady_clock::now()), shown_(began_) {
  gpu_.dispatcher.on_workgroup_done = [this] { show(); };
}

void progress_line::show() {
  const auto now = std::chrono::steady_clock::now();
  if (now - began_ < first_after || now - shown_ < every) return;
  shown_ = now;
  visible_ = true;
  const uint64_t done = gpu_.dispatcher.workgroups_done(), total = gpu_.dispatcher.workgroups_total();
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const double left = done == 0 ? 0 : elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  fmt::print(stderr, "\r{} of {} workgroups, cycle {}, {:.0f} s, about {:.0f} s left \033[K", done, total,
             gpu_.clock.now(), elapsed, left);
  std::fflush(stderr);
}

void progress_line::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace pws::platform
