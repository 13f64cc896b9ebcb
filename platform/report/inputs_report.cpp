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

const report_part<report_inputs>& inputs_part() {
  using i = report_inputs;
  const auto files = [](const i& of) {
    std::vector<hashed_file> all;
    for (const std::string& f : of.files) all.push_back(hashed(f, loader::read_file(f)));
    all.insert(all.end(), of.read.begin(), of.read.end());
    return all;
  };
  const auto known = [](const i& of) { return !of.configuration.below.empty(); };
  static const report_part<i> all =
      report_part<i>()
          .also({}, [](json_text& t, const i& of) { t.add("configuration", to_json(of.configuration)); })
          .where(known)
          .group("inputs", report_part<i>()
                               .value("version", "of pwsvp", [](const i&) { return version_number(); })
                               .list("files",
                                     report_part<hashed_file>()
                                         .value("file", "that decides the run", &hashed_file::file)
                                         .value("sha256", "of its contents", &hashed_file::sha256),
                                     files))
          .where(known);
  return all;
}

}  // namespace pws::platform
