// SPDX-License-Identifier: Apache-2.0
// Threads of the host on which compute units run at the same time (functional fidelity). What one of them asks of the
// rest of the machine, or of host software, is done while none of them runs, by the thread that has SystemC: nothing
// else has to know of threads.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace pws::models {

class unit_threads {
 public:
  // `count`: threads, with the one that calls run(). The others begin with the first run().
  explicit unit_threads(size_t count);
  // Not within run(). A process that ends within it leaves its threads behind.
  ~unit_threads();
  unit_threads(const unit_threads&) = delete;
  unit_threads& operator=(const unit_threads&) = delete;

  size_t count() const { return count_; }
  // Calls job(0) to job(jobs - 1), in any order and at the same time, and returns when all have ended. Throws what the
  // first of them, by number, has thrown. In a copy of the process (fork), where the threads are not, one after the
  // other.
  void run(size_t jobs, const std::function<void(size_t)>& job);
  // For job `n`: has `work` done while no job runs, by the thread that has called run(). The work of several jobs that
  // wait for this is done in the order of their numbers. Throws what the work throws.
  void alone(size_t n, const std::function<void()>& work);

 private:
  struct shared;
  void begin();
  void run_here(size_t jobs, const std::function<void(size_t)>& job);

  const size_t count_;
  const std::shared_ptr<shared> shared_;
  bool begun_ = false;
  pid_t process_ = 0;  // that has the threads
};

}  // namespace pws::models
