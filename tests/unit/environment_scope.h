// SPDX-License-Identifier: Apache-2.0
// A variable of the environment, set for a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace pws::test {

class environment_scope {
 public:
  environment_scope(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) before_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~environment_scope() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  environment_scope(const environment_scope&) = delete;
  environment_scope& operator=(const environment_scope&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace pws::test
