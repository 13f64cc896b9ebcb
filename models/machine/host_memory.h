// SPDX-License-Identifier: Apache-2.0
// What the host has, for what a machine takes of it: memory and swap, within the limits of the control groups (cgroups,
// versions 1 and 2) that the process is in, as containers and batch systems set them, and of the process itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pws::models {

// An amount of memory, and what makes it no larger.
struct host_bytes {
  uint64_t bytes = ~uint64_t{0};  // with swap; all ones: not known
  std::string within;             // the limit that it is due to; "": the host as a whole
  std::string text() const;       // "", or " within the memory limit of control group /batch"
};

// Files are read below `root`: proc/meminfo, proc/self/cgroup, proc/self/mountinfo and what is mounted there.
host_bytes host_memory(const std::filesystem::path& root = "/");
// What of it is free, or would be if file caches were given up; and what this process may still allocate
// (proc/self/limits: RLIMIT_AS, RLIMIT_DATA) when it has mapped `mapped` bytes more, if it may do that.
host_bytes host_memory_left(uint64_t mapped = 0, const std::filesystem::path& root = "/");

}  // namespace pws::models
