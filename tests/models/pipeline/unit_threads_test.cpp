// SPDX-License-Identifier: Apache-2.0
// Jobs on threads: each once, and what is done alone meets no job, in the order of the jobs, in the caller's thread.
#include "models/compute_unit/unit_threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace pws::test::unit_threads_test {
namespace {

using models::unit_threads;

class with_threads : public testing::TestWithParam<size_t> {
 protected:
  unit_threads threads_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(threads, with_threads, testing::Values(1, 2, 3, 16));

TEST_P(with_threads, each_job_runs_once) {
  for (const size_t jobs : {0, 1, 2, 3, 64, 1000}) {
    std::vector<std::atomic<int>> ran(jobs);
    threads_.run(jobs, [&](size_t n) { ++ran[n]; });
    for (size_t n = 0; n < jobs; ++n) EXPECT_EQ(ran[n], 1) << n << " of " << jobs;
  }
}

TEST_P(with_threads, work_alone_meets_no_job) {
  constexpr size_t jobs = 40, times = 5;
  std::atomic<int> running{0};
  size_t done = 0;  // by work alone: needs no atomic
  const std::thread::id caller = std::this_thread::get_id();
  threads_.run(jobs, [&](size_t n) {
    ++running;
    for (size_t k = 0; k < times; ++k) {
      --running;
      threads_.alone(n, [&] {
        EXPECT_EQ(running, 0);
        EXPECT_EQ(std::this_thread::get_id(), caller);
        ++done;
      });
      ++running;
      std::this_thread::yield();
    }
    --running;
  });
  EXPECT_EQ(done, jobs * times);
}

// All jobs run before any of their work is done, and then it comes by number, whoever asked first.
TEST(unit_threads, work_alone_is_done_in_order) {
  constexpr size_t jobs = 4;
  unit_threads threads(jobs);
  std::atomic<size_t> begun{0};
  std::vector<size_t> order;
  threads.run(jobs, [&](size_t n) {
    ++begun;
    while (begun != jobs) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * (jobs - n)));
    threads.alone(n, [&, n] { order.push_back(n); });
  });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3}));
}

TEST_P(with_threads, work_alone_within_work_alone) {
  std::string said;
  threads_.run(3, [&](size_t n) {
    threads_.alone(n, [&, n] {
      said += 'a';
      threads_.alone(n, [&] { said += 'b'; });
      said += 'c';
    });
  });
  EXPECT_EQ(said, "abcabcabc");
}

TEST_P(with_threads, the_first_exception_by_number) {
  for (int again = 0; again < 3; ++again) {
    std::atomic<int> ran{0};
    try {
      threads_.run(8, [&](size_t n) {
        ++ran;
        if (n == 6 || n == 2) throw std::runtime_error(std::to_string(n));
      });
      FAIL() << "none";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "2");
    }
    EXPECT_EQ(ran, 8);
  }
}

TEST_P(with_threads, exceptions_of_work_alone_are_the_jobs) {
  std::atomic<int> caught{0};
  threads_.run(5, [&](size_t n) {
    try {
      threads_.alone(n, [] { throw std::runtime_error("alone"); });
    } catch (const std::runtime_error&) {
      ++caught;
    }
  });
  EXPECT_EQ(caught, 5);
}

TEST_P(with_threads, a_copy_of_the_process) {
  threads_.run(4, [](size_t) {});
  const pid_t child = fork();
  if (child == 0) {
    size_t sum = 0;
    threads_.run(5, [&](size_t n) { threads_.alone(n, [&] { sum += n; }); });
    _exit(sum == 10 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(unit_threads, none_is_there_before_the_first_run) {
  const unit_threads many(100000);
  EXPECT_EQ(many.count(), 100000u);
}

}  // namespace
}  // namespace pws::test::unit_threads_test
