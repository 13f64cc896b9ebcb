// What a run was made of, for its report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pws::platform {

// The tool's version and each file with its SHA-256, as sha256sum prints it.
nlohmann::ordered_json inputs_json(const std::string& version, const std::vector<std::string>& files);

}  // namespace pws::platform
