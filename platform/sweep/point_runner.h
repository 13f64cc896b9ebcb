// SPDX-License-Identifier: Apache-2.0
// Runs a point of an experiment, or takes what an earlier call has left of it.
//
// DIR/points/N/   result.json (finished: only this makes it so), report.json, log.txt
// DIR/programs/   HIP programs of command exec; NAME.made: the hash of what NAME was made of
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "platform/sweep/point_command.h"
#include "platform/sweep/results.h"

namespace pws::platform::sweep {

class point_runner {
 public:
  // `anew`: forget what is finished.
  point_runner(const experiment& e, std::filesystem::path folder, bool anew);

  enum class from : uint8_t { run, kept, beside };  // beside: of another experiment's sweep
  // Point `n`, from 0. Any number of threads, and of processes for different points. What is wrong with the point is in
  // the result. Throws input_error where files cannot be written.
  point_result run(size_t n, const point_command& c, from& source);

  // What there is of a point.
  enum class state : uint8_t { none, other, failed, done };  // other: made of other files, settings, measures or tools
  // Compiles nothing: of a HIP program by the executable that is there. Fills in `r` for done and failed.
  state look(size_t n, const point_command& c, point_result& r);

  std::filesystem::path folder_of(size_t n) const { return folder_ / "points" / std::to_string(n + 1); }

 private:
  std::string fingerprint_of(const point_command& c, const std::string& program);
  std::string contents_of(const std::string& file);
  state kept(const std::filesystem::path& file, const std::string& print, point_result& r) const;
  bool kept_beside(size_t n, const std::string& print, point_result& r) const;
  std::filesystem::path executable_of(const point_command& c) const;
  std::filesystem::path compiler_log(const point_command& c) const;
  std::string compiled(const point_command& c);
  std::string source_fingerprint_of(const point_command& c);
  void execute(const point_command& c, const std::string& program, const std::filesystem::path& folder,
               point_result& r) const;

  struct compilation {
    std::mutex lock;
    bool done = false;
    std::string error;
  };

  const experiment& e_;
  const std::filesystem::path folder_;
  const bool anew_;
  std::string tools_fingerprint_, compiler_fingerprint_;
  std::mutex lock_;  // of what follows
  std::map<std::string, compilation> programs_;
  std::map<std::string, std::string> contents_;  // hashes by file
};

}  // namespace pws::platform::sweep
