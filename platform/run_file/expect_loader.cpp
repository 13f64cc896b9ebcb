#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/config/text.h"
#include "platform/run_file/buffer.h"
#include "platform/run_file/expression_lexer.h"
#include "platform/run_file/run_loader.h"
#include "platform/run_file/run_schema.h"

namespace pws::platform {

namespace {

class expect_reader {
 public:
  expect_reader(const yaml_node& node, const std::string& name, const loading_run& run, reader& read)
      : node_(node), path_(path_join("expect", name)), run_(run), read_(read) {}

  bool read(const buffer_argument& buffer, expect_config& expect) {
    if (!read_.mapping(node_, path_)) return false;
    read_.keys(node_, path_, keys_below(run_fields(), "expect.*"));
    const bool tolerable = tolerance(buffer.type, expect.tolerance);
    const bool ranged = range(buffer, expect);
    const yaml_entry* chosen = one_of(node_, path_, {"constant", "values", "file", "expression"}, read_);
    if (chosen == nullptr) return false;
    return contents(*chosen, buffer, ranged, expect) && tolerable && ranged;
  }

 private:
  // Which elements are checked.
  bool range(const buffer_argument& buffer, expect_config& expect) {
    const yaml_node* first = node_.find("first");
    const yaml_node* count = node_.find("count");
    if (first != nullptr) {
      const auto value = read_.integer(*first, path_ + ".first", run_field("expect.*.first"));
      if (!value) return false;
      expect.first = *value;
      if (expect.first >= buffer.count) {
        read_.issue(first->where, path_ + ".first",
                    fmt::format("{} has elements 0..{}, not {}", expect.buffer, buffer.count - 1, expect.first));
        return false;
      }
    }
    expect.count = buffer.count - expect.first;
    if (count != nullptr) {
      const auto value = read_.integer(*count, path_ + ".count", run_field("expect.*.count"));
      if (!value) return false;
      if (*value > expect.count) {
        read_.issue(
            count->where, path_ + ".count",
            fmt::format("{} elements from {} on; {} has {}", *value, expect.first, expect.buffer, buffer.count));
        return false;
      }
      expect.count = *value;
    }
    return true;
  }

  bool tolerance(element_type type, tolerance_config& t) {
    const yaml_node* node = node_.find("tolerance");
    if (node == nullptr) return true;
    const std::string path = path_ + ".tolerance";
    if (!read_.mapping(*node, path)) return false;
    read_.keys(*node, path, keys_below(run_fields(), "expect.*.tolerance"));
    bool good = true;
    const auto number = [&](const char* key, double& value) {
      const yaml_node* n = node->find(key);
      if (n == nullptr) return;
      const auto given = read_.real(*n, path_join(path, key));
      if (!given || !std::isfinite(*given) || *given < 0) {
        if (given)
          read_.issue(n->where, path_join(path, key),
                      "must be a finite number, zero or more; got " + printable(n->text));
        good = false;
        return;
      }
      value = *given;
    };
    number("absolute", t.absolute);
    number("relative", t.relative);
    if (const yaml_node* ulp = node->find("ulp")) {
      const auto given = read_.integer(*ulp, path + ".ulp", run_field("expect.*.tolerance.ulp"));
      if (given && !is_real(type)) {
        read_.issue(ulp->where, path + ".ulp",
                    fmt::format("is for real numbers, and the buffer holds {}", name_of(type)));
      }
      good = good && given && is_real(type);
      t.ulp = given.value_or(0);
    }
    return good;
  }

