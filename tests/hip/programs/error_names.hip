// hipGetErrorName, hipGetErrorString, hipPeekAtLastError and hipGetLastError: names of codes, unknown codes, the last
// error stays until it is taken and belongs to its thread.
#include <thread>

#include "check.h"

int main() {
  struct {
    hipError_t code;
    const char* name;
  } const known[] = {
      {hipSuccess, "hipSuccess"},
      {hipErrorInvalidValue, "hipErrorInvalidValue"},
      {hipErrorOutOfMemory, "hipErrorOutOfMemory"},
      {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration"},
      {hipErrorInvalidDevice, "hipErrorInvalidDevice"},
      {hipErrorInvalidSymbol, "hipErrorInvalidSymbol"},
      {hipErrorInvalidDevicePointer, "hipErrorInvalidDevicePointer"},
      {hipErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection"},
      {hipErrorFileNotFound, "hipErrorFileNotFound"},
      {hipErrorNotFound, "hipErrorNotFound"},
      {hipErrorNotReady, "hipErrorNotReady"},
      {hipErrorInvalidHandle, "hipErrorInvalidHandle"},
      {hipErrorNotSupported, "hipErrorNotSupported"},
      {hipErrorUnknown, "hipErrorUnknown"},
      {hipErrorHostMemoryAlreadyRegistered, "hipErrorHostMemoryAlreadyRegistered"},
  };
  for (const auto& error : known) {
    CHECK(std::strcmp(hipGetErrorName(error.code), error.name) == 0, "name of %d is %s, expected %s",
          static_cast<int>(error.code), hipGetErrorName(error.code), error.name);
    const char* const text = hipGetErrorString(error.code);
    CHECK(text != nullptr && text[0] != '\0', "%s has no text", error.name);
  }
  CHECK(std::strcmp(hipGetErrorString(hipSuccess), hipGetErrorString(hipErrorInvalidValue)) != 0,
        "success and failure have the same text");
  CHECK(hipGetErrorName(static_cast<hipError_t>(123456)) != nullptr, "an unknown code has no name");
  CHECK(hipGetErrorString(static_cast<hipError_t>(-5)) != nullptr, "an unknown code has no text");

  HIP_CHECK(hipGetLastError());
  const hipError_t answer = hipMemcpy(nullptr, nullptr, 16, hipMemcpyHostToDevice);
  CHECK(answer == hipErrorInvalidValue, "copy between null pointers: %s", hipGetErrorName(answer));
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(hipPeekAtLastError() == hipErrorInvalidValue, "hipPeekAtLastError changed the last error");
  }
  hipError_t elsewhere = hipErrorUnknown;
  std::thread([&] { elsewhere = hipGetLastError(); }).join();
  CHECK(elsewhere == hipSuccess, "another thread sees %s", hipGetErrorName(elsewhere));
  const hipError_t taken = hipGetLastError();
  CHECK(taken == hipErrorInvalidValue, "the last error is %s", hipGetErrorName(taken));
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipPeekAtLastError());

  // The machine is as usable as before.
  check::device_array<int> data(std::vector<int>{1, 2, 3});
  CHECK_SAME("after errors", data.download(), std::vector<int>{1, 2, 3});
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
