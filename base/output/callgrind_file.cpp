// SPDX-License-Identifier: Apache-2.0
#include "base/output/callgrind_file.h"

#include <fmt/format.h>

#include <map>

namespace pws {

namespace {

// A name is written once, and is its number from then on.
class numbered_names {
 public:
  std::string text(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
    return is_new ? fmt::format("({}) {}", at->second, name) : fmt::format("({})", at->second);
  }

 private:
  std::map<std::string, size_t> numbers_;
};

std::string known(const std::string& name) {
  return name.empty() ? "???" : name;
}

}  // namespace

std::string callgrind_file(const std::vector<callgrind_event>& events, const std::vector<callgrind_cost>& all) {
  std::vector<uint64_t> sums(events.size(), 0);
  for (const callgrind_cost& c : all)
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += c.costs[k];
  const std::string total = fmt::format("{}", fmt::join(sums, " "));
  std::string out = "# callgrind format\nversion: 1\ncreator: pwsvp\npositions: instr line\n", names;
  for (const callgrind_event& e : events) {
    out += fmt::format("event: {} : {}\n", e.name, e.meaning);
    names += " " + e.name;
  }
  out += "events:" + names + "\nsummary: " + total + "\n";
  numbered_names objects, files, functions;
  const std::string *object = nullptr, *function = nullptr;
  std::string file, function_file;
  for (const callgrind_cost& c : all) {
    const std::string own = known(c.file), outer = known(c.outer_file);
    if (object == nullptr || *object != c.object) {
      out += "\nob=" + objects.text(c.object) + "\n";
      function = nullptr;
    }
    object = &c.object;
    if (function == nullptr || *function != c.function) {
      out += "fl=" + files.text(outer) + "\nfn=" + functions.text(known(c.function)) + "\n";
      file = function_file = outer;
    }
    function = &c.function;
    // Inlined code has another file than the function, whose file is that of the outermost call.
    if (file != own) out += (own == function_file ? "fe=" : "fi=") + files.text(own) + "\n";
    file = own;
    out += fmt::format("{:#x} {} {}\n", c.offset, c.line, fmt::join(c.costs, " "));
  }
  return out + "\ntotals: " + total + "\n";
}

}  // namespace pws
