// Fills: bytes, halves and words, rows and boxes, on every kind of memory; what they do not fit.
#include <cstdlib>

#include "conformance.h"

namespace {

enum kind { device, pinned, managed, registered, kinds };
const char* const names[kinds] = {"device", "pinned", "managed", "registered"};

// 4096 bytes of 0x11.
class block {
 public:
  static constexpr size_t size = 4096;
  explicit block(kind k) : kind_(k) {
    if (k == device) OK(hipMalloc(&data_, size));
    if (k == pinned) OK(hipHostMalloc(&data_, size, hipHostMallocDefault));
    if (k == managed) OK(hipMallocManaged(&data_, size, hipMemAttachGlobal));
    if (k == registered) {
      data_ = static_cast<uint8_t*>(std::malloc(size));
      OK(hipHostRegister(data_, size, hipHostRegisterDefault));
    }
    const std::vector<uint8_t> all(size, 0x11);
    OK(hipMemcpy(data_, all.data(), size, hipMemcpyDefault));
  }
  ~block() {
    static_cast<void>(kind_ == registered ? hipHostUnregister(data_) : hipFree(data_));
    if (kind_ == registered) std::free(data_);
  }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  uint8_t* at(size_t offset = 0) const { return data_ + offset; }
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> all(size);
    if (kind_ == device)
      OK(hipMemcpy(all.data(), data_, size, hipMemcpyDeviceToHost));
    else
      std::memcpy(all.data(), data_, size);
    return all;
  }

 private:
  kind kind_;
  uint8_t* data_ = nullptr;
};

using fill = std::function<hipError_t(uint8_t* data, hipStream_t s)>;

// Fills from byte 512 on; `want(i)`: byte i of what is filled.
void check(kind k, const fill& f, size_t bytes, const std::function<uint8_t(size_t)>& want) {
  const block b(k);
  const own_stream s;
  OK(f(b.at(512), s));
  OK(hipStreamSynchronize(s));
  const std::vector<uint8_t> got = b.read();
  for (size_t i = 0; i < block::size; ++i)
    SAME(static_cast<int>(got[i]), static_cast<int>(i < 512 || i >= 512 + bytes ? 0x11 : want(i - 512)));
}
uint8_t of(uint32_t value, size_t byte) {
  return static_cast<uint8_t>(value >> (8 * byte));
}

bool add_all() {
  for (int n = 0; n < kinds; ++n) {
    const kind k = static_cast<kind>(n);
    const auto both = [&](const std::string& name, const fill& f, size_t bytes,
                          const std::function<uint8_t(size_t)>& want) {
      add(name + "_" + names[k], [=] { check(k, f, bytes, want); });
    };
    both(
        "memset", [](uint8_t* d, hipStream_t) { return hipMemset(d, 0x5c, 1001); }, 1001, [](size_t) { return 0x5c; });
    both(
        "memset_async", [](uint8_t* d, hipStream_t s) { return hipMemsetAsync(d, 0xfe, 1001, s); }, 1001,
        [](size_t) { return 0xfe; });
    both(
        "d8", [](uint8_t* d, hipStream_t) { return hipMemsetD8(d, 0x42, 777); }, 777, [](size_t) { return 0x42; });
    both(
        "d8_async", [](uint8_t* d, hipStream_t s) { return hipMemsetD8Async(d, 0x42, 777, s); }, 777,
        [](size_t) { return 0x42; });
    both(
        "d16", [](uint8_t* d, hipStream_t) { return hipMemsetD16(d, 0x1234, 333); }, 666,
        [](size_t i) { return of(0x1234, i % 2); });
    both(
        "d16_async", [](uint8_t* d, hipStream_t s) { return hipMemsetD16Async(d, 0x1234, 333, s); }, 666,
        [](size_t i) { return of(0x1234, i % 2); });
    both(
        "d32", [](uint8_t* d, hipStream_t) { return hipMemsetD32(d, 0x12345678, 251); }, 1004,
        [](size_t i) { return of(0x12345678, i % 4); });
    both(
        "d32_async", [](uint8_t* d, hipStream_t s) { return hipMemsetD32Async(d, -2, 251, s); }, 1004,
        [](size_t i) { return of(0xfffffffe, i % 4); });
    both(
        "rows", [](uint8_t* d, hipStream_t) { return hipMemset2D(d, 64, 0x77, 33, 10); }, 64 * 9 + 33,
        [](size_t i) { return i % 64 < 33 ? 0x77 : 0x11; });
    both(
        "rows_async", [](uint8_t* d, hipStream_t s) { return hipMemset2DAsync(d, 64, 0x77, 33, 10, s); }, 64 * 9 + 33,
        [](size_t i) { return i % 64 < 33 ? 0x77 : 0x11; });
    const auto in_box = [](size_t i) { return static_cast<uint8_t>(i % 64 < 33 && i / 64 % 8 < 5 ? 0x66 : 0x11); };
    both(
        "box",
        [](uint8_t* d, hipStream_t) {
          return hipMemset3D(make_hipPitchedPtr(d, 64, 64, 8), 0x66, make_hipExtent(33, 5, 4));
        },
        64 * (8 * 3 + 4) + 33, in_box);
    both(
        "box_async",
        [](uint8_t* d, hipStream_t s) {
          return hipMemset3DAsync(make_hipPitchedPtr(d, 64, 64, 8), 0x66, make_hipExtent(33, 5, 4), s);
        },
        64 * (8 * 3 + 4) + 33, in_box);
  }
  return true;
}
const bool added = add_all();

