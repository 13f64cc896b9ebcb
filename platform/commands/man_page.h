// SPDX-License-Identifier: Apache-2.0
// Manual pages in man(7)'s language: of commands (section 1) and of the YAML files (section 5).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/commands/command_form.h"
#include "platform/config/files/file_kinds.h"

namespace pws::platform {

struct page_heading {
  std::string version;  // "0.1.0"
  std::string date;     // "2026-11-23"
};

// By file name: "pwsvp-run.1".
std::map<std::string, std::string> manual_pages(const std::vector<command_form>& commands, const page_heading& h);

}  // namespace pws::platform
