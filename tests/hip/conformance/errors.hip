// flags: -Wno-deprecated-declarations
// Error codes: name and text of each; each that can come up here provoked once (others in the programs over their
// subject: captures in capture.hip, graphs in graphs.hip); how the last error is kept.
#include "conformance.h"

#undef NDEBUG
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

__global__ void store(int* to, int value) {
  to[threadIdx.x] = value;
}
__global__ void refuse(int bad) {
  assert(static_cast<int>(threadIdx.x) != bad);
}

// ---- names and texts

#define EACH_CODE(DO)                                                                                                  \
  DO(hipSuccess)                                                                                                       \
  DO(hipErrorInvalidValue) DO(hipErrorOutOfMemory) DO(hipErrorNotInitialized) DO(hipErrorDeinitialized) DO(            \
      hipErrorProfilerDisabled) DO(hipErrorProfilerNotInitialized) DO(hipErrorProfilerAlreadyStarted)                  \
      DO(hipErrorProfilerAlreadyStopped) DO(hipErrorInvalidConfiguration) DO(hipErrorInvalidPitchValue) DO(            \
          hipErrorInvalidSymbol) DO(hipErrorInvalidDevicePointer) DO(hipErrorInvalidMemcpyDirection)                   \
          DO(hipErrorInsufficientDriver) DO(hipErrorMissingConfiguration) DO(hipErrorPriorLaunchFailure) DO(           \
              hipErrorInvalidDeviceFunction) DO(hipErrorNoDevice) DO(hipErrorInvalidDevice) DO(hipErrorInvalidImage)   \
              DO(hipErrorInvalidContext) DO(hipErrorContextAlreadyCurrent) DO(hipErrorMapFailed) DO(                   \
                  hipErrorUnmapFailed) DO(hipErrorArrayIsMapped) DO(hipErrorAlreadyMapped) DO(hipErrorNoBinaryForGpu)  \
                  DO(hipErrorAlreadyAcquired) DO(hipErrorNotMapped) DO(hipErrorNotMappedAsArray) DO(                   \
                      hipErrorNotMappedAsPointer) DO(hipErrorECCNotCorrectable) DO(hipErrorUnsupportedLimit)           \
                      DO(hipErrorContextAlreadyInUse) DO(hipErrorPeerAccessUnsupported) DO(                            \
                          hipErrorInvalidKernelFile) DO(hipErrorInvalidGraphicsContext) DO(hipErrorInvalidSource)      \
                          DO(hipErrorFileNotFound) DO(hipErrorSharedObjectSymbolNotFound) DO(                          \
                              hipErrorSharedObjectInitFailed) DO(hipErrorOperatingSystem) DO(hipErrorInvalidHandle)    \
                              DO(hipErrorIllegalState) DO(hipErrorNotFound) DO(hipErrorNotReady) DO(                   \
                                  hipErrorIllegalAddress) DO(hipErrorLaunchOutOfResources) DO(hipErrorLaunchTimeOut)   \
                                  DO(hipErrorPeerAccessAlreadyEnabled) DO(hipErrorPeerAccessNotEnabled) DO(            \
                                      hipErrorSetOnActiveProcess) DO(hipErrorContextIsDestroyed) DO(hipErrorAssert)    \
                                      DO(hipErrorHostMemoryAlreadyRegistered) DO(hipErrorHostMemoryNotRegistered)      \
                                          DO(hipErrorLaunchFailure) DO(hipErrorCooperativeLaunchTooLarge)              \
                                              DO(hipErrorNotSupported) DO(hipErrorStreamCaptureUnsupported) DO(        \
                                                  hipErrorStreamCaptureInvalidated) DO(hipErrorStreamCaptureMerge)     \
                                                  DO(hipErrorStreamCaptureUnmatched) DO(hipErrorStreamCaptureUnjoined) \
                                                      DO(hipErrorStreamCaptureIsolation)                               \
                                                          DO(hipErrorStreamCaptureImplicit) DO(hipErrorCapturedEvent)  \
                                                              DO(hipErrorStreamCaptureWrongThread)                     \
                                                                  DO(hipErrorGraphExecUpdateFailure)                   \
                                                                      DO(hipErrorUnknown) DO(hipErrorRuntimeMemory)    \
                                                                          DO(hipErrorRuntimeOther)

