// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"

namespace pws::platform::sweep {

namespace {

constexpr int cannot_start = 127;

// Runs in the child. Makes only async-signal-safe calls: other threads may hold locks, and the memory is the parent's.
[[noreturn]] void become(char* const* arguments, const char* output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(cannot_start);  // it was gone before prctl
  const int in = open("/dev/null", O_RDONLY), out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
    _exit(cannot_start);
  execv(arguments[0], arguments);
  _exit(cannot_start);
}

}  // namespace

int run_child(const std::vector<std::string>& argv, const std::filesystem::path& output) {
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  const std::string file = output.string();
  const pid_t parent = getpid();
  // Not fork(): that copies the tables of the parent's memory, which has a place for each point.
  // posix_spawn() cannot tie the child's life to the parent's. become() makes system calls alone, and never returns.
  const pid_t child = vfork();                                     // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (child == 0) become(arguments.data(), file.c_str(), parent);  // NOLINT(clang-analyzer-unix.Vfork)
  if (child < 0) throw input_error(argv[0] + ": cannot be started: " + std::strerror(errno));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw input_error(argv[0] + ": cannot be waited for: " + std::strerror(errno));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code == cannot_start) throw input_error(argv[0] + ": cannot be started, or " + file + " not be written");
  return code;
}

}  // namespace pws::platform::sweep
