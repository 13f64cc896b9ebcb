// Compiling while the program runs (hiprtc), and what is compiled run.
#include <hip/hiprtc.h>

#include <thread>

#include "conformance.h"

namespace {

void rtc_gives(int line, const char* call, hiprtcResult got, hiprtcResult want) {
  if (got != want)
    fail(line, std::string(call) + " gave " + hiprtcGetErrorString(got) + ", expected " + hiprtcGetErrorString(want));
}
#define RTC(...) rtc_gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), HIPRTC_SUCCESS)
#define RTC_GIVES(code, ...) rtc_gives(__LINE__, #__VA_ARGS__, (__VA_ARGS__), code)

const char* const scale = R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
)";
// Two kernels of a template, and one in a namespace.
const char* const templates = R"(
namespace inner {
template <class T, int N>
__global__ void add(T* x) {
  x[threadIdx.x] += T(N);
}
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
}
__constant__ int table[4];
__device__ int count;
)";

struct own_program {
  hiprtcProgram p = nullptr;
  explicit own_program(const char* source, const char* name = "test.hip") {
    RTC(hiprtcCreateProgram(&p, source, name, 0, nullptr, nullptr));
  }
  ~own_program() { static_cast<void>(hiprtcDestroyProgram(&p)); }
  own_program(const own_program&) = delete;
  own_program& operator=(const own_program&) = delete;
  operator hiprtcProgram() const { return p; }

  std::string log() const {
    size_t bytes = 0;
    RTC(hiprtcGetProgramLogSize(p, &bytes));
    EXPECT(bytes >= 1);
    std::vector<char> text(bytes, 'x');
    RTC(hiprtcGetProgramLog(p, text.data()));
    EXPECT(text.back() == '\0');
    return text.data();
  }
  bool log_says(const char* what) const { return log().find(what) != std::string::npos; }
  std::vector<char> code() const {
    size_t bytes = 0;
    RTC(hiprtcGetCodeSize(p, &bytes));
    std::vector<char> all(bytes);
    RTC(hiprtcGetCode(p, all.data()));
    return all;
  }
  hiprtcResult compile(std::vector<const char*> options = {}) const {
    return hiprtcCompileProgram(p, static_cast<int>(options.size()), options.data());
  }
};
struct own_module {
  hipModule_t m = nullptr;
  explicit own_module(const own_program& p) { OK(hipModuleLoadData(&m, p.code().data())); }
  ~own_module() { static_cast<void>(hipModuleUnload(m)); }
  own_module(const own_module&) = delete;
  own_module& operator=(const own_module&) = delete;
  hipFunction_t function(const char* name) const {
    hipFunction_t f = nullptr;
    OK(hipModuleGetFunction(&f, m, name));
    return f;
  }
};
// One block of 64, of a kernel with a pointer.
std::vector<int> run_on(hipFunction_t f, std::vector<int> values) {
  const device_block<int> data(values);
  int* p = data.get();
  void* arguments[] = {&p};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  return data.read();
}
// What a kernel `put` stores as its only number.
int number_of(const own_program& p) {
  return run_on(own_module(p).function("put"), std::vector<int>(64, -1))[0];
}

