// SPDX-License-Identifier: Apache-2.0
// Compiling while the program runs: hiprtc.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include "base/error.h"
#include "hip_runtime/newer_rtc_api.h"
#include "hip_runtime/rtc_link.h"
#include "sw/loader/bytes.h"

using pws::hip::rtc_failure;
using pws::hip::rtc_link;
using pws::hip::rtc_program;

namespace {

// All that there are. Not of the device: programs are compiled without one, and by several threads at once.
std::mutex lock_of_programs;
std::map<hiprtcProgram, std::shared_ptr<rtc_program>>& rtc_programs() {
  static std::map<hiprtcProgram, std::shared_ptr<rtc_program>> all;
  return all;
}

std::shared_ptr<rtc_program> rtc_program_of(hiprtcProgram p) {
  const std::lock_guard guard(lock_of_programs);
  const auto found = rtc_programs().find(p);
  if (found == rtc_programs().end()) throw rtc_failure{HIPRTC_ERROR_INVALID_PROGRAM};
  return found->second;
}

void rtc_require(bool holds) {
  if (!holds) throw rtc_failure{HIPRTC_ERROR_INVALID_INPUT};
}

hiprtcResult rtc_call(const std::function<void()>& body) noexcept {
  try {
    body();
    return HIPRTC_SUCCESS;
  } catch (const rtc_failure& f) {
    return static_cast<hiprtcResult>(f.code);
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

// Calls f with the program, which is to say something: where to is not to be null.
template <class T, class F>
hiprtcResult rtc_ask(hiprtcProgram program, T* to, F f) noexcept {
  return rtc_call([&] {
    const auto p = rtc_program_of(program);
    rtc_require(to != nullptr);
    f(*p);
  });
}

// All links that there are.
std::map<hiprtcLinkState, std::shared_ptr<rtc_link>>& rtc_links() {
  static std::map<hiprtcLinkState, std::shared_ptr<rtc_link>> all;
  return all;
}

std::shared_ptr<rtc_link> rtc_link_of(hiprtcLinkState s) {
  const std::lock_guard guard(lock_of_programs);
  const auto found = rtc_links().find(s);
  rtc_require(found != rtc_links().end());
  return found->second;
}

bool is_bundle(hiprtcJITInputType type) {
  rtc_require(type == HIPRTC_JIT_INPUT_LLVM_BITCODE || type == HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE);
  return type == HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE;
}

// Options for clang, and places for what it says; others are for other machines. A value that is a number is in the
// place of its address.
std::shared_ptr<rtc_link> new_link(unsigned n, const hiprtcJIT_option* options, void** values) {
  rtc_require(n == 0 || (options != nullptr && values != nullptr));
  const auto size = [&](int which) {
    for (unsigned k = 0; k < n; ++k)
      if (static_cast<int>(options[k]) == which) return reinterpret_cast<size_t>(values[k]);
    return size_t{0};
  };
  std::vector<std::string> words;
  std::vector<rtc_link::log_buffer> logs;
  for (unsigned k = 0; k < n; ++k) {
    const int option = static_cast<int>(options[k]);
    if (option == HIPRTC_JIT_INFO_LOG_BUFFER || option == HIPRTC_JIT_ERROR_LOG_BUFFER) {
      logs.push_back({static_cast<char*>(values[k]), size(option + 1)});
    } else if (option == HIPRTC_JIT_IR_TO_ISA_OPT_EXT) {
      const auto* const list = static_cast<const char* const*>(values[k]);
      const size_t count = size(HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT);
      rtc_require(list != nullptr || count == 0);
      for (size_t w = 0; w < count; ++w) {
        rtc_require(list[w] != nullptr);
        words.emplace_back(list[w]);
      }
    } else if (option != HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT && (option < 0 || option >= HIPRTC_JIT_NUM_OPTIONS)) {
      throw rtc_failure{HIPRTC_ERROR_INVALID_OPTION};
    }
  }
  return std::make_shared<rtc_link>(std::move(words), std::move(logs));
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  if (static_cast<int>(result) == pws::hip::rtc_error_linking) return "HIPRTC_ERROR_LINKING";
  switch (result) {
    case HIPRTC_SUCCESS:
      return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY:
      return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT:
      return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM:
      return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION:
      return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION:
      return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE:
      return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
      return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
      return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case HIPRTC_ERROR_INTERNAL_ERROR:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
    default:
      break;
  }
  return "no result of hiprtc";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  return rtc_call([&] {
    rtc_require(major != nullptr && minor != nullptr);
    *major = 9;  // the version of the interface, as ROCm 5.2 to 5.7 say it
    *minor = 0;
  });
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int n_headers,
                                 const char** headers, const char** names) {
  return rtc_call([&] {
    rtc_require(program != nullptr && source != nullptr && n_headers >= 0);
    rtc_require(n_headers == 0 || (headers != nullptr && names != nullptr));
    std::vector<rtc_program::header> all;
    for (int k = 0; k < n_headers; ++k) {
      rtc_require(headers[k] != nullptr && names[k] != nullptr);
      all.push_back({names[k], headers[k]});
    }
    auto made = std::make_shared<rtc_program>(source, name == nullptr ? "" : name, std::move(all));
    const std::lock_guard guard(lock_of_programs);
    *program = reinterpret_cast<hiprtcProgram>(made.get());
    rtc_programs()[*program] = std::move(made);
  });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  return rtc_call([&] {
    rtc_require(program != nullptr);
    const std::lock_guard guard(lock_of_programs);
    if (rtc_programs().erase(*program) == 0) throw rtc_failure{HIPRTC_ERROR_INVALID_PROGRAM};
    *program = nullptr;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
  return rtc_ask(program, expression, [&](rtc_program& p) { p.add_name(expression); });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int n_options, const char** options) {
  return rtc_call([&] {
    const auto p = rtc_program_of(program);
    rtc_require(n_options >= 0 && (n_options == 0 || options != nullptr));
    std::vector<std::string> all;
    for (int k = 0; k < n_options; ++k) {
      rtc_require(options[k] != nullptr);
      all.emplace_back(options[k]);
    }
    p->compile(all);
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** name) {
  return rtc_call([&] {
    const auto p = rtc_program_of(program);
    rtc_require(expression != nullptr && name != nullptr);
    *name = p->lowered_name(expression);
  });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* bytes) {
  return rtc_ask(program, bytes, [&](const rtc_program& p) { *bytes = p.log().size() + 1; });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* to) {
  return rtc_ask(program, to, [&](const rtc_program& p) {
    const std::string log = p.log();
    std::memcpy(to, log.c_str(), log.size() + 1);
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* bytes) {
  return rtc_ask(program, bytes, [&](const rtc_program& p) { *bytes = p.code().size(); });
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char* to) {
  return rtc_ask(program, to, [&](const rtc_program& p) {
    const std::vector<char> code = p.code();
    std::copy(code.begin(), code.end(), to);
  });
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* bytes) {
  return rtc_ask(program, bytes, [&](const rtc_program& p) { *bytes = p.bitcode().size(); });
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* to) {
  return rtc_ask(program, to, [&](const rtc_program& p) {
    const std::vector<char> code = p.bitcode();
    std::copy(code.begin(), code.end(), to);
  });
}

// ---- linking

hiprtcResult hiprtcLinkCreate(unsigned n, hiprtcJIT_option* options, void** values, hiprtcLinkState* to) {
  return rtc_call([&] {
    rtc_require(to != nullptr);
    auto made = new_link(n, options, values);
    const std::lock_guard guard(lock_of_programs);
    *to = reinterpret_cast<hiprtcLinkState>(made.get());
    rtc_links()[*to] = std::move(made);
  });
}

// The options of an input change nothing.
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path, unsigned,
                               hiprtcJIT_option*, void**) {
  return rtc_call([&] {
    const auto link = rtc_link_of(state);
    rtc_require(path != nullptr);
    const bool bundled = is_bundle(type);
    std::vector<uint8_t> bytes;
    try {
      bytes = pws::loader::read_file(path);
    } catch (const pws::input_error&) {
      throw rtc_failure{HIPRTC_ERROR_PROGRAM_CREATION_FAILURE};
    }
    link->add({bytes.begin(), bytes.end()}, bundled);
  });
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t bytes, const char*,
                               unsigned, hiprtcJIT_option*, void**) {
  return rtc_call([&] {
    const auto link = rtc_link_of(state);
    rtc_require(image != nullptr && bytes != 0);
    const auto* const begin = static_cast<const char*>(image);
    link->add({begin, begin + bytes}, is_bundle(type));
  });
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** code, size_t* bytes) {
  return rtc_call([&] {
    const auto link = rtc_link_of(state);
    rtc_require(code != nullptr && bytes != nullptr);
    std::vector<char>& own = link->complete();
    *code = own.data();
    *bytes = own.size();
  });
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
  return rtc_call([&] {
    const std::lock_guard guard(lock_of_programs);
    rtc_require(rtc_links().erase(state) != 0);
  });
}

}  // extern "C"
