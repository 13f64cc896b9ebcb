// misuses: memory
// hipMemset, hipMemsetAsync, hipMemset2D, hipMemset3D, hipMemsetD8/D16/D32 at odd offsets and lengths; bytes around
// them stay.
#include "check.h"

static void expect(const char* what, const check::device_array<uint8_t>& device, const std::vector<uint8_t>& want) {
  CHECK_SAME(what, device.download(), want);
}

int main() {
  const size_t n = 4099;
  std::vector<uint8_t> want(n);
  check::device_array<uint8_t> device(n);
  HIP_CHECK(hipMemset(device.get(), 0x5a, n));
  std::fill(want.begin(), want.end(), uint8_t{0x5a});
  expect("hipMemset", device, want);

  HIP_CHECK(hipMemset(device.get() + 3, 0x1ff, 130));  // only the value's low byte counts
  std::fill(want.begin() + 3, want.begin() + 133, uint8_t{0xff});
  expect("hipMemset of a part", device, want);

  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemsetAsync(device.get() + 1001, 7, 1, stream));
  HIP_CHECK(hipMemsetAsync(device.get() + 4000, 8, 99, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  want[1001] = 7;
  std::fill(want.begin() + 4000, want.end(), uint8_t{8});
  expect("hipMemsetAsync", device, want);

  HIP_CHECK(hipMemset2D(device.get() + 2000, 50, 0x33, 21, 9));
  for (size_t y = 0; y < 9; ++y) std::fill_n(want.begin() + 2000 + y * 50, 21, uint8_t{0x33});
  expect("hipMemset2D", device, want);

  HIP_CHECK(hipMemset3D(make_hipPitchedPtr(device.get() + 200, 16, 16, 5), 0x44, make_hipExtent(11, 3, 4)));
  for (size_t z = 0; z < 4; ++z) {
    for (size_t y = 0; y < 3; ++y) std::fill_n(want.begin() + 200 + (z * 5 + y) * 16, 11, uint8_t{0x44});
  }
  expect("hipMemset3D", device, want);

  HIP_CHECK(hipMemsetD8(device.get() + 5, 0x21, 17));
  std::fill_n(want.begin() + 5, 17, uint8_t{0x21});
  HIP_CHECK(hipMemsetD16(device.get() + 600, 0x1234, 33));
  HIP_CHECK(hipMemsetD32(device.get() + 3000, static_cast<int>(0xdeadbeefu), 77));
  HIP_CHECK(hipMemsetD32Async(device.get() + 3400, 1, 3, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  const auto put = [&](size_t at, size_t count, uint32_t value, size_t size) {
    for (size_t i = 0; i < count; ++i) std::memcpy(&want[at + i * size], &value, size);
  };
  put(600, 33, 0x1234, 2);
  put(3000, 77, 0xdeadbeefu, 4);
  put(3400, 3, 1, 4);
  expect("hipMemsetD8/D16/D32", device, want);

  EXPECT_ERROR(hipErrorInvalidValue, hipMemset(nullptr, 0, 4));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemset(device.get() + 10, 0, n));
  expect("refused hipMemset", device, want);
  HIP_CHECK(hipStreamDestroy(stream));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
