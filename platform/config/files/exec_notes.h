// SPDX-License-Identifier: Apache-2.0
// What the processes below `pwsvp exec`, `debug` or `dap` let it know: whether the runtime was there at all. A page of
// memory that they share, by a path in the environment (PWSVP_NOTES); it has no name that could be left behind.
#pragma once

#include <string>

namespace pws::platform {

inline constexpr const char* notes_variable = "PWSVP_NOTES";

enum class exec_note {
  loaded,         // a process has loaded the runtime
  finished,       // one has ended it, and written what there was to write
  debugged,       // one has the debugger
  wrong_command,  // a script of the debugger's has one
  count
};

// For `pwsvp exec` itself.
class exec_notes {
 public:
  exec_notes();
  ~exec_notes();
  exec_notes(const exec_notes&) = delete;
  exec_notes& operator=(const exec_notes&) = delete;

  // The value of notes_variable; empty: this system has no such memory, and nothing will be known.
  const std::string& path() const { return path_; }
  bool has(exec_note n) const;

 private:
  int file_ = -1;
  void* page_ = nullptr;
  std::string path_;
};

// For a process below it; without one above, nothing is noted.
void note_exec(exec_note n);
// The same; true for the first one that notes it. Without one above, nobody is.
bool claim_exec(exec_note n);
// True only below `pwsvp exec`: nobody has noted it so far.
bool exec_lacks(exec_note n);

}  // namespace pws::platform
