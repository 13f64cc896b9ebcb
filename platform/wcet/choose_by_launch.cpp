// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/choose_by_launch.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "models/machine/machine_config.h"
#include "platform/run/program/machine_timing.h"
#include "platform/wcet/bound_launches.h"

namespace pws::platform {

namespace {

// Why no code has a static bound on the machine, as provisioned; empty: it is the code's matter.
std::string problem_of(const models::machine_config& machine) {
  if (!analysed_scheme(machine.divergence, false))
    return fmt::format("machine.divergence {} has no bound with static block times",
                       models::traits_of(machine.divergence).name);
  try {
    timing_of(machine);
  } catch (const input_error& e) {
    return e.what();
  }
  return "";
}

// Labels of a compiler's assembly, and offsets, are places in one code: that with splits, which `split: auto` is.
std::string place_in_split_code(const run_config& config) {
  const bool own_labels = std::filesystem::path(config.program.source).extension() == ".s";
  for (const loop_bound_config& l : config.wcet.loops)
    if (l.offset || (!l.label.empty() && !own_labels))
      return fmt::format("{}: wcet.loops: {} is a place in the code with splits", l.where.text(),
                         l.offset ? "an offset" : "a label");
  return "";
}

launch_choice::code bounded(const run_config& config, const loader::program_image& program,
                            const models::machine_config& machine) {
  try {
    return {sum_of_bounds(config, program, machine, *analysed_scheme(machine.divergence, false)), ""};
  } catch (const input_error& e) {
    return {std::nullopt, e.what()};
  } catch (const program_error& e) {
    return {std::nullopt, e.what()};
  }
}

}  // namespace

compiled_program compile_for_launches(const run_config& config, assembly_text assembly) {
  compiled_program with = compile_program(config, assembly);
  if (config.program.split != pwscc::split_choice::automatic || !config.program.split_by_launch) return with;
  const models::machine_config machine = models::provisioned(config.machine);
  launch_choice& choice = with.placed.by_launch.emplace();
  if (const std::string problem = problem_of(machine); !problem.empty()) {
    choice.with_splits.problem = choice.without_splits.problem = problem;
    return with;
  }
  choice.with_splits = bounded(config, with.image, machine);
  if (const std::string problem = place_in_split_code(config); !problem.empty()) {
    choice.without_splits.problem = problem;
    return with;
  }
  run_config unsplit = config;
  unsplit.program.split = pwscc::split_choice::none;
  compiled_program without = compile_program(unsplit, assembly_text::wanted);
  choice.without_splits = bounded(config, without.image, machine);
  if (choice.splits()) return with;
  without.placed = with.placed;
  without.placed.splits = without.placed.carried_masks = 0;
  return without;
}

}  // namespace pws::platform
