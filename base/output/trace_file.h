// SPDX-License-Identifier: Apache-2.0
// A file in the Trace Event Format (Chrome's; Perfetto opens it): its beginning and end, and what names its rows. A
// process is a group of rows, a thread is a row.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace pws {

class trace_file {
 public:
  // `option`, which the file was given with, is for messages. `other_data`: a JSON object for the file's own notes; "":
  // none. Throws input_error if the file cannot be written.
  trace_file(const std::string& option, const std::string& path, const std::string& other_data = "");
  // Ends the file if close() has not, in silence.
  ~trace_file();
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  // An event as a JSON object. Dropped after close().
  void event(const std::string& json);
  // What a viewer calls the group of rows.
  void name_process(int64_t process, const std::string& name);
  // What a viewer calls one row of a group.
  void name_row(int64_t process, int64_t row, const std::string& name);
  // Ends the file, so that it can be read; once. Throws input_error if something could not be written.
  void close();

 private:
  const std::string option_, path_;
  std::ofstream out_;
  bool first_ = true;
};

}  // namespace pws
