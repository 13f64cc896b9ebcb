// SPDX-License-Identifier: Apache-2.0
#include "base/output/output_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/file_names.h"
#include "base/standard_output.h"
#include "base/whole_file.h"

namespace pws {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const named_output& o, const std::string& problem) {
  throw input_error((o.option.empty() ? "" : o.option + " ") + o.path + ": " + problem);
}

// "save.c:" stands in front of its file so.
std::string name_of(const named_output& o) {
  return o.option.substr(0, o.option.find_last_not_of(':') + 1);
}

void make_folder(const named_output& o) {
  const fs::path folder = fs::path(o.path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) fail(o, cannot_be_written(error.value()));
}

void try_to_write(const named_output& o) {
  std::error_code error;
  const bool was_there = fs::exists(o.path, error);
  const bool device = fs::is_character_file(o.path, error);
  // A pipe waits for its reader when it is opened, and ends for it when it is closed: that is for the writing alone.
  if (was_there && !device && !fs::is_regular_file(o.path, error) && !fs::is_directory(o.path, error)) {
    if (access(o.path.c_str(), W_OK) != 0) fail(o, cannot_be_written(errno));
    return;
  }
  errno = 0;
  std::ofstream out(o.path, std::ios::binary | std::ios::app);
  if (out && device) out << '\n' << std::flush;  // a device may refuse what it was opened for
  if (!out) fail(o, cannot_be_written(errno));
  out.close();
  if (!was_there) fs::remove(o.path, error);
}

}  // namespace

std::string cannot_be_written(int error) {
  return error == 0 ? "cannot be written" : std::string("cannot be written: ") + std::strerror(error);
}

std::string list_of(const std::vector<named_output>& outputs) {
  std::string list;
  for (const named_output& o : outputs)
    if (!o.path.empty()) list += (list.empty() ? "" : ", ") + o.option + " " + o.path;
  return list;
}

void prepare_outputs(const std::vector<named_output>& outputs, const std::vector<std::string>& inputs) {
  for (size_t k = 0; k < outputs.size(); ++k) {
    const named_output& o = outputs[k];
    if (o.path.empty()) continue;
    for (size_t before = 0; before < k; ++before)
      if (!outputs[before].path.empty() && same_file(outputs[before].path, o.path))
        fail(o, "the same file as " + name_of(outputs[before]));
    for (const std::string& input : inputs)
      if (same_file(input, o.path)) fail(o, "an input of this command; it would be overwritten");
  }
  for (const named_output& o : outputs) {
    if (o.path.empty()) continue;
    make_folder(o);
    try_to_write(o);
  }
}

void close_output(const named_output& o, std::ofstream& out) {
  out.close();
  if (!out) fail(o, cannot_be_written(errno));
}

void write_output(const named_output& o, const std::function<void(std::ostream&)>& write) {
  make_folder(o);
  whole_file file(o.path);
  write(file.out());
  if (!file.commit()) fail(o, cannot_be_written(errno));
}

void write_output(const named_output& o, const std::string& text) {
  write_output(o, [&text](std::ostream& out) { out << text; });
}

void finish_standard_output() {
  if (!flush_standard_output()) throw input_error("standard output " + cannot_be_written(errno));
}

}  // namespace pws