// Codes that nothing here can give, and why.
//   hipErrorNotInitialized: the runtime starts by itself
//   hipErrorDeinitialized: it is there until behind the last of the program's own destructors (process_end_test.sh)
//   hipErrorProfilerDisabled, hipErrorProfilerNotInitialized, hipErrorProfilerAlreadyStarted,
//   hipErrorProfilerAlreadyStopped: of CUDA's profiler
//   hipErrorInsufficientDriver: there is no driver
//   hipErrorPriorLaunchFailure: the failure itself is told again
//   hipErrorContextAlreadyCurrent, hipErrorContextIsDestroyed: a device has one context, which stays
//   hipErrorMapFailed, hipErrorUnmapFailed, hipErrorArrayIsMapped, hipErrorAlreadyMapped, hipErrorAlreadyAcquired,
//   hipErrorNotMapped, hipErrorNotMappedAsArray, hipErrorNotMappedAsPointer, hipErrorInvalidGraphicsContext: of
//   graphics and of memory of other processes, which are refused (hipErrorNotSupported)
//   hipErrorECCNotCorrectable: memory does not fail
//   hipErrorPeerAccessUnsupported: every device can access every other one
//   hipErrorInvalidKernelFile, hipErrorInvalidSource: nothing is compiled
//   hipErrorSharedObjectSymbolNotFound, hipErrorSharedObjectInitFailed: of loading the driver
//   hipErrorIllegalAddress: a wrong access is hipErrorLaunchFailure, as with ROCm
//   hipErrorLaunchTimeOut: nobody watches the time
//   hipErrorSetOnActiveProcess: flags can be set at any time
//   hipErrorRuntimeMemory, hipErrorRuntimeOther: there is no HSA runtime below
//   hipErrorUnknown: of the runtime's own mistakes

bool add_names() {
#define ONE(code)                                           \
  add("name_" #code, [] {                                   \
    EXPECT(std::strcmp(hipGetErrorName(code), #code) == 0); \
    const char* const text = hipGetErrorString(code);       \
    EXPECT(text != nullptr && *text != '\0');               \
  });
  EACH_CODE(ONE)
#undef ONE
  return true;
}
const bool added = add_names();
CASE(name_of_no_code) {
  EXPECT(hipGetErrorName(static_cast<hipError_t>(-1)) != nullptr);
  EXPECT(hipGetErrorString(static_cast<hipError_t>(12345)) != nullptr);
}

// ---- the last error

CASE(last_error_is_taken) {
  static_cast<void>(hipStreamCreate(nullptr));
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipSuccess);
}
CASE(last_error_is_looked_at) {
  static_cast<void>(hipStreamCreate(nullptr));
  EXPECT(hipPeekAtLastError() == hipErrorInvalidValue);
  EXPECT(hipPeekAtLastError() == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  EXPECT(hipPeekAtLastError() == hipSuccess);
}
CASE(last_error_of_a_launch) {
  store<<<1, 5000>>>(nullptr, 1);
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
}
CASE(last_error_of_a_thread) {
  static_cast<void>(hipStreamCreate(nullptr));
  hipError_t there = hipErrorUnknown;
  std::thread([&] { there = hipGetLastError(); }).join();
  EXPECT(there == hipSuccess);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
}

// ---- codes

CASE(invalid_value) {
  GIVES(hipErrorInvalidValue, hipMalloc(static_cast<void**>(nullptr), 4));
}
CASE(out_of_memory) {
  void* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipMalloc(&data, size_t{1} << 60));
}
CASE(invalid_configuration) {
  const device_block<int> d(64);
  store<<<dim3(1), dim3(64, 64)>>>(d.get(), 1);
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
}
CASE(invalid_pitch) {
  const device_block<int> d(64);
  GIVES(hipErrorInvalidPitchValue, hipMemcpy2D(d.get(), 4, d.get(), 8, 8, 2, hipMemcpyDeviceToDevice));
}
int not_a_symbol = 0;
CASE(invalid_symbol) {
  size_t size = 0;
  GIVES(hipErrorInvalidSymbol, hipGetSymbolSize(&size, HIP_SYMBOL(not_a_symbol)));
}
CASE(invalid_device_pointer) {
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  GIVES(hipErrorInvalidDevicePointer, hipMemGetAddressRange(&base, &size, &not_a_symbol));
}
CASE(invalid_direction) {
  const device_block<int> d(64);
  GIVES(hipErrorInvalidMemcpyDirection, hipMemcpy(d.get(), d.get(), 4, static_cast<hipMemcpyKind>(44)));
}
CASE(missing_configuration) {
  GIVES(hipErrorMissingConfiguration, hipLaunchByPtr(pointer_of(&store)));
}
CASE(invalid_device_function) {
  GIVES(hipErrorInvalidDeviceFunction, hipLaunchKernel(&not_a_symbol, dim3(1), dim3(1), nullptr, 0, nullptr));
}
CASE(invalid_device) {
  GIVES(hipErrorInvalidDevice, hipSetDevice(1));
}
// In another process: there the environment hides the device.
CASE(no_device) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("HIP_VISIBLE_DEVICES", "-1", 1);
    execl("/proc/self/exe", "errors", "child_without_a_device", nullptr);
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
CASE(child_without_a_device) {
  int count = 99;
  const hipError_t code = hipGetDeviceCount(&count);
  const char* const hidden = std::getenv("HIP_VISIBLE_DEVICES");
  if (hidden == nullptr) {  // run for itself: there is one
    EXPECT(code == hipSuccess && count == 1);
    return;
  }
  EXPECT(code == hipErrorNoDevice);
  SAME(count, 0);
  void* data = nullptr;
  GIVES(hipErrorNoDevice, hipMalloc(&data, 4));
}
CASE(invalid_image) {
  const std::vector<char> zeros(5000);
  hipModule_t m = nullptr;
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, zeros.data()));
}
CASE(invalid_context) {
  GIVES(hipErrorInvalidContext, hipCtxSetCurrent(reinterpret_cast<hipCtx_t>(&not_a_symbol)));
}
// Device code for another GPU, as clang registers it.
extern "C" void** __hipRegisterFatBinary(const void* data);
extern "C" void __hipRegisterFunction(void** modules, const void* host, char*, const char* name, unsigned, void*, void*,
                                      dim3*, dim3*, int*);
