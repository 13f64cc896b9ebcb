// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share, beside the frame of conformance.h: comparing with what the reference on the
// host gives.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "../conformance/conformance.h"
#include "check.h"

namespace library {

using check::random_source;

inline std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}
template <class T>
std::string text(const T& value) {
  return text(static_cast<double>(value));
}
template <class R>
std::string text(const std::complex<R>& value) {
  return "(" + text(value.real()) + ", " + text(value.imag()) + ")";
}

template <class T, class Alike>
void compare(int line, const char* what, const std::vector<T>& got, const std::vector<T>& want, Alike alike) {
  if (got.size() != want.size())
    fail(line, std::string(what) + " has " + std::to_string(got.size()) + " elements, expected " +
                   std::to_string(want.size()));
  size_t different = 0, first = 0;
  for (size_t i = got.size(); i-- > 0;)
    if (!alike(got[i], want[i])) {
      ++different;
      first = i;
    }
  if (different != 0)
    fail(line, std::string(what) + ": " + std::to_string(different) + " of " + std::to_string(got.size()) +
                   " differ, first [" + std::to_string(first) + "]: " + text(got[first]) + ", expected " +
                   text(want[first]));
}
// The same bytes.
template <class T>
void equal(int line, const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  compare(line, what, got, want, [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; });
}
// |got - want| <= limit[i]
template <class T>
void within(int line, const char* what, const std::vector<T>& got, const std::vector<T>& want,
            const std::vector<double>& limit) {
  size_t i = got.size();
  compare(line, what, got, want, [&](const T& a, const T& b) { return std::abs(a - b) <= limit[--i]; });
}
// A library's own codes.
template <class Code>
void returns(int line, const char* call, Code got, Code want) {
  if (got != want)
    fail(line, std::string(call) + " gave " + std::to_string(static_cast<int>(got)) + ", expected " +
                   std::to_string(static_cast<int>(want)));
}

// hipMalloc of nothing gives no address; a library may ask for one.
template <class T>
size_t some(const std::vector<T>& values) {
  return std::max<size_t>(1, values.size());
}
// A copy on the device of `values`, which may be none.
template <class T>
class device_copy {
 public:
  explicit device_copy(const std::vector<T>& values) : block_(some(values)), count_(values.size()) {
    if (count_ != 0) OK(hipMemcpy(block_.get(), values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  explicit device_copy(size_t count) : block_(std::max<size_t>(1, count)), count_(count) {}
  T* get() const { return block_.get(); }
  std::vector<T> read() const {
    std::vector<T> values = block_.read();
    values.resize(count_);
    return values;
  }

 private:
  device_block<T> block_;
  size_t count_;
};

}  // namespace library

using namespace library;

#define RETURNS(code, ...) library::returns(__LINE__, #__VA_ARGS__, (__VA_ARGS__), code)
#define EQUAL(got, ...) library::equal(__LINE__, #got, got, __VA_ARGS__)
#define WITHIN(got, ...) library::within(__LINE__, #got, got, __VA_ARGS__)
