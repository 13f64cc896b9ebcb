// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/run_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/machine/provisioning.h"
#include "platform/config/files/buffer.h"
#include "platform/wcet/stated_bounds.h"

namespace pws::platform {

launch_request request_of(const run_launch& l, const device_layout& layout,
                          const std::vector<std::vector<uint8_t>>& values) {
  launch_request request;
  request.kernel = layout.find_kernel(l.kernel);
  request.grid = l.shape.grid;
  request.workgroup = l.shape.workgroup;
  request.dynamic_lds = l.shape.dynamic_lds;
  request.dynamic_stack = l.shape.dynamic_stack;
  for (const size_t k : l.of(values.size())) request.arguments.push_back(values[k]);
  return request;
}

static uint64_t room_for(const argument_config& a, const buffer_argument& buffer, device_layout& layout) {
  try {
    return layout.allocate(buffer.bytes(), "argument " + a.name);
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}: arguments.{}: {}", a.where.text(), a.name, e.what()));
  }
}

laid_out_run lay_out(const run_config& config, device_layout& layout) {
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
    out.requests.push_back(request_of(l, layout, values));
    layout.prepare(out.requests.back());
  }
  return out;
}

placed_launch place(const run_config& config, size_t launch, const loader::program_image& program,
                    const laid_out_run& run, device_layout& layout) {
  const launch_request& request = run.requests[launch];
  placed_launch placed{&program, request.kernel, layout.prepare(request), config.launches[launch].shape, {}};
  placed.buffers = buffers_of(layout, placed.prepared);
  return placed;
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
  for (size_t k = 0; k < config.launches.size(); ++k) {
    const placed_launch placed = place(config, k, program, run, layout);
    const launched_code code = read_code(layout, placed, config.program.source);
    stated_bounds stated(code, placed);
    misplaced.push_back(add_all(config.wcet.loops, stated));
  }
  require_places(misplaced);
}

}  // namespace pws::platform
