// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/checkpoint_options.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace pws::platform {

void add_checkpoint_options(CLI::App& command, checkpoint_choice& to) {
  CLI::Option* const at = command.add_option("--checkpoint-at", to.at,
                                             "Save the machine before this launch, from 1, or within it behind so many "
                                             "instructions (2+1000; functional fidelity)");
  at->type_name("LAUNCH[+N]");
  CLI::Option* const file = command.add_option("--checkpoint", to.to, "The file that it is saved in");
  file->type_name("FILE");
  at->needs(file);
  file->needs(at);
  command.add_option("--restore", to.from, "Begin where the run was that saved this file")->type_name("FILE");
}

checkpoint_wishes checkpoint_choice::wishes() const {
  for (const auto& [option, file] : {std::pair{"--checkpoint", &to}, std::pair{"--restore", &from}})
    if (*file && (*file)->empty()) throw input_error(fmt::format("{}: a file is expected", option));
  checkpoint_wishes w;
  if (at) w.at = checkpoint_place_in(*at);
  w.to = to.value_or("");
  w.from = from.value_or("");
  return w;
}

}  // namespace pws::platform
