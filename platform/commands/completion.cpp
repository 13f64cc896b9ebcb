// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/completion.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "base/file_names.h"
#include "platform/config/files/file_kinds.h"

namespace pws::platform {

namespace {

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

// A key as one writes it up to the first name of one's own, which nobody else knows.
std::string known_part(const std::string& path) {
  return path.substr(0, path.find('*'));
}

// For each key that begins with `given`, the part up to the next dot; a key's last part with "=" if asked for. A
// mapping gets none, because it is not set itself.
void add_keys(const std::vector<field>& fields, const std::string& given, bool with_values, candidates& to) {
  std::set<std::string> seen;
  for (const field& f : fields) {
    const std::string path = known_part(f.path);
    if (!begins(path, given)) continue;
    const size_t dot = path.find('.', given.size());
    const bool leaf = dot == std::string::npos;
    if (leaf && with_values && !f.short_form && (f.kind == field_kind::mapping || f.kind == field_kind::list)) continue;
    const std::string word = leaf ? path + (with_values ? "=" : "") : path.substr(0, dot + 1);
    if (word == given || !seen.insert(word).second) continue;
    to.words.push_back({word, leaf ? f.help : ""});
  }
}

// KEY=VALUE: keys, then the key's values. Files have no common prefix with the word; shells complete the part after
// "=".
void add_assignment(const std::vector<field>& fields, const std::string& given, candidates& to) {
  const size_t equals = given.find('=');
  if (equals == std::string::npos) return add_keys(fields, given, true, to);
  const std::string key = given.substr(0, equals), value = given.substr(equals + 1);
  for (const field& f : fields) {
    if (f.path != key) continue;
    std::vector<std::string> values = f.choices;
    if (f.kind == field_kind::boolean) values = {"true", "false"};
    const std::string assigned = key + "=";
    for (const std::string& v : values)
      if (begins(v, value)) to.words.push_back({assigned + v, ""});
    to.files = to.files || f.kind == field_kind::file || f.short_form == field_kind::text;
  }
}

std::vector<field> fields_for(const command_form& c) {
  if (c.name == "exec") return file_fields(file_kind::exec);
  if (c.name == "graph") return file_fields(file_kind::graph);
  if (c.name == "soc") return file_fields(file_kind::soc);
  if (c.name == "tasks") return file_fields(file_kind::tasks);
  std::vector<field> all = file_fields(file_kind::run);
  if (c.name == "check")
    for (const file_kind k : {file_kind::exec, file_kind::graph, file_kind::soc, file_kind::tasks})
      for (const field& f : file_fields(k)) all.push_back(f);
  return all;
}

void add_value(const command_form& c, const option_form& o, const std::string& given, const std::string& before,
               candidates& to) {
  candidates found;
  for (const std::string& choice : o.choices)
    if (begins(choice, given)) found.words.push_back({choice, ""});
  if (o.value == "PATH=VALUE") {
    add_assignment(fields_for(c), given, found);
  } else if (o.value == "KEY") {
    for (const auto& [kind, name] : enumerators(file_kind{})) {
      candidates keys;
      add_keys(own_fields(kind), given, false, keys);
      for (const candidate& k : keys.words)
        if (std::none_of(found.words.begin(), found.words.end(), [&](const candidate& w) { return w.word == k.word; }))
          found.words.push_back(k);
    }
  } else if (o.value == "FOLDER") {
    found.folders = true;
  } else if (begins(o.value, "FILE")) {
    found.files = true;
    if (o.value.size() > 5) found.endings = {o.value.substr(5)};
    if (o.value == "FILE.yaml") found.endings.emplace_back("yml");
    if (o.value == "FILE.csv") found.endings.emplace_back("jsonl");
  }
  for (candidate& w : found.words) to.words.push_back({before + w.word, w.help});
  to.files = to.files || found.files;
  to.folders = to.folders || found.folders;
  to.endings = found.endings;
}

// Where the cursor is within a command: its words before, and what of the last is there.
class within_command {
 public:
  within_command(const command_form& c, const std::vector<std::string>& words) : c_(c) {
    for (size_t k = 0; k + 1 < words.size(); ++k) take(words[k]);
    given_ = words.back();
  }

