// SPDX-License-Identifier: Apache-2.0
// Keys without effect: of the machine, which only some divergence schemes or memories read, and of outputs that are not
// wanted.
#include <fmt/format.h>

#include <algorithm>

#include "platform/config/machine_loader.h"
#include "platform/config/machine_schema.h"

namespace pws::platform {

namespace {

using models::divergence_kind;
using models::divergence_points;
using models::machine_config;

// Who reads a key of the machine, or all keys of a group that have no row of their own.
struct scheme_key {
  const char* path;
  bool (*used)(const machine_config&);
  const char* used_by;
};

bool splits_and_merges(const machine_config& m) {
  return models::traits_of(m.divergence).acts_at == divergence_points::split_and_merge;
}
bool splits(const machine_config& m) {
  return models::traits_of(m.divergence).splits() && !models::traits_of(m.divergence).forms_warps();
}
bool is_pws_mode(const machine_config& m) {
  return m.divergence == divergence_kind::pws_mode;
}
bool is_stack(const machine_config& m) {
  return m.divergence == divergence_kind::stack;
}
bool is_dpe(const machine_config& m) {
  return m.divergence == divergence_kind::dpe;
}
bool has_table(const machine_config& m) {
  return models::traits_of(m.divergence).has_warp_split_table();
}
bool is_subwarps(const machine_config& m) {
  return m.divergence == divergence_kind::subwarps;
}
bool is_convergence(const machine_config& m) {
  return m.divergence == divergence_kind::convergence;
}
bool forms_warps(const machine_config& m) {
  return models::traits_of(m.divergence).forms_warps();
}
bool joins_warps(const machine_config& m) {
  return m.divergence == divergence_kind::dwf;
}
bool counts_by_pc(const machine_config& m) {
  return joins_warps(m) &&
         (m.dwf.heuristic == models::issue_heuristic::majority || m.dwf.heuristic == models::issue_heuristic::minority);
}
bool reuses(const machine_config& m) {
  return models::has_spsimds(m) && m.reuse_idle_spsimd;
}

// spsimd_per_simd is not among them: pwscc reads it for every scheme. Nor is a conservative scoreboard, which
// machine_rules.cpp refuses.
constexpr scheme_key scheme_keys[] = {
    {"split_cycles", splits, "schemes that split"},
    {"merge_cycles", splits_and_merges, "schemes that split and merge"},
    {"child_stack_entries", splits_and_merges, "schemes that split and merge"},
    {"fold_mask_instructions", is_stack, "divergence stack"},
    {"scoreboard", splits, "schemes that split"},
    {"force_mode_split", is_pws_mode, "divergence pws-mode"},
    {"designate_spsimd", models::has_spsimds, "divergence pws and pws-mode"},
    {"reuse_idle_spsimd", models::has_spsimds, "divergence pws and pws-mode"},
    {"split_points", reuses, "divergence pws and pws-mode with reuse_idle_spsimd"},
    {"dpe", is_dpe, "divergence dpe"},
    {"dws", has_table, "divergence dws-table"},
    {"subwarps", is_subwarps, "divergence subwarps"},
    {"convergence", is_convergence, "divergence convergence"},
    {"dwf", joins_warps, "divergence dwf"},
    {"dwf.warp_size", forms_warps, "schemes that form warps"},
    {"dwf.swizzle", forms_warps, "schemes that form warps"},
    {"dwf.majority_entries", counts_by_pc, "divergence dwf with heuristic majority or minority"},
};

// Keys that another key takes the reader from; the first row that a path begins with is its own.
struct memory_key {
  const char* path;
  bool (*used)(const machine_config&);
  const char* why;
};
bool is_read(const machine_config&) {
  return true;
}
bool has_dram(const machine_config& m) {
  return !m.memory.local.is_outside();
}
bool has_local_port(const machine_config& m) {
  return m.memory.local.is_outside();
}
bool has_system_memory(const machine_config& m) {
  return m.memory.system.exists();
}
constexpr memory_key memory_keys[] = {
    {"memory.system.", has_system_memory, "without memory.system.size_mib"},
    {"memory.dram.size_mib", is_read, ""},  // the size of local memory wherever that is
    {"memory.dram.", has_dram, "with memory.local.at: socket"},
    {"memory.local.", has_local_port, "without memory.local.at: socket"},
};

// nullptr: it has an effect.
const memory_key* idle_row_of(const std::string& path, const machine_config& m) {
  for (const memory_key& k : memory_keys)
    if (path.rfind(k.path, 0) == 0) return k.used(m) ? nullptr : &k;
  return nullptr;
}

// nullptr: every scheme reads it.
const scheme_key* row_of(const std::string& path) {
  const scheme_key* of_group = nullptr;
  for (const scheme_key& k : scheme_keys) {
    if (path == k.path) return &k;
    if (path.rfind(std::string(k.path) + ".", 0) == 0) of_group = &k;
  }
  return of_group;
}

}  // namespace

std::vector<std::string> keys_without_effect(const loaded_machine& machine, bool functional) {
  const machine_config& m = machine.config;
  const auto scheme = machine.setters.find("divergence");
  std::vector<std::string> warnings;
  const std::vector<field> fields = machine_fields(m), defaults = machine_fields();
  for (size_t n = 0; n < fields.size(); ++n) {
    const std::string& path = fields[n].path;
    const auto given = machine.setters.find(path);
    if (given == machine.setters.end() || fields[n].default_text == defaults.at(n).default_text) continue;
    if (path == "threads" && !functional)
      warnings.push_back(fmt::format("{}: machine.threads has no effect without launches of functional fidelity",
                                     given->second.where.text()));
    if (path == "threads" && functional && m.threads > m.n_cu)
      warnings.push_back(fmt::format("{}: machine.threads is {}, and no more than machine.n_cu, {}, can run at a time",
                                     given->second.where.text(), m.threads, m.n_cu));
    if (const memory_key* const idle = idle_row_of(path, m))
      warnings.push_back(fmt::format("{}: machine.{} has no effect {}", given->second.where.text(), path, idle->why));
    const scheme_key* const k = row_of(path);
    if (k == nullptr || k->used(m)) continue;
    // A machine file can have keys for several schemes, and whoever chooses one above it leaves them there.
    if (scheme != machine.setters.end() && given->second.layer < scheme->second.layer) continue;
    // Whoever takes the splitting off, to compare, need not take off the keys that are given in the same command.
    if (scheme != machine.setters.end() && m.divergence == divergence_kind::none && scheme->second.where.is_override())
      continue;
    warnings.push_back(fmt::format("{}: machine.{} has no effect with divergence {}; it is for {}",
                                   given->second.where.text(), path, models::traits_of(m.divergence).name, k->used_by));
  }
  return warnings;
}

namespace {

// Whether `counts` holds for where a value in it is from.
template <class F>
bool any_from(const effective_value& v, F counts) {
  if (v.what == effective_value::form::leaf) return v.from != "default" && counts(v.value.where);
  return std::any_of(v.below.begin(), v.below.end(), [&](const effective_value& b) { return any_from(b, counts); });
}

// Calls f for a key, or each that is given below it, as a path. Machine files and run files are for several commands,
// so that what they have is no mistake; the file of exec is for exec alone.
template <class F>
void each_given(const effective_value& v, const std::string& path, const std::string& rest, F f) {
  for (const effective_value& b : v.below) {
    const std::string here = (path.empty() ? "" : path + ".") + b.key;
    if (!rest.empty() && here != rest && rest.rfind(here + ".", 0) != 0) continue;
    if (b.what == effective_value::form::mapping)
      each_given(b, here, here == rest ? "" : rest, f);
    else
      f(here, b);
  }
}

bool is_given(const std::string& path, const effective_value& v, bool in_files) {
  const bool shared = path.rfind("machine.", 0) == 0;
  return any_from(v, [&](const origin& where) { return where.is_override() || (in_files && !shared); });
}

}  // namespace

std::vector<std::string> keys_without_reader(const effective_value& root,
                                             const std::function<bool(const std::string&)>& is_wanted) {
  std::vector<std::string> warnings;
  for (const output_keys& k : keys_of_outputs()) {
    if (std::any_of(k.readers.begin(), k.readers.end(), is_wanted)) continue;
    std::string options;
    for (const std::string& reader : k.readers) options += (options.empty() ? "" : " or ") + option_of(reader);
    for (const std::string& key : k.keys)
      each_given(root, "", key, [&](const std::string& path, const effective_value& v) {
        if (is_given(path, v, true)) warnings.push_back(fmt::format("{} has no effect without {}", path, options));
      });
  }
  return warnings;
}

std::vector<std::string> outputs_without_effect(const effective_value& root, const std::string& command) {
  std::vector<std::string> warnings;
  each_given(root, "", "outputs", [&](const std::string& path, const effective_value& v) {
    if (is_given(path, v, false))
      warnings.push_back(fmt::format("{} has no effect: {} writes what its own options name", path, command));
  });
  return warnings;
}

}  // namespace pws::platform
