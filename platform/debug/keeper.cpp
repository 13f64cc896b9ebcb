// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/keeper.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>

#include "base/error.h"

namespace pws::platform::debug {

namespace {

// Shared by all of them.
struct shared_page {
  std::atomic<pid_t> kept{0};
  pid_t keeper = getpid();
};
static_assert(std::atomic<pid_t>::is_always_lock_free);
shared_page* page = nullptr;

shared_page* make_page() {
  void* const at = mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw input_error(std::string("the host gives no memory: ") + std::strerror(errno));
  return new (at) shared_page;
}

// What a terminal sends has gone to all processes that belong to it.
void pass_on(int signal, siginfo_t* about, void*) {
  if (about->si_code <= 0) kill(page->kept, signal);
}

int wait_for_kept() {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0) return 1;
    // One that has woken another has named it before it ended.
    if (ended != page->kept) continue;
    // Those that sleep end now.
    do {
      errno = 0;
    } while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 1;
  }
}

}  // namespace

bool has_keeper() {
  return page != nullptr;
}

void become_kept() {
  page->kept = getpid();
}

void end_with_keeper() {
  constexpr useconds_t pause_us = 200;
  // The signal comes when the parent ends, which has to be the keeper then.
  while (getppid() != page->keeper && kill(page->keeper, 0) == 0) usleep(pause_us);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != page->keeper) _exit(1);
}

int under_keeper(const std::function<int()>& work) {
  page = make_page();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t passed, before;
  sigemptyset(&passed);
  sigaddset(&passed, SIGINT);
  sigaddset(&passed, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &passed, &before);
  const pid_t child = fork();
  if (child < 0) throw input_error(std::string("the host gives no process: ") + std::strerror(errno));
  if (child == 0) {
    become_kept();
    end_with_keeper();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return work();
  }
  page->kept = child;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction as_before {
    }, ours{};
    sigaction(signal, nullptr, &as_before);
    if (as_before.sa_handler == SIG_IGN) continue;
    ours.sa_sigaction = pass_on;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(signal, &ours, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return wait_for_kept();
}

}  // namespace pws::platform::debug
