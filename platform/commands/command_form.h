// SPDX-License-Identifier: Apache-2.0
// A command as its manual page and its completion in a shell need it: taken from what parses the command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pws::platform {

struct option_form {
  std::vector<std::string> names;  // "--set"; of a positional one, "CONFIG"
  // "FILE.vcd": a file, as a rule with that ending; "FILE"; "FOLDER"; "PATH=VALUE": a key of the file before and its
  // value; "KEY": a key; others say what they are. Empty: the option has no value.
  std::string value;
  std::vector<std::string> choices;  // values that there are; empty: others
  std::string help, range, default_text;
  bool joined = false;  // the value stands behind a "=" in the same word
  bool positional = false, required = false, repeated = false;
};

struct command_form {
  std::string program, name;  // "pwsvp", "run"; "pwsvp", ""
  std::string summary;
  std::vector<std::pair<std::string, std::string>> uses;  // ways to call it, where they are not made of the options
  std::vector<option_form> options;
  std::vector<std::string> remarks;

  std::string full_name() const { return name.empty() ? program : program + " " + name; }
  std::string page() const { return name.empty() ? program : program + "-" + name; }
};

// pwsvp, its commands in their order, and pwscc. What has an empty group is hidden.
std::vector<command_form> all_commands(const CLI::App& app);

}  // namespace pws::platform
