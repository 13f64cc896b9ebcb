// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/environment_text.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/read_whole.h"

namespace pws::platform {

namespace {

constexpr size_t longest = size_t{96} << 10;   // what Linux takes, less a margin for the name
constexpr const char* where_mark = "@/proc/";  // no text of these variables begins so

[[noreturn]] void fail(const char* name) {
  throw input_error(std::string(name) + ": the host gives no memory for its text: " + std::strerror(errno));
}

void write_all(int file, const std::string& text, const char* name) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(name);
    done += static_cast<size_t>(n);
  }
}

}  // namespace

environment_texts::~environment_texts() {
  for (const int file : files_) close(file);
}

void environment_texts::set(const char* name, const std::string& text) {
  if (text.size() <= longest) {
    setenv(name, text.c_str(), 1);
    return;
  }
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) fail(name);
  files_.push_back(file);
  write_all(file, text, name);
  setenv(name, ("@/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file)).c_str(), 1);
}

std::optional<std::string> environment_text(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  if (std::strncmp(text, where_mark, std::strlen(where_mark)) != 0) return text;
  const std::string file = text + 1;
  std::string given;
  if (const int problem = read_whole(file, given); problem != 0)
    throw input_error(std::string(name) + ": its text, " + file + ", cannot be read: " + std::strerror(problem));
  return given;
}

}  // namespace pws::platform
