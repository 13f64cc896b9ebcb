// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/dap.h"

#include "platform/debug/dap/session.h"

namespace pws::platform::debug {

int serve_dap(snapshot_options snapshots, program_support programs, firmware_support firmware) {
  dap::connection client;
  return dap::session(client, snapshots, std::move(programs), std::move(firmware)).serve();
}

}  // namespace pws::platform::debug
