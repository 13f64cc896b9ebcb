// SPDX-License-Identifier: Apache-2.0
// How a call inside the library fails: the code that the program gets, and what the user reads on standard error.
#pragma once

#include <stdexcept>
#include <string>

#include "hip_runtime/newer_api.h"

// The run time stands on the platform and says its names unqualified.
namespace pws::platform {}

namespace pws::hip {

using namespace platform;

class failure : public std::runtime_error {
 public:
  // An empty message: a code that is no mistake (hipErrorNotReady, hipErrorNotFound), nothing is printed.
  explicit failure(hipError_t code, const std::string& message = "") : std::runtime_error(message), code_(code) {}
  hipError_t code() const { return code_; }

 private:
  hipError_t code_;
};

inline void require(bool condition, hipError_t code, const char* message) {
  if (!condition) throw failure(code, message);
}

const char* error_name(hipError_t code);    // "hipErrorUnknown" for codes that HIP does not have
const char* error_string(hipError_t code);  // a phrase

}  // namespace pws::hip
