// SPDX-License-Identifier: Apache-2.0
#include "platform/report/inputs_report.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/version.h"
#include "sw/loader/bytes.h"

namespace pws::platform {

hashed_file hashed(const std::string& file, const std::vector<uint8_t>& contents) {
  return {file, sha256(contents.data(), contents.size())};
}

void add_inputs(nlohmann::ordered_json& report, const report_inputs& inputs) {
  if (inputs.configuration.below.empty()) return;
  report["configuration"] = to_json(inputs.configuration);
  nlohmann::ordered_json& j = report["inputs"];
  j = {{"version", version_number()}, {"files", nlohmann::ordered_json::array()}};
  const auto add = [&j](const hashed_file& f) { j["files"].push_back({{"file", f.file}, {"sha256", f.sha256}}); };
  for (const std::string& f : inputs.files) add(hashed(f, loader::read_file(f)));
  for (const hashed_file& f : inputs.read) add(f);
}

}  // namespace pws::platform
