// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/forked_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace pws::hip {

namespace {

constexpr int file_flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int file_in_memory(uint64_t bytes) {
  const int file = memfd_create("device-memory", MFD_CLOEXEC);
  if (file < 0) fail("memfd_create");
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) fail("ftruncate");
  return file;
}

// A part of a file as the process has it mapped.
struct mapped_part {
  uintptr_t begin, end;
  uint64_t offset;
  int protection;
};

std::vector<mapped_part> parts_of(int file) {
  struct stat s {};
  if (fstat(file, &s) != 0) fail("fstat");
  std::vector<mapped_part> all;
  std::ifstream maps("/proc/self/maps");
  if (!maps) fail("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0, end = 0, offset = 0, inode = 0;
    std::array<char, 5> may{};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64, &begin, &end, may.data(),
                    &offset, &inode) != 5)
      continue;
    if (inode != s.st_ino || line.find("/memfd:device-memory") == std::string::npos) continue;
    all.push_back({begin, end, offset, (may[0] == 'r' ? PROT_READ : 0) | (may[1] == 'w' ? PROT_WRITE : 0)});
  }
  return all;
}

// Pages that nothing was written to are in neither file.
void copy_pages(int from, int to) {
  std::vector<char> some(size_t{1} << 20);
  for (off_t at = 0; (at = lseek(from, at, SEEK_DATA)) >= 0;) {
    const off_t end = lseek(from, at, SEEK_HOLE);
    if (end < 0) fail("lseek");
    while (at < end) {
      const auto wanted = std::min<uint64_t>(some.size(), static_cast<uint64_t>(end - at));
      const ssize_t n = pread(from, some.data(), wanted, at);
      if (n <= 0 || pwrite(to, some.data(), static_cast<size_t>(n), at) != n) fail("copy");
      at += n;
    }
  }
  if (errno != ENXIO) fail("lseek");  // which says that no data are behind
}

}  // namespace

int forked_memory::make(uint64_t bytes) {
  bytes_ = bytes;
  // A file above the limit is a signal.
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < bytes) return -1;
  try {
    file_ = file_in_memory(bytes);
  } catch (const std::system_error&) {  // without it there are no copies, which missing() says when one is wanted
  }
  return file_;
}

void forked_memory::before_fork() {
  if (file_ >= 0 && pipe2(copied_, O_CLOEXEC) != 0) copied_[0] = copied_[1] = -1;
}

void forked_memory::after_fork_in_parent() {
  if (file_ < 0 || copied_[0] < 0) return;
  close(copied_[1]);
  char none = 0;
  while (read(copied_[0], &none, 1) < 0 && errno == EINTR) {
  }
  close(copied_[0]);
}

void forked_memory::after_fork_in_child() {
  if (bytes_ == 0) return;
  try {
    if (file_ < 0) throw std::runtime_error("the host gave no file in memory (a limit on files' sizes?)");
    if (copied_[0] < 0) throw std::runtime_error("no pipe");
    copy();
  } catch (const std::exception& e) {
    missing_ = e.what();
  }
  for (const int end : copied_)
    if (end >= 0) close(end);
}

void forked_memory::copy() {
  const int own = file_in_memory(bytes_);
  copy_pages(file_, own);
  for (const mapped_part& p : parts_of(file_)) {
    void* const at = reinterpret_cast<void*>(p.begin);
    if (mmap(at, p.end - p.begin, p.protection, file_flags, own, static_cast<off_t>(p.offset)) != at) fail("mmap");
  }
  close(file_);
  file_ = own;
}

}  // namespace pws::hip
