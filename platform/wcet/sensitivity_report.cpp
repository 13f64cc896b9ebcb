// SPDX-License-Identifier: Apache-2.0
// What is said of a bound's sensitivity: as a table, in the report, and for other programs.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <set>

#include "base/ratio.h"
#include "platform/wcet/sensitivity.h"

namespace pws::platform {

namespace {

// A change with what it is a change of.
struct change_of {
  const bound_sensitivity& all;
  const tried_change& change;

  std::optional<int64_t> difference() const {
    return change.bound.cycles ? std::optional(all.difference(change)) : std::nullopt;
  }
};

std::vector<change_of> every(const bound_sensitivity& s) {
  std::vector<change_of> out;
  out.reserve(s.tried.size());
  for (const tried_change& c : s.tried) out.push_back({s, c});
  return out;
}

std::string best_text(const bound_sensitivity& s, const tried_change& c) {
  const uint64_t less = s.bound - *c.bound.cycles;
  return fmt::format("{}: {} cycles less ({:.1f} %), a bound of {}", c.words, less, percent(less, s.bound),
                     *c.bound.cycles);
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string list_text(const std::vector<std::string>& names, size_t width) {
  std::string out;
  size_t column = 0;
  for (size_t k = 0; k < names.size(); ++k) {
    const std::string word = names[k] + (k + 1 == names.size() ? "" : ",");
    if (column + word.size() > width) {
      out += "\n  ";
      column = 0;
    }
    out += " " + word;
    column += word.size() + 1;
  }
  return out;
}

// Names, each once, of changes that leave the bound as it is and have no other one that moves it.
std::vector<std::string> names_without_effect(const bound_sensitivity& s) {
  std::set<std::string> moving, named;
  for (const tried_change& c : s.tried)
    if (c.bound.cycles && *c.bound.cycles != s.bound) moving.insert(c.name);
  std::vector<std::string> out;
  for (const tried_change& c : s.tried)
    if (c.bound.cycles && moving.count(c.name) == 0 && named.insert(c.name).second) out.push_back(c.name);
  return out;
}

// Why there is no bound with another value, once for each name that has none at all.
std::vector<std::string> refusals(const bound_sensitivity& s) {
  std::set<std::string> bounded, named;
  for (const tried_change& c : s.tried)
    if (c.bound.cycles) bounded.insert(c.name);
  std::vector<std::string> out;
  for (const tried_change& c : s.tried)
    if (bounded.count(c.name) == 0 && named.insert(c.name).second)
      out.push_back(fmt::format("{}{}: {}", c.name, c.to.empty() ? "" : " of " + c.to, c.bound.problem));
  return out;
}

}  // namespace

const report_part<bound_sensitivity>& sensitivity_part() {
  using s = bound_sensitivity;
  static const report_part<s> all =
      report_part<s>()
          .value("scheme", "whose bound is looked at", &s::scheme)
          .value("E_kernel", "cycles", "--sensitivity: as it is; of several launches the sum", &s::bound)
          .list(
              "changes",
              report_part<change_of>()
                  .value("thing", "machine, mark, loop, accesses or program", [](auto& c) { return c.change.thing; })
                  .value("name", "the key, the mark, the loop or the line", [](auto& c) { return c.change.name; })
                  .text("unit", "of its value", [](auto& c) { return c.change.unit; })
                  .value("value", "as it is", [](auto& c) { return c.change.value; })
                  .text("to", "as it would be", [](auto& c) { return c.change.to; })
                  .value("E_kernel", "cycles", "the bound that results", [](auto& c) { return c.change.bound.cycles; })
                  .value("difference", "cycles", "to the bound as it is", &change_of::difference)
                  .value("elasticity", "relative difference of E_kernel per relative difference of the value",
                         [](auto& c) { return c.change.elasticity; })
                  .text("problem", "why no bound results", [](auto& c) { return c.change.bound.problem; }),
              every)
          .value("without_effect", "keys of the machine that no number in this analysis depends on", &s::without)
          .value("lowest", "in words: the changes that lower it most, the best first", [](auto& of) {
            std::vector<std::string> words;
            for (const size_t k : of.best) words.push_back(best_text(of, of.tried[k]));
            return words;
          });
  return all;
}

void print(std::ostream& out, const bound_sensitivity& s) {
  fmt::print(out, "\nsensitivity of E_kernel with {}: {} cycles\n", name_of(s.scheme), s.bound);
  const auto moves = [&](const tried_change& c) { return c.bound.cycles && *c.bound.cycles != s.bound; };
  size_t width = 0;
  for (const tried_change& c : s.tried)
    if (moves(c)) width = std::max(width, c.name.size());
  fmt::print(out, "  {:<{}} {:>12} {:>12} {:>15} {:>14} {:>10}\n", "", width, "value", "instead", "E_kernel",
             "difference", "elasticity");
  for (const tried_change& c : s.tried)
    if (moves(c))
      fmt::print(out, "  {:<{}} {:>12} {:>12} {:>15} {:>+14} {:>10}\n", c.name, width, c.value, c.to, *c.bound.cycles,
                 s.difference(c), c.elasticity ? fmt::format("{:+.3f}", *c.elasticity) : "");
  if (const auto still = names_without_effect(s); !still.empty())
    fmt::print(out, "  no effect on this bound:{}\n", list_text(still, 90));
  if (!s.without.empty()) fmt::print(out, "  not part of this analysis:{}\n", list_text(s.without, 90));
  for (const std::string& r : refusals(s)) fmt::print(out, "  no bound with {}\n", r);
  if (s.best.empty()) fmt::print(out, "  none of these changes lowers the bound\n");
  for (size_t k = 0; k < s.best.size(); ++k)
    fmt::print(out, "{}  {}. {}\n", k == 0 ? "  lowest with one of these changes:\n" : "", k + 1,
               best_text(s, s.tried[s.best[k]]));
}

std::string csv_text(const bound_sensitivity& s) {
  std::string out = "thing,name,unit,value,to,E_kernel,difference,elasticity,problem\n";
  for (const tried_change& c : s.tried)
    out += fmt::format("{},{},{},{},{},{},{},{},{}\n", name_of(c.thing), quoted(c.name), c.unit, quoted(c.value),
                       quoted(c.to), c.bound.cycles ? fmt::format("{}", *c.bound.cycles) : "",
                       c.bound.cycles ? fmt::format("{}", s.difference(c)) : "",
                       c.elasticity ? fmt::format("{:.6g}", *c.elasticity) : "", quoted(c.bound.problem));
  for (const std::string& key : s.without)
    out += fmt::format("machine,{},,,,{},0,0,not part of this analysis\n", key, s.bound);
  return out;
}

}  // namespace pws::platform
