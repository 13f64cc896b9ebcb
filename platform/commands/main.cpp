// SPDX-License-Identifier: Apache-2.0
// pwsvp: the platform's command line.
#include "base/version.h"
#include "platform/commands/commands.h"

int main(int argc, char** argv) {
  return pws::platform::command_line(argc, argv, pws::version_of("pwsvp"));
}
