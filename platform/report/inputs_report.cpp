#include "platform/report/inputs_report.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "sw/loader/bytes.h"

namespace pws::platform {

nlohmann::ordered_json inputs_json(const std::string& version, const std::vector<std::string>& files) {
  nlohmann::ordered_json j;
  if (!version.empty()) j["version"] = version;
  j["files"] = nlohmann::ordered_json::array();
  for (const std::string& f : files) {
    const std::vector<uint8_t> bytes = loader::read_file(f);
    j["files"].push_back({{"file", f}, {"sha256", sha256(bytes.data(), bytes.size())}});
  }
  return j;
}

}  // namespace pws::platform
