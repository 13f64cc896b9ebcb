// SPDX-License-Identifier: Apache-2.0
// Files that commands write: their folders are made, no two are one file, and what cannot be written is said.
#pragma once

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace pws {

// A file that a command is to write.
struct named_output {
  std::string option;  // that gave it, for messages
  std::string path;    // "": none
};

// Those that are given, for messages: "--vcd a.vcd, --report b.json".
std::string list_of(const std::vector<named_output>& outputs);

// Before anything runs: makes the folders, and finds out whether the files can be written. Throws input_error, also
// where two are the same file or one is an input.
void prepare_outputs(const std::vector<named_output>& outputs, const std::vector<std::string>& inputs = {});

// Closes it. Throws input_error where that, or anything before, could not be written.
void close_output(const named_output& output, std::ofstream& out);

// The whole file: it is there when all of it is, and until then what was there before. Throws input_error.
void write_output(const named_output& output, const std::string& text);
// The same of what `write` puts into the stream.
void write_output(const named_output& output, const std::function<void(std::ostream&)>& write);

// The same, for what `print` puts on standard output: flushes it. Throws input_error where that, or anything before,
// failed, unless the reader of a pipe has closed it (`| head`): that ends quietly.
void finish_standard_output();

// Ends several outputs, of which one that cannot be written does not keep the others from it.
class output_problems {
 public:
  // Calls f, which may throw input_error.
  template <class F>
  void noting(F&& f) {
    try {
      f();
    } catch (const input_error& e) {
      add(e.what());
    }
  }
  void add(const std::string& lines) {  // of a problem that is known otherwise; empty: none
    if (!lines.empty()) text_ += (text_.empty() ? "" : "\n") + lines;
  }
  const std::string& text() const { return text_; }  // a line for each; empty: none

 private:
  std::string text_;
};

// "cannot be written: No space left on device"
std::string cannot_be_written(int error);

}  // namespace pws
