// SPDX-License-Identifier: Apache-2.0
// What hiprtc.h of HIP 5.7 has and that of 5.2 lacks; see newer_api.h.
#pragma once

#include <hip/hip_version.h>
#include <hip/hiprtc.h>

#include <cstddef>

#if HIP_VERSION < 50700000

enum hiprtcJIT_option {
  HIPRTC_JIT_INFO_LOG_BUFFER = 3,
  HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  HIPRTC_JIT_ERROR_LOG_BUFFER = 5,
  HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  HIPRTC_JIT_OPTIMIZATION_LEVEL = 7,
  HIPRTC_JIT_NUM_OPTIONS = 25,
  HIPRTC_JIT_IR_TO_ISA_OPT_EXT = 10000,
  HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT = 10001
};
enum hiprtcJITInputType {
  HIPRTC_JIT_INPUT_CUBIN = 0,
  HIPRTC_JIT_NUM_LEGACY_INPUT_TYPES = 6,
  HIPRTC_JIT_INPUT_LLVM_BITCODE = 100,
  HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE = 101,
  HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE = 102
};
using hiprtcLinkState = struct ihiprtcLinkState*;

extern "C" {
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* to);
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* bytes);
hiprtcResult hiprtcLinkCreate(unsigned n_options, hiprtcJIT_option* options, void** values, hiprtcLinkState* state);
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path, unsigned n_options,
                               hiprtcJIT_option* options, void** values);
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t bytes,
                               const char* name, unsigned n_options, hiprtcJIT_option* options, void** values);
hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** code, size_t* bytes);
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state);
}

#endif
