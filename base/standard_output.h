// SPDX-License-Identifier: Apache-2.0
// Standard output of the programs: what was printed got there, or nobody wanted it any more.
#pragma once

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>

namespace pws {

// First in main(). Whoever reads the output may close it early (`| head`): that is no reason to end before files are
// written.
inline void ignore_broken_pipe() {
  std::signal(SIGPIPE, SIG_IGN);
}

// Whether standard output is a pipe or a socket whose other end is closed.
inline bool output_is_closed() {
  struct stat status {};
  if (fstat(STDOUT_FILENO, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return false;
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

// Last of all. False: something that was printed could not be written, and errno says why, if that is known. A reader
// that is gone is no mistake: it has seen what it wanted.
inline bool flush_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  const bool written = std::cout && flushed && std::ferror(stdout) == 0;
  const bool good = written || output_is_closed();
  errno = error;
  return good;
}

}  // namespace pws
