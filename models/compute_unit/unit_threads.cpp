// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/unit_threads.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace pws::models {

namespace {

// The program's own signal handlers run in its threads. What an instruction of this thread causes is this thread's.
sigset_t signals_of_others() {
  sigset_t all;
  sigfillset(&all);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, own);
  return all;
}

}  // namespace

// Outlives unit_threads where the process ends while jobs run.
struct unit_threads::shared {
  struct request {
    size_t job;
    const std::function<void()>* work;
    std::exception_ptr thrown;
    bool done = false;
  };
  struct failed_job {
    size_t job;
    std::exception_ptr thrown;
  };

  std::mutex lock;  // of all that follows
  std::condition_variable for_jobs, for_calm, for_answer;
  std::vector<std::thread> threads;
  std::thread::id caller;
  const std::function<void(size_t)>* job = nullptr;
  size_t next = 0, jobs = 0;  // jobs from `next` on have not begun
  size_t running = 0;         // jobs that have begun and neither wait in alone() nor have ended
  bool is_serving = false;    // work is done alone
  bool ends = false;
  std::vector<request*> waiting;
  std::vector<failed_job> failed;

  void work();
  bool do_next(std::unique_lock<std::mutex>& hold);
  void serve(std::unique_lock<std::mutex>& hold);
};

unit_threads::unit_threads(size_t count) : count_(count), shared_(std::make_shared<shared>()) {}

unit_threads::~unit_threads() {
  if (!begun_) return;
  if (getpid() != process_) {  // there is nobody to wait for
    for (std::thread& t : shared_->threads) t.detach();
    return;
  }
  bool within_run = false;
  {
    const std::lock_guard<std::mutex> hold(shared_->lock);
    within_run = shared_->job != nullptr;
    shared_->ends = true;
  }
  shared_->for_jobs.notify_all();
  for (std::thread& t : shared_->threads) within_run ? t.detach() : t.join();
}

void unit_threads::begin() {
  begun_ = true;
  process_ = getpid();
  const sigset_t blocked = signals_of_others();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  try {
    while (shared_->threads.size() + 1 < count_) shared_->threads.emplace_back([mine = shared_] { mine->work(); });
  } catch (const std::system_error& e) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw input_error("machine.threads: the host gives no " + std::to_string(count_) + " threads: " + e.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void unit_threads::run(size_t jobs, const std::function<void(size_t)>& job) {
  if (!begun_) begin();
  if (getpid() != process_) return run_here(jobs, job);
  std::vector<shared::failed_job> failed;
  {
    std::unique_lock<std::mutex> hold(shared_->lock);
    shared_->caller = std::this_thread::get_id();
    shared_->job = &job;
    shared_->next = 0;
    shared_->jobs = jobs;
    shared_->for_jobs.notify_all();
    while (shared_->do_next(hold)) {
    }
    for (;;) {
      shared_->for_calm.wait(hold, [this] { return shared_->running == 0; });
      if (shared_->waiting.empty()) break;
      shared_->serve(hold);
    }
    shared_->job = nullptr;
    failed.swap(shared_->failed);
  }
  const auto first =
      std::min_element(failed.begin(), failed.end(),
                       [](const shared::failed_job& a, const shared::failed_job& b) { return a.job < b.job; });
  if (first != failed.end()) std::rethrow_exception(first->thrown);
}

void unit_threads::run_here(size_t jobs, const std::function<void(size_t)>& job) {
  std::exception_ptr first;
  for (size_t n = 0; n < jobs; ++n) try {
      job(n);
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  if (first != nullptr) std::rethrow_exception(first);
}

void unit_threads::alone(size_t n, const std::function<void()>& work) {
  if (getpid() != process_) return work();
  shared::request mine{n, &work, nullptr};
  {
    std::unique_lock<std::mutex> hold(shared_->lock);
    if (shared_->is_serving && std::this_thread::get_id() == shared_->caller) {
      hold.unlock();
      return work();
    }
    shared_->waiting.push_back(&mine);
    if (--shared_->running == 0) shared_->for_calm.notify_one();
    if (std::this_thread::get_id() == shared_->caller) {
      while (!mine.done) {
        shared_->for_calm.wait(hold, [this] { return shared_->running == 0; });
        shared_->serve(hold);
      }
    } else {
      shared_->for_answer.wait(hold, [&mine] { return mine.done; });
    }
  }
  if (mine.thrown != nullptr) std::rethrow_exception(mine.thrown);
}

// ---- Each with the lock held, but for what they call

void unit_threads::shared::work() {
  std::unique_lock<std::mutex> hold(lock);
  for (;;) {
    for_jobs.wait(hold, [this] { return ends || (next < jobs && !is_serving); });
    if (ends) return;
    do_next(hold);
  }
}

// False: there is none.
bool unit_threads::shared::do_next(std::unique_lock<std::mutex>& hold) {
  if (next >= jobs) return false;
  const size_t n = next++;
  ++running;
  hold.unlock();
  std::exception_ptr thrown;
  try {
    (*job)(n);
  } catch (...) {
    thrown = std::current_exception();
  }
  hold.lock();
  if (thrown != nullptr) failed.push_back({n, thrown});
  if (--running == 0) for_calm.notify_one();
  return true;
}

void unit_threads::shared::serve(std::unique_lock<std::mutex>& hold) {
  std::vector<request*> now;
  now.swap(waiting);
  std::sort(now.begin(), now.end(), [](const request* a, const request* b) { return a->job < b->job; });
  is_serving = true;
  for (request* r : now) {
    hold.unlock();
    try {
      (*r->work)();
    } catch (...) {
      r->thrown = std::current_exception();
    }
    hold.lock();
  }
  is_serving = false;
  for (request* r : now) r->done = true;
  running += now.size();
  for_answer.notify_all();
  for_jobs.notify_all();
}

}  // namespace pws::models
