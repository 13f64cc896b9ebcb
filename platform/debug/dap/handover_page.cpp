// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/handover_page.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace pws::platform::debug::dap {

handover_page::handover_page() : descriptor_(memfd_create("handover", 0)) {
  if (descriptor_ < 0) throw input_error(fmt::format("there is no memory to share: {}", std::strerror(errno)));
}

handover_page::~handover_page() {
  close(descriptor_);
}

void handover_page::write(const nlohmann::json& j) const {
  const std::string text = j.is_null() ? "" : j.dump();
  if (ftruncate(descriptor_, 0) != 0) return;
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = pwrite(descriptor_, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (n <= 0) return;
    at += static_cast<size_t>(n);
  }
}

nlohmann::json handover_page::read() const {
  std::string text;
  char bytes[1 << 12];
  for (ssize_t n = 0; (n = pread(descriptor_, bytes, sizeof bytes, static_cast<off_t>(text.size()))) > 0;)
    text.append(bytes, static_cast<size_t>(n));
  nlohmann::json j = nlohmann::json::parse(text, nullptr, false);
  return j.is_discarded() ? nlohmann::json() : j;
}

}  // namespace pws::platform::debug::dap
