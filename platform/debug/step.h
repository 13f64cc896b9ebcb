// SPDX-License-Identifier: Apache-2.0
// A step that a debugger's user has asked for, until it is done.
#pragma once

#include <unordered_map>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

struct debugger::step_under_way {
 public:
  step_under_way(const resumption& r, const stop& s, const machine_view& machine, const places& code);

  // Whether it is done where `c` is about to execute `i`.
  bool is_done(uint32_t cu, const models::wf_context& c, const isa::inst& i, const places& code);
  // `c` has ended, or merged with its parent. Who steps in it stops at the next instruction of its wavefront, or of any
  // if that has ended.
  void ends(uint32_t cu, const models::wf_context& c);

 private:
  // The line that a step compares, as a place in a file; line 0: not known.
  loader::source_line line_of(uint64_t pc, const places& code) const;
  void note_call(const isa::inst& i);
  // Where the functions were called that are inlined at `pc`, the innermost first.
  static std::vector<loader::source_line> calls_around(uint64_t pc, const places& code);
  bool is_out(uint64_t pc, const places& code) const;

  resumption wanted_;
  const models::wf_context* root_;
  uint64_t left_;
  int calls_ = 0;          // next_line, out: functions that it is in, below the one where it began
  bool returned_ = false;  // out: from the function where it began
  std::vector<loader::source_line> calls_around_;  // out: of inlined functions, where it began
  std::unordered_map<const models::wf_context*, loader::source_line> lines_;  // of each path, where it was
};

}  // namespace pws::platform::debug
