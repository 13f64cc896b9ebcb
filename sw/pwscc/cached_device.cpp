// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/cached_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/installation.h"
#include "sw/loader/hip_compiler.h"

namespace pws::pwscc {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// All that decides the code, files aside.
std::vector<std::string> parts_of(const fs::path& source, const device_options& options) {
  const auto& [flags, pass, loop_bounds, divergence, describe, find_dependencies] = options;
  const auto& [choice, swf_contexts, split_cycles, merge_cycles, machine, instruction_cycles, default_loop_bound,
               marks] = pass;
  static_cast<void>(describe);
  static_cast<void>(find_dependencies);
  static_cast<void>(marks);  // they are in the source
  // Line tables have the source as it is given, and from where.
  std::vector<std::string> parts{"pwscc", source.string(), fs::current_path().string(), name_of(choice),
                                 name_of(divergence)};
  parts.push_back(
      fmt::format("{} {} {} {} {}", swf_contexts, split_cycles, merge_cycles, instruction_cycles, default_loop_bound));
  parts.push_back(machine ? fmt::format("{}", fmt::join(wcet::members_of(*machine), " ")) : "");
  for (const stated_loop_bound& b : loop_bounds) parts.push_back(fmt::format("{} {} {}", b.line, b.bound, b.file));
  parts.insert(parts.end(), flags.begin(), flags.end());
  // Another installation has other plugins, so their paths are part of the key; where they are missing, nothing is
  // taken from the cache either.
  for (const char* part : {"lib/pws_loop_anchors.so", "lib/pws_predication.so"})
    parts.push_back(installed(part).string());
  parts.push_back(include_folder().string());
  return parts;
}

std::string notes_of(const std::vector<placed_branch>& branches) {
  json all = json::array();
  for (const placed_branch& b : branches) all.push_back({b.function, b.split, b.carried_masks});
  return all.dump();
}

// Throws json::exception.
std::vector<placed_branch> branches_in(const std::string& notes) {
  std::vector<placed_branch> branches;
  for (const json& b : json::parse(notes))
    branches.push_back({b.at(0).get<std::string>(), b.at(1).get<bool>(), b.at(2).get<unsigned>()});
  return branches;
}

}  // namespace

cached_device compile_cached(const fs::path& given, const device_options& options, const loader::compile_cache& cache) {
  const fs::path source = fs::absolute(given);
  const bool kept = !cache.directory().empty() && source.extension() != ".s" && fs::exists(source);
  std::string key;
  if (kept) {
    key = loader::hip_compiler().cache_key(source, parts_of(given, options));
    if (auto hit = cache.find(key)) {
      try {
        return {std::move(hit->code_object), std::move(hit->diagnostics), branches_in(hit->notes), true};
      } catch (const json::exception&) {
        // a damaged entry is written anew
      }
    }
  }
  device_options asked = options;
  asked.find_dependencies = kept;
  const auto start = fs::file_time_type::clock::now();
  device_result made = compile_device(given, asked);
  cached_device out{std::move(made.code_object), std::move(made.diagnostics), {}, false};
  for (const branch_report& b : made.report.branches) out.branches.push_back({b.function, b.split, b.carried_masks});
  if (kept && !loader::changed_since(made.dependencies, start)) {
    made.dependencies.push_back(fs::read_symlink("/proc/self/exe"));  // the passes
    cache.store(key, {out.code_object, out.diagnostics, false, notes_of(out.branches)}, made.dependencies);
  }
  return out;
}

}  // namespace pws::pwscc
