// SPDX-License-Identifier: Apache-2.0
// An option whose value is the name of an enumerator (base/enum_names.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/enum_names.h"

namespace pws::platform {

// `to`: an E, or an optional one. Other names are refused with a list of those that there are.
template <class E, class place>
CLI::Option* add_choice(CLI::App& app, const char* name, place& to, const char* help) {
  return app
      .add_option_function<std::string>(
          name, [&to](const std::string& given) { to = *value_named<E>(given); }, help)
      ->check(CLI::IsMember(names<E>()));
}

}  // namespace pws::platform
