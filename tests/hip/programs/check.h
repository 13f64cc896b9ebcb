// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share: checking of HIP calls and results, seeded input, device arrays.
//
// A program that finds a difference says where and what on stdout and exits with 1; check::pass() prints PASS and
// returns 0 for main.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace check {

[[noreturn]] __attribute__((format(printf, 3, 4))) inline void fail(const char* file, int line, const char* format,
                                                                    ...) {
  std::printf("%s:%d: ", file, line);
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::printf("\n");
  std::fflush(stdout);
  std::exit(1);
}

inline void hip_result(const char* file, int line, const char* call, hipError_t got, hipError_t want) {
  if (got == want) return;
  fail(file, line, "%s: %s (%d), expected %s (%d)", call, hipGetErrorName(got), static_cast<int>(got),
       hipGetErrorName(want), static_cast<int>(want));
}

inline int pass() {
  std::printf("PASS\n");
  return 0;
}

// xorshift32 (Marsaglia): the same numbers on every host, which the standard library's distributions do not promise.
class random_source {
 public:
  explicit random_source(uint32_t seed) : state_(seed * 2654435761u | 1u) {}
  uint32_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  uint32_t below(uint32_t limit) { return bits() % limit; }
  // In [low, high), in steps of 2^-24 of the range.
  float real(float low, float high) { return low + (high - low) * static_cast<float>(bits() >> 8) * 0x1p-24f; }

 private:
  uint32_t state_;
};

template <typename T>
class device_array {
 public:
  explicit device_array(size_t count) : count_(count) { allocate(); }
  explicit device_array(const std::vector<T>& values) : count_(values.size()) {
    allocate();
    upload(values);
  }
  ~device_array() {
    if (hipFree(data_) != hipSuccess) {
      std::printf("hipFree failed\n");
      std::abort();
    }
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  void upload(const std::vector<T>& values) {
    hip_result(__FILE__, __LINE__, "hipMemcpy to the device",
               hipMemcpy(data_, values.data(), bytes(), hipMemcpyDefault), hipSuccess);
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    hip_result(__FILE__, __LINE__, "hipMemcpy from the device",
               hipMemcpy(values.data(), data_, bytes(), hipMemcpyDeviceToHost), hipSuccess);
    return values;
  }
  // All bytes set to `byte`, so that an element that no work-item wrote shows.
  void fill(int byte) { hip_result(__FILE__, __LINE__, "hipMemset", hipMemset(data_, byte, bytes()), hipSuccess); }

 private:
  void allocate() {
    hip_result(__FILE__, __LINE__, "hipMalloc", hipMalloc(reinterpret_cast<void**>(&data_), bytes()), hipSuccess);
  }

  T* data_ = nullptr;
  size_t count_;
};

inline std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}
inline std::string text(float value) {
  return text(static_cast<double>(value));
}
template <typename T>
std::string text(T value) {
  return std::to_string(value);
}

template <typename T, typename Equal>
void compare(const char* file, int line, const char* what, const std::vector<T>& got, const std::vector<T>& want,
             Equal equal) {
  if (got.size() != want.size()) fail(file, line, "%s: %zu elements, expected %zu", what, got.size(), want.size());
  size_t different = 0;
  size_t first = 0;
  for (size_t i = got.size(); i-- > 0;) {
    if (equal(got[i], want[i])) continue;
    ++different;
    first = i;
  }
  if (different == 0) return;
  fail(file, line, "%s: %zu of %zu elements differ, first [%zu]: %s, expected %s", what, different, got.size(), first,
       text(got[first]).c_str(), text(want[first]).c_str());
}

template <typename T>
void same(const char* file, int line, const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  compare(file, line, what, got, want, [](T a, T b) { return a == b; });
}

// |got - want| <= tolerance * max(1, |want|); a NaN is near a NaN only.
template <typename T>
bool close_to(T got, T want, double tolerance) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (got == want) return true;
  return std::fabs(static_cast<double>(got) - static_cast<double>(want)) <=
         tolerance * std::fmax(1.0, std::fabs(static_cast<double>(want)));
}

template <typename T>
void near(const char* file, int line, const char* what, const std::vector<T>& got, const std::vector<T>& want,
          double tolerance) {
  compare(file, line, what, got, want, [tolerance](T a, T b) { return close_to(a, b, tolerance); });
}

constexpr unsigned blocks_for(size_t items, unsigned block) {
  return static_cast<unsigned>((items + block - 1) / block);
}

}  // namespace check

#define HIP_CHECK(...) check::hip_result(__FILE__, __LINE__, #__VA_ARGS__, (__VA_ARGS__), hipSuccess)
// The call fails in just this way. The error is taken, as a program does that has dealt with it.
#define EXPECT_ERROR(error, ...) \
  (check::hip_result(__FILE__, __LINE__, #__VA_ARGS__, (__VA_ARGS__), error), static_cast<void>(hipGetLastError()))
#define CHECK(condition, ...)                                       \
  do {                                                              \
    if (!(condition)) check::fail(__FILE__, __LINE__, __VA_ARGS__); \
  } while (false)
#define CHECK_SAME(what, ...) check::same(__FILE__, __LINE__, what, __VA_ARGS__)
#define CHECK_NEAR(what, ...) check::near(__FILE__, __LINE__, what, __VA_ARGS__)
// Behind a launch with <<<>>>: was it accepted?
#define CHECK_LAUNCH() HIP_CHECK(hipGetLastError())
