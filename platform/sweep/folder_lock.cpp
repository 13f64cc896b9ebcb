// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace pws::platform::sweep {

namespace fs = std::filesystem;

namespace {

int open_for_locks(const fs::path& folder, const char* name) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw input_error(folder.string() + ": cannot be made: " + error.message());
  const int fd = open((folder / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) throw input_error(folder.string() + ": cannot be written: " + std::strerror(errno));
  return fd;
}

// Locks or unlocks the byte that stands for the point. The lock belongs to this open file, not to the process.
bool lock_byte(int fd, size_t point, short type) {
  struct flock l = {};
  l.l_type = type;
  l.l_whence = SEEK_SET;
  l.l_start = static_cast<off_t>(point);
  l.l_len = 1;
  return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

}  // namespace

folder_lock::folder_lock(const fs::path& folder, kind k) : fd_(open_for_locks(folder, "lock")) {
  if (flock(fd_, (k == kind::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return;
  const int error = errno;
  close(fd_);
  if (error != EWOULDBLOCK) throw input_error(folder.string() + ": cannot be locked: " + std::strerror(error));
  throw input_error(folder.string() + (k == kind::alone ? ": another sweep is running there, or points of one"
                                                        : ": another sweep is running there"));
}

folder_lock::~folder_lock() {
  close(fd_);
}

point_locks::point_locks(const fs::path& folder) : fd_(open_for_locks(folder, "points.lock")) {}

point_locks::~point_locks() {
  close(fd_);
}

bool point_locks::take(size_t point) const {
  if (lock_byte(fd_, point, F_WRLCK)) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw input_error(std::string("points.lock: cannot be locked: ") + std::strerror(errno));
}

void point_locks::release(size_t point) const {
  lock_byte(fd_, point, F_UNLCK);
}

}  // namespace pws::platform::sweep
