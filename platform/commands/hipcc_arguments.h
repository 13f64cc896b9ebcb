// SPDX-License-Identifier: Apache-2.0
// What clang is called with where hipcc would be called: AMD's own options and its treatment of sources become clang's.
// (hipcc.pl of ROCm 5.2)
#pragma once

#include <string>
#include <vector>

namespace pws::platform {

struct hipcc_machine {
  std::vector<std::string> architecture;  // --offload-arch=..., and what else device code needs
  std::vector<std::string> places;        // of headers and device libraries
};

// hipcc's environment variables.
struct hipcc_environment {
  bool cxx_is_hip = true;                  // HIP_COMPILE_CXX_AS_HIP
  std::vector<std::string> compile_flags;  // HIPCC_COMPILE_FLAGS_APPEND
  std::vector<std::string> link_flags;     // HIPCC_LINK_FLAGS_APPEND

  static hipcc_environment of_process();
};

struct hipcc_call {
  std::vector<std::string> clang;  // arguments
  std::string printed;             // on standard output, in front of what clang says
  bool runs_clang = true;
  bool links = false;
  // Files that clang makes for the sake of their kernels: device code alone, and objects of sources that are called
  // HIP. Other sources of HIP programs have none as a rule.
  std::vector<std::string> for_kernels;
};

// `words`: behind hipcc, without response files.
hipcc_call hipcc_arguments(const std::vector<std::string>& words, const hipcc_machine& machine,
                           const hipcc_environment& settings);

}  // namespace pws::platform
