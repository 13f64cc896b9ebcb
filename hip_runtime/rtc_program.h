// SPDX-License-Identifier: Apache-2.0
// A program that is compiled while the host program runs (hiprtc): its source, headers that are in memory, and what the
// compiler makes of them for the machine.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace pws::hip {

// What went wrong; a number of hiprtc.h.
struct rtc_failure {
  int code;
};

class rtc_program {
 public:
  struct header {
    std::string name;  // as #include has it
    std::string text;
  };
  // Throws rtc_failure: a header's name leaves the folder of headers.
  rtc_program(std::string source, std::string name, std::vector<header> headers);

  // A kernel or variable whose name in the code is wanted. Throws rtc_failure: it has been compiled.
  void add_name(const std::string& expression);
  // Throws rtc_failure: options that are none of device code for this machine, or the compiler found errors; log() says
  // which.
  void compile(const std::vector<std::string>& options);
  // What the compiler said; "" before.
  std::string log() const;
  // Throws rtc_failure: there is none, or the program was compiled for linking (-fgpu-rdc).
  std::vector<char> code() const;
  // The bitcode of a program that was compiled for linking. Throws rtc_failure: there is none.
  std::vector<char> bitcode() const;
  // The name in the code; stays where it is while the program lives. Throws rtc_failure: not compiled, or not asked
  // for.
  const char* lowered_name(const std::string& expression) const;

 private:
  std::vector<std::string> accepted(const std::vector<std::string>& options);
  std::string text() const;
  void read_names(const std::string& assembly);

  const std::string source_, name_;
  const std::vector<header> headers_;
  mutable std::mutex lock_;
  std::vector<std::string> expressions_;
  std::map<std::string, std::string> lowered_;
  std::vector<char> code_;
  bool for_linking_ = false;  // what is compiled is bitcode
  std::string log_;
  bool compiled_ = false;
};

}  // namespace pws::hip
