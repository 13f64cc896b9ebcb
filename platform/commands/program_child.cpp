// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/program_child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

#include "base/error.h"

namespace pws::platform {

namespace {

// What of this process's signals the program is to find as it was.
struct signal_state {
  sigset_t blocked;
  struct sigaction child_ends;
};

// Runs in the child. `error`: a pipe that takes errno where it cannot be started, and that is closed where it is.
[[noreturn]] void become(char* const* argv, const signal_state& before, pid_t parent, int error) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it was gone before prctl
  sigaction(SIGCHLD, &before.child_ends, nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // as the program expects it
  sigprocmask(SIG_SETMASK, &before.blocked, nullptr);
  execvp(argv[0], argv);
  const int why = errno;
  if (::write(error, &why, sizeof why) < 0) _exit(1);
  _exit(1);
}

// Until the child has ended; its status.
int wait_for(pid_t child, const sigset_t& all) {
  for (;;) {
    siginfo_t got;
    const int signal = sigwaitinfo(&all, &got);
    if (signal < 0) continue;
    if (signal != SIGCHLD) {
      // What comes from the terminal goes to the child as well: it is in the same process group.
      if (got.si_code != SI_KERNEL) kill(child, signal);
      continue;
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
      if (!WIFSTOPPED(status)) return status;
      raise(SIGSTOP);  // until somebody has this process go on
      kill(child, SIGCONT);
    }
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  const auto cannot = [&words](int why) {
    return input_error(words[0] + ": cannot be started: " + std::strerror(why));
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw cannot(errno);
  std::cout.flush();
  signal_state before;
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, &before.child_ends);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before.blocked);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(argv.data(), before, parent, ends[1]);
  const int fork_error = errno;
  close(ends[1]);
  int why = 0;
  const bool started = child > 0 && read(ends[0], &why, sizeof why) <= 0;
  close(ends[0]);
  if (!started) {
    if (child > 0) waitpid(child, nullptr, 0);
    sigaction(SIGCHLD, &before.child_ends, nullptr);
    sigprocmask(SIG_SETMASK, &before.blocked, nullptr);
    throw cannot(child > 0 ? why : fork_error);
  }
  const int status = wait_for(child, all);
  sigprocmask(SIG_SETMASK, &before.blocked, nullptr);
  return status;
}

int end_like(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  const rlimit no_core{0, 0};  // the program has left one, if any
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  raise(signal);
  return 128 + signal;  // of one that ends nothing
}

}  // namespace pws::platform
