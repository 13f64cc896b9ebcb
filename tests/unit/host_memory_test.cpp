// SPDX-License-Identifier: Apache-2.0
// What the host has and what is left of it, on trees of files as Linux has them.
#include "models/machine/host_memory.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pws::models::host_memory_test {
namespace {

namespace fs = std::filesystem;
constexpr uint64_t mib = uint64_t{1} << 20;

class host_memory_of_files : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/host_memory_XXXXXX";
    root_ = mkdtemp(name);
    // 8192 MiB and 1024 of swap; 6000 and 1000 are free.
    put("proc/meminfo",
        "MemTotal:        8388608 kB\nMemFree:         1048576 kB\nMemAvailable:    6144000 kB\n"
        "SwapTotal:       1048576 kB\nSwapFree:        1024000 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void put(const std::string& file, uint64_t value) { put(file, std::to_string(value) + "\n"); }
  // Control groups of version 2, the group `shown` at /sys/fs/cgroup.
  void mount_second(const std::string& shown = "/") {
    put("proc/self/mountinfo", "22 1 0:20 / /proc rw,nosuid - proc proc rw\n30 23 0:26 " + shown +
                                   " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void expect_all(uint64_t in_mib, const std::string& within) const { expect(host_memory(root_), in_mib, within); }
  void expect_left(uint64_t in_mib, const std::string& within, uint64_t mapped = 0) const {
    expect(host_memory_left(mapped, root_), in_mib, within);
  }
  static void expect(const host_bytes& b, uint64_t in_mib, const std::string& within) {
    EXPECT_EQ(b.bytes, in_mib * mib);
    EXPECT_EQ(b.within, within);
  }

  fs::path root_;
};

TEST_F(host_memory_of_files, without_limits) {
  expect_all(9216, "");
  expect_left(7000, "");
  EXPECT_EQ(host_memory_left(0, root_).text(), "");
}

TEST_F(host_memory_of_files, not_known) {
  fs::remove_all(root_ / "proc");
  EXPECT_EQ(host_memory(root_).bytes, ~uint64_t{0});
  EXPECT_EQ(host_memory_left(5, root_).bytes, ~uint64_t{0});
  put("proc/meminfo", "MemTotal: many kB\n");
  EXPECT_EQ(host_memory(root_).bytes, ~uint64_t{0});
}

TEST_F(host_memory_of_files, the_tightest_group_of_version_2_on_the_way_up) {
  mount_second();
  put("proc/self/cgroup", "0::/a/b/c\n");
  put("sys/fs/cgroup/a/b/c/memory.max", "max\n");
  put("sys/fs/cgroup/a/b/c/memory.current", 100 * mib);
  put("sys/fs/cgroup/a/b/memory.max", 3000 * mib);
  put("sys/fs/cgroup/a/b/memory.current", 1500 * mib);
  put("sys/fs/cgroup/a/b/memory.swap.max", "0\n");
  put("sys/fs/cgroup/a/b/memory.stat", "anon 1\ninactive_file 104857600\nactive_file 209715200\nfile 999999999\n");
  put("sys/fs/cgroup/a/memory.max", 4000 * mib);
  put("sys/fs/cgroup/a/memory.current", 3500 * mib);
  put("sys/fs/cgroup/x/memory.max", 1 * mib);  // not on the way
  expect_all(3000, "the memory limit of control group /a/b");
  // 500 of /a, whose file caches are not known; 3000 - 1500 + 300 of /a/b.
  expect_left(500, "the memory limit of control group /a");
  put("sys/fs/cgroup/a/memory.current", 1600 * mib);
  expect_left(1800, "the memory limit of control group /a/b");
  EXPECT_EQ(host_memory_left(0, root_).text(), " within the memory limit of control group /a/b");
}

TEST_F(host_memory_of_files, swap_of_a_group_of_version_2) {
  mount_second();
  put("proc/self/cgroup", "0::/a\n");
  put("sys/fs/cgroup/a/memory.max", 1000 * mib);
  put("sys/fs/cgroup/a/memory.current", 200 * mib);
  expect_all(2024, "the memory limit of control group /a");
  expect_left(1800, "the memory limit of control group /a");
  put("sys/fs/cgroup/a/memory.swap.max", 300 * mib);
  put("sys/fs/cgroup/a/memory.swap.current", 250 * mib);
  expect_all(1300, "the memory limit of control group /a");
  expect_left(850, "the memory limit of control group /a");
}

TEST_F(host_memory_of_files, more_is_used_than_the_limit_is_now) {
  mount_second();
  put("proc/self/cgroup", "0::/a\n");
  put("sys/fs/cgroup/a/memory.max", 100 * mib);
  put("sys/fs/cgroup/a/memory.swap.max", "0\n");
  put("sys/fs/cgroup/a/memory.current", 200 * mib);
  expect_left(0, "the memory limit of control group /a");
}

TEST_F(host_memory_of_files, a_container_sees_its_own_group_alone) {
  // By its own name, as where the namespace is the host's, or as the root, or as something above it.
  put("sys/fs/cgroup/memory.max", 700 * mib);
  put("sys/fs/cgroup/memory.swap.max", "0\n");
  for (const char* own : {"/docker/abc", "/", "/../def", "/elsewhere"}) {
    mount_second(own[1] == 'd' ? "/docker/abc" : "/");
    put("proc/self/cgroup", std::string("0::") + own + "\n");
    EXPECT_EQ(host_memory(root_).bytes, 700 * mib) << own;
  }
  mount_second("/docker/abc");
  put("sys/fs/cgroup/job/memory.max", 600 * mib);
  put("proc/self/cgroup", "0::/docker/abc/job\n");
  expect_all(600, "the memory limit of control group /docker/abc/job");
}

TEST_F(host_memory_of_files, version_1_beside_a_version_2_that_limits_no_memory) {
  put("proc/self/mountinfo",
      "34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
      "35 31 0:32 / /sys/fs/cgroup/my\\040memory rw - cgroup cgroup rw,memory\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  put("proc/self/cgroup", "5:devices:/\n4:hugetlb,memory:/a/b\n1:cpu:/c\n0::/\n");
  put("sys/fs/cgroup/cpu/c/memory.limit_in_bytes", 1 * mib);
  const std::string a = "sys/fs/cgroup/my memory/a/", b = a + "b/";
  put(b + "memory.limit_in_bytes", "9223372036854771712\n");
  put(b + "memory.usage_in_bytes", 100 * mib);
  put(a + "memory.limit_in_bytes", 2000 * mib);
  put(a + "memory.usage_in_bytes", 1500 * mib);
  put(a + "memory.stat", "inactive_file 9999999999\ntotal_inactive_file 104857600\ntotal_active_file 0\n");
  expect_all(3024, "the memory limit of control group /a");
  expect_left(1600, "the memory limit of control group /a");
  // Memory and swap together.
  put(a + "memory.memsw.limit_in_bytes", 2100 * mib);
  put(a + "memory.memsw.usage_in_bytes", 1900 * mib);
  expect_all(2100, "the memory limit of control group /a");
  expect_left(300, "the memory limit of control group /a");
  // A group that does not count what is below it.
  put(a + "memory.use_hierarchy", "0\n");
  expect_all(9216, "");
  expect_left(7000, "");
}

TEST_F(host_memory_of_files, limits_of_the_process) {
  put("proc/self/status", "Name:\tx\nVmPeak:\t  999999 kB\nVmSize:\t  204800 kB\nVmData:\t  102400 kB\n");
  const auto limits = [this](const std::string& data, const std::string& space) {
    put("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max data size             " +
            data +
            "            unlimited            bytes     \n"
            "Max address space         " +
            space + "           unlimited            bytes     \n");
  };
  limits("unlimited", "unlimited");
  expect_left(7000, "");
  limits("unlimited", std::to_string(1200 * mib));
  expect_left(1000, "the limit of address space (RLIMIT_AS)");
  expect_left(600, "the limit of address space (RLIMIT_AS)", 400 * mib);
  expect_left(1000, "the limit of address space (RLIMIT_AS)", 2000 * mib);  // cannot be mapped at all
  limits(std::to_string(500 * mib), std::to_string(1200 * mib));
  expect_left(400, "the limit of data (RLIMIT_DATA)");
  limits("0", "unlimited");
  expect_left(0, "the limit of data (RLIMIT_DATA)");
  expect_all(9216, "");
}

// Whatever this host has: there is some, and no more is left than there is.
TEST(host_memory, of_this_process) {
  EXPECT_GT(host_memory().bytes, 64 * mib);
  EXPECT_GT(host_memory_left().bytes, 16 * mib);
  EXPECT_LE(host_memory_left().bytes, host_memory().bytes);
}

}  // namespace
}  // namespace pws::models::host_memory_test