  candidates result() const {
    candidates to;
    if (awaits_ != nullptr) {
      add_value(c_, *awaits_, given_, "", to);
    } else if (!only_positional_ && begins(given_, "-")) {
      options(to);
    } else if (const option_form* p = positional(); p != nullptr) {
      add_value(c_, *p, given_, "", to);
    } else if (given_.empty() && !only_positional_) {
      options(to);
    }
    return to;
  }

 private:
  const option_form* named(const std::string& word) const {
    for (const option_form& o : c_.options)
      if (!o.positional && std::find(o.names.begin(), o.names.end(), word) != o.names.end()) return &o;
    return nullptr;
  }
  void take(const std::string& word) {
    if (awaits_ != nullptr) {
      awaits_ = nullptr;
    } else if (only_positional_ || !begins(word, "-")) {
      ++n_positional_;
    } else if (word == "--") {
      only_positional_ = true;
    } else if (const option_form* o = named(word.substr(0, word.find('='))); o != nullptr) {
      if (!o->repeated) used_.insert(o->names.front());
      if (!o->value.empty() && !o->joined && word.find('=') == std::string::npos) awaits_ = o;
    }
  }
  const option_form* positional() const {
    const option_form* last = nullptr;
    size_t n = 0;
    for (const option_form& o : c_.options) {
      if (!o.positional) continue;
      if (n++ == n_positional_) return &o;
      last = &o;
    }
    return last != nullptr && last->repeated ? last : nullptr;
  }
  void options(candidates& to) const {
    if (const size_t equals = given_.find('='); equals != std::string::npos) {
      for (const option_form& o : c_.options) {
        const std::string name = given_.substr(0, equals);
        if (o.value.empty() || std::find(o.names.begin(), o.names.end(), name) == o.names.end()) continue;
        add_value(c_, o, given_.substr(equals + 1), name + "=", to);
      }
      return;
    }
    for (const option_form& o : c_.options) {
      if (o.positional || used_.count(o.names.front()) != 0) continue;
      for (const std::string& n : o.names)
        if (begins(n, given_)) to.words.push_back({n + (o.joined ? "=" : ""), o.help});
    }
  }

  const command_form& c_;
  const option_form* awaits_ = nullptr;
  bool only_positional_ = false;
  size_t n_positional_ = 0;
  std::set<std::string> used_;
  std::string given_;
};

}  // namespace

candidates complete(const std::vector<command_form>& commands, const std::vector<std::string>& words) {
  candidates to;
  if (words.size() < 2) return to;
  const std::string program = file_name(words.front());
  const auto find = [&](const std::string& name) {
    return std::find_if(commands.begin(), commands.end(),
                        [&](const command_form& c) { return c.program == program && c.name == name; });
  };
  const auto top = find("");
  if (top == commands.end()) return to;
  const auto is_word = [](const std::string& w) { return !begins(w, "-"); };
  const bool has_commands = std::any_of(commands.begin(), commands.end(),
                                        [&](const command_form& c) { return c.program == program && !c.name.empty(); });
  if (!has_commands) return within_command(*top, {words.begin() + 1, words.end()}).result();
  const auto command = std::find_if(words.begin() + 1, words.end() - 1, is_word);
  if (command != words.end() - 1) {
    const auto c = find(*command);
    return c == commands.end() ? to : within_command(*c, {command + 1, words.end()}).result();
  }
  if (begins(words.back(), "-")) return within_command(*top, {words.begin() + 1, words.end()}).result();
  for (const command_form& c : commands)
    if (c.program == program && !c.name.empty() && begins(c.name, words.back()))
      to.words.push_back({c.name, c.summary});
  return to;
}

void print(std::ostream& out, const candidates& c) {
  for (const candidate& w : c.words) out << w.word << '\t' << w.help << '\n';
  if (c.files) {
    out << ":files";
    for (const std::string& e : c.endings) out << ' ' << e;
    out << '\n';
  } else if (c.folders) {
    out << ":folders\n";
  }
}

}  // namespace pws::platform
