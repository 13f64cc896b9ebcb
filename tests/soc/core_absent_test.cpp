// SPDX-License-Identifier: Apache-2.0
// A build without the processor (PWS_SOC=OFF): what takes its place says so.
#include <gmock/gmock.h>

#include "base/error.h"
#include "models/soc/rv64_core.h"

namespace pws::test::core_absent_test {
namespace {

TEST(core_absent, says_so) {
  EXPECT_EQ(models::rv64_core::why_there_is_none(),
            "this program was built without the RISC-V processor (PWS_SOC=OFF)");
  try {
    const models::rv64_core core;
    FAIL() << "a processor that there cannot be";
  } catch (const input_error& e) {
    EXPECT_EQ(e.what(), models::rv64_core::why_there_is_none());
  }
}

}  // namespace
}  // namespace pws::test::core_absent_test