CASE(version) {
  int major = 0, minor = -1;
  RTC(hiprtcVersion(&major, &minor));
  EXPECT(major == 9 && minor == 0);
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcVersion(nullptr, &minor));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcVersion(&major, nullptr));
}
CASE(names_of_results) {
  EXPECT(std::strcmp(hiprtcGetErrorString(HIPRTC_SUCCESS), "HIPRTC_SUCCESS") == 0);
  EXPECT(std::strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION") == 0);
  EXPECT(std::strcmp(hiprtcGetErrorString(HIPRTC_ERROR_INTERNAL_ERROR), "HIPRTC_ERROR_INTERNAL_ERROR") == 0);
  for (int k = 0; k < 12; ++k)
    EXPECT(std::strncmp(hiprtcGetErrorString(static_cast<hiprtcResult>(k)), "HIPRTC_", 7) == 0);
  EXPECT(hiprtcGetErrorString(static_cast<hiprtcResult>(12)) != nullptr);
}

CASE(compile_load_launch) {
  const own_program p(scale);
  RTC(p.compile());
  const own_module m(p);
  std::vector<float> values(1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const device_block<float> data(values);
  float *x = data.get(), by = 2.5f;
  int n = 990;
  void* arguments[] = {&x, &by, &n};
  OK(hipModuleLaunchKernel(m.function("scale"), 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  const std::vector<float> got = data.read();
  for (size_t i = 0; i < got.size(); ++i) EXPECT(got[i] == static_cast<float>(i) * (i < 990 ? 2.5f : 1));
}
CASE(without_a_name) {
  const own_program p(scale, nullptr);
  RTC(p.compile());
  EXPECT(!p.code().empty());
}
CASE(compile_twice) {
  const own_program p("extern \"C\" __global__ void put(int* x) { *x = X; }");
  RTC(p.compile({"-DX=1"}));
  SAME(number_of(p), 1);
  RTC(p.compile({"-DX=2"}));
  SAME(number_of(p), 2);
  RTC_GIVES(HIPRTC_ERROR_COMPILATION, p.compile());
  size_t bytes = 0;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCodeSize(p, &bytes));
}
CASE(no_source) {
  const own_program p("");
  RTC(p.compile());
  EXPECT(!p.code().empty());
  const own_module m(p);
  hipFunction_t f = nullptr;
  GIVES(hipErrorNotFound, hipModuleGetFunction(&f, m.m, "scale"));
}
CASE(macro_of_the_runtime_compiler) {
  const own_program p(
      "#ifndef __HIPCC_RTC__\n#error not compiled at run time\n#endif\n"
      "extern \"C\" __global__ void put(int* x) { *x = warpSize; }");
  RTC(p.compile());
  SAME(number_of(p), 64);
}

// ---- errors in the source

CASE(errors_are_in_the_log) {
  const own_program p("extern \"C\" __global__ void f(int* x) {\n  *x = nowhere;\n}\n", "mine.hip");
  RTC_GIVES(HIPRTC_ERROR_COMPILATION, p.compile());
  EXPECT(p.log_says("mine.hip:2:8: error: use of undeclared identifier 'nowhere'"));
  EXPECT(!p.log_says("/tmp"));
  size_t bytes = 0;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCodeSize(p, &bytes));
  char c = 0;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCode(p, &c));
}
CASE(warnings_are_in_the_log) {
  const own_program p("#warning watch out\nextern \"C\" __global__ void put(int* x) { *x = 3; }");
  RTC(p.compile());
  EXPECT(p.log_says("watch out"));
  SAME(number_of(p), 3);
}
CASE(nothing_in_the_log) {
  const own_program p(scale);
  EXPECT(p.log().empty());
  RTC(p.compile());
  EXPECT(p.log().empty());
}
CASE(code_before_compiling) {
  const own_program p(scale);
  size_t bytes = 0;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCodeSize(p, &bytes));
}

// ---- headers in memory

CASE(headers) {
  const char* const texts[] = {"#define ONE 1\n", "#include \"one.h\"\n#define TWO (ONE + 1)\n"};
  const char* const names[] = {"one.h", "deep/two.h"};
  hiprtcProgram p = nullptr;
  RTC(hiprtcCreateProgram(&p,
                          "#include \"one.h\"\n#include <deep/two.h>\n"
                          "extern \"C\" __global__ void put(int* x) { *x = 10 * TWO + ONE; }",
                          "headers", 2, const_cast<const char**>(texts), const_cast<const char**>(names)));
  RTC(hiprtcCompileProgram(p, 0, nullptr));
  size_t bytes = 0;
  RTC(hiprtcGetCodeSize(p, &bytes));
  std::vector<char> code(bytes);
  RTC(hiprtcGetCode(p, code.data()));
  hipModule_t m = nullptr;
  OK(hipModuleLoadData(&m, code.data()));
  hipFunction_t f = nullptr;
  OK(hipModuleGetFunction(&f, m, "put"));
  SAME(run_on(f, std::vector<int>(64, 0))[0], 21);
  OK(hipModuleUnload(m));
  RTC(hiprtcDestroyProgram(&p));
}
CASE(header_that_is_missing) {
  const own_program p("#include \"nowhere.h\"\n");
  RTC_GIVES(HIPRTC_ERROR_COMPILATION, p.compile());
  EXPECT(p.log_says("'nowhere.h' file not found"));
}
void refused_header(const char* name) {
  const char* const text = "int x;";
  hiprtcProgram p = nullptr;
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(&p, "", "h", 1, const_cast<const char**>(&text), &name));
  EXPECT(p == nullptr);
}
CASE(headers_that_would_be_elsewhere) {
  refused_header("../up.h");
  refused_header("/etc/absolute.h");
  refused_header("a/../../b.h");
  refused_header("");
  refused_header(nullptr);
}

