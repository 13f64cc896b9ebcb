// SPDX-License-Identifier: Apache-2.0
// printf from device code: the message that a work-item sends, formatted and written by the host's stdio.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/state_archive.h"

namespace pws::platform {

// `words`: a control word (bit 0: to standard error), the format padded to whole words, then the arguments: a word
// each, strings padded to whole words. Text of the output, or nothing where the message is broken: it is not believed
// further than it goes. %n is read over. `to_stderr` is set from the control word.
std::string format_message(const std::vector<uint64_t>& words, bool& to_stderr);

// Messages come in pieces of up to seven words; the first word says which message, and where it begins and ends.
class message_table {
 public:
  // Takes a work-item's eight words; gives the two that it gets back. A message that ends is written. Throws
  // program_error for a piece of no message.
  void take(uint64_t slot[8]);
  // Messages are not written while this holds. May be empty.
  void print_unless(std::function<bool()> silent) { silent_ = std::move(silent); }
  // A message went to standard error, since the last time that this was forgotten.
  bool wrote_to_stderr() const { return wrote_to_stderr_; }
  // Forgets that something went to standard error.
  void forget_stderr() { wrote_to_stderr_ = false; }
  // Messages of which pieces have come.
  void keep(state_archive& a) {
    a.list(messages_, [](state_archive& b, message& m) {
      b(m.live);
      b.list(m.words);
    });
    a(wrote_to_stderr_);
  }

 private:
  struct message {
    bool live = false;
    std::vector<uint64_t> words;
  };
  std::vector<message> messages_;  // by identifier
  bool wrote_to_stderr_ = false;
  std::function<bool()> silent_;
};

}  // namespace pws::platform
