// SPDX-License-Identifier: Apache-2.0
// `save` of a run file.
#include <algorithm>
#include <filesystem>

#include "platform/config/files/run_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

struct loading_save : save_config {
  bool has_format = false;
};

const schema<loading_save>& save_schema() {
  static const schema<loading_save> s([](schema<loading_save>& made) {
    made.text("file", &loading_save::file, "where it goes, relative to the run file").required().written();
    made.choice("format", &loading_save::format,
                "raw: little-endian elements; csv: a title and a number per line; npy: NumPy's")
        .by_default("by the file's ending: .bin, .raw, .csv, .npy")
        .then([](const value_at&, loading_save& to) { to.has_format = true; });
  });
  return s;
}

std::optional<save_format> format_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".bin" || ending == ".raw") return save_format::raw;
  if (ending == ".csv") return save_format::csv;
  if (ending == ".npy") return save_format::npy;
  return std::nullopt;
}

// For `params` alone: any buffer's name.
struct any_name {};
const schema<any_name>& any_name_schema() {
  static const schema<any_name> s([](schema<any_name>& made) {
    made.custom("*", field_kind::mapping, "a file, or a mapping of", [](const value_at&, any_name&) { return true; })
        .or_short(field_kind::text)
        .written()
        .lists("", save_schema());
  });
  return s;
}

bool read_save(const value_at& v, const yaml_entry& entry, loading_run& run) {
  loading_save save;
  const auto argument = buffer_of(v, entry, run, "saved");
  bool good = argument.has_value();
  if (v.node.is_scalar()) {
    const auto file = v.read.text(v.node, v.path);
    if (!file) return false;
    save.file = *file;
  } else if (!save_schema().read(v.node, v.path, save, v.read)) {
    return false;
  }
  const auto refuse = [&](std::string problem) {
    v.issue(std::move(problem));
    good = false;
  };
  if (save.file.empty()) refuse("the file has no name");
  if (!save.has_format) {
    if (const auto format = format_of(save.file))
      save.format = *format;
    else if (!save.file.empty())
      refuse("the ending of " + file_in_quotes(save.file) +
             " says no format; use .bin, .csv or .npy, or give file and format");
  }
  if (!good) return false;
  save.buffer = entry.key;
  save.argument = *argument;
  save.file = resolved_path(v.node.where, save.file);
  run.config.save.push_back(save);
  return true;
}

}  // namespace

void add_save(schema<loading_run>& s) {
  s.names_to("save",
             "by buffer: the file that its contents are written to after the run, also where an expectation fails",
             read_save)
      .by_default("{}")
      .lists("", any_name_schema());
}

}  // namespace pws::platform
