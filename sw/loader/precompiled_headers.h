// SPDX-License-Identifier: Apache-2.0
// The headers that a HIP source begins with, compiled once by clang (a PCH). Of the time that a short kernel takes to
// compile, HIP's header is four fifths.
//
// What is compiled with them is the same, byte by byte. So they are made and taken only
// - for a source that begins with the line of <hip/hip_runtime.h>, with nothing in front but comments and headers of
//   the C++ library: what else a source says first could change what the header means;
// - with options of the user's that are known to say the same to both compilations (is_plain in the source);
// - while every file that they were made of is as it was.
// They are made when a source with the same beginning and options is compiled for the second time. The `most_kept` that
// were used last stay in the folder, of some 10 MB each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"

namespace pws::loader {

// The directives up to that of <hip/hip_runtime.h>, a line each; empty: the source does not begin so.
std::string leading_headers(const std::string& source);

class precompiled_headers {
 public:
  static constexpr size_t most_kept = 8;

  // `folder`: where they are kept; empty: nowhere, and nothing is compiled ahead.
  precompiled_headers(const hip_compiler& compiler, std::filesystem::path folder)
      : compiler_(compiler), folder_(std::move(folder)) {}

  // A command of the compiler's, in this order.
  struct compilation {
    std::vector<std::string> language;  // what decides what headers mean, whatever the user says
    std::vector<std::string> passes;    // what becomes of them
    std::vector<std::string> given;     // what the user says
    std::vector<std::string> outputs;
    std::filesystem::path source;
  };
  // Runs it, with the headers if they can be taken, and without if that fails: so its messages are those without.
  process_result run(const compilation& c, const std::filesystem::path& temporary) const;

 private:
  struct files;
  files files_for(const compilation& c, const std::string& headers) const;
  // Whether they are there to be taken.
  bool ready(const files& f, const compilation& c, const std::string& headers,
             const std::filesystem::path& temporary) const;
  bool make(const files& f, const compilation& c, const std::string& headers,
            const std::filesystem::path& temporary) const;
  void remove_oldest(const char* extension, size_t most) const;

  const hip_compiler& compiler_;
  std::filesystem::path folder_;
};

}  // namespace pws::loader
