// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "platform/config/files/tasks_config.h"
#include "platform/config/machine_loader.h"
#include "platform/config/machine_schema.h"
#include "platform/config/overrides.h"
#include "platform/config/schema.h"
#include "platform/config/values/text.h"
#include "platform/config/yaml_text.h"

namespace pws::platform {

namespace {

constexpr limits some_time{1, int128{1} << 48};
constexpr limits any_time{0, int128{1} << 48};
constexpr size_t most_tasks = 128;  // each has a queue of its own

// A set of tasks while it is read.
struct loading_tasks : tasks_config {
  loaded_machine loaded;
};

const schema<task_config>& task_schema() {
  static const schema<task_config> s([](schema<task_config>& made) {
    using t = task_config;
    made.text("name", &t::name, "unique").required().step(1);
    made.file("run", &t::run, "run file with the program, launch and arguments of a job; its machine is not used")
        .required();
    made.integer("period", &t::period, "cycle", some_time, "from a release to the next one, at least").required();
    made.integer("deadline", &t::deadline, "cycle", some_time, "after the release").by_default("the period");
    made.integer("offset", &t::offset, "cycle", any_time, "of the first release; in simulations alone");
    made.integer("jitter", &t::jitter, "cycle", any_time, "from its release to when a job comes, at most");
    made.integer("priority", &t::priority, "", {0, UINT32_MAX}, "larger ones go first");
  });
  return s;
}

bool read_tasks(const value_at& v, loading_tasks& to) {
  const bool good = v.each_mapping([&](const value_at& item) {
    task_config t;
    t.where = item.node.where;
    const bool read = task_schema().read(item.node, item.path, t, item.read);
    const auto same = [&](const task_config& o) { return o.name == t.name; };
    if (std::any_of(to.tasks.begin(), to.tasks.end(), same))
      item.issue("there is a task " + in_quotes(t.name) + " already");
    to.tasks.push_back(std::move(t));
    return read;
  });
  if (v.node.is_list() && v.node.items.empty()) v.issue("there is none");
  if (to.tasks.size() > most_tasks) v.issue(fmt::format("{} of at most {}", to.tasks.size(), most_tasks));
  return good;
}

bool read_the_machine(const value_at& v, loading_tasks& to) {
  to.loaded = read_machine(v.node, v.read.issues());
  to.machine = to.loaded.config;
  // A bound is of a kernel that has the machine for itself.
  if (to.machine.hardware_queues != 1)
    v.issue(fmt::format("hardware_queues is {}: tasks run one after the other, so it must be 1",
                        to.machine.hardware_queues));
  return true;
}

const schema<loading_tasks>& tasks_schema() {
  static const schema<loading_tasks> s([](schema<loading_tasks>& made) {
    made.custom(machine_key, field_kind::mapping,
                "a machine file, or a mapping of machine keys with an optional `base` file", read_the_machine)
        .required()
        .or_short(field_kind::text)
        .lists("", machine_layer_keys());
    made.choice(
        "policy", &loading_tasks::policy,
        "whose job is next when one has ended: the waiting one of the largest priority, or the one that has come "
        "first (in_order)");
    made.custom("tasks", field_kind::list, "what is released again and again", read_tasks)
        .required()
        .step(1)
        .lists("*.", task_schema());
  });
  return s;
}

// Keys of tasks that the policy leaves without effect.
std::vector<std::string> idle_keys(const loading_tasks& c, const yaml_node& root) {
  std::vector<std::string> idle = keys_without_effect(c.loaded, false);
  const yaml_node* const tasks = root.find("tasks");
  for (size_t k = 0; k < c.tasks.size() && c.policy == wcet::task_policy::in_order; ++k)
    if (const yaml_node* const given = tasks->items[k].find("priority"))
      idle.push_back(fmt::format("{}: tasks.{}.priority has no effect with policy in_order", given->where.text(), k));
  return idle;
}

}  // namespace

const std::vector<field>& tasks_fields() {
  static const std::vector<field> all = tasks_schema().fields();
  return all;
}

tasks_config load_tasks(const std::string& path, const std::vector<std::string>& overrides) {
  loading_tasks c;
  c.file = path;
  issue_list issues(path);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(path, "", root, issues) || !read.mapping(root, "")) issues.throw_if_any();
  apply_overrides(root, overrides, issues, machine_override_rules());
  tasks_schema().read(root, "", c, read);
  issues.throw_if_any();
  c.files = issues.files();
  c.idle_keys = idle_keys(c, root);
  c.machine_text = flow_text(c.loaded.merged);
  if (yaml_node* machine = root.find(machine_key)) *machine = std::move(c.loaded.merged);
  std::vector<field> fields = machine_fields_below(machine_key);
  for (const field& f : tasks_fields())
    if (f.path.rfind(machine_key, 0) != 0) fields.push_back(f);
  c.effective = effective(std::move(root), fields);
  return std::move(static_cast<tasks_config&>(c));
}

}  // namespace pws::platform
