// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share. Each is a list of small cases over one subject of the HIP API: what the
// documentation promises of a call, asked once.
//
//   PROGRAM             runs all cases: a line "PASS name" or "FAIL name: ..." for each; at the end PASS, if all passed
//   PROGRAM NAME        runs that one
//   PROGRAM --list      names them
//   PROGRAM ... --whole with sizes and kinds that take long: whole() is true
//
// A last argument that is a file (*.hsaco) is the code object of cases that load a module.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace conformance {

struct test {
  std::string name;
  std::function<void()> run;
};
inline std::vector<test>& tests() {
  static std::vector<test> all;
  return all;
}
inline bool add(const std::string& name, std::function<void()> run) {
  tests().push_back({name, std::move(run)});
  return true;
}

// A case has failed.
struct wrong {
  std::string text;
};
[[noreturn]] inline void fail(int line, const std::string& text) {
  throw wrong{"line " + std::to_string(line) + ": " + text};
}

// The call gave `want`, and an error is also what the thread's last error is.
inline void gives(int line, const char* call, hipError_t got, hipError_t want) {
  const hipError_t last = hipGetLastError();
  if (got != want)
    fail(line, std::string(call) + " gave " + hipGetErrorName(got) + ", expected " + hipGetErrorName(want));
  if (want != hipSuccess && want != hipErrorNotReady && last != want)
    fail(line,
         std::string(call) + ": the last error is " + hipGetErrorName(last) + ", expected " + hipGetErrorName(want));
}
template <class A, class B>
void same(int line, const char* what, const A& got, const B& want) {
  if (!(got == want))
    fail(line, std::string(what) + " is " + std::to_string(got) + ", expected " + std::to_string(want));
}

inline std::string& module_file() {
  static std::string file;
  return file;
}

inline bool& whole() {
  static bool all = false;
  return all;
}

inline int run(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[argc - 1], "--whole") == 0) {
    whole() = true;
    --argc;
  }
  if (argc > 1 && std::strlen(argv[argc - 1]) > 6 &&
      std::strcmp(argv[argc - 1] + std::strlen(argv[argc - 1]) - 6, ".hsaco") == 0)
    module_file() = argv[--argc];
  unsigned ran = 0, failed = 0;
  for (const test& t : tests()) {
    if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
      std::printf("%s\n", t.name.c_str());
      continue;
    }
    if (argc > 1 && t.name != argv[1]) continue;
    ++ran;
    try {
      static_cast<void>(hipGetLastError());
      t.run();
      std::printf("PASS %s\n", t.name.c_str());
    } catch (const wrong& w) {
      ++failed;
      std::printf("FAIL %s: %s\n", t.name.c_str(), w.text.c_str());
    }
    std::fflush(stdout);
  }
  if (argc > 1 && std::strcmp(argv[1], "--list") == 0) return 0;
  std::printf("%u cases, %u failed\n", ran, failed);
  if (ran == 0) std::printf("there is no such case\n");
  if (failed != 0 || ran == 0) return 1;
  std::printf("PASS\n");
  return 0;
}

// Device memory of `count` elements, filled with 0xa5.
template <class T>
class device_block {
 public:
  explicit device_block(size_t count);
  explicit device_block(const std::vector<T>& values);
  ~device_block() { static_cast<void>(hipFree(data_)); }
  device_block(const device_block&) = delete;
  device_block& operator=(const device_block&) = delete;
  T* get() const { return data_; }
  std::vector<T> read() const;

 private:
  T* data_ = nullptr;
  size_t count_;
};

}  // namespace conformance

#define CASE(name)                                                     \
  static void case_##name();                                           \
  static const bool has_##name = conformance::add(#name, case_##name); \
  static void case_##name()
#define OK(...) conformance::gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), hipSuccess)
#define GIVES(code, ...) conformance::gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), code)
#define SAME(got, ...) conformance::same(__LINE__, #got, got, __VA_ARGS__)
#define EXPECT(...)                                                           \
  do {                                                                        \
    if (!(__VA_ARGS__)) conformance::fail(__LINE__, "not so: " #__VA_ARGS__); \
  } while (false)

namespace conformance {

template <class T>
device_block<T>::device_block(size_t count) : count_(count) {
  OK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  OK(hipMemset(data_, 0xa5, count * sizeof(T)));
}
template <class T>
device_block<T>::device_block(const std::vector<T>& values) : device_block(values.size()) {
  OK(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
}
template <class T>
std::vector<T> device_block<T>::read() const {
  std::vector<T> values(count_);
  OK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
  return values;
}

// A stream that goes when the case ends.
struct own_stream {
  hipStream_t s = nullptr;
  explicit own_stream(unsigned flags = hipStreamDefault) { OK(hipStreamCreateWithFlags(&s, flags)); }
  ~own_stream() { static_cast<void>(hipStreamDestroy(s)); }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
  operator hipStream_t() const { return s; }
};
struct own_event {
  hipEvent_t e = nullptr;
  explicit own_event(unsigned flags = hipEventDefault) { OK(hipEventCreateWithFlags(&e, flags)); }
  ~own_event() { static_cast<void>(hipEventDestroy(e)); }
  own_event(const own_event&) = delete;
  own_event& operator=(const own_event&) = delete;
  operator hipEvent_t() const { return e; }
};

template <class T>
void* pointer_of(T value) {
  return reinterpret_cast<void*>(value);
}

}  // namespace conformance

using namespace conformance;

int main(int argc, char** argv) {
  return conformance::run(argc, argv);
}
