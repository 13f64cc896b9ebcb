// SPDX-License-Identifier: Apache-2.0
// Makes FST of a VCD while that is being written: for what writes VCD only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/waveform/fst_file.h"

namespace pws {

// Takes the text in pieces, cut anywhere. Of VCD it knows what simulators write of digital signals: scopes, variables
// of bits, and their values. Comments and dates are left out, real numbers refused. The time unit is to be 1 ps.
class vcd_to_fst {
 public:
  // Throws std::runtime_error if the file cannot be written.
  explicit vcd_to_fst(const std::string& path) : file_(path) {}
  // Throws std::runtime_error for what is no VCD.
  void write(std::string_view text);
  // Throws std::runtime_error if not all of the file could be written, or the text ends in the middle of something.
  void close();

 private:
  struct variable {
    fst_file::signal signal = 0;
    unsigned bits = 0;
  };
  void take(std::string_view word);
  void end_of(const std::vector<std::string>& command);
  void change(std::string_view digits, std::string_view identifier);
  variable& of(std::string_view identifier);

  fst_file file_;
  std::string rest_;                  // a word whose end has not come yet
  std::vector<std::string> command_;  // $scope, module, top: until its $end
  std::string value_;                 // of several bits: its variable comes next
  std::vector<variable> variables_;   // by the number that the identifier is
  std::string digits_;
};

}  // namespace pws
