// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/program_dap.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "platform/config/files/exec_notes.h"

namespace pws::platform::debug {

std::string text_for_program(const dap::lent_streams& s, const dap::handover_page& page) {
  return fmt::format("{} {} {} {}", s.in, s.out, s.err, page.descriptor());
}

program_dap* program_dap::of_process(const std::function<void(int)>& end) {
  static program_dap* const here = [&]() -> program_dap* {
    const char* const given = std::getenv(dap_variable);
    dap::lent_streams s;
    int page = -1;
    if (given == nullptr || std::sscanf(given, "%d %d %d %d", &s.in, &s.out, &s.err, &page) != 4) return nullptr;
    if (!claim_exec(exec_note::debugged)) return nullptr;
    return new program_dap(s, page, end);
  }();
  return here;
}

program_dap::program_dap(const dap::lent_streams& s, int page, const std::function<void(int)>& end)
    : page_(page), client_(s, page_.read()["client"]), session_(client_, page_.read(), [this, end] {
        hand_back();
        end(0);
      }) {
  page_.write({});
  // For the case that the program ends without its exit handlers.
  client_.when_sent([this](const nlohmann::json& sent) {
    page_.write({{"sent", sent}, {"answered", session_.has_answered_launch()}});
  });
}

void program_dap::hand_back() {
  if (getpid() != owner_) return;
  const nlohmann::json all = session_.handover();
  client_.when_sent({});
  page_.write(all);
}

}  // namespace pws::platform::debug
