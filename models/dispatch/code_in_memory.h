// SPDX-License-Identifier: Apache-2.0
// The code of kernels of which nobody has told the machine more than a packet does: decoded from memory when it is
// executed first, and again when other instructions have come to its place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "models/isa/code/program.h"

namespace pws::models {

class code_in_memory {
 public:
  // Bytes that a kernel's code, with what it calls, may be away from its entry.
  static constexpr uint64_t reach = uint64_t{1} << 20;

  // `read`: a word of memory, without side effects. Throws program_error where nothing is.
  explicit code_in_memory(std::function<uint32_t(uint64_t address)> read) : read_(std::move(read)) {}

  // The code around `entry`, as it is in memory now. Kernels in service keep theirs.
  std::shared_ptr<isa::program> at(uint64_t entry);
  // What is decoded is decoded again.
  void forget() { programs_.clear(); }

 private:
  std::function<uint32_t(uint64_t)> read_;
  std::map<uint64_t, std::shared_ptr<isa::program>> programs_;  // by entry
};

}  // namespace pws::models
