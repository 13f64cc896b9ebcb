// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/serial_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace pws::platform {

namespace {

constexpr size_t most_at_once = 4096;
// A signal that comes right before poll() does not end it: it looks again after so long.
constexpr int patience_ms = 200;

}  // namespace

serial_input::serial_input(const std::string& file, standard in, const interruption& signals,
                           std::function<void()> flush)
    : signals_(signals), flush_(std::move(flush)) {
  const bool is_terminal = in.may_be_typed && isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (!file.empty()) {
    kind_ = kind::file;
    descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw input_error(fmt::format("{}: {}", file, std::strerror(errno)));
  } else if (is_terminal) {
    kind_ = kind::terminal;
    descriptor_ = STDIN_FILENO;
    termios mode{};
    if (tcgetattr(descriptor_, &mode) != 0) return;
    before_ = mode;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    tcsetattr(descriptor_, TCSADRAIN, &mode);
  } else if (in.wanted) {
    kind_ = kind::standard_input;
    descriptor_ = STDIN_FILENO;
  }
}

serial_input::~serial_input() {
  if (before_) tcsetattr(descriptor_, TCSADRAIN, &*before_);
  if (kind_ == kind::file) close(descriptor_);
}

models::uart::byte_source serial_input::source() {
  if (kind_ == kind::nothing) return {};
  return [this] { return next(); };
}

std::optional<char> serial_input::next() {
  if (at_ == bytes_.size() && !fill(kind_ != kind::terminal)) return std::nullopt;
  return bytes_[at_++];
}

bool serial_input::has_typed(bool may_wait) {
  return at_ != bytes_.size() || fill(may_wait);
}

// Reads what there is. False: nothing came, or it was the end, or a signal.
bool serial_input::fill(bool may_wait) {
  if (may_wait && flush_) flush_();
  while (!ended_ && signals_.signal() == 0) {
    pollfd p{descriptor_, POLLIN, 0};
    if (poll(&p, 1, may_wait ? patience_ms : 0) <= 0) {
      if (!may_wait) return false;
      continue;
    }
    bytes_.resize(most_at_once);
    at_ = 0;
    const ssize_t n = read(descriptor_, bytes_.data(), bytes_.size());
    bytes_.resize(n > 0 ? static_cast<size_t>(n) : 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    ended_ = n <= 0;
    if (kind_ == kind::terminal) typed_ += bytes_.size();
    if (!bytes_.empty()) return true;
  }
  return false;
}

std::string text_of(serial_input::kind k) {
  switch (k) {
    case serial_input::kind::file:
      return "a file";
    case serial_input::kind::standard_input:
      return "standard input";
    case serial_input::kind::terminal:
      return "a terminal";
    default:
      return "nothing";
  }
}

}  // namespace pws::platform
