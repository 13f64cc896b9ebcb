// library: own
// Bitcode that is compiled and linked while the program runs (hiprtc).
#include <unistd.h>

#include <fstream>

#include "../../../hip_runtime/newer_rtc_api.h"
#include "conformance.h"

namespace {

void rtc_gives(int line, const char* call, hiprtcResult got, int want) {
  if (static_cast<int>(got) != want)
    fail(line, std::string(call) + " gave " + hiprtcGetErrorString(got) + ", expected number " + std::to_string(want));
}
#define RTC(...) rtc_gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), HIPRTC_SUCCESS)
#define RTC_GIVES(code, ...) rtc_gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), code)
constexpr int linking = 100;  // HIPRTC_ERROR_LINKING

const char* const kernel = R"(
__device__ int changed(int value);
extern "C" __global__ void change(int* x) { x[threadIdx.x] = changed(x[threadIdx.x]); }
)";
const char* const function = "__device__ int changed(int value) { return 3 * value + 1; }\n";

struct own_program {
  hiprtcProgram p = nullptr;
  own_program(const char* source, std::vector<const char*> options) {
    RTC(hiprtcCreateProgram(&p, source, "test.hip", 0, nullptr, nullptr));
    RTC(hiprtcCompileProgram(p, static_cast<int>(options.size()), options.data()));
  }
  ~own_program() { static_cast<void>(hiprtcDestroyProgram(&p)); }
  own_program(const own_program&) = delete;
  own_program& operator=(const own_program&) = delete;
  operator hiprtcProgram() const { return p; }
};
std::vector<char> bitcode(const char* source) {
  const own_program p(source, {"-fgpu-rdc"});
  size_t bytes = 0;
  RTC(hiprtcGetBitcodeSize(p, &bytes));
  std::vector<char> code(bytes);
  RTC(hiprtcGetBitcode(p, code.data()));
  EXPECT(bytes > 4 && std::memcmp(code.data(), "BC\xC0\xDE", 4) == 0);
  return code;
}

struct own_link {
  hiprtcLinkState s = nullptr;
  explicit own_link(std::vector<hiprtcJIT_option> options = {}, std::vector<void*> values = {}) {
    RTC(hiprtcLinkCreate(static_cast<unsigned>(options.size()), options.data(), values.data(), &s));
  }
  ~own_link() { static_cast<void>(hiprtcLinkDestroy(s)); }
  own_link(const own_link&) = delete;
  own_link& operator=(const own_link&) = delete;
  operator hiprtcLinkState() const { return s; }
  hiprtcResult add(std::vector<char> code, hiprtcJITInputType type = HIPRTC_JIT_INPUT_LLVM_BITCODE) const {
    return hiprtcLinkAddData(s, type, code.data(), code.size(), "part", 0, nullptr, nullptr);
  }
};
void runs(hiprtcLinkState s) {
  void* code = nullptr;
  size_t bytes = 0;
  RTC(hiprtcLinkComplete(s, &code, &bytes));
  EXPECT(code != nullptr && bytes > 0);
  hipModule_t m = nullptr;
  hipFunction_t f = nullptr;
  OK(hipModuleLoadData(&m, code));
  OK(hipModuleGetFunction(&f, m, "change"));
  const device_block<int> data(std::vector<int>(64, 7));
  int* p = data.get();
  void* arguments[] = {&p};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT(data.read() == std::vector<int>(64, 22));
  OK(hipModuleUnload(m));
}

