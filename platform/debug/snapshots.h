// SPDX-License-Identifier: Apache-2.0
// Snapshots of a process that runs a machine: each is a copy of the process, which the host makes by copying no page
// before one of the two writes to it. A copy sleeps until it is woken, and then goes on where it was made, as the
// process. So nothing has to be written out, whatever a machine consists of.
// The process that makes them has a keeper (keeper.h).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pws::platform::debug {

struct snapshot_options {
  uint64_t memory = 0;  // that all of them may hold of the host's, in bytes. 0: none are made
  uint64_t every = 0;   // instructions between two; 0: a fraction of a second
};

class snapshots {
 public:
  // In a process without a keeper none are made.
  explicit snapshots(snapshot_options o) : options_(o) {}
  ~snapshots();
  snapshots(const snapshots&) = delete;
  snapshots& operator=(const snapshots&) = delete;

  bool are_made() const;
  // Whether it is time for one.
  bool is_time(uint64_t position) const;
  // Instructions, after which that is to be asked.
  uint64_t patience() const;
  // Makes one. Returns none in the process that goes on, and in a snapshot that has been woken, what it was given. It
  // is there for the next time too. Where the host can make no process, there is one fewer.
  std::optional<std::string> make(uint64_t position);
  // Ascending.
  std::vector<uint64_t> positions() const;
  // Wakes one, with `given`, and ends this process. Returns if it is not there any more.
  void wake(uint64_t position, const std::string& given);
  // The processes end; for a run that is begun anew.
  void clear();

 private:
  struct row {
    uint64_t position = 0;
    int socket = -1;  // whose other end it has
    pid_t process = 0;
    uint64_t bytes = 0;  // that it holds, at most
  };
  // The copy, which sleeps. In it, when it is woken: what it was given.
  std::optional<std::string> copy(uint64_t position);
  // Forgets those of which there are too many: the farther back, the wider apart.
  void thin_out(uint64_t now);
  void forget(size_t k);
  void end(const row& r);
  void reap();
  size_t most_dispensable(uint64_t now) const;

  const snapshot_options options_;
  std::vector<row> rows_;     // by position
  std::vector<pid_t> ended_;  // which are not reaped yet
  std::chrono::steady_clock::time_point latest_ = std::chrono::steady_clock::now();
  uint64_t latest_position_ = 0;
  uint64_t faults_ = 0;  // of this process, when it made the latest
};

}  // namespace pws::platform::debug
