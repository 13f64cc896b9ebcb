// SPDX-License-Identifier: Apache-2.0
#include "platform/config/machine_loader.h"

#include <algorithm>
#include <filesystem>

#include "platform/config/effective.h"
#include "platform/config/machine_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

bool loaded_machine::known_good(const std::vector<std::string>& paths) const {
  return std::none_of(paths.begin(), paths.end(), [this](const std::string& path) { return bad.count(path) != 0; });
}

origin loaded_machine::place(const std::vector<std::string>& paths) const {
  const setter* blamed = nullptr;
  for (const std::string& path : paths) {
    const auto found = setters.find(path);
    if (found != setters.end() && (blamed == nullptr || found->second.layer > blamed->layer)) blamed = &found->second;
  }
  return blamed != nullptr ? blamed->where : origin();
}

namespace {

const std::string top = machine_key;

class machine_reader {
 public:
  machine_reader(loaded_machine& machine, issue_list& issues) : machine_(machine), issues_(issues), read_(issues) {
    read_.as_written = true;
    for (const field& f : machine_fields()) read_.elsewhere.push_back(path_join(top, f.path));
    read_.watch = [this](const std::string& path, const origin& where, bool good) { note(path, where, good); };
  }

  // One file's (or mapping's) values over those already read.
  void layer(const yaml_node& node) {
    if (node.is_scalar()) return base(node, top);
    if (!read_.mapping(node, top)) return;
    const auto& base_key = machine_layer_keys().base;
    if (const yaml_node* file = base_key.in(node)) base(*file, path_join(top, base_key.name()));
    machine_schema().read(node, top, machine_.config, read_);
    yaml_node own = node;
    own.entries.erase(std::remove_if(own.entries.begin(), own.entries.end(),
                                     [&](const yaml_entry& e) { return e.key == base_key.name(); }),
                      own.entries.end());
    merge(machine_.merged, own);
  }

  // So that a base that leads back to the file itself is noticed.
  void enter(const std::string& file) { chain_.push_back(file); }

 private:
  void base(const yaml_node& name, const std::string& path) {
    const auto file = read_.file(name, path);
    if (!file) return;
    const auto same = [&file](const std::string& other) {
      std::error_code error;
      return std::filesystem::equivalent(*file, other, error);
    };
    if (std::any_of(chain_.begin(), chain_.end(), same)) {
      std::string way;
      for (const std::string& one : chain_) way += one + " -> ";
      read_.issue(name.where, path, "files that name each other as base: " + way + *file);
      return;
    }
    if (chain_.size() >= longest_chain) {
      read_.issue(name.where, path,
                  "more than " + std::to_string(longest_chain) + " files, each the base of the other");
      return;
    }
    yaml_node root;
    chain_.push_back(*file);
    if (parse_yaml_file(*file, top, root, issues_)) {
      if (root.is_mapping()) {
        layer(root);
      } else {
        read_.mapping(root, top);
      }
    }
    chain_.pop_back();
  }

  void note(const std::string& path, const origin& where, bool good) {
    const int command_line = longest_chain + 1;
    const std::string key = path.substr(top.size() + 1);
    machine_.setters[key] = {where, where.is_override() ? command_line : -static_cast<int>(chain_.size())};
    if (good)
      machine_.bad.erase(key);
    else
      machine_.bad.insert(key);
  }

  static constexpr size_t longest_chain = 16;
  loaded_machine& machine_;
  issue_list& issues_;
  reader read_;
  std::vector<std::string> chain_;
};

}  // namespace

override_rules machine_override_rules() {
  override_rules rules;
  rules.short_key = top;
  rules.short_for = machine_layer_keys().base.name();
  return rules;
}

loaded_machine read_machine(const yaml_node& node, issue_list& issues) {
  loaded_machine machine;
  machine_reader layers(machine, issues);
  if (!node.where.is_override()) layers.enter(node.where.file());
  layers.layer(node);
  check_machine_rules(machine, issues);
  return machine;
}

loaded_machine load_machine_layers(const yaml_source& from, const std::vector<std::string>& overrides) {
  issue_list issues(from.name);
  yaml_node file;
  const bool readable = parse_yaml_file(from, top, file, issues);
  if (readable && !file.is_mapping()) reader(issues).mapping(file, top);
  if (file.find("program") != nullptr && file.find("launch") != nullptr) {
    issues.add(file.where, "", "this is a run file; a machine file is wanted here");
    issues.throw_if_any();
  }
  yaml_node root;
  root.type = yaml_node::kind::mapping;
  if (readable && file.is_mapping()) root.entries.push_back({top, file.where, std::move(file)});
  std::vector<std::string> full;
  for (const std::string& one : overrides) {
    const bool has_top = one.rfind(top + ".", 0) == 0;
    full.push_back(has_top || one.find('=') == std::string::npos || one[0] == '=' ? one : path_join(top, one));
  }
  apply_overrides(root, full, issues);
  const yaml_node* machine = root.find(top);
  if (machine == nullptr) {
    issues.throw_if_any();
    return {};
  }
  loaded_machine loaded = read_machine(*machine, issues);
  issues.throw_if_any();
  return loaded;
}

models::machine_config load_machine(const yaml_source& from, const std::vector<std::string>& overrides) {
  return load_machine_layers(from, overrides).config;
}

}  // namespace pws::platform
