// SPDX-License-Identifier: Apache-2.0
// The profiled sources as one page.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/output/annotated_page.h"
#include "platform/instruments/observers/profile.h"

namespace pws::platform {

namespace {

using models::stall;

constexpr size_t most_callers = 4;  // that are named at a line

struct line_profile {
  profile_counters counted;
  std::vector<const profiled_instruction*> instructions;  // empty: it has code that never ran
  std::string callers_note() const;
};
using file_profile = std::map<unsigned, line_profile>;  // by line
using sources = std::map<std::string, file_profile>;    // by file; "": of no known line

// Where the line's code was inlined, each place once.
std::string line_profile::callers_note() const {
  std::vector<std::string> places;
  for (const profiled_instruction* i : instructions) {
    if (i->lines.size() < 2) continue;
    const std::string place = loader::text({i->lines.begin() + 1, i->lines.end()});
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  std::string text;
  for (size_t k = 0; k < std::min(places.size(), most_callers); ++k)
    text += (k == 0 ? "inlined at " : "; at ") + places[k];
  if (places.size() > most_callers) text += fmt::format("; at {} more places", places.size() - most_callers);
  return text;
}

class profile_page {
 public:
  explicit profile_page(const profile& p);
  std::string text() const;

 private:
  // What shares are of: cycles, or issues where there is no time.
  bool timed() const { return total_.cycles != 0; }
  uint64_t weight(const profile_counters& n) const { return timed() ? n.cycles : n.issues; }
  double share(const profile_counters& n) const {
    const uint64_t all = weight(total_);
    return all == 0 ? 0 : 100.0 * static_cast<double>(weight(n)) / static_cast<double>(all);
  }
  std::string heads() const;
  std::string figures(const profile_counters& n) const;
  annotated_line line(const std::string& file, unsigned number, const line_profile& l) const;
  size_t never_ran() const;

  profile_counters total_;
  sources sources_;
  std::set<std::string> without_lines_;  // code objects
};

profile_page::profile_page(const profile& p) : total_(p.total()) {
  for (const profiled_instruction& i : p.instructions) {
    line_profile& l = i.lines.empty() ? sources_[""][0] : sources_[i.lines.front().file][i.lines.front().line];
    l.counted += i.counted;
    l.instructions.push_back(&i);
  }
  for (const profiled_object& o : p.objects) {
    if (o.lines.empty()) without_lines_.insert(o.name.file);
    for (const loader::line_code& c : o.lines)
      if (const auto file = sources_.find(c.line.file); c.begin != c.end && file != sources_.end())
        file->second[c.line.line];
  }
}

std::string profile_page::heads() const {
  std::string row;
  if (timed())
    row +=
        "<th style=\"width:80px\">cycles</th><th style=\"width:80px\">stalls</th><th class=\"w\" style=\"width:150px\">"
        "waits for</th>";
  return row +
         "<th style=\"width:76px\">issues</th><th style=\"width:38px\">lanes</th><th style=\"width:62px\">64 B lines"
         "</th><th style=\"width:56px\">L1 hits</th><th style=\"width:56px\">L1 misses</th>";
}

std::string profile_page::figures(const profile_counters& n) const {
  std::string row = share_cell(share(n));
  if (timed()) {
    std::vector<std::pair<uint64_t, const char*>> reasons;
    for (size_t k = 0; k < n.stalls.size(); ++k)
      if (n.stalls[k] != 0) reasons.emplace_back(n.stalls[k], models::name_of(static_cast<stall>(k)));
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (const auto& [cycles, name] : reasons) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, cycles);
    row += fmt::format("<td>{}</td><td>{}</td><td class=\"w\">{}</td>", n.cycles, n.all_stalls(), text);
  }
  const double lanes = n.issues == 0 ? 0 : static_cast<double>(n.lanes) / static_cast<double>(n.issues);
  return row + fmt::format("<td>{}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td>", n.issues, lanes, n.lines,
                           n.l1_hits, n.l1_misses);
}

size_t profile_page::never_ran() const {
  size_t n = 0;
  for (const auto& [file, lines] : sources_)
    for (const auto& [number, l] : lines) n += l.instructions.empty();
  return n;
}

annotated_line profile_page::line(const std::string& file, unsigned number, const line_profile& l) const {
  annotated_line out;
  out.weight = weight(l.counted);
  out.share = share(l.counted);
  out.place = loader::text({file, number, 0});
  out.note = l.callers_note();
  out.figures = figures(l.counted);
  for (const profiled_instruction* i : l.instructions) {
    std::string where = fmt::format("{}+{:#x}: {}", i->function, i->offset, i->instruction);
    if (i->lines.size() > 1) where += "  (inlined at " + loader::text({i->lines.begin() + 1, i->lines.end()}) + ")";
    out.instructions.push_back({where, figures(i->counted)});
  }
  return out;
}

std::string profile_page::text() const {
  annotated_listing listing;
  listing.heads = heads();
  listing.columns = timed() ? 8 : 5;
  listing.absent = "never ran";
  for (const std::string& object : without_lines_)
    listing.without_lines.push_back(object + " has no line tables: compile it with -g or -gline-tables-only.");
  for (const auto& [file, lines] : sources_)
    for (const auto& [number, l] : lines) listing.files[file][number] = line(file, number, l);
  std::string introduction = fmt::format(
      "<p>{} instructions, {} cycles of wavefronts, {} of them waiting. Shares are of {}. Lanes: active work-items of "
      "an instruction, on average. A click on a heading of the first table sorts it, one on a line's number shows its "
      "instructions.</p>\n",
      total_.issues, total_.cycles, total_.all_stalls(), timed() ? "cycles" : "instructions");
  if (const size_t n = never_ran(); n != 0)
    introduction += fmt::format(
        "<p>{} lines have code that never ran. Lines in grey have no code: comments, declarations, and what the "
        "compiler left out.</p>\n",
        n);
  return annotated_page("Profile", introduction, annotated_sources(listing));
}

}  // namespace

std::string html_text(const profile& p) {
  return profile_page(p).text();
}

}  // namespace pws::platform
