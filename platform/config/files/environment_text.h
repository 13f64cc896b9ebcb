// SPDX-License-Identifier: Apache-2.0
// Text for the processes below this one, by variables of the environment. Linux takes at most 128 KiB in one variable
// (MAX_ARG_STRLEN). Longer text stays in memory of the process that gives it, and the variable says where.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pws::platform {

// For the process that gives text; it has to outlive those that take it.
class environment_texts {
 public:
  environment_texts() = default;
  ~environment_texts();
  environment_texts(const environment_texts&) = delete;
  environment_texts& operator=(const environment_texts&) = delete;

  // Throws input_error: the text is long, and the host gives no memory for it.
  void set(const char* name, const std::string& text);

 private:
  std::vector<int> files_;
};

// What a variable says; nullopt: it is not set, or empty. Throws input_error: where its text was nothing is any more.
std::optional<std::string> environment_text(const char* name);

}  // namespace pws::platform
