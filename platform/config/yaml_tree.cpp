// SPDX-License-Identifier: Apache-2.0
#include "platform/config/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

#include "base/read_whole.h"
#include "platform/config/utf8.h"
#include "platform/config/values/text.h"

namespace pws::platform {

const yaml_node* yaml_node::find(std::string_view key) const {
  for (const yaml_entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

yaml_node* yaml_node::find(std::string_view key) {
  for (yaml_entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string yaml_node::describe() const {
  switch (type) {
    case kind::null:
      return "nothing";
    case kind::scalar:
      return "the text " + in_quotes(text);
    case kind::list:
      return "a list";
    case kind::mapping:
      return "a mapping";
  }
  return "";
}

namespace {

// Ends the parse where going on makes no sense.
struct give_up {
  origin where;
  std::string path;
  std::string problem;
};

size_t count_values(const yaml_node& node) {
  size_t n = 1;
  for (const yaml_node& item : node.items) n += count_values(item);
  for (const yaml_entry& entry : node.entries) n += count_values(entry.value);
  return n;
}

class tree_builder : public YAML::EventHandler {
 public:
  tree_builder(std::shared_ptr<const std::string> file, std::string prefix, issue_list& issues)
      : file_(std::move(file)), prefix_(std::move(prefix)), issues_(issues) {}

  yaml_node& root() { return root_; }
  bool usable() const { return usable_; }
  origin place(const YAML::Mark& mark) const {
    return file_ ? origin(file_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1) : origin();
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    yaml_node node;
    node.where = place(mark);
    add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw give_up{place(mark), path(), "an alias cannot stand inside the value it names"};
    aliased_ += count_values(found->second);
    if (aliased_ > yaml_max_aliased_values) {
      throw give_up{place(mark), path(),
                    "aliases stand for more than " + std::to_string(yaml_max_aliased_values) + " values"};
    }
    if (depth(found->second) + open_.size() > yaml_max_depth) too_deep(mark);
    add(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    yaml_node node;
    node.type = yaml_node::kind::scalar;
    node.quoted = tag == "!";  // yaml-cpp's way to say so
    node.text = value;
    node.where = place(mark);
    if (tag != "!") check_tag(tag, node.where);
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(yaml_node::kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(yaml_node::kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct level {
    yaml_node node;
    YAML::anchor_t anchor = 0;
    std::optional<yaml_node> key;  // of a mapping: read, its value not yet
  };

  static size_t depth(const yaml_node& node) {
    size_t deepest = 0;
    for (const yaml_node& item : node.items) deepest = std::max(deepest, depth(item));
    for (const yaml_entry& entry : node.entries) deepest = std::max(deepest, depth(entry.value));
    return deepest + 1;
  }

  std::string path() const {
    std::string out = prefix_;
    for (const level& l : open_) {
      std::string part;
      if (l.node.is_list()) part = std::to_string(l.node.items.size());
      if (l.key) part = printable(l.key->text);
      if (part.empty()) continue;
      out += (out.empty() ? "" : ".") + part;
    }
    return out;
  }

  [[noreturn]] void too_deep(const YAML::Mark& mark) const {
    throw give_up{place(mark), "", "nested deeper than " + std::to_string(yaml_max_depth) + " levels"};
  }

  void check_tag(const std::string& tag, const origin& where) {
    if (tag.empty() || tag == "?") return;
    issues_.add(where, path(), "tags (" + in_quotes(tag) + ") have no meaning here");
  }

  void open(yaml_node::kind type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (open_.size() >= yaml_max_depth) too_deep(mark);
    level l;
    l.node.type = type;
    l.node.where = place(mark);
    l.anchor = anchor;
    check_tag(tag, l.node.where);
    open_.push_back(std::move(l));
  }

  void close() {
    level l = std::move(open_.back());
    open_.pop_back();
    add(std::move(l.node), l.anchor);
  }

  void add(yaml_node node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      usable_ = true;
      return;
    }
    level& parent = open_.back();
    if (parent.node.is_list()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      add_entry(parent, std::move(node));
    }
  }

  void add_entry(level& parent, yaml_node value) {
    yaml_node key = std::move(*parent.key);
    parent.key.reset();
    if (!key.is_scalar()) {
      issues_.add(key.where, path(), "a key must be a word, not " + key.describe());
      return;
    }
    if (key.text == "<<" && !key.quoted) {
      issues_.add(key.where, path(),
                  "merge keys (<<) are not read; write the keys out, or give an alias (*NAME) to one key");
      return;
    }
    const std::vector<yaml_entry>& entries = parent.node.entries;
    const auto first =
        std::find_if(entries.begin(), entries.end(), [&key](const yaml_entry& entry) { return entry.key == key.text; });
    if (first != entries.end()) {
      const std::string prefix = path();
      issues_.add(key.where, prefix + (prefix.empty() ? "" : ".") + printable(key.text),
                  "the key is given twice" +
                      (file_ ? ", first on line " + std::to_string(first->where.line()) : std::string()));
      return;
    }
    if (entries.size() >= yaml_max_keys) {
      throw give_up{key.where, path(), "a mapping of more than " + std::to_string(yaml_max_keys) + " keys"};
    }
    if (value.type == yaml_node::kind::null) value.where = key.where;
    parent.node.entries.push_back({std::move(key.text), key.where, std::move(value)});
  }

  std::shared_ptr<const std::string> file_;
  std::string prefix_;
  issue_list& issues_;
  yaml_node root_;
  bool usable_ = false;
  std::vector<level> open_;
  std::map<YAML::anchor_t, yaml_node> anchors_;
  size_t aliased_ = 0;
};

// Scalars outside a document and `...` make yaml-cpp report a document without content; only real content counts.
class second_document : public YAML::EventHandler {
 public:
  struct found {
    YAML::Mark mark;
  };
  void OnDocumentStart(const YAML::Mark& mark) override { throw found{mark}; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

bool parse_text(const std::string& text, std::shared_ptr<const std::string> file, const std::string& prefix,
                yaml_node& root, issue_list& issues) {
  if (const auto bad = find_bad_utf8(text)) {
    const origin where = file ? origin(file, bad->line, bad->column) : origin();
    issues.add(where, prefix, bad->problem);
    return false;
  }
  tree_builder builder(std::move(file), prefix, issues);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder) || !builder.usable()) {
      issues.add(builder.place(YAML::Mark()), prefix, "there is nothing in it");
      return false;
    }
    second_document rest;
    parser.HandleNextDocument(rest);
  } catch (const second_document::found& second) {
    issues.add(builder.place(second.mark), prefix, "only one YAML document is allowed here, and a second one begins");
    return false;
  } catch (const give_up& e) {
    issues.add(e.where, e.path, e.problem);
    return false;
  } catch (const YAML::ParserException& e) {
    std::string problem = "not valid YAML: " + e.msg;
    if (line_begins_with_tab(text, e.mark.line)) problem += " (the line is indented with a tab; YAML wants spaces)";
    issues.add(builder.place(e.mark), prefix, problem);
    return false;
  }
  root = std::move(builder.root());
  return true;
}

}  // namespace

bool parse_yaml_file(const yaml_source& from, const std::string& prefix, yaml_node& root, issue_list& issues) {
  const auto name = std::make_shared<const std::string>(from.name);
  const origin start(name, 1, 1);
  std::string text;
  if (from.text) {
    text = *from.text;
  } else if (const int error = read_whole(from.name, text, yaml_max_bytes); error != 0) {
    issues.add(start, prefix, std::string("cannot be read: ") + std::strerror(error));
    return false;
  }
  if (text.size() > yaml_max_bytes) {
    issues.add(start, prefix,
               "larger than " + std::to_string(yaml_max_bytes >> 20) +
                   " MiB, too large for a configuration; a run's numbers can be in files of their own "
                   "(init: {file: F} of an argument, {file: F} of an expectation)");
    return false;
  }
  if (!from.text) issues.note_file(from.name);
  return parse_text(text, name, prefix, root, issues);
}

bool parse_yaml_override(const std::string& text, const std::string& path, yaml_node& root, issue_list& issues) {
  return parse_text(text, nullptr, path, root, issues);
}

}  // namespace pws::platform
