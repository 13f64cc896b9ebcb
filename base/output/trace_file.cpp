// SPDX-License-Identifier: Apache-2.0
#include "base/output/trace_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/output/output_files.h"

namespace pws {

trace_file::trace_file(const std::string& option, const std::string& path, const std::string& other_data)
    : option_(option), path_(path), out_(path) {
  if (!out_) throw input_error(option + " " + path + ": cannot be written");
  out_ << R"({"displayTimeUnit":"ns",)";
  if (!other_data.empty()) out_ << R"("otherData":)" << other_data << ',';
  out_ << R"("traceEvents":[)";
}

trace_file::~trace_file() {
  try {
    close();
  } catch (const input_error&) {  // an error is on its way already
  }
}

void trace_file::event(const std::string& json) {
  if (!out_.is_open()) return;
  out_ << (first_ ? "\n" : ",\n") << json;
  first_ = false;
}

void trace_file::name_process(int64_t process, const std::string& name) {
  event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", process, name));
}

void trace_file::name_row(int64_t process, int64_t row, const std::string& name) {
  event(
      fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", process, row, name));
}

void trace_file::close() {
  if (!out_.is_open()) return;
  out_ << "\n]}\n";
  close_output({option_, path_}, out_);
}

}  // namespace pws
