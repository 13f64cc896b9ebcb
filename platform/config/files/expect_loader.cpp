// SPDX-License-Identifier: Apache-2.0
// `expect` of a run file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/config/files/buffer.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/values/expression_lexer.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

struct loading_tolerance : tolerance_config {
  element_type type = element_type::f32;
};

const schema<loading_tolerance>& tolerance_schema() {
  static const schema<loading_tolerance> s([](schema<loading_tolerance>& made) {
    using t = loading_tolerance;
    const auto number = [&made](const char* name, double tolerance_config::*place, const char* help) {
      made.real(name, place, help).then([place](const value_at& v, t& to) {
        if (!std::isfinite(to.*place) || to.*place < 0)
          v.issue("must be a finite number, zero or more; got " + printable(v.node.text));
      });
    };
    number("absolute", &t::absolute, "largest difference");
    number("relative", &t::relative, "largest difference per expected magnitude");
    made.integer("ulp", &t::ulp, "", {0, int128{1} << 62}, "largest distance in representable numbers")
        .then([](const value_at& v, t& to) {
          if (!is_real(to.type) && to.ulp != 0)
            v.issue(fmt::format("is for real numbers, and the buffer holds {}", name_of(to.type)));
        });
  });
  return s;
}

bool read_tolerance(const value_at& v, loading_expect& to) {
  loading_tolerance tolerance;
  tolerance.type = to.target->type;
  const bool good = tolerance_schema().read(v.node, v.path, tolerance, v.read);
  to.tolerance = tolerance;
  return good;
}

// Which elements are checked.
bool read_first(const value_at& v, loading_expect& to) {
  const auto first = v.read.integer(v.node, v.path, v.about);
  to.ranged = first && *first < to.target->count;
  if (first && !to.ranged)
    v.issue(fmt::format("{} has elements 0..{}, not {}", to.buffer, to.target->count - 1, *first));
  if (!to.ranged) return false;
  to.first = *first;
  to.count = to.target->count - to.first;
  return true;
}

bool read_count(const value_at& v, loading_expect& to) {
  if (!to.ranged) return false;  // nothing can be said of it
  const auto count = v.read.integer(v.node, v.path, v.about);
  to.ranged = count && *count <= to.count;
  if (count && !to.ranged)
    v.issue(fmt::format("{} elements from {} on; {} has {}", *count, to.first, to.buffer, to.target->count));
  if (to.ranged) to.count = *count;
  return to.ranged;
}

bool has_count(const value_at& v, const loading_expect& to, uint64_t given) {
  if (!to.ranged || given == to.count) return true;
  v.issue(fmt::format("has {} elements, and {} are checked", given, to.count));
  return false;
}

bool read_expected_values(const value_at& v, loading_expect& to) {
  auto bits = v.read.elements(v.node, v.path, to.target->type);
  if (!bits) return false;
  const uint64_t given = bits->size();
  to.value = expect_values{std::move(*bits)};
  return has_count(v, to, given);
}

bool read_expected_file(const value_at& v, loading_expect& to) {
  const auto file = v.read.file(v.node, v.path);
  if (!file) return false;
  const auto count = elements_in_file(v, *file, to.target->type);
  if (!count) return false;
  to.value = expect_file{*file};
  return has_count(v, to, *count);
}

// Whether the expression uses an argument that could not be read; then its errors would only confuse.
bool uses_broken(const std::string& text, const loading_run& run) {
  token_stream tokens(text);
  for (; tokens.peek().what != token::kind::end; tokens.next()) {
    if (tokens.peek().what == token::kind::name && run.broken.count(tokens.peek().text) != 0) return true;
  }
  return false;
}

