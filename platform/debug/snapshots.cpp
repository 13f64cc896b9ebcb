// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/snapshots.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "platform/debug/keeper.h"
#include "platform/machine/interruption.h"

namespace pws::platform::debug {

namespace {

constexpr std::chrono::milliseconds apart{300};
constexpr size_t most = 64;
constexpr uint64_t pages_of_process = 512;  // what it has of its own from the beginning: its tables of pages

uint64_t page_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<uint64_t>(used.ru_minflt);
}

uint64_t page_bytes() {
  return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// A process's part of the host's memory, where pages that several have count in parts.
std::optional<uint64_t> share_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/smaps_rollup", process));
  for (std::string line; std::getline(in, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "Pss: %llu kB", &kib) == 1) return kib << 10;
  }
  return std::nullopt;
}

// False: the other side is not there.
bool send_all(int socket, const void* from, size_t bytes) {
  for (const char* at = static_cast<const char*>(from); bytes != 0;) {
    const ssize_t n = send(socket, at, bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

bool receive_all(int socket, void* to, size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes != 0;) {
    const ssize_t n = recv(socket, at, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

constexpr uint64_t not_needed = ~uint64_t{0};  // in place of a count of bytes

// A copy sleeps here, with all signals blocked, for as long as somebody could wake it.
std::string sleep_until_woken(int socket) {
  uint64_t bytes = 0;
  std::string given;
  if (!receive_all(socket, &bytes, sizeof bytes) || bytes == not_needed) _exit(0);
  given.resize(bytes);
  if (!receive_all(socket, given.data(), bytes)) _exit(0);
  return given;
}

void forget_pending_signals() {
  sigset_t all;
  sigfillset(&all);
  const timespec none{};
  while (sigtimedwait(&all, nullptr, &none) > 0) {
  }
}

}  // namespace

snapshots::~snapshots() {
  clear();
}

bool snapshots::are_made() const {
  return options_.memory != 0 && has_keeper();
}

bool snapshots::is_time(uint64_t position) const {
  if (options_.every != 0) return position - latest_position_ >= options_.every;
  return std::chrono::steady_clock::now() - latest_ >= apart;
}

uint64_t snapshots::patience() const {
  constexpr uint64_t most_instructions = 1 << 14;
  return options_.every == 0 ? most_instructions : std::min(options_.every, most_instructions);
}

std::optional<std::string> snapshots::make(uint64_t position) {
  // A copy would print what waits to be printed once more.
  std::cout.flush();
  std::fflush(nullptr);
  std::optional<std::string> given = copy(position);
  thin_out(position);
  reap();
  latest_ = std::chrono::steady_clock::now();
  latest_position_ = position;
  faults_ = page_faults();
  return given;
}

std::optional<std::string> snapshots::copy(uint64_t position) {
  std::optional<std::string> given;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int woken_by = -1;
  for (;;) {
    const uint64_t bytes = (page_faults() - faults_ + pages_of_process) * page_bytes();
    int ends[2] = {-1, -1};
    const bool connected = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    const pid_t child = connected ? fork() : -1;
    if (child == 0) {
      close(ends[0]);
      if (woken_by >= 0) close(woken_by);
      given = sleep_until_woken(ends[1]);
      // It goes on, and so another copy sleeps in its place.
      woken_by = ends[1];
      faults_ = page_faults();
      continue;
    }
    if (connected) close(ends[1]);
    if (child > 0)
      rows_.push_back({position, ends[0], child, bytes});
    else if (connected)
      close(ends[0]);
    break;
  }
  if (woken_by >= 0) {
    become_kept();
    send_all(woken_by, "", 1);
    close(woken_by);
    end_with_keeper();
    interruption::move_here();
    forget_pending_signals();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return given;
}

std::vector<uint64_t> snapshots::positions() const {
  std::vector<uint64_t> all;
  for (const row& r : rows_) all.push_back(r.position);
  return all;
}

void snapshots::wake(uint64_t position, const std::string& given) {
  const auto r = std::find_if(rows_.begin(), rows_.end(), [&](const row& x) { return x.position == position; });
  if (r == rows_.end()) return;
  std::cout.flush();
  std::fflush(nullptr);
  const uint64_t bytes = given.size();
  char answer = 0;
  if (send_all(r->socket, &bytes, sizeof bytes) && send_all(r->socket, given.data(), bytes) &&
      receive_all(r->socket, &answer, 1))
    _exit(0);
  forget(static_cast<size_t>(r - rows_.begin()));
}

// Others have copies of the socket, so that it is closed here does not end the process.
void snapshots::end(const row& r) {
  send_all(r.socket, &not_needed, sizeof not_needed);
  close(r.socket);
  ended_.push_back(r.process);
}

void snapshots::forget(size_t k) {
  end(rows_[k]);
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(k));
}

void snapshots::clear() {
  for (const row& r : rows_) end(r);
  rows_.clear();
}

// Those that are not children of this process any more are their keeper's.
void snapshots::reap() {
  const auto is_gone = [](pid_t p) { return waitpid(p, nullptr, WNOHANG) != 0; };
  ended_.erase(std::remove_if(ended_.begin(), ended_.end(), is_gone), ended_.end());
}

// The one without which the way back gets least longer; the first and the latest stay.
size_t snapshots::most_dispensable(uint64_t now) const {
  size_t best = 1;
  double least = 0;
  for (size_t k = 1; k + 1 < rows_.size(); ++k) {
    const double gap = static_cast<double>(rows_[k + 1].position - rows_[k - 1].position) /
                       static_cast<double>(now - rows_[k - 1].position + 1);
    if (k != 1 && gap >= least) continue;
    least = gap;
    best = k;
  }
  return best;
}

void snapshots::thin_out(uint64_t now) {
  constexpr size_t fewest = 2;
  const auto held = [&] {
    uint64_t bytes = 0;
    for (const row& r : rows_) bytes += r.bytes;
    return bytes;
  };
  if (held() > options_.memory)
    for (row& r : rows_) r.bytes = share_of(r.process).value_or(r.bytes);
  while (rows_.size() > fewest && (rows_.size() > most || held() > options_.memory)) forget(most_dispensable(now));
}

}  // namespace pws::platform::debug