CASE(linked_in_memory) {
  const own_link link;
  RTC(link.add(bitcode(kernel)));
  RTC(link.add(bitcode(function)));
  runs(link);
}
CASE(linked_from_a_file) {
  const std::string path = "/tmp/rtc_link_" + std::to_string(getpid()) + ".bc";
  const std::vector<char> code = bitcode(function);
  std::ofstream(path, std::ios::binary).write(code.data(), static_cast<std::streamsize>(code.size()));
  const own_link link;
  const auto add = [&](const char* file, hiprtcJITInputType type = HIPRTC_JIT_INPUT_LLVM_BITCODE) {
    return hiprtcLinkAddFile(link, type, file, 0, nullptr, nullptr);
  };
  RTC(link.add(bitcode(kernel)));
  RTC_GIVES(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE, add("/no such file.bc"));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, add(nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, add(path.c_str(), HIPRTC_JIT_INPUT_CUBIN));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, add(path.c_str(), HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE));
  RTC(add(path.c_str()));
  static_cast<void>(std::remove(path.c_str()));
  runs(link);
}
CASE(options) {
  char log[200] = "";
  const char* words[] = {"-O1", "-mno-code-object-v3-is-no-option"};
  const own_link link({HIPRTC_JIT_IR_TO_ISA_OPT_EXT, HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT, HIPRTC_JIT_OPTIMIZATION_LEVEL},
                      {words, reinterpret_cast<void*>(1), reinterpret_cast<void*>(3)});
  RTC(link.add(bitcode(kernel)));
  RTC(link.add(bitcode(function)));
  runs(link);
  const own_link bad({HIPRTC_JIT_IR_TO_ISA_OPT_EXT, HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT, HIPRTC_JIT_ERROR_LOG_BUFFER,
                      HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES},
                     {words, reinterpret_cast<void*>(2), log, reinterpret_cast<void*>(sizeof log)});
  RTC(bad.add(bitcode(function)));
  void* code = nullptr;
  size_t bytes = 0;
  RTC_GIVES(linking, hiprtcLinkComplete(bad, &code, &bytes));
  EXPECT(std::strstr(log, "error") != nullptr && std::strlen(log) < sizeof log);
}
CASE(refused_options) {
  hiprtcLinkState s = nullptr;
  auto option = static_cast<hiprtcJIT_option>(26);
  void* value = nullptr;
  RTC_GIVES(HIPRTC_ERROR_INVALID_OPTION, hiprtcLinkCreate(1, &option, &value, &s));
  option = HIPRTC_JIT_IR_TO_ISA_OPT_EXT;
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkCreate(1, nullptr, &value, &s));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkCreate(1, &option, nullptr, &s));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkCreate(0, nullptr, nullptr, nullptr));
  EXPECT(s == nullptr);
}
CASE(undefined_function) {
  const own_link link;
  void* code = nullptr;
  size_t bytes = 0;
  RTC_GIVES(linking, hiprtcLinkComplete(link, &code, &bytes));  // nothing to link
  RTC(link.add(bitcode(kernel)));
  RTC_GIVES(linking, hiprtcLinkComplete(link, &code, &bytes));
  RTC(link.add(bitcode(function)));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkComplete(link, nullptr, &bytes));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkComplete(link, &code, nullptr));
  runs(link);
  EXPECT(std::strcmp(hiprtcGetErrorString(static_cast<hiprtcResult>(linking)), "HIPRTC_ERROR_LINKING") == 0);
}
CASE(no_bitcode) {
  const own_link link;
  char nothing[16] = "";
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, link.add({'E', 'L', 'F', ' ', ' '}));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, link.add({'B'}));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT,
            hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, nullptr, 9, "", 0, nullptr, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT,
            hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, nothing, 0, "", 0, nullptr, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, link.add(bitcode(function), HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE));
}
CASE(no_link) {
  void* code = nullptr;
  size_t bytes = 0;
  hiprtcLinkState gone = nullptr;
  RTC(hiprtcLinkCreate(0, nullptr, nullptr, &gone));
  RTC(hiprtcLinkDestroy(gone));
  for (const hiprtcLinkState s : {gone, static_cast<hiprtcLinkState>(nullptr)}) {
    RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkDestroy(s));
    RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcLinkComplete(s, &code, &bytes));
  }
}
// A program is for linking, or for loading.
CASE(bitcode_or_code) {
  const own_program part(function, {"-fgpu-rdc"}), whole("extern \"C\" __global__ void k() {}", {});
  size_t bytes = 0;
  char byte = 0;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCodeSize(part, &bytes));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetBitcodeSize(whole, &bytes));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetBitcode(whole, &byte));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetBitcode(part, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetBitcodeSize(part, nullptr));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
