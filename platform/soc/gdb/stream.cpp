// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/gdb/stream.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace pws::platform::gdb {

namespace {

// A signal that comes right before poll() does not end it: it looks again after so long.
constexpr int patience_ms = 100;

[[noreturn]] void refuse(const std::string& where, const char* why) {
  throw input_error(fmt::format("--gdb {}: {}", where, why));
}

bool is_readable(int descriptor, int wait_ms) {
  pollfd p{descriptor, POLLIN, 0};
  return poll(&p, 1, wait_ms) > 0;
}

}  // namespace

stream::stream(const std::string& where) {
  if (where == "-") {
    in_ = dup(STDIN_FILENO);
    out_ = dup(STDOUT_FILENO);
    if (in_ < 0 || out_ < 0) refuse(where, std::strerror(errno));
    return;
  }
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(where.data(), where.data() + where.size(), port);
  if (error != std::errc() || end != where.data() + where.size())
    refuse(where, "it is neither a port's number nor - for standard input and output");
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening_ < 0) refuse(where, std::strerror(errno));
  const int on = 1;
  setsockopt(listening_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(listening_, 1) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int problem = errno;
    ::close(listening_);
    refuse(where, std::strerror(problem));
  }
  port_ = ntohs(address.sin_port);
}

stream::~stream() {
  close();
  if (listening_ >= 0) ::close(listening_);
}

void stream::close() {
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0 && out_ != in_) ::close(out_);
  in_ = out_ = -1;
}

bool stream::accept(const std::function<bool()>& ends) {
  if (listening_ < 0) return is_open();
  while (!ends()) {
    if (!is_readable(listening_, patience_ms)) continue;
    in_ = out_ = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (in_ < 0) continue;
    const int on = 1;
    setsockopt(in_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return true;
  }
  return false;
}

size_t stream::read(char* to, size_t most, bool waits, const std::function<bool()>& ends) {
  while (is_open()) {
    if (!is_readable(in_, waits ? patience_ms : 0)) {
      if (!waits || ends()) return 0;
      continue;
    }
    const ssize_t n = ::read(in_, to, most);
    if (n > 0) return static_cast<size_t>(n);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    close();
  }
  return 0;
}

void stream::write(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size() && is_open();) {
    // A client that has gone is no reason to end by a signal.
    ssize_t n = send(out_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno == ENOTSOCK) n = ::write(out_, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return close();
    at += static_cast<size_t>(n);
  }
}

}  // namespace pws::platform::gdb
