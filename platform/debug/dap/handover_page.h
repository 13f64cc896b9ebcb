// SPDX-License-Identifier: Apache-2.0
// Memory that a session shares with the program that it starts: what goes on in the other process. It has no name that
// could be left behind.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace pws::platform::debug::dap {

class handover_page {
 public:
  // A new one. Throws input_error: the system has no such memory.
  handover_page();
  // That of this file descriptor, which the program has got.
  explicit handover_page(int descriptor) : descriptor_(descriptor) {}
  ~handover_page();
  handover_page(const handover_page&) = delete;
  handover_page& operator=(const handover_page&) = delete;

  int descriptor() const { return descriptor_; }
  // What the other process is to know; null: it has not said, because it has ended otherwise.
  void write(const nlohmann::json& j) const;
  nlohmann::json read() const;

 private:
  int descriptor_ = -1;
};

}  // namespace pws::platform::debug::dap