extern "C" void __hipUnregisterFatBinary(void** modules);
CASE(no_binary_for_gpu) {
  struct {
    char magic[24];
    uint64_t entries;
  } const bundle = {{'_', '_', 'C', 'L', 'A', 'N', 'G', '_', 'O', 'F', 'F', 'L',
                     'O', 'A', 'D', '_', 'B', 'U', 'N', 'D', 'L', 'E', '_', '_'},
                    0};
  const struct {
    uint32_t magic, version;
    const void* bundle;
    void* unused;
  } binary = {0x48495046, 1, &bundle, nullptr};
  static char name[] = "nowhere";
  void** const modules = __hipRegisterFatBinary(&binary);
  __hipRegisterFunction(modules, &not_a_symbol, name, name, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  const hipError_t code = hipLaunchKernel(&not_a_symbol, dim3(1), dim3(1), nullptr, 0, nullptr);
  __hipUnregisterFatBinary(modules);
  EXPECT(code == hipErrorNoBinaryForGpu);
}
CASE(unsupported_limit) {
  size_t value = 0;
  GIVES(hipErrorUnsupportedLimit, hipDeviceGetLimit(&value, static_cast<hipLimit_t>(0x70)));
}
CASE(context_already_in_use) {
  GIVES(hipErrorContextAlreadyInUse, hipDevicePrimaryCtxSetFlags(0, 0));
}
CASE(file_not_found) {
  hipModule_t m = nullptr;
  GIVES(hipErrorFileNotFound, hipModuleLoad(&m, "no such file"));
}
CASE(invalid_handle) {
  GIVES(hipErrorInvalidHandle, hipEventRecord(nullptr, nullptr));
}
CASE(illegal_state) {
  const own_stream s;
  hipGraph_t g = nullptr;
  GIVES(hipErrorIllegalState, hipStreamEndCapture(s, &g));
}
CASE(launch_out_of_resources) {
  const device_block<int> d(64);
  store<<<1, 64, 1 << 20>>>(d.get(), 1);
  EXPECT(hipGetLastError() == hipErrorLaunchOutOfResources);
}
CASE(peer_access_not_enabled) {
  GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(0));
}
CASE(host_memory_already_registered) {
  std::vector<int> data(10);
  OK(hipHostRegister(data.data(), 40, hipHostRegisterDefault));
  GIVES(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(data.data(), 40, hipHostRegisterDefault));
  OK(hipHostUnregister(data.data()));
}
CASE(host_memory_not_registered) {
  std::vector<int> data(10);
  GIVES(hipErrorHostMemoryNotRegistered, hipHostUnregister(data.data()));
}
CASE(not_supported) {
  hipIpcMemHandle_t handle;
  GIVES(hipErrorNotSupported, hipIpcGetMemHandle(&handle, &not_a_symbol));
}

// ---- after which the device has to be reset

void comes_of(hipError_t want) {
  const hipError_t launched = hipGetLastError();
  EXPECT(launched == hipSuccess || launched == want);
  GIVES(want, hipDeviceSynchronize());
  void* data = nullptr;
  OK(hipDeviceReset());
  OK(hipDeviceSynchronize());
  OK(hipMalloc(&data, 64 * sizeof(int)));
  store<<<1, 64>>>(static_cast<int*>(data), 6);
  OK(hipGetLastError());
  int got = 0;
  OK(hipMemcpy(&got, data, sizeof got, hipMemcpyDeviceToHost));
  SAME(got, 6);
  OK(hipFree(data));
}
CASE(launch_failure) {
  store<<<1, 64>>>(reinterpret_cast<int*>(size_t{1} << 44), 1);
  comes_of(hipErrorLaunchFailure);
}
CASE(assertion) {
  refuse<<<1, 64>>>(17);
  comes_of(hipErrorAssert);
}
CASE(failure_stays_until_the_reset) {
  store<<<1, 64>>>(nullptr, 1);
  static_cast<void>(hipGetLastError());
  GIVES(hipErrorLaunchFailure, hipDeviceSynchronize());
  GIVES(hipErrorLaunchFailure, hipDeviceSynchronize());
  GIVES(hipErrorLaunchFailure, hipStreamSynchronize(nullptr));
  OK(hipDeviceReset());
  OK(hipDeviceSynchronize());
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
