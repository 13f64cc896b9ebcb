// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/machine/machine_config.h"
#include "platform/config/files/buffer.h"
#include "platform/machine/kernel_launch.h"
#include "platform/run/run_session.h"

namespace pws::platform {

namespace {

size_t size_of_argument(const argument_config& a) {
  if (a.buffer() != nullptr) return sizeof(uint64_t);
  if (const auto* bytes = std::get_if<bytes_argument>(&a.value)) return bytes->bytes.size();
  return size_of(std::get<scalar_argument>(a.value).type);
}

// What could explain that it does not fit.
std::string explained(const run_config& config, const run_launch& l, const launch_problem& p) {
  using of = launch_problem::of;
  if (p.about == of::argument) {
    const argument_config& a = config.arguments[l.of(config.arguments.size())[p.argument]];
    const auto* structure = std::get_if<bytes_argument>(&a.value);
    return structure == nullptr || structure->layout.empty() ? p.text
                                                             : p.text + "; its fields lie at " + structure->layout;
  }
  if (p.about != of::all_arguments || l.left_out.empty()) return p.text;
  std::string names;
  for (const size_t k : l.left_out) names += (names.empty() ? "" : ", ") + config.arguments[k].name;
  return fmt::format("{}; structures point to {}: only `launches` can make that a parameter too", p.text, names);
}

[[noreturn]] void fail(const run_config& config, const run_launch& l, const launch_problem& p) {
  using of = launch_problem::of;
  const std::vector<size_t> arguments = l.of(config.arguments.size());
  const std::string text = explained(config, l, p);
  if (p.about == of::argument && !l.arguments) {
    const argument_config& a = config.arguments[arguments[p.argument]];
    throw input_error(fmt::format("{}: arguments.{}: {}", a.where.text(), a.name, text));
  }
  if (p.about == of::argument)
    throw input_error(fmt::format("{}: {}arguments: {}: {}", l.arguments_where.text(), l.below,
                                  config.arguments[arguments[p.argument]].name, text));
  if (p.about == of::all_arguments && l.arguments)
    throw input_error(fmt::format(
        "{}: {}arguments: {}", l.arguments->empty() ? l.kernel_where.text() : l.arguments_where.text(), l.below, text));
  if (p.about == of::all_arguments)
    throw input_error(fmt::format("{}: arguments: {}",
                                  config.arguments.empty() ? config.file : config.arguments.back().where.text(), text));
  throw input_error(fmt::format("{}: {}launch.workgroup: {}", l.shape.where.text(), l.below, text));
}

// What is given for a pointer to local memory is the size of its block.
std::optional<launch_problem> problem_with_local_blocks(const run_config& config, const loader::kernel& kernel,
                                                        const std::vector<size_t>& arguments) {
  for (size_t k = 0; k < std::min(arguments.size(), kernel.metadata.explicit_arguments()); ++k) {
    const loader::kernel_argument& parameter = kernel.metadata.arguments[k];
    if (parameter.kind != loader::value_kind::dynamic_shared_pointer) continue;
    const argument_config& a = config.arguments[arguments[k]];
    const auto* scalar = std::get_if<scalar_argument>(&a.value);
    if (scalar != nullptr && scalar->bits != 0) continue;
    const std::string name = parameter.name.empty() ? "" : " (" + parameter.name + ")";
    return launch_problem{
        launch_problem::of::argument, k,
        fmt::format("kernel {}, argument {}{}: a pointer to local memory takes the size of its block in bytes "
                    "({{type: u32, value: 256}}), {}",
                    kernel.demangled, k, name, scalar == nullptr ? "and no buffer or structure" : "which is not 0")};
  }
  return std::nullopt;
}

}  // namespace

void check_launches(const run_config& config, const compiled_program& program) {
  for (const run_launch& l : config.launches) {
    const loader::kernel& kernel = *program.image.find_kernel(l.kernel).kernel;
    kernel_launch asked;
    asked.kernel.kernel = &kernel;
    asked.workgroup = l.shape.workgroup;
    asked.dynamic_lds = l.shape.dynamic_lds;
    for (const size_t k : l.of(config.arguments.size()))
      asked.arguments.emplace_back(size_of_argument(config.arguments[k]));
    if (const auto p = problem_with_local_blocks(config, kernel, l.of(config.arguments.size()))) fail(config, l, *p);
    if (const auto p = problem_with_kernel(asked)) fail(config, l, *p);
    // A grid smaller than that is refused elsewhere.
    if (const auto p = problem_with_machine(asked, models::provisioned(config.machine))) fail(config, l, *p);
  }
}

}  // namespace pws::platform
