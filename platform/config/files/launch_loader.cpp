// SPDX-License-Identifier: Apache-2.0
// `launch` and `launches` of a run file.
#include <fmt/format.h>

#include <algorithm>

#include "models/machine/occupancy.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

using size_3 = std::array<uint32_t, 3>;

// A grid given in whole workgroups, while it is read.
struct loading_grid {
  size_3 size{1, 1, 1};
  const loading_launch* launch = nullptr;
};

constexpr const char* size_type = "integer, or list of 1 to 3";

// One to three numbers; missing ones are 1.
bool read_size(const value_at& v, size_3& to) {
  if (v.node.is_scalar()) {
    const auto one = v.read.integer(v.node, v.path, v.about);
    if (one) to = {static_cast<uint32_t>(*one), 1, 1};
    return one.has_value();
  }
  const auto several = v.read.integers(v.node, v.path, v.about);
  if (!several) return false;
  if (several->empty() || several->size() > 3) {
    v.issue(fmt::format("needs one to three numbers (x, y, z), got {}", several->size()));
    return false;
  }
  to = {1, 1, 1};
  for (size_t k = 0; k < several->size(); ++k) to[k] = static_cast<uint32_t>((*several)[k]);
  return true;
}

// Whether the machine can hold a workgroup at all.
void check_workgroup(const value_at& v, const loading_launch& launch) {
  const size_3& w = launch.workgroup;
  const uint64_t items = uint64_t{w[0]} * w[1] * w[2];
  if (items > models::most_work_items)
    return v.issue(fmt::format("{} * {} * {} = {} work-items; at most {} are possible", w[0], w[1], w[2], items,
                               models::most_work_items));
  if (!launch.machine->known_good({"n_wfc", "n_simd"})) return;
  const models::machine_config& m = launch.machine->config;
  const uint64_t wavefronts = models::wavefronts_of(items);
  if (wavefronts > models::contexts_of_cu(m))
    v.issue(fmt::format("{} work-items are {} wavefronts; a compute unit has only {} contexts (n_simd {} * n_wfc {})",
                        items, wavefronts, models::contexts_of_cu(m), m.n_simd, m.n_wfc));
}

// From workgroups to work-items.
void multiply(const value_at& v, loading_grid& grid) {
  if (!grid.launch->has_workgroup) return;
  const size_3& workgroup = grid.launch->workgroup;
  for (size_t k = 0; k < 3; ++k) {
    const uint64_t items = uint64_t{grid.size[k]} * workgroup[k];
    if (items > UINT32_MAX)
      return v.issue(fmt::format("{} workgroups of {} are {} work-items; a packet holds at most {}", grid.size[k],
                                 workgroup[k], items, UINT32_MAX));
    grid.size[k] = static_cast<uint32_t>(items);
  }
}

struct grid_schema : schema<loading_grid> {
  const key& workgroups = custom("workgroups", field_kind::integer_list, "size of the grid in workgroups",
                                 [](const value_at& v, loading_grid& to) { return read_size(v, to.size); })
                              .type(size_type)
                              .or_short(field_kind::integer)
                              .range("workgroup", {1, UINT32_MAX})
                              .then(multiply);
};
const grid_schema& grid_keys() {
  static const grid_schema s;
  return s;
}

bool read_grid(const value_at& v, loading_launch& launch) {
  if (!v.node.is_mapping()) return read_size(v, launch.grid);
  loading_grid grid;
  grid.launch = &launch;
  const bool good = grid_keys().read(v.node, v.path, grid, v.read);
  if (grid_keys().workgroups.needed_in(v.node, v.path, v.read) == nullptr) return false;
  if (good) launch.grid = grid.size;
  return good && launch.has_workgroup;
}

bool read_blocks(const value_at& v, loading_launch& launch) {
  loading_grid grid;
  grid.launch = &launch;
  if (!read_size(v, grid.size)) return false;
  multiply(v, grid);
  launch.grid = grid.size;
  return launch.has_workgroup;
}

void check_grid(const value_at& v, const loading_launch& launch) {
  for (size_t k = 0; launch.has_workgroup && k < 3; ++k) {
    const uint32_t items = launch.grid[k], group = launch.workgroup[k];
    if (items < group)
      v.issue(fmt::format("the grid has {} work-items in {} and the workgroup {}; it must not be smaller", items,
                          "xyz"[k], group));
    else if (items % group != 0 && !launch.partial_workgroups)
      v.issue(fmt::format(
          "{} work-items in {} are no multiple of the workgroup's {}: the last workgroup would have {}, and "
          "blockDim differ in it. launch.partial_workgroups: true allows that, launch.blocks counts whole "
          "workgroups ({} of them hold all)",
          items, "xyz"[k], group, items % group, items / group + 1));
  }
}

void check_dynamic_lds(const value_at& v, const loading_launch& launch) {
  const uint32_t lds = launch.machine->config.lds.size_kib;
  if (launch.machine->known_good({"lds.size_kib"}) && launch.dynamic_lds > uint64_t{lds} * 1024)
    v.issue(
        fmt::format("{} bytes are more than a compute unit's LDS (machine.lds.size_kib {})", launch.dynamic_lds, lds));
}

