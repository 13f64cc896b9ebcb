// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/child_process.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace pws::test {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

// Processor time, because the machine may be busy; a hundred times of it by the clock for those that wait for ever.
void limit_time(unsigned seconds) {
  const rlimit limit{seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
  constexpr unsigned most = 100;
  alarm(seconds * most);
}

// A file in memory that a child prints into.
class capture {
 public:
  capture() : fd_(memfd_create("capture", MFD_CLOEXEC)) {
    if (fd_ < 0) fail("memfd_create");
  }
  ~capture() { close(fd_); }
  capture(const capture&) = delete;
  capture& operator=(const capture&) = delete;
  void replace(int fd) const { dup2(fd_, fd); }
  std::string text() const {
    std::string s(static_cast<size_t>(lseek(fd_, 0, SEEK_END)), '\0');
    if (pread(fd_, s.data(), s.size(), 0) != static_cast<ssize_t>(s.size())) fail("reading a child's output");
    return s;
  }

 private:
  int fd_;
};

void write_all(int fd, const void* data, size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t n = write(fd, from, bytes);
    if (n < 0) _exit(125);  // the parent is gone
    from += n;
    bytes -= static_cast<size_t>(n);
  }
}

std::vector<uint8_t> read_all(int fd) {
  std::vector<uint8_t> all;
  std::vector<uint8_t> block(1 << 16);
  for (;;) {
    const ssize_t n = read(fd, block.data(), block.size());
    if (n == 0) return all;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("reading from a child");
    all.insert(all.end(), block.begin(), block.begin() + n);
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  return status;
}

}  // namespace

child_result in_child(const std::function<int(const message_sink&)>& body, unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  const capture log;
  std::fflush(nullptr);  // or the child would print what the parent has buffered once more
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    log.replace(STDOUT_FILENO);
    log.replace(STDERR_FILENO);
    limit_time(seconds);
    int code = 124;
    try {
      code = body([&](const void* data, size_t bytes) { write_all(ends[1], data, bytes); });
    } catch (const std::exception& e) {
      std::fprintf(stderr, "exception: %s\n", e.what());
    }
    std::fflush(nullptr);
    _exit(code);  // not exit(): the test framework of the parent must not end here
  }
  close(ends[1]);
  child_result result;
  result.message = read_all(ends[0]);
  close(ends[0]);
  result.status = wait_for(child);
  result.log = log.text();
  return result;
}

program_result run_program(const std::vector<std::string>& command, unsigned seconds) {
  const capture out, err;
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    out.replace(STDOUT_FILENO);
    err.replace(STDERR_FILENO);
    limit_time(seconds);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  const int status = wait_for(child);
  program_result r;
  r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  r.out = out.text();
  r.err = err.text();
  return r;
}

std::string describe_status(int status) {
  if (WIFEXITED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

}  // namespace pws::test
