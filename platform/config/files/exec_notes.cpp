// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/exec_notes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace pws::platform {

namespace {

struct notes_page {
  static constexpr uint64_t right_mark = 0x7365746f6e707677;  // "wvpnotes": the variable may name anything
  uint64_t mark = right_mark;
  std::array<std::atomic<bool>, static_cast<size_t>(exec_note::count)> noted{};
};

// nullptr: it cannot be mapped.
notes_page* mapped(int file) {
  void* const at = mmap(nullptr, sizeof(notes_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<notes_page*>(at);
}

notes_page* page_of_environment() {
  const char* const path = std::getenv(notes_variable);
  if (path == nullptr || *path == '\0') return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat s {};
  const bool fits = fstat(file, &s) == 0 && s.st_size == static_cast<off_t>(sizeof(notes_page));
  notes_page* page = fits ? mapped(file) : nullptr;
  close(file);
  if (page != nullptr && page->mark != notes_page::right_mark) {
    munmap(page, sizeof(notes_page));
    page = nullptr;
  }
  return page;
}

// The environment as it was when the process began: programs change it.
notes_page* page_of_process() {
  static notes_page* const page = page_of_environment();
  return page;
}

}  // namespace

exec_notes::exec_notes() {
  file_ = memfd_create("pwsvp-notes", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, sizeof(notes_page)) != 0) return;
  page_ = mapped(file_);
  if (page_ == nullptr) return;
  new (page_) notes_page;
  path_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

exec_notes::~exec_notes() {
  if (page_ != nullptr) munmap(page_, sizeof(notes_page));
  if (file_ >= 0) close(file_);
}

bool exec_notes::has(exec_note n) const {
  return page_ != nullptr && static_cast<const notes_page*>(page_)->noted[static_cast<size_t>(n)];
}

void note_exec(exec_note n) {
  if (notes_page* const page = page_of_process()) page->noted[static_cast<size_t>(n)] = true;
}

bool claim_exec(exec_note n) {
  notes_page* const page = page_of_process();
  return page != nullptr && !page->noted[static_cast<size_t>(n)].exchange(true);
}

bool exec_lacks(exec_note n) {
  const notes_page* const page = page_of_process();
  return page != nullptr && !page->noted[static_cast<size_t>(n)];
}

}  // namespace pws::platform
