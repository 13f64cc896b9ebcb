// SPDX-License-Identifier: Apache-2.0
// The commands of pwsvp. Each is added to the command line with its options, and is what it does with them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/version.h"

namespace CLI {
class App;
}

namespace pws::platform {

struct command {
  CLI::App* given_as = nullptr;
  std::function<int()> run;  // its exit code; throws input_error and program_error
};

// `typed`: the command line as a shell takes it.
command add_run(CLI::App& app, const std::string& typed);
// The same, or a HIP program, at a prompt that stops and looks.
command add_debug(CLI::App& app, const std::string& typed);
// The same debugger for editors, by the Debug Adapter Protocol.
command add_dap(CLI::App& app);
// Runs a HIP program with the platform's libamdhip64 in place of the real one. The program's exit code is the
// command's, and the signal that ends it ends this process.
command add_exec(CLI::App& app, const std::string& typed);
// Whatever can be wrong with a YAML file of any kind, found without running it.
command add_check(CLI::App& app);
command add_wcet(CLI::App& app);
// Tasks that share the GPU: response times, and jobs simulated.
command add_tasks(CLI::App& app);
command add_reconvergence(CLI::App& app);
command add_graph(CLI::App& app);
// Runs firmware on a system with a RISC-V processor. The firmware's exit code is the command's.
command add_soc(CLI::App& app, const std::string& typed);
command add_sweep(CLI::App& app, const std::string& typed);
command add_report(CLI::App& app);
command add_coverage(CLI::App& app);
command add_params(CLI::App& app);
// What divergence schemes cost in storage, and runs in energy.
command add_cost(CLI::App& app);
// What reports, expressions, waveforms and exit codes can be, as the code has it.
command add_reference(CLI::App& app);
command add_disasm(CLI::App& app);
// Manual pages and shell completion, made of the command line itself: `app` with all commands.
command add_manual(CLI::App& app, const program_version& version);
command add_completion(CLI::App& app);

// Compiles and links HIP programs as `hipcc` does, for the machine: for `HIPCC="pwsvp hipcc"` in Makefiles. For the
// help; everything behind `hipcc` is the compiler's, so it is not parsed.
command add_hipcc(CLI::App& app);
// What is behind `pwsvp hipcc`, or behind the program's other name, `hipcc`. nullopt: it is called for something else,
// or for `pwsvp hipcc --help`.
std::optional<std::vector<std::string>> hipcc_words(int argc, char** argv);
// Becomes the compiler: its exit code is the command's. Returns only by throwing input_error (no compiler, no device
// libraries).
int hipcc_command(const std::vector<std::string>& words);

}  // namespace pws::platform