// ---- options

CASE(options_define) {
  const own_program p("extern \"C\" __global__ void put(int* x) { *x = X + Y; }");
  RTC(p.compile({"-DX=40", "-D", "Y=2"}));
  SAME(number_of(p), 42);
}
CASE(options_of_optimisation_and_standard) {
  const own_program p("extern \"C\" __global__ void put(int* x) { *x = static_cast<int>(__cplusplus); }");
  RTC(p.compile({"-O0", "-std=c++14"}));
  SAME(number_of(p), 201402);
}
CASE(this_architecture) {
  const own_program p(scale);
  RTC(p.compile({"--gpu-architecture=gfx803"}));
  RTC(p.compile({"--offload-arch=gfx803"}));
  RTC(p.compile({"-arch", "gfx803"}));
}
void refused_option(std::vector<const char*> options, const char* why) {
  const own_program p(scale);
  RTC_GIVES(HIPRTC_ERROR_INVALID_OPTION, p.compile(options));
  if (!p.log_says(why)) fail(__LINE__, std::string(options[0]) + ": the log is " + p.log());
}
CASE(other_architectures) {
  refused_option({"--gpu-architecture=gfx900"}, "'gfx900' is not this device's, gfx803");
  refused_option({"--offload-arch=gfx906:xnack-"}, "'gfx906:xnack-'");
  refused_option({"-arch", "sm_70"}, "'sm_70'");
  refused_option({"--gpu-architecture"}, "''");
}
CASE(options_for_something_else) {
  refused_option({"-o", "file"}, "option -o");
  refused_option({"-ofile"}, "option -ofile");
  refused_option({"-E"}, "option -E");
  refused_option({"-MD"}, "option -MD");
  refused_option({"-save-temps=obj"}, "option -save-temps=obj");
}
CASE(unknown_option) {
  refused_option({"--no-such-option"}, "no-such-option");
}

// ---- names

CASE(names_of_templates) {
  const own_program p(templates);
  RTC(hiprtcAddNameExpression(p, "inner::add<int, 5>"));
  RTC(hiprtcAddNameExpression(p, "&inner::add<int, 2 + 5>"));
  RTC(hiprtcAddNameExpression(p, "inner::twice"));
  RTC(p.compile());
  const own_module m(p);
  const auto run = [&](const char* expression) {
    const char* name = nullptr;
    RTC(hiprtcGetLoweredName(p, expression, &name));
    return run_on(m.function(name), std::vector<int>(64, 4));
  };
  for (const int x : run("inner::add<int, 5>")) SAME(x, 9);
  for (const int x : run("&inner::add<int, 2 + 5>")) SAME(x, 11);
  for (const int x : run("inner::twice")) SAME(x, 8);
}
CASE(names_of_variables) {
  const own_program p(templates);
  RTC(hiprtcAddNameExpression(p, "&table"));
  RTC(hiprtcAddNameExpression(p, "&count"));
  RTC(p.compile());
  const own_module m(p);
  for (const char* const expression : {"&table", "&count"}) {
    const char* name = nullptr;
    RTC(hiprtcGetLoweredName(p, expression, &name));
    hipDeviceptr_t at = nullptr;
    size_t bytes = 0;
    OK(hipModuleGetGlobal(&at, &bytes, m.m, name));
    SAME(bytes, std::strcmp(name, "table") == 0 ? size_t{16} : size_t{4});
  }
}
CASE(names_of_what_is_extern_c) {
  const own_program p(scale);
  RTC(hiprtcAddNameExpression(p, "scale"));
  RTC(p.compile());
  const char* name = nullptr;
  RTC(hiprtcGetLoweredName(p, "scale", &name));
  EXPECT(std::strcmp(name, "scale") == 0);
}
CASE(names_not_asked_for) {
  const own_program p(templates);
  RTC(hiprtcAddNameExpression(p, "inner::twice"));
  const char* name = nullptr;
  RTC_GIVES(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, hiprtcGetLoweredName(p, "inner::twice", &name));
  RTC(p.compile());
  RTC_GIVES(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID, hiprtcGetLoweredName(p, "inner::add<int, 5>", &name));
  RTC_GIVES(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, hiprtcAddNameExpression(p, "inner::add<int, 5>"));
  EXPECT(name == nullptr);
}
CASE(names_that_are_none) {
  const own_program p(templates);
  RTC(hiprtcAddNameExpression(p, "inner::nobody"));
  RTC_GIVES(HIPRTC_ERROR_COMPILATION, p.compile());
  EXPECT(p.log_says("name expression 1"));
  EXPECT(p.log_says("nobody"));
}