bool read_expression(const value_at& v, loading_expect& to) {
  const auto text = v.read.text(v.node, v.path);
  if (!text) return false;
  to.value = expect_expression{*text};
  const std::vector<argument_config>& arguments = to.run->config.arguments;
  std::vector<size_t> index;
  const std::vector<expression_symbol> symbols = expression_symbols(arguments, index);
  const uint64_t end = to.first + to.count;
  try {
    if (uses_broken(*text, *to.run)) return false;
    const expression compiled(*text, symbols, to.target->type, end);
    for (const size_t k : compiled.buffers()) {
      if (!std::holds_alternative<poison_init>(arguments[index[k]].buffer()->init)) continue;
      v.issue(fmt::format("{} has no defined contents before the run (init: none)", symbols[k].name));
      return false;
    }
    for (const size_t k : compiled.buffers_at_i()) {
      if (!to.ranged || symbols[k].count >= end) continue;
      v.issue(fmt::format("{} has only {} elements, and elements up to {} are checked", symbols[k].name,
                          symbols[k].count, end - 1));
      return false;
    }
    auto problem = compiled.misfit();
    if (!problem && to.ranged && compiled.may_misfit()) problem = misfit_of(to, arguments);
    if (problem) {
      v.issue(*problem);
      return false;
    }
  } catch (const expression_error& e) {
    v.issue(fmt::format("at character {}: {}", e.position() + 1, e.what()));
    return false;
  }
  return true;
}

void fill_expect(schema<loading_expect>& s) {
  using e = loading_expect;
  using k = field_kind;
  constexpr int contents = 2;  // of the elements that first and count say
  const auto& constant = s.custom("constant", k::text, "every element",
                                  [](const value_at& v, e& to) {
                                    const auto bits = v.read.element(v.node, v.path, to.target->type);
                                    to.value = expect_constant{bits.value_or(0)};
                                    return bits.has_value();
                                  })
                             .type(number_of_type)
                             .step(contents);
  const auto& values =
      s.custom("values", k::text_list, "one per element", read_expected_values).type(numbers_of_type).step(contents);
  const auto& file = s.custom("file", k::file, "raw little-endian elements", read_expected_file).step(contents);
  const auto& expression =
      s.custom("expression", k::text,
               "of the arguments' initial contents, element by element; i is the index; numbers and i are 64-bit "
               "integers, and arguments have their type (docs/buffers.md has the rules)",
               read_expression)
          .step(contents);
  s.one_of({&constant, &values, &file, &expression});
  s.custom("first", k::integer, "first element to check", read_first)
      .range("element", {0, most_elements})
      .by_default("0")
      .step(1);
  s.custom("count", k::integer, "elements to check", read_count)
      .range("element", {1, most_elements})
      .by_default("the rest")
      .step(1);
  s.custom("tolerance", k::mapping, "an element passes if it meets any of the following", read_tolerance)
      .lists("", tolerance_schema());
}

}  // namespace

const schema<loading_expect>& expect_schema() {
  static const schema<loading_expect> s(fill_expect);
  return s;
}

std::optional<size_t> buffer_of(const value_at& v, const yaml_entry& entry, const loading_run& run, const char* what) {
  const auto refuse = [&](std::string problem) {
    v.read.issue(entry.where, v.path, std::move(problem));
    return std::nullopt;
  };
  const std::vector<argument_config>& arguments = run.config.arguments;
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [&entry](const argument_config& a) { return a.name == entry.key; });
  if (found == arguments.end()) {
    if (run.broken.count(entry.key) != 0) return std::nullopt;  // its own error is enough
    std::vector<std::string> names;
    for (const argument_config& argument : arguments) {
      if (argument.buffer() != nullptr) names.push_back(argument.name);
    }
    return refuse("there is no argument of that name" + did_you_mean(entry.key, names));
  }
  if (found->buffer() == nullptr) return refuse(fmt::format("only buffers can be {}, and this argument is none", what));
  return static_cast<size_t>(found - arguments.begin());
}

bool read_expect(const value_at& v, const yaml_entry& entry, const loading_run& run, std::vector<expect_config>& to) {
  const auto argument = buffer_of(v, entry, run, "checked");
  if (!argument) return false;
  loading_expect expect;
  expect.buffer = entry.key;
  expect.argument = *argument;
  expect.where = entry.where;
  expect.target = run.config.arguments[*argument].buffer();
  expect.run = &run;
  expect.count = expect.target->count;
  if (!expect_schema().read(v.node, v.path, expect, v.read)) return false;
  to.push_back(expect);
  return true;
}

}  // namespace pws::platform
