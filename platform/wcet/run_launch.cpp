// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/run_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/machine/machine_config.h"
#include "platform/config/files/buffer.h"
#include "platform/wcet/stated_bounds.h"

namespace pws::platform {

kernel_launch launch_of(const run_launch& l, const device_layout& layout,
                        const std::vector<std::vector<uint8_t>>& values, const std::string& source,
                        const loader::program_image* in) {
  kernel_launch launch;
  launch.source = source;
  launch.kernel = layout.find_kernel(l.kernel, in);
  launch.grid = l.shape.grid;
  launch.workgroup = l.shape.workgroup;
  launch.dynamic_lds = l.shape.dynamic_lds;
  launch.dynamic_stack = l.shape.dynamic_stack;
  for (const size_t k : l.of(values.size())) launch.arguments.push_back(values[k]);
  return launch;
}

static uint64_t room_for(const argument_config& a, const buffer_argument& buffer, device_layout& layout) {
  try {
    return layout.allocate(buffer.bytes(), "argument " + a.name);
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}: arguments.{}: {}", a.where.text(), a.name, e.what()));
  }
}

laid_out_run lay_out(const run_config& config, device_layout& layout, const loader::program_image* in) {
  laid_out_run out;
  std::vector<std::vector<uint8_t>> values;
  for (const argument_config& a : config.arguments) {
    const buffer_argument* const buffer = a.buffer();
    out.buffers.push_back(buffer == nullptr ? 0 : room_for(a, *buffer, layout));
    if (buffer == nullptr) {
      values.push_back(initial_contents(a));
      continue;
    }
    const auto* raw = reinterpret_cast<const uint8_t*>(&out.buffers.back());
    values.emplace_back(raw, raw + sizeof(uint64_t));
  }
  for (size_t k = 0; k < values.size(); ++k)
    if (const auto* structure = std::get_if<bytes_argument>(&config.arguments[k].value))
      put_addresses(structure->pointers, out.buffers, values[k]);
  for (const run_launch& l : config.launches) {
    out.launches.push_back(launch_of(l, layout, values, config.program.source, in));
    layout.prepare(out.launches.back());
  }
  return out;
}

void fill_buffers(const run_config& config, const std::vector<uint64_t>& buffers, uint32_t number,
                  device_runtime& runtime) {
  for (size_t n = 0; n < config.arguments.size(); ++n) {
    argument_config a = config.arguments[n];
    auto* buffer = std::get_if<buffer_argument>(&a.value);
    if (buffer == nullptr) continue;
    if (const auto pattern = repeated_pattern(*buffer)) {
      if (number != 0 || *pattern != 0) runtime.fill(buffers[n], buffer->bytes(), *pattern);  // new memory is zero
      continue;
    }
    if (auto* random = std::get_if<random_init>(&buffer->init)) random->seed += number;
    const std::vector<uint8_t> contents = initial_contents(a);
    runtime.write(buffers[n], contents.data(), contents.size());
  }
}

void require_places(const std::vector<std::vector<std::string>>& misplaced) {
  const std::vector<std::string>& first = misplaced.front();
  for (size_t k = 0; k < first.size(); ++k)
    if (std::all_of(misplaced.begin(), misplaced.end(), [k](const auto& of) { return !of[k].empty(); }))
      throw input_error(first[k] + (misplaced.size() == 1 ? "" : "; nor has any other launch such a loop"));
}

void check_device_memory(const run_config& config, const loader::program_image& program) {
  const models::machine_config machine = models::provisioned(config.machine);
  device_layout layout(machine);
  layout.load(program);
  lay_out(config, layout);
}

void check_stated_bounds(const run_config& config, const loader::program_image& program) {
  if (config.wcet.loops.empty()) return;
  const models::machine_config machine = models::provisioned(config.machine);
  device_layout layout(machine);
  layout.load(program);
  const laid_out_run run = lay_out(config, layout);
  std::vector<std::vector<std::string>> misplaced;
  for (const kernel_launch& l : run.launches) {
    const launched_code code = read_code(layout, l);
    stated_bounds stated(code, l);
    misplaced.push_back(add_all(config.wcet.loops, stated));
  }
  require_places(misplaced);
}

}  // namespace pws::platform