  // `count_known`: expect.count can be relied on.
  bool contents(const yaml_entry& chosen, const buffer_argument& buffer, bool count_known, expect_config& expect) {
    const std::string path = path_ + "." + chosen.key;
    if (chosen.key == "constant") {
      const auto bits = read_.element(chosen.value, path, buffer.type);
      expect.value = expect_constant{bits.value_or(0)};
      return bits.has_value();
    }
    if (chosen.key == "expression") return expression_text(chosen.value, path, buffer, count_known, expect);
    uint64_t given = 0;
    if (chosen.key == "values") {
      auto bits = read_.elements(chosen.value, path, buffer.type);
      if (!bits) return false;
      given = bits->size();
      expect.value = expect_values{std::move(*bits)};
    } else {
      const auto file = read_.file(chosen.value, path);
      if (!file) return false;
      const auto count = elements_in_file(chosen.value, path, *file, buffer.type, read_);
      if (!count) return false;
      given = *count;
      expect.value = expect_file{*file};
    }
    if (count_known && given != expect.count) {
      read_.issue(chosen.value.where, path, fmt::format("has {} elements, and {} are checked", given, expect.count));
      return false;
    }
    return true;
  }

  // Whether the expression uses an argument that could not be read; then its errors would only confuse.
  bool uses_broken(const std::string& text) const {
    token_stream tokens(text);
    for (; tokens.peek().what != token::kind::end; tokens.next()) {
      if (tokens.peek().what == token::kind::name && run_.broken.count(tokens.peek().text) != 0) return true;
    }
    return false;
  }

  bool expression_text(const yaml_node& node, const std::string& path, const buffer_argument& buffer, bool count_known,
                       expect_config& expect) {
    const auto text = read_.text(node, path);
    if (!text) return false;
    expect.value = expect_expression{*text};
    const std::vector<argument_config>& arguments = run_.config.arguments;
    std::vector<size_t> index;
    const std::vector<expression_symbol> symbols = expression_symbols(arguments, index);
    const uint64_t end = expect.first + expect.count;
    try {
      if (uses_broken(*text)) return false;
      const expression compiled(*text, symbols, buffer.type, end);
      for (const size_t k : compiled.buffers()) {
        if (!std::holds_alternative<poison_init>(arguments[index[k]].buffer()->init)) continue;
        read_.issue(node.where, path,
                    fmt::format("{} has no defined contents before the run (init: none)", symbols[k].name));
        return false;
      }
      for (const size_t k : compiled.buffers_at_i()) {
        if (!count_known || symbols[k].count >= end) continue;
        read_.issue(node.where, path,
                    fmt::format("{} has only {} elements, and elements up to {} are checked", symbols[k].name,
                                symbols[k].count, end - 1));
        return false;
      }
    } catch (const expression_error& e) {
      read_.issue(node.where, path, fmt::format("at character {}: {}", e.position() + 1, e.what()));
      return false;
    }
    return true;
  }

  const yaml_node& node_;
  std::string path_;
  const loading_run& run_;
  reader& read_;
};

}  // namespace

void read_expect(const yaml_node& node, loading_run& run, reader& read) {
  if (!read.mapping(node, "expect")) return;
  std::vector<std::string> names;
  for (const argument_config& argument : run.config.arguments) {
    if (argument.buffer() != nullptr) names.push_back(argument.name);
  }
  for (const yaml_entry& entry : node.entries) {
    const auto& arguments = run.config.arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&entry](const argument_config& a) { return a.name == entry.key; });
    if (found == arguments.end()) {
      if (run.broken.count(entry.key) != 0) continue;  // its own error is enough
      read.issue(entry.where, path_join("expect", entry.key),
                 "there is no argument of that name" + did_you_mean(entry.key, names));
      continue;
    }
    if (found->buffer() == nullptr) {
      read.issue(entry.where, path_join("expect", entry.key), "only buffers can be checked, and this argument is none");
      continue;
    }
    expect_config expect;
    expect.buffer = entry.key;
    expect.argument = static_cast<size_t>(found - arguments.begin());
    expect.where = entry.where;
    if (expect_reader(entry.value, entry.key, run, read).read(*found->buffer(), expect)) {
      run.config.expect.push_back(std::move(expect));
    }
  }
}

}  // namespace pws::platform
