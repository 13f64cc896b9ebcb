// SPDX-License-Identifier: Apache-2.0
#include "python/simulation.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>

#include "base/error.h"
#include "platform/machine/virtual_platform.h"

namespace pws::python {

namespace {

// Recursive: Python collects what nobody needs any more, machines too, whenever it likes.
using turn_lock = std::recursive_timed_mutex;
turn_lock* lock = new turn_lock;  // another one in a child by fork()
std::atomic<int> held{0};
bool forked_in_a_run = false;

void in_child() {
  lock = new turn_lock;
  // Where the simulating thread stood is in SystemC's kernel, and that thread is not here.
  forked_in_a_run = forked_in_a_run || held != 0;
  held = 0;
}

bool is_main_thread() {
  return syscall(SYS_gettid) == getpid();
}

}  // namespace

turn::turn(signals s) {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, in_child);
  if (forked_in_a_run)
    throw input_error(
        "this process was forked while another thread of its parent simulated: nothing can be simulated in it");
  using namespace std::chrono_literals;
  while (!lock->try_lock()) {
    bool mine = false;
    {
      const py::gil_scoped_release others_run;
      mine = lock->try_lock_for(50ms);
    }
    if (mine) break;
    if (s == signals::end_it && PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  ++held;
}

turn::~turn() {
  --held;
  lock->unlock();
}

void next_simulation() {
  static bool first = true;
  if (!first) platform::new_simulation();
  first = false;
}

stopping_signals::stopping_signals() {
  // Python's handlers are of the main thread.
  heard_.emplace(platform::interruption::for_now{is_main_thread()});
}

void stopping_signals::pass_on() {
  const int signal = platform::interruption::signal();
  heard_.reset();
  if (signal == 0) return;
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_DFL) raise(signal);  // which ends the process
  PyErr_SetInterrupt();
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace pws::python
