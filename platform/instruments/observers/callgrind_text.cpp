// SPDX-License-Identifier: Apache-2.0
// The callgrind profile format (Valgrind manual, "Callgrind Format Specification").
#include <fmt/format.h>

#include <map>

#include "platform/instruments/observers/profile.h"

namespace pws::platform {

namespace {

std::string costs(const profile_counters& n) {
  return fmt::format("{} {} {} {} {}", n.issues, n.cycles, n.all_stalls(), n.lanes, n.l1_misses);
}

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

}  // namespace

std::string callgrind_text(const profile& p) {
  constexpr const char* unknown = "???";
  const std::string total = costs(p.total());
  std::string out =
      "# callgrind format\nversion: 1\ncreator: pwsvp\npositions: instr line\n"
      "event: Issues : instructions of wavefronts\nevent: Cycles : that wavefronts waited for an instruction, and "
      "issued it\n"
      "event: Stalls : cycles that a wavefront waited\nevent: Lanes : active work-items, summed over issues\n"
      "event: Misses : lines that were not in the vector L1\n"
      "events: Issues Cycles Stalls Lanes Misses\n";
  out += "summary: " + total + "\n";
  numbered_names objects, files, functions;
  const std::string *object = nullptr, *function = nullptr;
  std::string file, function_file;
  for (const profiled_instruction& i : p.instructions) {
    // Inlined code has another file than the function, whose file is that of the outermost call.
    const std::string own = i.lines.empty() ? unknown : i.lines.front().file;
    const std::string outer = i.lines.empty() ? unknown : i.lines.back().file;
    if (object == nullptr || *object != i.object.file) {
      out += "\nob=" + objects.text(i.object.file) + "\n";
      function = nullptr;
    }
    object = &i.object.file;
    if (function == nullptr || *function != i.function) {
      out += "fl=" + files.text(outer) + "\nfn=" + functions.text(i.function.empty() ? unknown : i.function) + "\n";
      file = function_file = outer;
    }
    function = &i.function;
    if (file != own) out += (own == function_file ? "fe=" : "fi=") + files.text(own) + "\n";
    file = own;
    out += fmt::format("{:#x} {} {}\n", i.offset, i.lines.empty() ? 0 : i.lines.front().line, costs(i.counted));
  }
  return out + "\ntotals: " + total + "\n";
}

}  // namespace pws::platform
