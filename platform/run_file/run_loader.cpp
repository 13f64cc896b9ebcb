#include "platform/run_file/run_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "platform/config/overrides.h"
#include "platform/config/text.h"
#include "platform/run_file/run_schema.h"

namespace pws::platform {

const yaml_entry* one_of(const yaml_node& node, const std::string& path, const std::vector<std::string>& alternatives,
                         reader& read) {
  const yaml_entry* found = nullptr;
  for (const yaml_entry& entry : node.entries) {
    if (std::find(alternatives.begin(), alternatives.end(), entry.key) == alternatives.end()) continue;
    if (found != nullptr) {
      read.issue(entry.where, path_join(path, entry.key), "cannot stand beside " + found->key + "; give one of them");
      return nullptr;
    }
    found = &entry;
  }
  if (found == nullptr) read.issue(node.where, path, "needs one of " + joined(alternatives));
  return found;
}

std::optional<uint64_t> elements_in_file(const yaml_node& node, const std::string& path, const std::string& file,
                                         element_type type, reader& read) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(file, error);
  if (error) {
    read.issue(node.where, path, file_in_quotes(file) + " has no size: " + error.message());
    return std::nullopt;
  }
  if (bytes % size_of(type) != 0) {
    read.issue(
        node.where, path,
        fmt::format("{} has {} bytes, not a whole number of {} elements", file_in_quotes(file), bytes, name_of(type)));
    return std::nullopt;
  }
  return bytes / size_of(type);
}

