// SPDX-License-Identifier: Apache-2.0
// Errors that a user of the platform can cause. Broken invariants of our own code abort instead.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pws {

// A bad input: configuration, file, command line. The command line ends with exit code 2.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The simulated program did something the machine does not allow: illegal instruction, access outside an allocation,
// deadlock. Thrown by the semantics with what they know (what, lane, address); the machine adds where (kernel,
// workgroup, wavefront, PC, disassembly). The command line ends with exit code 1.
class program_error : public std::runtime_error {
 public:
  static constexpr int no_lane = -1;
  explicit program_error(const std::string& what, int lane = no_lane) : std::runtime_error(what), lane_(lane) {}
  int lane() const { return lane_; }

 private:
  int lane_;
};

// A program_error whose text says where already: it is found later than where it belongs.
class reported_error : public program_error {
 public:
  using program_error::program_error;
};

}  // namespace pws
