// SPDX-License-Identifier: Apache-2.0
// What is said of loops without a bound.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file_names.h"
#include "models/isa/code/decode.h"
#include "sw/wcet/kernel/kernel_code.h"

namespace pws::wcet {

namespace {

// The one place in the source that all of these blocks' instructions come from, if there is only one: code without
// lines of its own, as the device library's, has that of the call that it was inlined for, or of what came before it.
// Line 0: they have none. Nothing also for loops of few instructions, which may all be of one expression.
std::optional<cfg::source_place> only_place(const cfg::flow_graph& graph, const std::vector<size_t>& blocks,
                                            const std::function<cfg::source_place(size_t)>& place) {
  constexpr size_t few = 8;
  std::optional<cfg::source_place> only;
  size_t instructions = 0;
  for (const size_t b : blocks) instructions += graph[b].end - graph[b].first;
  if (instructions < few) return std::nullopt;
  for (const size_t b : blocks)
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      const cfg::source_place p = place(k);
      if (p.line == 0) continue;
      if (only && (only->line != p.line || only->column != p.column || only->file != p.file)) return std::nullopt;
      only = p;
    }
  return only.value_or(cfg::source_place{});
}

}  // namespace

// Why the code does not count it, with the place of what is not known.
std::string analysed_kernel::uncounted(const bounded_loop& l) const {
  std::string why = "the code does not say how often it goes round: " + l.counted;
  if (!l.unknown_from) return why;
  const isa::inst& i = graph().code().instructions[*l.unknown_from];
  const cfg::source_place at = place(*l.unknown_from);
  why += fmt::format("; what is not known is {} by {}", i.is_memory() ? "loaded" : "made", isa::disassemble(i));
  return at.line == 0 ? why : why + fmt::format(" in line {} of {}", at.line, file_name(at.file));
}

// A loop that makes more passes than its marks allow, whatever the data.
std::string analysed_kernel::contradiction(const bounded_loop& l) const {
  std::string marks;
  for (const size_t m : l.marks)
    marks +=
        fmt::format("{}{} of line {}", marks.empty() ? "" : ", ", facts_.marked[m].from, facts_.marked[m].place.line);
  return fmt::format("the loop at {}{} makes {} passes each time it is entered, what bounds it ({}) allows {}: {}",
                     graph().code().name, offset_of(l.header), *l.by_code, marks.empty() ? "of loops around it" : marks,
                     *l.by_marks == 0 ? "none" : fmt::format("{}", *l.by_marks), l.counted);
}

void analysed_kernel::require_bounds() const {
  std::string missing;
  const auto add = [&](const cfg::source_place& at, const std::string& problem) {
    missing += missing.empty() ? "" : "\n";
    if (at.line != 0) missing += fmt::format("{}:{}: ", at.file, at.line);
    missing += problem;
  };
  const std::string& kernel = graph().code().name;
  struct without_lines {
    cfg::source_place call;
    std::string first, counted;
    size_t loops = 0;
  };
  std::vector<without_lines> library;
  for (const bounded_loop& l : loops_) {
    const bool never =
        std::any_of(l.marks.begin(), l.marks.end(), [&](size_t m) { return facts_.marked[m].bound == 0; });
    if (l.exactly && l.by_marks && *l.by_marks < *l.by_code && !never) add(l.place, contradiction(l));
    if (l.passes) continue;
    // What goes round without being counted may be a part of it that has a bound: the fault is that one's then.
    const bool inner = std::any_of(loops_.begin(), loops_.end(), [&](const bounded_loop& o) {
      return &o != &l && !o.passes && o.blocks.size() < l.blocks.size() &&
             std::binary_search(l.blocks.begin(), l.blocks.end(), o.header);
    });
    if (inner) continue;
    cfg::source_place at = l.place;
    if (const cfg::source_place p = place(graph()[l.uncounted].last()); !l.marks.empty() && p.line != 0) at = p;
    if (l.returned_to) {
      add(at, fmt::format("the loop at {}{} has no bound: work-items that have left it may come back to it before "
                          "it ends, which the analysis does not follow",
                          kernel, offset_of(l.header)));
      continue;
    }
    if (const auto call = only_place(graph(), l.blocks, facts_.place); call && call->line != 0 && l.marks.empty()) {
      auto same = std::find_if(library.begin(), library.end(), [&](const without_lines& o) {
        return o.call.line == call->line && o.call.file == call->file;
      });
      if (same == library.end())
        same = library.insert(same, {*call, offset_of(l.header), l.counted.empty() ? "" : uncounted(l), 0});
      ++same->loops;
      continue;
    }
    std::string problem = fmt::format(
        "the loop at {}{} has no bound: write PWS_LOOP_BOUND(n) first in its body, or give it one in wcet.loops",
        kernel, offset_of(l.header));
    for (const size_t m : l.marks)
      problem += fmt::format(
          "; the mark of line {} does not count every way round (the code goes through {} without "
          "it): a loop that is one with it in the code has no mark",
          facts_.marked[m].place.line, offset_of(l.uncounted));
    if (!l.counted.empty()) problem += "; " + uncounted(l);
    add(at, problem);
  }
  for (const without_lines& w : library)
    add(w.call, fmt::format("{} at {}{} {} no bound: the code has no lines of its own, as in functions of the device "
                            "library, such as printf, whose loops can be given none{}",
                            w.loops == 1 ? "the loop" : fmt::format("{} loops, the first", w.loops), kernel, w.first,
                            w.loops == 1 ? "has" : "have", w.counted.empty() ? "" : "; " + w.counted));
  if (!missing.empty()) throw input_error(missing);
}

}  // namespace pws::wcet