namespace {

bool is_compiled(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(24, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.rfind("\177ELF", 0) == 0 || start == "__CLANG_OFFLOAD_BUNDLE__";
}

// One to three numbers; missing ones are 1.
std::optional<std::array<uint32_t, 3>> read_size(const yaml_node& node, const std::string& path, reader& read) {
  // "launch.grid" and the like are the fields' paths too.
  const field& f = run_field(path);
  std::array<uint32_t, 3> size{1, 1, 1};
  if (node.is_scalar()) {
    const auto one = read.integer(node, path, f);
    if (!one) return std::nullopt;
    size[0] = static_cast<uint32_t>(*one);
    return size;
  }
  const auto several = read.integers(node, path, f);
  if (!several) return std::nullopt;
  if (several->empty() || several->size() > 3) {
    read.issue(node.where, path, fmt::format("needs one to three numbers (x, y, z), got {}", several->size()));
    return std::nullopt;
  }
  for (size_t k = 0; k < several->size(); ++k) size[k] = static_cast<uint32_t>((*several)[k]);
  return size;
}

std::optional<std::array<uint32_t, 3>> read_grid(const yaml_node& node, const std::array<uint32_t, 3>* workgroup,
                                                 reader& read) {
  const std::string path = "launch.grid";
  if (!node.is_mapping()) return read_size(node, path, read);
  read.keys(node, path, keys_below(run_fields(), path));
  const yaml_node* groups = read.required(node, path, "workgroups");
  if (groups == nullptr) return std::nullopt;
  auto size = read_size(*groups, path + ".workgroups", read);
  if (!size || workgroup == nullptr) return std::nullopt;
  for (size_t k = 0; k < 3; ++k) {
    const uint64_t items = uint64_t{(*size)[k]} * (*workgroup)[k];
    if (items > UINT32_MAX) {
      read.issue(groups->where, path + ".workgroups",
                 fmt::format("{} workgroups of {} are {} work-items; a packet holds at most {}", (*size)[k],
                             (*workgroup)[k], items, UINT32_MAX));
      return std::nullopt;
    }
    (*size)[k] = static_cast<uint32_t>(items);
  }
  return size;
}

// Whether the machine can hold a workgroup at all.
void check_workgroup(const yaml_node& node, loading_run& run, reader& read) {
  const auto& w = run.config.launch.workgroup;
  const uint64_t items = uint64_t{w[0]} * w[1] * w[2];
  if (items > 1024) {
    read.issue(node.where, "launch.workgroup",
               fmt::format("{} * {} * {} = {} work-items; at most 1024 are possible", w[0], w[1], w[2], items));
    return;
  }
  if (!run.machine.known_good({"n_wfc", "n_simd"})) return;
  const models::machine_config& m = run.machine.config;
  const uint64_t wavefronts = (items + 63) / 64;
  if (wavefronts > uint64_t{m.n_wfc} * m.n_simd) {
    read.issue(
        node.where, "launch.workgroup",
        fmt::format("{} work-items are {} wavefronts; a compute unit has only {} contexts (n_simd {} * n_wfc {})",
                    items, wavefronts, uint64_t{m.n_wfc} * m.n_simd, m.n_simd, m.n_wfc));
  }
}

}  // namespace

// Behind the other keys of program.
void read_split(const yaml_node& node, program_config& program, reader& read) {
  const std::string path = "program.split";
  const auto choice = read.choice(node, path, run_field(path));
  if (!choice) return;
  program.split = static_cast<pwscc::split_choice>(*choice);
  if (program.split == pwscc::split_choice::none || program.source.empty()) return;
  const std::string extension = std::filesystem::path(program.source).extension().string();
  if (is_compiled(program.source) || extension == ".cl" || extension == ".S")
    read.issue(
        node.where, path,
        "split points are placed in HIP and assembly (.s), and " + file_in_quotes(program.source) + " is neither");
}

void read_program(const yaml_node& node, loading_run& run, reader& read) {
  const std::string path = "program";
  if (!read.mapping(node, path)) return;
  read.keys(node, path, keys_below(run_fields(), path));
  program_config& program = run.config.program;
  program.where = node.where;
  if (const yaml_node* source = read.required(node, path, "source")) {
    program.where = source->where;
    if (const auto file = read.file(*source, path + ".source")) program.source = *file;
  }
  if (const yaml_node* kernel = read.required(node, path, "kernel")) {
    program.kernel_where = kernel->where;
    if (const auto name = read.text(*kernel, path + ".kernel")) program.kernel = *name;
  }
  if (const yaml_node* flags = node.find("flags")) {
    if (const auto all = read.texts(*flags, path + ".flags")) program.flags = *all;
    if (!program.flags.empty() && !program.source.empty() && is_compiled(program.source)) {
      read.issue(flags->where, path + ".flags",
                 "flags are for sources, and " + file_in_quotes(program.source) + " is compiled already");
    }
  }
  if (const yaml_node* split = node.find("split")) read_split(*split, program, read);
}

void read_launch(const yaml_node& node, loading_run& run, reader& read) {
  const std::string path = "launch";
  if (!read.mapping(node, path)) return;
  read.keys(node, path, keys_below(run_fields(), path));
  launch_config& launch = run.config.launch;
  launch.where = node.where;
  std::optional<std::array<uint32_t, 3>> workgroup, grid;
  if (const yaml_node* value = read.required(node, path, "workgroup")) {
    workgroup = read_size(*value, path + ".workgroup", read);
    if (workgroup) {
      launch.workgroup = *workgroup;
      check_workgroup(*value, run, read);
    }
  }
  if (const yaml_node* value = read.required(node, path, "grid")) {
    grid = read_grid(*value, workgroup ? &*workgroup : nullptr, read);
    if (grid) launch.grid = *grid;
    for (size_t k = 0; grid && workgroup && k < 3; ++k) {
      if ((*grid)[k] >= (*workgroup)[k]) continue;
      read.issue(value->where, path + ".grid",
                 fmt::format("the grid has {} work-items in {} and the workgroup {}; it must not be smaller",
                             (*grid)[k], "xyz"[k], (*workgroup)[k]));
    }
  }
  if (const yaml_node* value = node.find("dynamic_stack")) {
    const auto bytes = read.integer(*value, path + ".dynamic_stack", run_field("launch.dynamic_stack"));
    if (bytes) launch.dynamic_stack = static_cast<uint32_t>(*bytes);
  }
  if (const yaml_node* value = node.find("dynamic_lds")) {
    const auto bytes = read.integer(*value, path + ".dynamic_lds", run_field("launch.dynamic_lds"));
    if (!bytes) return;
    launch.dynamic_lds = static_cast<uint32_t>(*bytes);
    const uint32_t lds = run.machine.config.lds.size_kib;
    if (run.machine.known_good({"lds.size_kib"}) && *bytes > uint64_t{lds} * 1024) {
      read.issue(value->where, path + ".dynamic_lds",
                 fmt::format("{} bytes are more than a compute unit's LDS (machine.lds.size_kib {})", *bytes, lds));
    }
  }
}

run_config load_run(const std::string& path, const std::vector<std::string>& overrides) {
  issue_list issues(path);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(path, "", root, issues) || !read.mapping(root, "")) issues.throw_if_any();
  apply_overrides(root, overrides, issues);
  read.keys(root, "", keys_below(run_fields(), ""));
  loading_run run;
  run.config.file = path;
  if (const yaml_node* node = read.required(root, "", "machine")) run.machine = read_machine(*node, issues);
  run.config.machine = run.machine.config;
  if (const yaml_node* node = read.required(root, "", "program")) read_program(*node, run, read);
  if (const yaml_node* node = read.required(root, "", "launch")) read_launch(*node, run, read);
  if (const yaml_node* node = root.find("arguments")) read_arguments(*node, run, read);
  if (const yaml_node* node = root.find("expect")) read_expect(*node, run, read);
  if (const yaml_node* node = root.find("wcet")) read_wcet(*node, run.config.wcet, read);
  issues.throw_if_any();
  run.config.files = issues.files();
  return std::move(run.config);
}

}  // namespace pws::platform
