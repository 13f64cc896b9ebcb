#include <fmt/format.h>

#include "platform/run_file/run_loader.h"
#include "platform/run_file/run_schema.h"

namespace pws::platform {

namespace {

void read_loop(const yaml_node& node, const std::string& path, wcet_config& config, reader& read) {
  if (!read.mapping(node, path)) return;
  read.keys(node, path, keys_below(run_fields(), "wcet.loops.*"));
  loop_bound_config loop;
  loop.where = node.where;
  if (const yaml_node* value = read.required(node, path, "bound"))
    if (const auto n = read.integer(*value, path + ".bound", run_field("wcet.loops.*.bound"))) loop.bound = *n;
  if (const yaml_node* kernel = node.find("kernel"))
    if (const auto text = read.text(*kernel, path + ".kernel")) loop.kernel = *text;
  const yaml_entry* place = one_of(node, path, {"line", "label", "offset"}, read);
  if (place == nullptr) return;
  if (place->key == "label") {
    if (const auto text = read.text(place->value, path + ".label")) loop.label = *text;
    if (const yaml_node* file = node.find("file")) read.issue(file->where, path + ".file", "cannot stand beside label");
    config.loops.push_back(loop);
    return;
  }
  const auto n = read.integer(place->value, path_join(path, place->key), run_field("wcet.loops.*." + place->key));
  if (!n) return;
  if (place->key == "line")
    loop.line = static_cast<uint32_t>(*n);
  else
    loop.offset = *n;
  if (const yaml_node* file = node.find("file")) {
    const auto text = read.text(*file, path + ".file");
    if (text && loop.offset) read.issue(file->where, path + ".file", "cannot stand beside offset");
    if (text) loop.file = *text;
  }
  config.loops.push_back(loop);
}

}  // namespace

void read_wcet(const yaml_node& node, wcet_config& config, reader& read) {
  const std::string path = "wcet";
  if (!read.mapping(node, path)) return;
  read.keys(node, path, keys_below(run_fields(), path));
  if (const yaml_node* times = node.find("block_times"))
    if (const auto choice = read.choice(*times, path + ".block_times", run_field("wcet.block_times")))
      config.block_times = static_cast<block_time_source>(*choice);
  if (const yaml_node* runs = node.find("runs"))
    if (const auto n = read.integer(*runs, path + ".runs", run_field("wcet.runs")))
      config.runs = static_cast<uint32_t>(*n);
  const yaml_node* loops = node.find("loops");
  if (loops == nullptr || !read.list(*loops, path + ".loops")) return;
  for (size_t k = 0; k < loops->items.size(); ++k)
    read_loop(loops->items[k], fmt::format("{}.loops[{}]", path, k), config, read);
}

}  // namespace pws::platform
