// SPDX-License-Identifier: Apache-2.0
// Who may write into a sweep's folder. Locks end with the process, however it ends; they hold between machines where
// the file system has such locks (NFS 4, Lustre with -o flock).
#pragma once

#include <cstddef>
#include <filesystem>

namespace pws::platform::sweep {

// The whole sweep for itself, or together with other processes that run single points of it.
class folder_lock {
 public:
  enum class kind { alone, shared };
  // Makes the folder. Throws input_error where that cannot be, and where another process's lock does not allow it.
  folder_lock(const std::filesystem::path& folder, kind k);
  ~folder_lock();
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

 private:
  int fd_ = -1;
};

// Single points, beside other processes that run other points.
class point_locks {
 public:
  explicit point_locks(const std::filesystem::path& folder);
  ~point_locks();
  point_locks(const point_locks&) = delete;
  point_locks& operator=(const point_locks&) = delete;

  // false: another process runs that point.
  bool take(size_t point) const;
  void release(size_t point) const;

 private:
  int fd_ = -1;
};

}  // namespace pws::platform::sweep
