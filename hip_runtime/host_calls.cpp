// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/host_calls.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "hip_runtime/this_thread.h"
#include "sw/loader/bytes.h"
#include "sw/loader/line_table.h"

namespace pws::hip {

namespace {
// The file that has the address mapped, and where it begins.
std::optional<Dl_info> mapping_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fbase == nullptr || info.dli_fname == nullptr) return std::nullopt;
  return info;
}

void find_callers(host_call& c) {
  constexpr int deepest = 32;
  void* frames[deepest];
  const int n = backtrace(frames, deepest);
  const auto own = mapping_of(reinterpret_cast<const void*>(&find_callers));
  size_t found = 0;
  for (int k = 0; k < n && found < c.callers.size(); ++k) {
    const auto m = mapping_of(frames[k]);
    if (own && m && m->dli_fbase == own->dli_fbase) continue;
    c.callers[found++] = frames[k];
  }
}

// The lines of a file of this process; executables that are not relocatable begin at their addresses.
struct host_file {
  loader::line_table lines;
  bool relocatable = true;
};
const host_file* file_of(const std::string& name) {
  // Never destroyed: calls come until the process ends.
  static auto* const known = new std::map<std::string, std::optional<host_file>>;
  const auto [at, is_new] = known->try_emplace(name);
  if (is_new) try {
      constexpr size_t type_at = 16, executable = 2;  // ELF's e_type: ET_EXEC
      const std::string path = std::filesystem::exists(name) ? name : "/proc/self/exe";
      std::vector<uint8_t> bytes = loader::read_file(path);
      const bool fixed = bytes.size() > type_at && bytes[type_at] == executable;
      at->second.emplace(host_file{loader::line_table(std::move(bytes)), !fixed});
    } catch (const input_error&) {  // it has no lines then
    }
  return at->second ? &*at->second : nullptr;
}

// HIP's own headers have wrappers of templates.
bool is_of_hip(const loader::source_line& l) {
  return l.file.find("/hip/") != std::string::npos;
}
}  // namespace

host_call_scope::host_call_scope(const char* name, bool wanted)
    : outermost_(wanted && this_thread().running.name == nullptr) {
  if (!outermost_) return;
  host_call& running = this_thread().running;
  running.name = name;
  find_callers(running);
}

host_call_scope::~host_call_scope() {
  if (outermost_) this_thread().running = {};
}

const host_call& current_call() {
  return this_thread().running;
}

namespace {
std::string found_text(const host_call& c) {
  // Functions without lines, such as clang makes for <<<>>>, are passed over; so are HIP's own.
  std::string line, offset_text;
  for (const void* frame : c.callers) {
    if (frame == nullptr || !line.empty()) break;
    const void* const call = static_cast<const char*>(frame) - 1;
    const auto m = mapping_of(call);
    if (!m) continue;
    const host_file* const file = file_of(m->dli_fname);
    const uint64_t offset = reinterpret_cast<uint64_t>(call) -
                            (file != nullptr && !file->relocatable ? 0 : reinterpret_cast<uint64_t>(m->dli_fbase));
    if (offset_text.empty())
      offset_text = fmt::format("{}+{:#x}", std::filesystem::path(m->dli_fname).filename().string(), offset);
    if (file == nullptr) continue;
    for (const loader::source_line& l : file->lines.at(offset))
      if (line.empty() && !is_of_hip(l)) line = loader::text(l);
  }
  const std::string& where = line.empty() ? offset_text : line;
  return where.empty() ? c.name : fmt::format("{} at {}", c.name, where);
}
}  // namespace

std::string text(const host_call& c) {
  if (c.name == nullptr) return "";
  static auto* const known =
      new std::map<std::pair<std::string, std::array<void*, host_call::most_frames>>, std::string>;
  const auto [at, is_new] = known->try_emplace({c.name, c.callers});
  if (is_new) at->second = found_text(c);
  return at->second;
}

}  // namespace pws::hip
