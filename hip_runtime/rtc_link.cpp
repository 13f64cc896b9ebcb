// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/rtc_link.h"

#include <fmt/format.h>
#include <hip/hiprtc.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/offload_bundle.h"
#include "sw/loader/subprocess.h"

namespace pws::hip {

namespace {

bool is_bitcode(const std::vector<char>& bytes) {
  const std::string_view text(bytes.data(), std::min<size_t>(bytes.size(), 4));
  return text == "BC\xC0\xDE" || text == "\xDE\xC0\x17\x0B";
}

std::vector<char> unbundled(const std::vector<char>& bytes) {
  try {
    const loader::byte_view view(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), "bundle in memory");
    const loader::byte_view code = loader::entry_for_machine(loader::read_bundle(view), view).bytes;
    const auto* const begin = reinterpret_cast<const char*>(code.data());
    return {begin, begin + code.size()};
  } catch (const input_error&) {
    throw rtc_failure{HIPRTC_ERROR_INVALID_INPUT};
  }
}

}  // namespace

rtc_link::rtc_link(std::vector<std::string> options, std::vector<log_buffer> logs)
    : options_(std::move(options)), logs_(std::move(logs)) {}

void rtc_link::add(std::vector<char> bytes, bool bundled) {
  if (bundled) bytes = unbundled(bytes);
  if (!is_bitcode(bytes)) throw rtc_failure{HIPRTC_ERROR_INVALID_INPUT};
  const std::lock_guard guard(lock_);
  inputs_.push_back(std::move(bytes));
}

void rtc_link::say(const std::string& text) const {
  for (const log_buffer& l : logs_) {
    if (l.text == nullptr || l.bytes == 0) continue;
    const size_t n = std::min(l.bytes - 1, text.size());
    std::memcpy(l.text, text.data(), n);
    l.text[n] = '\0';
  }
}

std::vector<char>& rtc_link::complete() {
  const std::lock_guard guard(lock_);
  code_.clear();
  try {
    const loader::hip_compiler compiler;
    const loader::temporary_directory folder;
    const std::filesystem::path output = folder.path() / "output";
    std::vector<std::string> command{compiler.path().string(), "--target=amdgcn-amd-amdhsa",
                                     fmt::format("-mcpu={}", loader::machine_processor), "-nogpulib", "-O3"};
    // One code object of all, as a whole. Clang does not tell the linker the processor then.
    command.insert(command.end(),
                   {"-flto", "-Wl,--no-undefined", fmt::format("-Wl,-plugin-opt=mcpu={}", loader::machine_processor)});
    command.insert(command.end(), options_.begin(), options_.end());
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const std::filesystem::path input = folder.path() / fmt::format("input_{}.bc", k);
      std::ofstream out(input, std::ios::binary);
      out.write(inputs_[k].data(), static_cast<std::streamsize>(inputs_[k].size()));
      out.close();
      if (!out) throw rtc_failure{HIPRTC_ERROR_INTERNAL_ERROR};
      command.push_back(input.string());
    }
    command.insert(command.end(), {"-o", output.string()});
    const loader::process_result r = loader::run_process(command, folder.path());
    say(r.output);
    if (r.exit_code != 0) throw rtc_failure{rtc_error_linking};
    const std::string code = loader::read_text(output);
    code_.assign(code.begin(), code.end());
  } catch (const input_error& e) {  // there is no compiler, or it cannot be started
    say(e.what());
    throw rtc_failure{rtc_error_linking};
  }
  return code_;
}

}  // namespace pws::hip
