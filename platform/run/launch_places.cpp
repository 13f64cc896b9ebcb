#include "platform/run/launch_places.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/machine/provisioning.h"
#include "platform/run_file/buffer.h"
#include "platform/runtime/launch_check.h"

namespace pws::platform {

namespace {

size_t size_of_argument(const argument_config& a) {
  if (a.buffer() != nullptr) return sizeof(uint64_t);
  if (const auto* bytes = std::get_if<bytes_argument>(&a.value)) return bytes->bytes.size();
  return size_of(std::get<scalar_argument>(a.value).type);
}

[[noreturn]] void fail(const run_config& config, const launch_problem& p) {
  using of = launch_problem::of;
  if (p.about == of::argument) {
    const argument_config& a = config.arguments[p.argument];
    throw input_error(fmt::format("{}: arguments.{}: {}", a.where.text(), a.name, p.text));
  }
  if (p.about == of::all_arguments)
    throw input_error(fmt::format(
        "{}: arguments: {}", config.arguments.empty() ? config.file : config.arguments.back().where.text(), p.text));
  throw input_error(fmt::format("{}: launch.workgroup: {}", config.launch.where.text(), p.text));
}

}  // namespace

void check_launch(const run_config& config, const compiled_program& program) {
  const loader::kernel& kernel = *program.image.find_kernel(config.program.kernel).kernel;
  launch_shape shape;
  shape.workgroup = config.launch.workgroup;
  shape.dynamic_lds = config.launch.dynamic_lds;
  for (const argument_config& a : config.arguments) shape.arguments.push_back(size_of_argument(a));
  if (const auto p = problem_with_kernel(kernel, shape)) fail(config, *p);
  // A grid smaller than that is refused elsewhere.
  if (const auto p = problem_with_machine(kernel, shape, models::provisioned(config.machine))) fail(config, *p);
}

}  // namespace pws::platform
