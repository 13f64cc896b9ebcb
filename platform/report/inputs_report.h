// SPDX-License-Identifier: Apache-2.0
// What a result was made of, for its report.
#pragma once

#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "platform/config/effective.h"

namespace pws::platform {

struct hashed_file {
  std::string file, sha256;
};
hashed_file hashed(const std::string& file, const std::vector<uint8_t>& contents);

struct report_inputs {
  effective_value configuration;   // every key; nothing: unknown, and the report has nothing of all this
  std::vector<std::string> files;  // that decide the result; read when the report is written
  std::vector<hashed_file> read;   // files that decide the result and that only the program knows of
};

// `configuration`, each key with value and origin (which keys there are, the schema says), and `inputs`: the version of
// pwsvp and each file with its SHA-256, as sha256sum prints it. Throws input_error for a file that cannot be read.
const report_part<report_inputs>& inputs_part();

}  // namespace pws::platform
