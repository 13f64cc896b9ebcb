// SPDX-License-Identifier: Apache-2.0
// The files of what a profile_recorder has counted.
#pragma once

#include <string>

#include "base/output/output_files.h"
#include "platform/observers/profile.h"

namespace pws::platform {

struct profile_files {
  std::string profile, coverage;  // empty: none
};
// Writes those that there are, and warns of a profile that is empty; what goes wrong is noted in `problems`.
void write_profiles(const profile_files& files, const profile& p, output_problems& problems);

}  // namespace pws::platform
