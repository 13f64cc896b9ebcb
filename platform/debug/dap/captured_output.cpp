// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/captured_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace pws::platform::debug::dap {

captured_output::captured_output(int descriptor) : descriptor_(descriptor) {
  before_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  memory_ = memfd_create("output", MFD_CLOEXEC);
  if (before_ < 0 || memory_ < 0 || dup2(memory_, descriptor_) < 0)
    throw input_error(fmt::format("output cannot be captured: {}", std::strerror(errno)));
}

captured_output::captured_output(int descriptor, int before)
    : descriptor_(descriptor), before_(before), memory_(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {
  if (memory_ < 0) throw input_error(fmt::format("output cannot be captured: {}", std::strerror(errno)));
}

captured_output::~captured_output() {
  dup2(before_, descriptor_);
  close(before_);
  close(memory_);
}

std::string captured_output::take() {
  std::string text;
  char bytes[1 << 14];
  for (;;) {
    const ssize_t n = pread(memory_, bytes, sizeof bytes, taken_);
    if (n <= 0) return text;
    text.append(bytes, static_cast<size_t>(n));
    taken_ += n;
  }
}

}  // namespace pws::platform::debug::dap
