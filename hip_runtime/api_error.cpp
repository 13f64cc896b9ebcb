// SPDX-License-Identifier: Apache-2.0
// Error codes, names and texts.
#include "hip_runtime/context.h"

namespace pws::hip {

namespace {
struct error_text {
  hipError_t code;
  const char* name;
  const char* text;
};
#define PWS_ERROR(code, text) \
  { code, #code, text }
constexpr error_text errors[] = {
    PWS_ERROR(hipSuccess, "no error"),
    PWS_ERROR(hipErrorInvalidValue, "invalid argument"),
    PWS_ERROR(hipErrorOutOfMemory, "out of memory"),
    PWS_ERROR(hipErrorNotInitialized, "initialization error"),
    PWS_ERROR(hipErrorDeinitialized, "driver shutting down"),
    PWS_ERROR(hipErrorProfilerDisabled, "profiler disabled"),
    PWS_ERROR(hipErrorProfilerNotInitialized, "profiler not initialized"),
    PWS_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    PWS_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    PWS_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    PWS_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    PWS_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    PWS_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    PWS_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    PWS_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    PWS_ERROR(hipErrorMissingConfiguration, "missing configuration of a launch"),
    PWS_ERROR(hipErrorPriorLaunchFailure, "a previous launch failed"),
    PWS_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    PWS_ERROR(hipErrorNoDevice, "no GPU is detected"),
    PWS_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    PWS_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    PWS_ERROR(hipErrorInvalidContext, "invalid device context"),
    PWS_ERROR(hipErrorContextAlreadyCurrent, "context is already current"),
    PWS_ERROR(hipErrorMapFailed, "mapping failed"),
    PWS_ERROR(hipErrorUnmapFailed, "unmapping failed"),
    PWS_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    PWS_ERROR(hipErrorAlreadyMapped, "resource is already mapped"),
    PWS_ERROR(hipErrorNoBinaryForGpu, "no code in the binary that this GPU can run"),
    PWS_ERROR(hipErrorAlreadyAcquired, "resource is already acquired"),
    PWS_ERROR(hipErrorNotMapped, "resource is not mapped"),
    PWS_ERROR(hipErrorNotMappedAsArray, "resource is not mapped as array"),
    PWS_ERROR(hipErrorNotMappedAsPointer, "resource is not mapped as pointer"),
    PWS_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error"),
    PWS_ERROR(hipErrorUnsupportedLimit, "limit is not supported"),
    PWS_ERROR(hipErrorContextAlreadyInUse, "context is already in use"),
    PWS_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported"),
    PWS_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    PWS_ERROR(hipErrorInvalidGraphicsContext, "invalid graphics context"),
    PWS_ERROR(hipErrorInvalidSource, "device kernel source is invalid"),
    PWS_ERROR(hipErrorFileNotFound, "file not found"),
    PWS_ERROR(hipErrorSharedObjectSymbolNotFound, "symbol of a shared object not found"),
    PWS_ERROR(hipErrorSharedObjectInitFailed, "initialization of a shared object failed"),
    PWS_ERROR(hipErrorOperatingSystem, "call of the operating system failed"),
    PWS_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    PWS_ERROR(hipErrorIllegalState, "resource is not in a state that the operation needs"),
    PWS_ERROR(hipErrorNotFound, "named symbol not found"),
    PWS_ERROR(hipErrorNotReady, "device not ready"),
    PWS_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    PWS_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    PWS_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    PWS_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    PWS_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    PWS_ERROR(hipErrorSetOnActiveProcess, "cannot set while the device is active in this process"),
    PWS_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    PWS_ERROR(hipErrorAssert, "device-side assert triggered"),
    PWS_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the memory is registered already"),
    PWS_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not belong to a registered memory region"),
    PWS_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    PWS_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    PWS_ERROR(hipErrorNotSupported, "operation not supported"),
    PWS_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    PWS_ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    PWS_ERROR(hipErrorStreamCaptureMerge, "operation would merge two capture sequences"),
    PWS_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the stream that began it"),
    PWS_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    PWS_ERROR(hipErrorStreamCaptureIsolation, "dependency on work of another capture"),
    PWS_ERROR(hipErrorStreamCaptureImplicit, "implicit dependency on a capture of the default stream"),
    PWS_ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    PWS_ERROR(hipErrorStreamCaptureWrongThread, "attempt to end a capture from another thread than its own"),
    PWS_ERROR(hipErrorGraphExecUpdateFailure, "the graph update was not performed"),
    PWS_ERROR(hipErrorUnknown, "unknown error"),
    PWS_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    PWS_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
};
#undef PWS_ERROR

// nullptr: HIP has no such code.
const error_text* find_text(hipError_t code) {
  for (const error_text& e : errors)
    if (e.code == code) return &e;
  return nullptr;
}
const error_text& text_of(hipError_t code) {
  static constexpr error_text unknown{hipErrorUnknown, "hipErrorUnknown", "unknown error"};
  const error_text* const e = find_text(code);
  return e == nullptr ? unknown : *e;
}
// Null for what is no code.
void tell(hipError_t code, const char* error_text::*which, const char** to) {
  result(to) = nullptr;
  const error_text* const e = find_text(code);
  require(e != nullptr, hipErrorInvalidValue, "HIP has no such error code");
  *to = e->*which;
}
}  // namespace

const char* error_name(hipError_t code) {
  return text_of(code).name;
}

const char* error_string(hipError_t code) {
  return text_of(code).text;
}

}  // namespace pws::hip

using namespace pws::hip;

extern "C" {

const char* hipGetErrorName(hipError_t code) {
  return error_name(code);
}

const char* hipGetErrorString(hipError_t code) {
  return error_string(code);
}

hipError_t hipDrvGetErrorName(hipError_t code, const char** name) {
  return call(__func__, [&](context&) { tell(code, &error_text::name, name); });
}

hipError_t hipDrvGetErrorString(hipError_t code, const char** text) {
  return call(__func__, [&](context&) { tell(code, &error_text::text, text); });
}

hipError_t hipGetLastError() {
  return last_error(true);
}

hipError_t hipPeekAtLastError() {
  return last_error(false);
}

}  // extern "C"
