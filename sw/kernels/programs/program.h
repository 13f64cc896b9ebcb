// What the programs of this folder share: their command line, seeded input, device arrays and the comparison of results
// with the CPU's. They are HIP programs as any other; nothing here knows of the platform.
//
//   PROGRAM [--size small|medium|large] [--seed N]
//
// prints what it computes, a line per compared array, and PASS or FAIL. Exit codes: 0 PASS, 1 FAIL or a HIP error, 2
// command line. The same size and seed give the same input on every host.
#pragma once

#include <hip/hip_runtime.h>
#include <pws.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace program {

enum class size { small, medium, large };

struct options {
  program::size size = size::small;
  uint32_t seed = 1;

  // The value for this size.
  template <typename T>
  T pick(T for_small, T for_medium, T for_large) const {
    return size == size::small ? for_small : size == size::medium ? for_medium : for_large;
  }
  const char* size_name() const { return pick("small", "medium", "large"); }
};

// Ends the program with exit code 2 if the command line is not as above.
inline options parse(int argc, char** argv) {
  options o;
  const auto usage = [&](const std::string& problem) {
    std::fprintf(stderr, "%s: %s\nusage: %s [--size small|medium|large] [--seed N]\n", argv[0], problem.c_str(),
                 argv[0]);
    std::exit(2);
  };
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    if (name != "--size" && name != "--seed") usage("unknown option " + name);
    if (++k == argc) usage(name + " needs a value");
    const std::string value = argv[k];
    if (name == "--seed") {
      char* end = nullptr;
      const unsigned long seed = std::strtoul(value.c_str(), &end, 10);
      if (value.empty() || value[0] == '-' || *end != '\0' || seed > UINT32_MAX)
        usage("--seed: not a number: " + value);
      o.seed = static_cast<uint32_t>(seed);
    } else if (value == "small" || value == "medium" || value == "large") {
      o.size = value == "small" ? size::small : value == "medium" ? size::medium : size::large;
    } else {
      usage("--size: not small, medium or large: " + value);
    }
  }
  return o;
}

// xorshift32 (Marsaglia): the same numbers on every host, which the standard library's distributions do not promise.
class random_source {
 public:
  explicit random_source(uint32_t seed) : state_(seed * 2654435761u | 1u) {
    for (int k = 0; k < 8; ++k) bits();  // small seeds have few bits set
  }
  uint32_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((uint64_t{bits()} * limit) >> 32); }
  // In [low, high), in steps of 2^-24 of the range.
  float real(float low, float high) { return low + (high - low) * (static_cast<float>(bits() >> 8) * 0x1p-24f); }

 private:
  uint32_t state_;
};

inline void check(hipError_t result, const char* call, const char* file, int line) {
  if (result == hipSuccess) return;
  std::printf("%s:%d: %s: %s\nFAIL\n", file, line, call, hipGetErrorName(result));
  std::fflush(stdout);
  std::exit(1);
}
#define PROGRAM_HIP(call) program::check((call), #call, __FILE__, __LINE__)

// After a launch: was it accepted, and did it end well?
#define PROGRAM_LAUNCHED()               \
  do {                                   \
    PROGRAM_HIP(hipGetLastError());      \
    PROGRAM_HIP(hipDeviceSynchronize()); \
  } while (false)

template <typename T>
class device_array {
 public:
  explicit device_array(size_t count) : count_(count) {
    PROGRAM_HIP(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) { upload(values); }
  ~device_array() { (void)hipFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* get() const { return data_; }
  size_t size() const { return count_; }
  void upload(const std::vector<T>& values) {
    PROGRAM_HIP(hipMemcpy(data_, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  std::vector<T> download() const { return download(count_); }
  // The first ones.
  std::vector<T> download(size_t count) const {
    std::vector<T> values(count);
    if (count != 0) PROGRAM_HIP(hipMemcpy(values.data(), data_, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  void clear() { PROGRAM_HIP(hipMemset(data_, 0, count_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

inline uint32_t blocks_of(uint64_t work_items, uint32_t block) {
  return static_cast<uint32_t>((work_items + block - 1) / block);
}

// Compares arrays with the CPU's and remembers whether all were right.
class verdict {
 public:
  // Element by element, bit for bit.
  template <typename T>
  void equal(const char* name, const std::vector<T>& got, const std::vector<T>& want) {
    compare(
        name, got, want, [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }, "");
  }
  // |got - want| <= absolute + relative * |want|; two NaNs are the same, infinities must be equal.
  template <typename T>
  void close(const char* name, const std::vector<T>& got, const std::vector<T>& want, double relative,
             double absolute = 0) {
    static_assert(std::is_floating_point_v<T>);
    char within[64];
    std::snprintf(within, sizeof within, " within %g relative, %g absolute", relative, absolute);
    compare(
        name, got, want,
        [&](T a, T b) {
          if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
          if (std::isinf(a) || std::isinf(b)) return a == b;
          return std::fabs(double(a) - double(b)) <= absolute + relative * std::fabs(double(b));
        },
        within);
  }
  void that(const char* what, bool holds) {
    std::printf("%s: %s\n", what, holds ? "holds" : "DOES NOT HOLD");
    good_ = good_ && holds;
  }
  // Prints PASS or FAIL; the exit code.
  int finish() const {
    std::printf(good_ ? "PASS\n" : "FAIL\n");
    return good_ ? 0 : 1;
  }

 private:
  template <typename T, typename Same>
  void compare(const char* name, const std::vector<T>& got, const std::vector<T>& want, Same same, const char* within) {
    size_t wrong = 0, first = 0;
    if (got.size() != want.size()) {
      std::printf("%s: %zu elements, expected %zu\n", name, got.size(), want.size());
      good_ = false;
      return;
    }
    for (size_t k = 0; k < got.size(); ++k)
      if (!same(got[k], want[k]) && wrong++ == 0) first = k;
    if (wrong == 0) {
      std::printf("%s: %zu elements match%s\n", name, got.size(), within);
      return;
    }
    good_ = false;
    std::printf("%s: %zu of %zu elements differ%s; first [%zu]: got %.9g, expected %.9g\n", name, wrong, got.size(),
                within, first, double(got[first]), double(want[first]));
  }
  bool good_ = true;
};

}  // namespace program
// SPDX-License-Identifier: Apache-2.0
