// SPDX-License-Identifier: Apache-2.0
// The device memory of the process. A child by fork() has a copy of its own from then on: the memory is shared with
// second mappings in the process (host_window.h), and the kernel shares such memory with children too.
#pragma once

#include <cstdint>
#include <string>

namespace pws::hip {

class forked_memory {
 public:
  // A file in memory of so many zeros, for map_device_memory(); once. -1 where the host gives none, as with a limit on
  // files' sizes (RLIMIT_FSIZE): children cannot have a copy then.
  int make(uint64_t bytes);

  // What pthread_atfork() calls, while no call of the API is under way. The parent waits until the child has its copy.
  // Only pages that were written to are copied. The mappings keep their addresses.
  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();

  // Why this process, a child, has no copy of the memory and must leave it alone; empty: it has one, or is no child.
  const std::string& missing() const { return missing_; }

 private:
  void copy();

  uint64_t bytes_ = 0;  // 0: there is no memory yet
  int file_ = -1;       // in memory; -1: there is none
  std::string missing_;
  int copied_[2] = {-1, -1};  // a pipe, whose end the child closes
};

}  // namespace pws::hip
