// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/visible_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace pws::hip {

namespace {
// Those of `from` that the list names, by their place or by their UUID.
std::vector<uint32_t> chosen(const std::vector<uint32_t>& from, const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return from;
  const std::string list(text);
  std::vector<uint32_t> result;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string one = list.substr(begin, end - begin);
    begin = end + 1;
    if (one.empty()) continue;
    size_t k = 0;
    while (k < from.size() && one != std::to_string(k) && one != uuid_of(from[k])) ++k;
    if (k == from.size() || std::find(result.begin(), result.end(), from[k]) != result.end()) break;
    result.push_back(from[k]);
  }
  return result;
}
}  // namespace

std::string uuid_of(uint32_t device) {
  return device == 0 ? "GPU-gfx803-model" : fmt::format("GPU-gfx803-mod{:02}", device);
}

std::vector<uint32_t> visible_devices(uint32_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  all = chosen(all, "ROCR_VISIBLE_DEVICES");
  const char* hip = std::getenv("HIP_VISIBLE_DEVICES");
  return chosen(all, hip != nullptr && *hip != '\0' ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES");
}

}  // namespace pws::hip