void fill_launch(schema<loading_launch>& s) {
  using l = loading_launch;
  auto& grid = s.custom("grid", field_kind::integer_list, "size of the grid; or a mapping with `workgroups`", read_grid)
                   .type(size_type)
                   .or_short(field_kind::integer)
                   .range("work-item", {1, UINT32_MAX})
                   .lists("", grid_keys())
                   .step(4)
                   .then(check_grid);
  auto& blocks = s.custom("blocks", field_kind::integer_list, "in place of grid: its size in workgroups, as HIP has it",
                          read_blocks)
                     .type(size_type)
                     .or_short(field_kind::integer)
                     .range("workgroup", {1, UINT32_MAX})
                     .step(4);
  // Behind all others: where one of them is refused, nothing more is read.
  s.one_of({&grid, &blocks});
  s.custom("workgroup", field_kind::integer_list, "size of a workgroup, at most 1024 in all",
           [](const value_at& v, l& to) { return read_size(v, to.workgroup); })
      .type(size_type)
      .or_short(field_kind::integer)
      .range("work-item", {1, models::most_work_items})
      .required()
      .then([](const value_at& v, l& to) {
        to.has_workgroup = true;
        check_workgroup(v, to);
      });
  s.boolean("partial_workgroups", &l::partial_workgroups,
            "the grid need not be a multiple of the workgroup: the last one is smaller then, as in OpenCL");
  s.integer("dynamic_lds", &l::dynamic_lds, "byte", {0, 65536}, "LDS of a workgroup beyond the kernel's own")
      .step(3)
      .then(check_dynamic_lds);
  s.integer("dynamic_stack", &l::dynamic_stack, "byte", {0, 1 << 20},
            "stack of a work-item, where the kernel cannot say how much it needs (recursion, function pointers)")
      .step(2);
}

// The names of arguments, in the order of the kernel's parameters.
bool read_names(const value_at& v, loading_step& to) {
  const auto names = v.read.texts(v.node, v.path);
  if (!names) return false;
  to.arguments.emplace();
  to.arguments_where = v.node.where;
  bool good = true;
  const std::vector<argument_config>& all = to.run->config.arguments;
  for (size_t k = 0; k < names->size(); ++k) {
    const std::string& name = (*names)[k];
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const argument_config& a) { return a.name == name; });
    if (found != all.end()) {
      to.arguments->push_back(static_cast<size_t>(found - all.begin()));
      continue;
    }
    good = false;
    if (to.run->broken.count(name) != 0) continue;  // its own error is enough
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const argument_config& a : all) known.push_back(a.name);
    const yaml_node& at = v.node.is_list() ? v.node.items[k] : v.node;
    v.read.issue(at.where, v.path, "there is no argument " + in_quotes(name) + did_you_mean(name, known));
  }
  return good;
}

void fill_step(schema<loading_step>& s) {
  using l = loading_step;
  s.text("kernel", &l::kernel, "name of the kernel").required().then([](const value_at& v, l& to) {
    to.kernel_where = v.node.where;
  });
  s.custom("launch", field_kind::mapping, "how it is launched",
           [](const value_at& v, l& to) { return read_launch(v, to.shape, to.run->machine); })
      .required()
      .lists("", launch_schema());
  s.custom("arguments", field_kind::text_list,
           "names of the run's arguments, in the order of the kernel's parameters; several launches may have the same",
           read_names)
      .by_default("[]")
      .step(1);
  s.names_to("expect", "by buffer: what it must hold after this launch",
             [](const value_at& v, const yaml_entry& e, l& to) { return read_expect(v, e, *to.run, to.expect); })
      .by_default("{}")
      .lists("*.", expect_schema());
}

}  // namespace

const schema<loading_launch>& launch_schema() {
  static const schema<loading_launch> s(fill_launch);
  return s;
}

const schema<loading_step>& step_schema() {
  static const schema<loading_step> s(fill_step);
  return s;
}

bool read_launch(const value_at& v, launch_config& to, const loaded_machine& machine) {
  loading_launch launch;
  launch.machine = &machine;
  launch.where = v.node.where;
  const bool good = launch_schema().read(v.node, v.path, launch, v.read);
  to = launch;
  return good;
}

bool read_launches(const value_at& v, loading_run& run) {
  constexpr size_t most = 10'000;
  if (!v.read.list(v.node, v.path)) return false;
  if (v.node.items.empty() || v.node.items.size() > most) {
    v.issue(fmt::format("{} launches; 1 to {} are possible", v.node.items.size(), most));
    return false;
  }
  return v.each_mapping([&run](const value_at& item) {
    loading_step launch;
    launch.run = &run;
    launch.below = item.path + ".";
    if (!step_schema().read(item.node, item.path, launch, item.read)) return false;
    if (!launch.arguments) launch.arguments.emplace();  // a kernel without parameters
    run.config.launches.push_back(launch);
    return true;
  });
}

}  // namespace pws::platform
