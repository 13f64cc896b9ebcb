// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/profile_files.h"

#include <iostream>

#include "platform/observers/coverage.h"

namespace pws::platform {

void write_profiles(const profile_files& files, const profile& p, output_problems& problems) {
  if (!files.profile.empty() && p.instructions.empty())
    std::cerr << "warning: --profile " << files.profile << ": no instruction was executed\n";
  if (!files.profile.empty()) problems.noting([&] { write_profile(files.profile, p); });
  if (!files.coverage.empty()) problems.noting([&] { write_coverage(files.coverage, p); });
}

}  // namespace pws::platform