// ---- wrong calls

CASE(no_program) {
  size_t bytes = 0;
  const char* name = nullptr;
  char c = 0;
  hiprtcProgram none = nullptr;
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcCompileProgram(nullptr, 0, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcAddNameExpression(nullptr, "x"));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetLoweredName(nullptr, "x", &name));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetProgramLogSize(nullptr, &bytes));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetProgramLog(nullptr, &c));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCodeSize(nullptr, &bytes));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcGetCode(nullptr, &c));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcDestroyProgram(&none));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcDestroyProgram(nullptr));
}
CASE(destroyed_program) {
  hiprtcProgram p = nullptr;
  RTC(hiprtcCreateProgram(&p, scale, "s", 0, nullptr, nullptr));
  hiprtcProgram old = p;
  RTC(hiprtcDestroyProgram(&p));
  EXPECT(p == nullptr);
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcCompileProgram(old, 0, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_PROGRAM, hiprtcDestroyProgram(&old));
}
CASE(missing_values) {
  hiprtcProgram p = nullptr;
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(nullptr, scale, "s", 0, nullptr, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(&p, nullptr, "s", 0, nullptr, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(&p, scale, "s", 1, nullptr, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(&p, scale, "s", -1, nullptr, nullptr));
  const own_program own(scale);
  const char* const no_option = nullptr;
  const char* name = nullptr;
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCompileProgram(own, 1, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCompileProgram(own, -1, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcCompileProgram(own, 1, const_cast<const char**>(&no_option)));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcAddNameExpression(own, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetLoweredName(own, nullptr, &name));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetLoweredName(own, "scale", nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetProgramLogSize(own, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetProgramLog(own, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetCodeSize(own, nullptr));
  RTC_GIVES(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetCode(own, nullptr));
}

// ---- more than one

CASE(several_threads) {
  std::vector<std::thread> threads;
  int numbers[3] = {};
  hiprtcResult results[3] = {};
  std::vector<own_program*> all;
  for (int k = 0; k < 3; ++k) all.push_back(new own_program("extern \"C\" __global__ void put(int* x) { *x = X; }"));
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&all, &results, k] {
      const std::string option = "-DX=" + std::to_string(100 + k);
      results[k] = all[static_cast<size_t>(k)]->compile({option.c_str()});
    });
  for (std::thread& t : threads) t.join();
  for (int k = 0; k < 3; ++k) {
    RTC(results[k]);
    numbers[k] = number_of(*all[static_cast<size_t>(k)]);
    delete all[static_cast<size_t>(k)];
  }
  for (int k = 0; k < 3; ++k) SAME(numbers[k], 100 + k);
}
CASE(the_module_outlives_the_program) {
  auto* const p = new own_program(scale);
  RTC(p->compile());
  const own_module m(*p);
  delete p;
  EXPECT(m.function("scale") != nullptr);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
