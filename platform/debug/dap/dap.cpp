// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/dap.h"

#include "platform/debug/dap/session.h"

namespace pws::platform::debug {

int serve_dap() {
  dap::connection client;
  return dap::session(client).serve();
}

}  // namespace pws::platform::debug