CASE(low_byte_of_the_value) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset(d, 0x7abc, 9); }, 9, [](size_t) { return 0xbc; });
}
CASE(per_thread) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset_spt(d, 3, 9); }, 9, [](size_t) { return 3; });
}
CASE(per_thread_rows) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset2D_spt(d, 16, 3, 16, 4); }, 64, [](size_t) { return 3; });
}
CASE(per_thread_box) {
  check(
      device,
      [](uint8_t* d, hipStream_t) {
        return hipMemset3D_spt(make_hipPitchedPtr(d, 16, 16, 2), 3, make_hipExtent(16, 2, 2));
      },
      64, [](size_t) { return 3; });
}
CASE(nothing) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset(d, 3, 0); }, 0, [](size_t) { return 3; });
}
CASE(nothing_nowhere) {
  OK(hipMemset(nullptr, 3, 0));
}
CASE(no_rows) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset2D(d, 64, 3, 64, 0); }, 0, [](size_t) { return 3; });
}
CASE(rows_of_nothing) {
  check(
      device, [](uint8_t* d, hipStream_t) { return hipMemset2D(d, 64, 3, 0, 4); }, 0, [](size_t) { return 3; });
}
CASE(box_of_nothing) {
  check(
      device,
      [](uint8_t* d, hipStream_t) {
        return hipMemset3D(make_hipPitchedPtr(d, 16, 16, 2), 3, make_hipExtent(16, 2, 0));
      },
      0, [](size_t) { return 3; });
}
CASE(nowhere) {
  GIVES(hipErrorInvalidValue, hipMemset(nullptr, 3, 4));
  GIVES(hipErrorInvalidValue, hipMemsetD32(nullptr, 3, 4));
}
CASE(a_local) {
  int local = 0;
  GIVES(hipErrorInvalidValue, hipMemset(&local, 3, sizeof local));
  SAME(local, 0);
}
CASE(past_the_end) {
  const block b(device);
  GIVES(hipErrorInvalidValue, hipMemset(b.at(), 3, block::size + 1));
  GIVES(hipErrorInvalidValue, hipMemset(b.at(1), 3, block::size));
  EXPECT(b.read() == std::vector<uint8_t>(block::size, 0x11));
}
CASE(words_past_the_end) {
  const block b(device);
  GIVES(hipErrorInvalidValue, hipMemsetD32(b.at(), 3, block::size / 4 + 1));
  GIVES(hipErrorInvalidValue, hipMemsetD16(b.at(), 3, SIZE_MAX));
  EXPECT(b.read() == std::vector<uint8_t>(block::size, 0x11));
}
CASE(rows_past_the_end) {
  const block b(device);
  GIVES(hipErrorInvalidValue, hipMemset2D(b.at(), 64, 3, 64, 65));
  EXPECT(b.read() == std::vector<uint8_t>(block::size, 0x11));
}
CASE(rows_wider_than_their_pitch) {
  const block b(device);
  GIVES(hipErrorInvalidValue, hipMemset2D(b.at(), 16, 3, 17, 4));
}
CASE(in_no_stream) {
  const block b(device);
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipMemsetAsync(b.at(), 3, 4, s));
}
CASE(huge) {
  const size_t bytes = size_t{96} << 20;
  const device_block<uint32_t> d(bytes / 4);
  OK(hipMemsetD32(d.get(), 0x01020304, bytes / 4));
  EXPECT(d.read() == std::vector<uint32_t>(bytes / 4, 0x01020304));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
