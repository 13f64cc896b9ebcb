// SPDX-License-Identifier: Apache-2.0
// Bitcode that is linked while the host program runs (hiprtcLink...): programs that were compiled with -fgpu-rdc, or by
// clang's --emit-llvm.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "hip_runtime/rtc_program.h"

namespace pws::hip {

class rtc_link {
 public:
  // A buffer of the host program, which gets what the linker says; as much as there is room for, and an end.
  struct log_buffer {
    char* text = nullptr;
    size_t bytes = 0;
  };
  // Options are clang's.
  rtc_link(std::vector<std::string> options, std::vector<log_buffer> logs);

  // `bundled`: of several targets. Throws rtc_failure: it is no bitcode, or the bundle has none for the machine.
  void add(std::vector<char> bytes, bool bundled);
  // The code object; stays where it is until the next call. Throws rtc_failure: nothing was added, or the linker found
  // errors.
  std::vector<char>& complete();

 private:
  void say(const std::string& text) const;

  const std::vector<std::string> options_;
  const std::vector<log_buffer> logs_;
  std::mutex lock_;
  std::vector<std::vector<char>> inputs_;
  std::vector<char> code_;
};

// What the numbers that HIP 5.2's headers lack are.
constexpr int rtc_error_linking = 100;  // HIPRTC_ERROR_LINKING

}  // namespace pws::hip
